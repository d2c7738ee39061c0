/* replay.c - runs a fuzz target over the files of a corpus folder, so that it is part of the ordinary tests. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) return;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    /* Exactly size bytes, so that the sanitizer sees a read past the end. */
    uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
    if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size) LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
    fclose(file);
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    for (int i = 1; i < argc; i++) {
        DIR *folder = opendir(argv[i]);
        if (!folder) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
        struct dirent *entry;
        char           path[4096];
        while ((entry = readdir(folder))) {
            if (entry->d_name[0] == '.') continue;
            snprintf(path, sizeof path, "%s/%s", argv[i], entry->d_name);
            run_file(path);
            count++;
        }
        closedir(folder);
    }
    printf("%u inputs replayed\n", count);
    return count ? 0 : 1;
}
