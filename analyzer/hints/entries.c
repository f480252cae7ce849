/* Which entry points of a repository run which files. An entry point is a file that nothing imports, or that
   tests for `__main__`. */
#include "entries.h"
#include "conventions.h"
#include "path.h"
#include "python_names.h"

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

static void find_imports(Arena *scratch, Reach *reach) {
    const Program *program = reach->program;
    reach->imports = arena_alloc(scratch, sizeof *reach->imports * program->files.count);
    reach->imported = arena_new(scratch, bool, program->files.count);
    for (FileId file = 1; file < program->files.count; file++) {
        const FileModel *model = program->files.items[file].model;
        for (uint32_t i = 1; i < model->imports.count; i++)
            add_imports(scratch, reach, file, &model->imports.items[i]);
    }
}

bool says_any(const FileModel *model, const PythonName *names, size_t count) {
    for (NameId n = 1; n < model->names.count; n++)
        if (python_any(names, count, model_name(model, n))) return true;
    return false;
}

static bool asks_for_main(const FileModel *model) {
    for (NameId n = 1; n < model->names.count; n++)
        if (text_is(model_name(model, n), "__main__")) return true;
    return false;
}

/* False where there are too many to tell apart. */
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

/* Whether the file mentions a device or a GPU, or imports something that would use one by itself. */
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
    Reach reach = {.program = program, .entries = entries};
    find_imports(&scratch, &reach);
    bool few = find_started(&reach);
    if (few) spread(&scratch, &reach);
    if (few) find_silent_ones(entries, program, book);
    if (!few) entries->count = 0;
    arena_free(&scratch);
    return entries;
}

/* ---- files that nothing runs ---- */

/* Its module body does more than define: `main()`, a loop. */
static bool is_script(const FileModel *model) {
    List body = model->funcs.count > 1 ? model->funcs.items[1].body : (List){0};
    for (uint32_t i = 0; i < body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body.first + i]];
        bool call = stmt->kind == STMT_EXPR && model->exprs.items[stmt->a].kind == EXPR_CALL;
        if (call || stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE || stmt->kind == STMT_WITH) return true;
    }
    return false;
}

static bool loads_by_name(const FileModel *model) {
    static const PythonName WAYS[] = {PY_import_module, PY___import__, PY_iter_modules, PY_walk_packages};
    return says_any(model, WAYS, sizeof WAYS / sizeof *WAYS);
}

/* Python cannot import from a folder with a name such as `old-models`. */
static bool is_importable(Text module) {
    for (uint32_t i = 0; i < module.length; i++)
        if (strchr("- +()[]~!,;@", module.bytes[i])) return false;
    return true;
}

/* It does something when started, or users of the package may import it. */
static bool is_run(const Program *program, const SourceFile *source) {
    if (source->is_package && is_importable(names_text(&program->names, source->module))) return true;
    return source->notebook || asks_for_main(source->model) || is_script(source->model);
}

static void run(Arena *scratch, Reach *reach, bool *ran, FileId file) {
    if (ran[file]) return;
    ran[file] = true;
    vec_push(scratch, &reach->waiting, file);
}

/* A file that loads modules by name may load any module below its folder. */
static void run_below(Arena *scratch, Reach *reach, bool *ran, const SourceFile *loader) {
    const Program *program = reach->program;
    Text folder = path_folder(loader->path);
    for (FileId file = 1; file < program->files.count; file++)
        if (!folder.length || path_is_below(program->files.items[file].path, folder))
            run(scratch, reach, ran, file);
}

/* Follows the imports of what waits. */
static void run_imports(Arena *scratch, Reach *reach, bool *ran) {
    while (reach->waiting.count) {
        FileId file = reach->waiting.items[--reach->waiting.count];
        const SourceFile *source = &reach->program->files.items[file];
        if (loads_by_name(source->model)) run_below(scratch, reach, ran, source);
        for (uint32_t i = 0; i < reach->imports[file].count; i++)
            run(scratch, reach, ran, reach->imports[file].items[i]);
    }
}

