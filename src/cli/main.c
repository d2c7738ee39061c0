/* main.c - the command-line program: finds the command and runs it. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "platform.h"

static int unknown_command(const char *typed)
{
    const char *names[32];
    for (int i = 0; i < command_count; i++) names[i] = commands[i].name;
    const char *nearest = options_nearest(typed, names, command_count);
    if (nearest) return say(EXIT_USAGE, "unknown command %s; did you mean %s?", typed, nearest);
    return say(EXIT_USAGE, "unknown command %s; see ilcuda --help", typed);
}

static const cli_command *find_command(const char *name)
{
    for (int i = 0; i < command_count; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

static int help(int argc, char **argv)
{
    const cli_command *command = argc > 0 ? find_command(argv[0]) : NULL;
    if (argc > 0 && !command) return unknown_command(argv[0]);
    if (command)
        options_print_help(command);
    else
        options_print_commands();
    return EXIT_DONE;
}

/* Output that could not be written must not pass for a success, or for an answer. */
static int finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    return code && was_said() ? code : say(EXIT_INPUT, "standard output could not be written");
}

int main(int argc, char **argv)
{
    platform_begin(&argc, &argv);
    if (argc < 2) {
        options_print_commands();
        return finish(EXIT_USAGE);
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return finish(help(argc - 2, argv + 2));
    if (strcmp(name, "--version") == 0) {
        printf("ilcuda %s\n", ilc_version());
        return finish(EXIT_DONE);
    }
    const cli_command *command = find_command(name);
    if (!command) return unknown_command(name);
    cli_settings settings;
    int      code = options_read(command, argc - 2, argv + 2, &settings);
    if (code == EXIT_DONE && settings.help)
        options_print_help(command);
    else if (code == EXIT_DONE)
        code = command->run(&settings);
    options_free(&settings);
    return finish(code);
}
