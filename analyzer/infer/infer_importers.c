/* What runs before a file does: what it imports, and the packages that it stands in. */
#include "interpret.h"

typedef struct Reach {
    const Program *program;
    Arena *scratch;
    bool *runs;   /* [FileId]: the file asked for runs before it; forward: it runs before the file asked for */
    bool forward; /* what is imported is added */
    bool changed;
} Reach;

static bool runs_named(Reach *reach, FileId file, Text dotted) {
    Sym name = dotted.length ? names_find(&reach->program->names, dotted) : 0;
    FileId to = name ? program_import(reach->program, file, name) : 0;
    if (!to || !reach->forward) return to && reach->runs[to];
    reach->changed |= !reach->runs[to];
    reach->runs[to] = true;
    return false;
}

/* `import a.b.c` runs a and a.b first, and so does what stands beside them in those packages. */
static bool runs_around(Reach *reach, FileId file, Text dotted) {
    if (runs_named(reach, file, dotted)) return true;
    for (uint32_t end = dotted.length; end-- > 0;)
        if (dotted.bytes[end] == '.' && runs_named(reach, file, text_slice(dotted, 0, end))) return true;
    return false;
}

/* An import of the module's body: one in a function may come too late. */
static bool is_at_top(const FileModel *model, const Import *import) {
    const Func *body = &model->funcs.items[1];
    if (import->type_checking) return false;
    return !import->target || (import->target >= body->first_expr && import->target < body->end_expr);
}

static bool leads_there(Reach *reach, FileId file) {
    const SourceFile *source = &reach->program->files.items[file];
    if (runs_around(reach, file, names_text(&reach->program->names, source->module))) return true;
    for (uint32_t i = 1; i < source->model->imports.count; i++) {
        const Import *import = &source->model->imports.items[i];
        if (!is_at_top(source->model, import)) continue;
        for (int with_name = import->name != 0; with_name >= 0; with_name--) {
            Text name = program_import_name(reach->scratch, reach->program, file, import, with_name);
            if (runs_around(reach, file, name)) return true;
        }
    }
    return false;
}

static const bool *spread(Arena *arena, const Program *program, FileId of, bool forward) {
    Arena scratch = {0};
    Reach reach = {program, &scratch, arena_new(arena, bool, program->files.count), forward, true};
    reach.runs[of] = true;
    while (reach.changed) {
        reach.changed = false;
        for (FileId file = 1; file < program->files.count; file++)
            if (reach.runs[file] == forward && leads_there(&reach, file))
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
