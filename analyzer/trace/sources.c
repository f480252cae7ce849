#include "sources.h"
#include "path.h"

enum { ENDS_ALIKE = UINT32_MAX };

struct Sources {
    Arena *arena;
    const Program *program;
    Names asked;
    VEC(FileId) answers; /* [asked - 1] */
};

Sources *sources_new(Arena *arena, const Program *program) {
    Sources *sources = arena_new(arena, Sources, 1);
    *sources = (Sources){.arena = arena, .program = program, .asked = {.arena = arena}};
    return sources;
}

static bool is_installed(Text path) {
    return text_holds(path, "site-packages/") || text_holds(path, "dist-packages/");
}

static bool is_end_of(Text end, Text path) {
    while (text_starts(end, TEXT("./"))) end = text_slice(end, 2, end.length);
    while (text_starts(end, TEXT("../"))) end = text_slice(end, 3, end.length);
    if (!end.length || !text_ends(path, end)) return false;
    return path.length == end.length || end.bytes[0] == '/' || path.bytes[path.length - end.length - 1] == '/';
}

/* The number of trailing components that two paths share. */
static uint32_t parts_alike(Text a, Text b) {
    uint32_t parts = 0;
    while (a.length && b.length && text_equal(path_base(a), path_base(b))) {
        parts++;
        a = path_folder(a), b = path_folder(b);
        if (a.length <= 1 || b.length <= 1) break;
    }
    return parts;
}

/* The profiler writes a package's path from its import root, so one shared component of "torch/utils/data.py"
   proves nothing. */
static uint32_t likeness(Text known, Text recorded) {
    if (is_installed(recorded) && !is_installed(known)) return 0;
    if (is_end_of(known, recorded) || is_end_of(recorded, known)) return ENDS_ALIKE;
    uint32_t parts = parts_alike(known, recorded);
    bool of_package = recorded.length && recorded.bytes[0] != '/' && path_folder(recorded).length > 0;
    return parts > of_package ? parts : 0;
}

static FileId find(const Program *program, Text recorded) {
    FileId best = 0;
    uint32_t most = 0;
    for (FileId file = 1; file < program->files.count; file++) {
        uint32_t parts = likeness(program->files.items[file].path, recorded);
        if (parts > most) most = parts, best = file;
    }
    return best;
}

FileId sources_file(Sources *sources, Text recorded) {
    Sym asked = names_intern(&sources->asked, recorded);
    if (asked > sources->answers.count)
        vec_push(sources->arena, &sources->answers, find(sources->program, recorded));
    return sources->answers.items[asked - 1];
}
