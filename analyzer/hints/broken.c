/* Files that cannot be imported as they are: they import modules or names that their own package lacks, or that
   PyTorch has removed. */
#include "hints.h"
#include "conventions.h"
#include "python_names.h"

enum { MISSING_LEAST = 2 }; /* a single missing module may be generated, or compiled */

/* Whether names may enter a module other than by its own bindings and imports. */
typedef enum TakesNames { NOT_ASKED, TAKES_NONE, TAKES_SOME } TakesNames;

typedef struct Asking {
    Arena *scratch;
    const Program *program;
    const Rulebook *book;
    Names folders;  /* dotted names of folders that contain modules */
    uint8_t *takes; /* [FileId] TakesNames */
    FileId file;
    uint32_t missing;
    Text last; /* the module missed last: `from ans import a, b` misses one module, not two */
} Asking;

static FileId import_of(const Asking *self, Text dotted) {
    Sym name = dotted.length ? names_find(&self->program->names, dotted) : 0;
    return name ? program_import(self->program, self->file, name) : 0;
}

static Text last_part(Text dotted) {
    uint32_t start = dotted.length;
    while (start > 0 && dotted.bytes[start - 1] != '.') start--;
    return text_slice(dotted, start, dotted.length);
}

/* Names that builds generate: `_C`, `version`, `message_pb2`. */
static bool is_generated(const Rulebook *book, Text dotted) {
    return name_is(book, NAMED_generated_module, last_part(dotted));
}

/* A folder without an __init__.py is a module too. */
static void find_folders(Asking *self) {
    const Program *program = self->program;
    for (FileId file = 1; file < program->files.count; file++) {
        Text module = names_text(&program->names, program->files.items[file].module);
        for (uint32_t end = module.length; end-- > 0;)
            if (module.bytes[end] == '.') names_intern(&self->folders, text_slice(module, 0, end));
    }
}

static bool is_folder(const Asking *self, Text dotted) { return names_find(&self->folders, dotted) != 0; }

/* The dotted name starts with a package that was given, not a library's: a given folder may be called `torch`. */
static bool is_own(const Asking *self, Text dotted) {
    uint32_t dot = 0;
    while (dot < dotted.length && dotted.bytes[dot] != '.') dot++;
    Text top = text_slice(dotted, 0, dot);
    FileId package = dot < dotted.length && !rulebook_find(self->book, top) ? import_of(self, top) : 0;
    const SourceFile *source = &self->program->files.items[package];
    return package && source->whole && source->is_package;
}

/* Memoised, as popular modules are asked about by many importers. */
static bool may_take(Asking *self, FileId module) {
    uint8_t *takes = &self->takes[module];
    if (*takes == NOT_ASKED)
        *takes = takes_names(self->program->files.items[module].model) ? TAKES_SOME : TAKES_NONE;
    return *takes == TAKES_SOME;
}

static bool binds_name(const FileModel *model, Text name) {
    const Func *body = &model->funcs.items[1];
    for (uint32_t s = 0; s < body->local_count; s++)
        if (text_equal(model_name(model, model->locals.items[body->first_local + s].name), name)) return true;
    for (uint32_t l = 1; l < model->locals.count; l++) /* `global name` in a function */
        if (model->locals.items[l].is_global &&
            text_equal(model_name(model, model->locals.items[l].name), name))
            return true;
    return false;
}

/* Whether a string contains the name: make_class("Level") may create it. */
static bool speaks_of(const FileModel *model, Text name) {
    for (NameId id = 1; id < model->names.count; id++)
        if (text_equal(model->names.items[id], name)) return true;
    return false;
}

/* `from torch._six import inf`: the PyTorch version of the facts has no such module. With --torch-version,
   older ones have it. */
static bool is_removed(const Rulebook *book, Text dotted, Text whole) {
    bool newest = !book->torch_version;
    return newest &&
           (name_is(book, NAMED_removed_import, dotted) || name_is(book, NAMED_removed_import, whole));
}

static void ask_import(Asking *self, const Import *import) {
    const SourceFile *source = &self->program->files.items[self->file];
    Text dotted = program_import_name(self->scratch, self->program, self->file, import, false);
    Text whole = program_import_name(self->scratch, self->program, self->file, import, true);
    FileId module = import_of(self, dotted);
    if (import->type_checking || !import->target || (import->name && import_of(self, whole))) return;
    if (is_removed(self->book, dotted, whole)) self->missing += MISSING_LEAST;
    if (!module) {
        bool missing = is_own(self, dotted) && !is_generated(self->book, dotted) && !is_folder(self, dotted);
        self->missing += missing && !text_equal(dotted, self->last);
        if (missing) self->last = dotted;
        return;
    }
    const SourceFile *there = &self->program->files.items[module];
    if (!import->name || !there->whole || module == self->file) return;
    Text name = model_name(source->model, import->name);
    bool lies_there = is_folder(self, whole) || is_generated(self->book, name);
    bool missing = !lies_there && !may_take(self, module) && !binds_name(there->model, name);
    if (missing) self->missing += speaks_of(there->model, name) ? 1 : MISSING_LEAST;
}

