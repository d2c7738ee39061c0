/* threads_win32.c - threads, mutexes and conditions on Windows (os.h). */
#include "base/os_win32.h"

#include <process.h>
#include <stdlib.h>

#include "base/os.h"

struct ilc__thread {
    HANDLE handle;
    void (*run)(void *user);
    void *user;
};

struct ilc__mutex {
    SRWLOCK lock;
};

struct ilc__condition {
    CONDITION_VARIABLE signal;
};

static unsigned __stdcall thread_main(void *argument)
{
    ilc__thread *thread = argument;
    thread->run(thread->user);
    return 0;
}

ilc__thread *ilc__thread_start(void (*run)(void *user), void *user, size_t stack)
{
    ilc__thread *thread = malloc(sizeof *thread);
    if (!thread) return NULL;
    thread->run = run;
    thread->user = user;
    unsigned  flags = stack ? STACK_SIZE_PARAM_IS_A_RESERVATION : 0;
    uintptr_t handle = stack > UINT_MAX ? 0 : _beginthreadex(NULL, (unsigned)stack, thread_main, thread, flags, NULL);
    if (!handle) {
        free(thread);
        return NULL;
    }
    thread->handle = (HANDLE)handle;
    return thread;
}

void ilc__thread_join(ilc__thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    free(thread);
}

ilc__mutex *ilc__mutex_create(void)
{
    ilc__mutex *mutex = malloc(sizeof *mutex);
    if (mutex) InitializeSRWLock(&mutex->lock);
    return mutex;
}

void ilc__mutex_destroy(ilc__mutex *mutex)
{
    free(mutex);
}

void ilc__mutex_lock(ilc__mutex *mutex)
{
    AcquireSRWLockExclusive(&mutex->lock);
}

void ilc__mutex_unlock(ilc__mutex *mutex)
{
    ReleaseSRWLockExclusive(&mutex->lock);
}

ilc__condition *ilc__condition_create(void)
{
    ilc__condition *condition = malloc(sizeof *condition);
    if (condition) InitializeConditionVariable(&condition->signal);
    return condition;
}

void ilc__condition_destroy(ilc__condition *condition)
{
    free(condition);
}

void ilc__condition_wait(ilc__condition *condition, ilc__mutex *mutex)
{
    SleepConditionVariableSRW(&condition->signal, &mutex->lock, INFINITE, 0);
}

void ilc__condition_broadcast(ilc__condition *condition)
{
    WakeAllConditionVariable(&condition->signal);
}
