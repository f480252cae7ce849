#include "argfile.h"
#include <errno.h>
#include <stdio.h>

enum { ARGFILE_BYTES = 1 << 24 };

typedef VEC(char *) Words;

static char *read_file(Arena *arena, const char *path, Text *error) {
    FILE *file = fopen(path, "rb");
    char *bytes = file ? arena_alloc(arena, ARGFILE_BYTES + 1u) : NULL;
    size_t count = file ? fread(bytes, 1, ARGFILE_BYTES + 1u, file) : 0;
    bool failed = !file || ferror(file);
    if (failed)
        *error = text_format(arena, "cannot read @%s: %s", path, strerror(errno));
    else if (count > ARGFILE_BYTES)
        *error = text_format(arena, "cannot read @%s: it is larger than 16 MiB", path);
    if (file) fclose(file);
    if (failed || count > ARGFILE_BYTES) return NULL;
    bytes[count] = '\0'; /* a NUL before it ends the last argument, as it would in argv */
    return bytes;
}

static bool add_lines(Arena *arena, const char *path, Words *words, Text *error) {
    char *line = read_file(arena, path, error);
    if (!line) return false;
    while (*line) {
        size_t length = strcspn(line, "\n"), end = length;
        bool more = line[length] == '\n';
        if (end > 0 && line[end - 1] == '\r') end--;
        line[end] = '\0';
        if (end > 0) vec_push(arena, words, line);
        line += length + more;
    }
    return true;
}

bool argfile_expand(Arena *arena, int *argc, char ***argv, Text *error) {
    Words words = {0};
    bool only_paths = false;
    for (int i = 0; i < *argc; i++) {
        char *word = (*argv)[i];
        if (i > 0 && word[0] == '@' && word[1] && !only_paths) {
            if (!add_lines(arena, word + 1, &words, error)) return false;
            continue;
        }
        only_paths = only_paths || strcmp(word, "--") == 0;
        vec_push(arena, &words, word);
    }
    *argc = (int)words.count;
    vec_push(arena, &words, NULL);
    *argv = words.items;
    return true;
}
