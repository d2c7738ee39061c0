/* fixtures.h - every static method of the fixtures' assemblies and of the framework's core library. */
#ifndef ILC_TESTS_UNIT_IR_FIXTURES_H
#define ILC_TESTS_UNIT_IR_FIXTURES_H

#include <dirent.h>
#include <stdio.h>

#include "ir/ir.h"
#include "unit.h"

typedef void method_visitor(fixture *f, const ilc__method *method, void *user);

static inline void each_method_of(fixture *f, const char *path, method_visitor *visit, void *user)
{
    ilc__set   *set = ilc__set_create(&f->ctx);
    ilc__image *image;
    assert_ok(f, ilc__set_open(set, path, &image));
    for (uint32_t row = 1; row <= ilc__image_method_count(image); row++) {
        const ilc__method *method;
        assert_ok(f, ilc__image_method(image, row, &method));
        if (method->flags & ILC__METHOD_STATIC) visit(f, method, user);
    }
    ilc__set_destroy(set);
}

/* after (may be NULL) is told each assembly's name when its methods have been seen. Returns how many. */
static inline unsigned each_method_of_the_fixtures(fixture *f, method_visitor                        *visit,
                                                   void (*after)(const char *name, void *user), void *user)
{
    unsigned       count = 0;
    struct dirent *entry;
    DIR           *folder = opendir(ILCUDA_FIXTURES "/bin");
    if (!folder) return 0;
    while ((entry = readdir(folder))) {
        char   path[1024];
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".dll") != 0) continue;
        snprintf(path, sizeof path, ILCUDA_FIXTURES "/bin/%s", entry->d_name);
        each_method_of(f, path, visit, user);
        if (after) after(entry->d_name, user);
        count++;
    }
    closedir(folder);
    return count;
}

/* The core library of an installed .NET 10. */
static inline bool find_core_library(char *out, size_t size)
{
    static const char *const roots[] = {"/usr/share/dotnet", "/usr/lib/dotnet", "/usr/local/share/dotnet"};
    bool                     found = false;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0] && !found; i++) {
        char           folder_name[512];
        struct dirent *entry;
        snprintf(folder_name, sizeof folder_name, "%s/shared/Microsoft.NETCore.App", roots[i]);
        DIR *folder = opendir(folder_name);
        if (!folder) continue;
        while ((entry = readdir(folder))) {
            if (strncmp(entry->d_name, "10.", 3) != 0) continue;
            snprintf(out, size, "%s/%s/System.Private.CoreLib.dll", folder_name, entry->d_name);
            found = true;
        }
        closedir(folder);
    }
    return found;
}

/* The function is right, and its text reads back as it is. */
static inline void check_function(fixture *f, ilc__arena *arena, ilc__ir_func *func)
{
    ilc__text     first = {.arena = arena}, second = {.arena = arena};
    ilc__ir_func *again;
    assert_ok(f, ilc__ir_verify(func));
    ilc__ir_print(func, &first);
    assert_ok(f, ilc__ir_parse(&f->ctx, arena, ilc__text_string(&first), &again));
    ilc__ir_print(again, &second);
    assert_string_equal(ilc__text_string(&first), ilc__text_string(&second));
    assert_ok(f, ilc__ir_verify(again));
}

#endif
