/* Which programs of a repository run which files: what is started is what nothing imports, or what asks whether it is `__main__`. */
#include "entries.h"
#include "conventions.h"

typedef struct Reach {
    const Program *program;
    Entries *entries;
    VEC(FileId) * imports; /* [FileId] */
    VEC(FileId) waiting;
    bool *imported;
} Reach;

static void add_import(Arena *scratch, Reach *reach, FileId file, FileId to) {
    if (!to || to == file) return;
    vec_push(scratch, &reach->imports[file], to);
    reach->imported[to] = true;
}

/* `import a.b.c` runs a and a.b too. */
static void add_imports(Arena *scratch, Reach *reach, FileId file, const Import *import) {
    const Program *program = reach->program;
    Text dotted = program_import_name(scratch, program, file, import, import->name != 0);
    for (uint32_t end = dotted.length; end > 0; end--) {
        if (end < dotted.length && dotted.bytes[end] != '.') continue;
        Sym name = names_find(&program->names, text_slice(dotted, 0, end));
        if (name) add_import(scratch, reach, file, program_import(program, file, name));
    }
}

static bool asks_for_main(const FileModel *model) {
    for (NameId n = 1; n < model->names.count; n++)
        if (text_is(model_name(model, n), "__main__")) return true;
    return false;
}

/* False where there are so many that to name them says nothing. */
static bool find_started(Reach *reach) {
    Entries *entries = reach->entries;
    for (FileId file = 1; file < reach->program->files.count; file++) {
        const SourceFile *source = &reach->program->files.items[file];
        if (!source->whole || !source->reaches_torch) continue;
        if (reach->imported[file] && !asks_for_main(source->model)) continue;
        if (entries->count == ENTRIES_MOST) return false;
        entries->runs[file] |= (uint64_t)1 << entries->count;
        entries->files[entries->count++] = file;
    }
    return true;
}

static void spread(Arena *scratch, Reach *reach) {
    for (uint32_t e = 0; e < reach->entries->count; e++)
        vec_push(scratch, &reach->waiting, reach->entries->files[e]);
    while (reach->waiting.count) {
        FileId file = reach->waiting.items[--reach->waiting.count];
        uint64_t bits = reach->entries->runs[file];
        for (uint32_t i = 0; i < reach->imports[file].count; i++) {
            FileId to = reach->imports[file].items[i];
            if (!(bits & ~reach->entries->runs[to])) continue;
            reach->entries->runs[to] |= bits;
            vec_push(scratch, &reach->waiting, to);
        }
    }
}

/* Neither a device nor a GPU is written anywhere in the file, and nothing imported that would find one by itself. */
static bool names_gpu(const SourceFile *source, const Rulebook *book) {
    static const char *const WORDS[] = {"cuda", "device", "gpu", "GPU", "rank"};
    if (text_holds_any(source->bytes, WORDS, sizeof WORDS / sizeof *WORDS)) return true;
    for (uint32_t i = 1; i < source->model->imports.count; i++) {
        const Import *import = &source->model->imports.items[i];
        if (name_is(book, NAMED_placing_module, model_name(source->model, import->module))) return true;
    }
    return false;
}

static void find_silent_ones(Entries *entries, const Program *program, const Rulebook *book) {
    uint64_t gpu = 0, all = 0;
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        uint64_t runs = entries->runs[file];
        all |= runs;
        if (runs & ~gpu && names_gpu(source, book)) gpu |= runs;
    }
    entries->silent = all & ~gpu;
}

const Entries *find_entries(Arena *arena, const Program *program, const Rulebook *book) {
    Arena scratch = {0};
    uint32_t count = program->files.count;
    Entries *entries = arena_new(arena, Entries, 1);
    entries->runs = arena_new(arena, uint64_t, count);
    Reach reach = {.program = program, .entries = entries, .imported = arena_new(&scratch, bool, count)};
    reach.imports = arena_alloc(&scratch, sizeof *reach.imports * count);
    for (FileId file = 1; file < count; file++) {
        const FileModel *model = program->files.items[file].model;
        for (uint32_t i = 1; i < model->imports.count; i++)
            add_imports(&scratch, &reach, file, &model->imports.items[i]);
    }
    bool few = find_started(&reach);
    if (few) spread(&scratch, &reach);
    if (few) find_silent_ones(entries, program, book);
    if (!few) entries->count = 0;
    arena_free(&scratch);
    return entries;
}
