/* compiler.c - gcc.exe for the test under Wine (wine): hands its arguments to the cross compiler of this machine, by the script beside it
 * (compiler.sh). Wine starts programs of this system but does not wait for them, so the exit code comes through a file. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

int main(int argc, char **argv)
{
    char base[MAX_PATH], path[MAX_PATH + 16], script[MAX_PATH + 16], line[4 * MAX_PATH];
    GetTempPathA(MAX_PATH - 40, base);
    sprintf(base + strlen(base), "compiler-%lu", GetCurrentProcessId());
    sprintf(path, "%s.args", base);
    FILE *args = fopen(path, "wb");
    for (int i = 1; args && i < argc; i++) fprintf(args, "%s\n", argv[i]);
    if (!args || fclose(args) != 0) return 99;
    GetModuleFileNameA(NULL, script, MAX_PATH);
    strcpy(strrchr(script, '\\') + 1, "compiler.sh");
    sprintf(line, "compiler.sh %s", base);
    STARTUPINFOA        how = {.cb = sizeof how};
    PROCESS_INFORMATION started;
    if (!CreateProcessA(script, line, NULL, NULL, TRUE, 0, NULL, NULL, &how, &started)) return 98;
    sprintf(path, "%s.code", base);
    FILE *code;
    while (!(code = fopen(path, "rb"))) Sleep(2);
    int result = 97;
    if (fscanf(code, "%d", &result) != 1) result = 96;
    fclose(code);
    remove(path);
    sprintf(path, "%s.out", base);
    FILE *out = fopen(path, "rb");
    for (int c; out && (c = getc(out)) != EOF;) putchar(c);
    if (out) fclose(out);
    remove(path);
    sprintf(path, "%s.args", base);
    remove(path);
    return result;
}
