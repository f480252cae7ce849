#include "extend.h"
#include "file.h"
#include "rulepage.h"
#include <glob.h>
#include <stdio.h>
#include <sys/stat.h>

typedef struct Sources {
    VEC(PageSource) items;
    Inputs *inputs;
} Sources;

/* ---- reading ---- */

static bool read_page(Arena *arena, const char *path, Sources *sources, Text *error) {
    PageSource source = {.path = text_format(arena, "%s", path)};
    Text why;
    inputs_file(sources->inputs, source.path);
    if (file_read(arena, source.path, &source.bytes, &why)) {
        vec_push(arena, &sources->items, source);
        return true;
    }
    *error = text_format(arena, "--extend-rules: %s: %.*s", path, SHOWN(why));
    return false;
}

static bool is_folder(Arena *arena, Inputs *inputs, const char *path) {
    return inputs_kind(inputs, arena, text_of(path)) == S_IFDIR;
}

static bool is_page(const char *path) {
    return text_ends(text_of(path), TEXT(".md")) || text_ends(text_of(path), TEXT(".pyi"));
}

static bool read_matches(Arena *arena, const char *pattern, bool folder, Sources *sources, Text *error) {
    glob_t matches = {0};
    inputs_glob(sources->inputs, pattern);
    bool good = glob(pattern, 0, NULL, &matches) == 0 && matches.gl_pathc > 0;
    if (!good && !folder) *error = text_format(arena, "--extend-rules: %s: no such page", pattern);
    for (size_t i = 0; good && i < matches.gl_pathc; i++) {
        const char *path = matches.gl_pathv[i];
        if (folder && !is_page(path)) continue;
        if (is_folder(arena, sources->inputs, path)) continue;
        if (!read_page(arena, path, sources, error)) {
            globfree(&matches);
            return false;
        }
    }
    globfree(&matches);
    return good || folder;
}

static bool read_sources(Arena *arena, const char *pattern, Sources *sources, Text *error) {
    uint32_t before = sources->items.count;
    bool folder = is_folder(arena, sources->inputs, pattern);
    if (folder) pattern = text_format(arena, "%s/*", pattern).bytes;
    if (!read_matches(arena, pattern, folder, sources, error)) return false;
    if (sources->items.count > before) return true;
    *error = text_format(arena, "--extend-rules: %s: no page (.md or .pyi) there", pattern);
    return false;
}

/* ---- the version ---- */

static bool read_version(const char *word, uint32_t *version) {
    unsigned major = 0, minor = 0;
    char after = 0;
    int read = sscanf(word, "%3u.%3u%c", &major, &minor, &after);
    *version = rulebook_version(major, minor);
    return read == 2 || (read == 3 && (after == '.' || after == '+' || after == 'a' || after == 'r'));
}

/* Mistakes are lines: quotes the first and counts the others. */
static Text first_mistake(Arena *arena, Text mistakes) {
    uint32_t end = 0, more = 0;
    while (end < mistakes.length && mistakes.bytes[end] != '\n') end++;
    for (uint32_t i = end; i + 1 < mistakes.length; i++) more += mistakes.bytes[i] == '\n';
    if (!more) return text_slice(mistakes, 0, end);
    return text_format(arena, "%.*s (and %u more)", (int)end, mistakes.bytes, more);
}

const Rulebook *extend_rulebook(Arena *result, const Rulebook *base, const char *const *patterns,
                                uint32_t count, const char *torch_version, Inputs *inputs, Text *error) {
    Sources sources = {.inputs = inputs};
    for (uint32_t i = 0; i < count; i++)
        if (!read_sources(result, patterns[i], &sources, error)) return NULL;
    if (count) base = rulepage_read(result, base, sources.items.items, sources.items.count, error);
    if (!base) {
        *error = first_mistake(result, *error);
        return NULL;
    }
    if (!torch_version) return base;
    Rulebook *book = arena_copy(result, base, sizeof *base);
    if (read_version(torch_version, &book->torch_version)) return book;
    *error = text_format(result, "--torch-version: '%s' is no version like 2.4", torch_version);
    return NULL;
}
