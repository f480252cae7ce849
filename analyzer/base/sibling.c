#define _XOPEN_SOURCE 700 /* realpath */
#include "sibling.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static const char *terminated(Arena *arena, Text text) {
    char *copy = arena_alloc(arena, (size_t)text.length + 1);
    if (text.length) memcpy(copy, text.bytes, text.length);
    return copy;
}

/* The folder of a path, links followed; NULL when there is no such file. */
static const char *folder_of(Arena *arena, const char *path) {
    char *resolved = realpath(path, NULL);
    if (!resolved) return NULL;
    const char *slash = strrchr(resolved, '/');
    const char *folder = terminated(arena, (Text){resolved, (uint32_t)(slash - resolved)});
    free(resolved);
    return folder;
}

/* As the shell found it: a bare name stands somewhere on PATH. */
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

Text sibling_run(Arena *arena, const char *invoked, const char *name, char **arguments) {
    const char *folder = folder_of(arena, "/proc/self/exe"); /* Linux; elsewhere argv[0] must do */
    if (!folder) folder = strchr(invoked, '/') ? folder_of(arena, invoked) : folder_on_path(arena, invoked);
    if (!folder) return text_format(arena, "cannot tell where syncl is installed, so %s was not found", name);
    const char *program = terminated(arena, text_format(arena, "%s/%s", folder, name));
    size_t count = 0;
    while (arguments[count]) count++;
    char **argv = arena_new(arena, char *, count + 2);
    argv[0] = arena_copy(arena, program, strlen(program) + 1);
    memcpy(argv + 1, arguments, count * sizeof *arguments);
    (void)execv(program, argv);
    if (errno != ENOENT) return text_format(arena, "cannot run %s: %s", program, strerror(errno));
    return text_format(arena,
                       "the calibrator is not installed: %s is missing; it is built where the CUDA toolkit is, "
                       "by `make calib`",
                       program);
}
