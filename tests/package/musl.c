/* musl.c - a program of musl's that loads the library for musl: musl LIBRARY ASSEMBLY METHOD */
#include <dlfcn.h>
#include <stdio.h>

#include <ilcuda/ilcuda.h>

#define CALL(name) ((__typeof__(&name))dlsym(library, #name))

int main(int argc, char **argv)
{
    ilc_session  *session;
    ilc_assembly *assembly;
    ilc_method   *method;
    if (argc != 4) return 2;
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    if (CALL(ilc_abi)() != ILC_ABI || CALL(ilc_session_create)(&session, NULL) != ILC_OK) return 1;
    if (CALL(ilc_assembly_open)(&assembly, session, argv[2], NULL) != ILC_OK) return 1;
    if (CALL(ilc_assembly_find)(&method, assembly, argv[3]) != ILC_OK) return 1;
    printf("%s has %u parameters\n", CALL(ilc_method_full_name)(method), CALL(ilc_method_param_count)(method));
    CALL(ilc_session_destroy)(session);
    return 0;
}