static bool imports_future(const SourceFile *file) {
    for (uint32_t i = 1; i < file->model->imports.count; i++)
        if (text_is(model_name(file->model, file->model->imports.items[i].module), "__future__")) return true;
    return false;
}

/* `def freeze(net: torch.nn.Module)` without a binding of torch: annotations are evaluated at import, unless
   postponed. Not judged: annotations in a class, which may bind the name, and in a `try` or `if`, where failure
   may be intended. */
static bool has_unbound_annotation(Asking *self, const Inference *inference) {
    const SourceFile *file = &self->program->files.items[self->file];
    const FileModel *model = file->model;
    if (!inference->known->builtins || inference->bound_outside || file->notebook ||
        may_take(self, self->file) || imports_future(file))
        return false;
    List body = model->funcs.items[1].body;
    for (uint32_t i = 0; i < body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body.first + i]];
        const Func *func = &model->funcs.items[stmt->func];
        for (uint32_t p = 0; stmt->kind == STMT_FUNCTION && p < func->param_count; p++) {
            const Param *param = &model->params.items[func->first_param + p];
            if (!param->star && begins_unbound(inference, file, param->annotation)) return true;
        }
    }
    return false;
}

/* Imports at module level; those in a `try` or `if` may be intended to fail. */
static bool is_broken(Asking *self) {
    const FileModel *model = self->program->files.items[self->file].model;
    self->missing = 0;
    self->last = (Text){0};
    List body = model->funcs.items[1].body;
    for (uint32_t i = 0; i < body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body.first + i]];
        for (uint32_t k = 0; stmt->kind == STMT_IMPORT && k < stmt->list.count; k++)
            ask_import(self, &model->imports.items[model->links.items[stmt->list.first + k]]);
    }
    return self->missing >= MISSING_LEAST;
}

/* For files in which something waits. */
const bool *find_broken(const Inference *inference) {
    const Program *program = inference->program;
    bool *broken = arena_new(inference->arena, bool, program->files.count);
    if (program->incomplete) return broken; /* the missing module may be among the files left out */
    Arena scratch = {0};
    bool *asked = arena_new(&scratch, bool, program->files.count);
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        const Context *context = inference->contexts.items[id];
        for (uint32_t e = 1; e < context->effects.count; e++)
            asked[context->file] |= context->effects.items[e].hazard != 0;
    }
    Asking asking = {.scratch = &scratch,
                     .program = program,
                     .book = inference->book,
                     .folders = {.arena = &scratch},
                     .takes = arena_new(&scratch, uint8_t, program->files.count)};
    find_folders(&asking);
    for (FileId file = 1; file < program->files.count; file++) {
        asking.file = file;
        const SourceFile *source = &program->files.items[file];
        if (!asked[file] || !source->whole) continue;
        broken[file] = is_broken(&asking) || has_unbound_annotation(&asking, inference);
    }
    arena_free(&scratch);
    return broken;
}

/* The file mentions neither a device nor CUDA: about half of such files never meet a GPU. */
const bool *find_silent(const Inference *inference) {
    static const char *const WORDS[] = {"cuda", "device"};
    const Program *program = inference->program;
    bool *silent = arena_new(inference->arena, bool, program->files.count);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        if (source->whole && source->reaches_torch)
            silent[file] = !text_holds_any(source->bytes, WORDS, sizeof WORDS / sizeof *WORDS);
    }
    return silent;
}

/* `self.device`, `args.device`, `torch.device(...)`: a device that somebody chooses; not `x.device` of a tensor,
   which only follows it. */
static bool chooses_device(const Rulebook *book, const SourceFile *source, const Expr *expr) {
    const FileModel *model = source->model;
    const Expr *owner = &model->exprs.items[expr->a];
    if (expr->kind != EXPR_ATTRIBUTE || owner->kind != EXPR_NAME) return false;
    if (!name_is(book, NAMED_device_attribute, model_name(model, expr->name))) return false;
    Text name = model_name(model, owner->name);
    return python_is(PY_self, name) || name_is(book, NAMED_options_name, name) ||
           name_is(book, NAMED_device_class, text_slice(source->bytes, expr->span.start, expr->span.end));
}

static bool places(const Rulebook *book, const SourceFile *source) {
    const FileModel *model = source->model;
    if (source->gaps.count) return true; /* who knows what stands there */
    for (uint32_t i = 1; i < model->imports.count; i++)
        if (name_is(book, NAMED_placing_module, model_name(model, model->imports.items[i].module))) return true;
    for (uint32_t p = 1; p < model->params.count; p++)
        if (name_is(book, NAMED_device_name, model_name(model, model->params.items[p].name))) return true;
    for (ExprId e = 1; e < model->exprs.count; e++)
        if (chooses_device(book, source, &model->exprs.items[e])) return true;
    return false;
}

/* Several files, and none of them names a GPU, takes a device or imports what finds one: who would put anything
   there? A single file may be a part of something else. */
bool has_no_placer(const Inference *inference) {
    const Program *program = inference->program;
    if (inference->names_gpu || program->incomplete) return false;
    for (FileId file = 1; file < program->files.count; file++)
        if (places(inference->book, &program->files.items[file])) return false;
    return program->files.count > 2;
}
