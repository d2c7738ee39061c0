/* threads_posix.c - threads, mutexes and conditions on POSIX (os.h). */
#define _GNU_SOURCE
#include "base/os.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct ilc__thread {
    pthread_t handle;
    void (*run)(void *user);
    void *user;
};

struct ilc__mutex {
    pthread_mutex_t lock;
};

struct ilc__condition {
    pthread_cond_t signal;
};

static void *thread_main(void *argument)
{
    ilc__thread *thread = argument;
    thread->run(thread->user);
    return NULL;
}

static int create(pthread_t *handle, ilc__thread *thread, size_t stack)
{
    pthread_attr_t attributes;
    int            error = pthread_attr_init(&attributes);
    if (error) return error;
    if (stack) error = pthread_attr_setstacksize(&attributes, stack);
    if (!error) error = pthread_create(handle, &attributes, thread_main, thread);
    pthread_attr_destroy(&attributes);
    return error;
}

ilc__thread *ilc__thread_start(void (*run)(void *user), void *user, size_t stack)
{
    ilc__thread *thread = malloc(sizeof *thread);
    if (!thread) return NULL;
    thread->run = run;
    thread->user = user;
    /* The host program's signals are for its own threads. Faults stay deliverable where they happen. */
    sigset_t all, saved;
    sigfillset(&all);
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    int error = create(&thread->handle, thread, stack);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    if (error) {
        free(thread);
        return NULL;
    }
    return thread;
}

void ilc__thread_join(ilc__thread *thread)
{
    pthread_join(thread->handle, NULL);
    free(thread);
}

ilc__mutex *ilc__mutex_create(void)
{
    ilc__mutex *mutex = malloc(sizeof *mutex);
    if (mutex && pthread_mutex_init(&mutex->lock, NULL) != 0) {
        free(mutex);
        mutex = NULL;
    }
    return mutex;
}

void ilc__mutex_destroy(ilc__mutex *mutex)
{
    if (!mutex) return;
    pthread_mutex_destroy(&mutex->lock);
    free(mutex);
}

void ilc__mutex_lock(ilc__mutex *mutex)
{
    pthread_mutex_lock(&mutex->lock);
}

void ilc__mutex_unlock(ilc__mutex *mutex)
{
    pthread_mutex_unlock(&mutex->lock);
}

ilc__condition *ilc__condition_create(void)
{
    ilc__condition *condition = malloc(sizeof *condition);
    if (condition && pthread_cond_init(&condition->signal, NULL) != 0) {
        free(condition);
        condition = NULL;
    }
    return condition;
}

void ilc__condition_destroy(ilc__condition *condition)
{
    if (!condition) return;
    pthread_cond_destroy(&condition->signal);
    free(condition);
}

void ilc__condition_wait(ilc__condition *condition, ilc__mutex *mutex)
{
    pthread_cond_wait(&condition->signal, &mutex->lock);
}

void ilc__condition_broadcast(ilc__condition *condition)
{
    pthread_cond_broadcast(&condition->signal);
}
