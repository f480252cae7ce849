#include "argfile.h"
#include "file.h"

enum { ARGFILE_BYTES = 1 << 24 };

typedef VEC(char *) Words;

/* A NUL byte ends an argument, as in argv. */
static char *read_file(Arena *arena, const char *path, Text *error) {
    Text bytes, why;
    if (file_read_named(arena, text_of(path), ARGFILE_BYTES, &bytes, &why))
        return arena_copy(arena, bytes.bytes, bytes.length + 1u);
    *error = text_format(arena, "cannot read @%s: %.*s", path, SHOWN(why));
    return NULL;
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

bool argfile_expand(Arena *arena, int *argc, char ***argv, Strings *files, Text *error) {
    Words words = {0};
    bool only_paths = false;
    for (int i = 0; i < *argc; i++) {
        char *word = (*argv)[i];
        if (i > 0 && word[0] == '@' && word[1] && !only_paths) {
            if (!add_lines(arena, word + 1, &words, error)) return false;
            vec_push(arena, files, word + 1);
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
