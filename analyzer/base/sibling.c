#define _XOPEN_SOURCE 700 /* realpath */
#include "sibling.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *terminated(Arena *arena, Text text) {
    char *copy = arena_alloc(arena, (size_t)text.length + 1);
    if (text.length) memcpy(copy, text.bytes, text.length);
    return copy;
}

/* The folder of a path with links resolved; NULL when there is no such file. */
static const char *folder_of(Arena *arena, const char *path) {
    char *resolved = realpath(path, NULL);
    if (!resolved) return NULL;
    const char *slash = strrchr(resolved, '/');
    const char *folder = terminated(arena, (Text){resolved, (uint32_t)(slash - resolved)});
    free(resolved);
    return folder;
}

/* The folder on PATH that holds the program `name`, as the shell finds it. */
static const char *folder_on_path(Arena *arena, const char *name) {
    const char *path = getenv("PATH");
    while (path && *path) {
        int length = (int)strcspn(path, ":");
        Text candidate = text_format(arena, "%.*s/%s", length, path, name);
        const char *file = terminated(arena, candidate);
        if (access(file, X_OK) == 0) return folder_of(arena, file);
        path += length + (path[length] == ':');
    }
    return NULL;
}

const char *sibling_path(Arena *arena, const char *invoked, const char *name) {
    const char *folder = folder_of(arena, "/proc/self/exe"); /* Linux; elsewhere argv[0] must do */
    if (!folder) folder = strchr(invoked, '/') ? folder_of(arena, invoked) : folder_on_path(arena, invoked);
    return folder ? terminated(arena, text_format(arena, "%s/%s", folder, name)) : NULL;
}

/* The argv for the sibling, or NULL where our own location is unknown. */
static char **command_of(Arena *arena, const char *invoked, const char *name, char **arguments) {
    const char *program = sibling_path(arena, invoked, name);
    if (!program) return NULL;
    size_t count = 0;
    while (arguments[count]) count++;
    char **argv = arena_new(arena, char *, count + 2);
    argv[0] = arena_copy(arena, program, strlen(program) + 1);
    memcpy(argv + 1, arguments, count * sizeof *arguments);
    return argv;
}

static Text cannot(Arena *arena, const char *program, int reason) {
    if (reason != ENOENT) return text_format(arena, "cannot run %s: %s", program, strerror(reason));
    return text_format(arena,
                       "the calibrator is not installed: %s is missing; it is built where the CUDA toolkit is, "
                       "by `make calib`",
                       program);
}

Text sibling_run(Arena *arena, const char *invoked, const char *name, char **arguments) {
    char **argv = command_of(arena, invoked, name, arguments);
    if (!argv) return text_format(arena, "cannot tell where syncl is installed, so %s was not found", name);
    (void)execv(argv[0], argv);
    return cannot(arena, argv[0], errno);
}

int sibling_wait(Arena *arena, const char *invoked, const char *name, char **arguments, Text *error) {
    char **argv = command_of(arena, invoked, name, arguments);
    int status = 0;
    if (!argv || access(argv[0], X_OK) != 0) {
        *error = cannot(arena, argv ? argv[0] : name, argv ? errno : ENOENT);
        return -1;
    }
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* our standard output carries the report */
        (void)execv(argv[0], argv);
        _exit(127);
    }
    if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status)) return WEXITSTATUS(status);
    *error = text_format(arena, "%s did not end as it should", argv[0]);
    return -1;
}
