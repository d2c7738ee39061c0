/* os.c - what every operating system does alike (os.h). */
#include "base/os.h"

#include <string.h>

bool ilc__directory_each(ilc__arena *arena, const char *path, void (*visit)(void *user, const char *name), void *user)
{
    size_t room, length;
    if (!ilc__directory_names(path, NULL, 0, &room)) return false;
    char *names = ilc__arena_alloc(arena, room + 1);
    if (!ilc__directory_names(path, names, room, &length)) return false;
    for (size_t at = 0; at < length; at += strlen(names + at) + 1) visit(user, names + at);
    return true;
}