const bool *find_strays(Arena *arena, const Program *program) {
    Arena scratch = {0};
    Reach reach = {.program = program};
    bool *ran = arena_new(&scratch, bool, program->files.count),
         *strays = arena_new(arena, bool, program->files.count);
    find_imports(&scratch, &reach);
    for (FileId file = 1; file < program->files.count; file++)
        if (is_run(program, &program->files.items[file])) run(&scratch, &reach, ran, file);
    run_imports(&scratch, &reach, ran);
    for (FileId file = 1; file < program->files.count; file++) strays[file] = !ran[file];
    arena_free(&scratch);
    return strays;
}

/* ---- files of programs ---- */

/* In the folder of a package, or in a folder below. packages: those folders. */
static bool is_in_package(const Names *packages, const SourceFile *source) {
    for (Text folder = path_folder(source->path); folder.length; folder = path_folder(folder)) {
        if (names_find(packages, folder)) return true;
        if (text_equal(folder, TEXT("/"))) break;
    }
    return false;
}

static Names package_folders(Arena *scratch, const Program *program) {
    Names folders = {.arena = scratch};
    for (FileId file = 1; file < program->files.count; file++)
        if (program->files.items[file].is_package)
            names_intern(&folders, path_folder(program->files.items[file].path));
    return folders;
}

static bool has_function(const FileModel *model, NameId name) {
    for (FuncId func = 2; func < model->funcs.count; func++)
        if (model->funcs.items[func].name == name && !model->funcs.items[func].class_id) return true;
    return false;
}

/* Its module body calls a function of its own, `main()`, or trains; not as a module that only sets something up or
   registers in a loop. */
static bool works(const FileModel *model, const Rulebook *book) {
    List body = model->funcs.count > 1 ? model->funcs.items[1].body : (List){0};
    bool loops = false;
    for (uint32_t i = 0; i < body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body.first + i]];
        const Expr *call = &model->exprs.items[stmt->a], *callee = &model->exprs.items[call->a];
        loops |= stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        if (stmt->kind == STMT_EXPR && call->kind == EXPR_CALL && callee->kind == EXPR_NAME &&
            has_function(model, callee->name))
            return true;
    }
    const Func *top = &model->funcs.items[1];
    for (ExprId e = top->first_expr; loops && e < top->end_expr; e++)
        if (name_is(book, NAMED_backward_method, model_name(model, model->exprs.items[e].name))) return true;
    return false;
}

/* Started by itself: not a module of a package, which may be there to be imported. */
static bool is_started(const Reach *reach, const Names *packages, const Rulebook *book, FileId file) {
    const SourceFile *source = &reach->program->files.items[file];
    if (is_in_package(packages, source) || name_is(book, NAMED_test_file, path_base(source->path)))
        return false;
    return source->notebook || asks_for_main(source->model) ||
           (works(source->model, book) && !reach->imported[file]);
}

/* `__all__ = ["Net"]`: what others import. */
static bool has_exports(const FileModel *model) {
    static const PythonName EXPORTS[] = {PY___all__};
    return says_any(model, EXPORTS, 1);
}

const bool *find_own(Arena *arena, const Program *program, const Rulebook *book) {
    Arena scratch = {0};
    Reach reach = {.program = program};
    bool *own = arena_new(arena, bool, program->files.count);
    const Names packages = package_folders(&scratch, program);
    find_imports(&scratch, &reach);
    for (FileId file = 1; file < program->files.count; file++)
        if (is_started(&reach, &packages, book, file)) run(&scratch, &reach, own, file);
    run_imports(&scratch, &reach, own);
    for (FileId file = 1; file < program->files.count; file++)
        own[file] &= !has_exports(program->files.items[file].model) &&
                     (!program->files.items[file].installed || is_started(&reach, &packages, book, file));
    arena_free(&scratch);
    return own;
}
