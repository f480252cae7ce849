/* What runs before a file: its imports and the packages around it. And which default device the programs of a
   repository set. */
#include "hints.h"

/* The files that a file's own dotted name and its imports lead to. */
typedef struct Targets {
    VEC(FileId) items;
    bool known;
} Targets;

typedef struct Reach {
    const Program *program;
    Arena *scratch;
    Targets *targets; /* [FileId] */
    bool *runs;   /* [FileId]: the file in question runs before it; with `forward`: it runs before the file in
                     question */
    bool forward; /* follow imports from importer to imported */
    bool changed;
} Reach;

enum { ENTRIES_MOST = 64 };

typedef struct Entries {
    FileId items[ENTRIES_MOST];
    uint32_t count;
} Entries;

static void add_named(const Reach *reach, FileId file, Text dotted) {
    Sym name = dotted.length ? names_find(&reach->program->names, dotted) : 0;
    FileId to = name ? program_import(reach->program, file, name) : 0;
    if (to) vec_push(reach->scratch, &reach->targets[file].items, to);
}

/* `import a.b.c` first runs the __init__.py of a and of a.b. */
static void add_around(const Reach *reach, FileId file, Text dotted) {
    add_named(reach, file, dotted);
    for (uint32_t end = dotted.length; end-- > 0;)
        if (dotted.bytes[end] == '.') add_named(reach, file, text_slice(dotted, 0, end));
}

/* An import at module level; one in a function may run too late. */
static bool is_at_top(const FileModel *model, const Import *import) {
    const Func *body = &model->funcs.items[1];
    if (import->type_checking) return false;
    return !import->target || (import->target >= body->first_expr && import->target < body->end_expr);
}

/* Memoised: files are asked about again until the fixpoint. */
static const Targets *targets_of(const Reach *reach, FileId file) {
    const SourceFile *source = &reach->program->files.items[file];
    Targets *targets = &reach->targets[file];
    if (targets->known) return targets;
    targets->known = true;
    add_around(reach, file, names_text(&reach->program->names, source->module));
    for (uint32_t i = 1; i < source->model->imports.count; i++) {
        const Import *import = &source->model->imports.items[i];
        if (!is_at_top(source->model, import)) continue;
        for (int with_name = import->name != 0; with_name >= 0; with_name--)
            add_around(reach, file,
                       program_import_name(reach->scratch, reach->program, file, import, with_name));
    }
    return targets;
}

static bool reaches_target(Reach *reach, FileId file) {
    const Targets *targets = targets_of(reach, file);
    for (uint32_t i = 0; i < targets->items.count; i++) {
        bool *runs = &reach->runs[targets->items.items[i]];
        if (*runs && !reach->forward) return true;
        reach->changed |= reach->forward && !*runs;
        *runs |= reach->forward;
    }
    return false;
}

static const bool *spread(Arena *arena, const Program *program, FileId of, bool forward) {
    Arena scratch = {0};
    uint32_t count = program->files.count;
    Reach reach = {.program = program,
                   .scratch = &scratch,
                   .targets = arena_new(&scratch, Targets, count),
                   .runs = arena_new(arena, bool, count),
                   .forward = forward,
                   .changed = true};
    reach.runs[of] = true;
    while (reach.changed) {
        reach.changed = false;
        for (FileId file = 1; file < count; file++)
            if (reach.runs[file] == forward && reaches_target(&reach, file))
                reach.runs[file] = reach.changed = true;
    }
    arena_free(&scratch);
    return reach.runs;
}

const bool *find_importers(Arena *arena, const Program *program, FileId of) {
    return spread(arena, program, of, false);
}

const bool *find_imported(Arena *arena, const Program *program, FileId of) {
    return spread(arena, program, of, true);
}

/* Entry points: files that nothing imports. False where there are too many for the default of one to say much. */
static bool find_entries(Arena *scratch, const Program *program, Entries *entries) {
    bool *imported = arena_new(scratch, bool, program->files.count);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (uint32_t i = 1; i < source->model->imports.count; i++) {
            const Import *import = &source->model->imports.items[i];
            for (int with_name = import->name != 0; with_name >= 0; with_name--) {
                Text dotted = program_import_name(scratch, program, file, import, with_name);
                Sym name = dotted.length ? names_find(&program->names, dotted) : 0;
                FileId to = name ? program_import(program, file, name) : 0;
                if (to != file) imported[to] = true;
            }
        }
    }
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        if (imported[file] || !source->whole || !source->reaches_torch) continue;
        if (entries->count == ENTRIES_MOST) return false;
        entries->items[entries->count++] = file;
    }
    return true;
}

/* A file imported by several programs counts as defaulted only if most of them set the default. */
static void spread_default(Arena *scratch, const Program *program, const Entries *entries, bool *defaulted) {
    uint32_t count = program->files.count;
    uint32_t *runs = arena_new(scratch, uint32_t, count), *set = arena_new(scratch, uint32_t, count);
    for (uint32_t e = 0; e < entries->count; e++) {
        const bool *imported = find_imported(scratch, program, entries->items[e]);
        for (FileId file = 1; file < count; file++) {
            runs[file] += imported[file];
            set[file] += imported[file] && defaulted[entries->items[e]];
        }
    }
    for (FileId file = 1; file < count; file++) defaulted[file] |= set[file] && set[file] * 2 >= runs[file];
}

void set_default_cuda(Inference *inference, FileId by, bool at_top) {
    const Program *program = inference->program;
    if (!inference->default_cuda) {
        inference->default_cuda = arena_new(inference->arena, bool, program->files.count);
        inference->default_setters = arena_new(inference->arena, bool, program->files.count);
    }
    if (inference->default_setters[by]) return;
    inference->default_setters[by] = true;
    Arena scratch = {0};
    Entries entries = {0};
    bool few = find_entries(&scratch, program, &entries);
    const bool *after = find_importers(&scratch, program, by);
    for (FileId file = 1; at_top && file < program->files.count; file++)
        inference->default_cuda[file] |= after[file];
    for (uint32_t e = 0; few && e < entries.count; e++)
        inference->default_cuda[entries.items[e]] |= after[entries.items[e]];
    inference->default_cuda[by] = true;
    if (few) spread_default(&scratch, program, &entries, inference->default_cuda);
    arena_free(&scratch);
}
