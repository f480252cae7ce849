/* Which functions only the program in sight can call: those of scripts, and of what scripts alone import. */
#include "hints.h"
#include <ctype.h>
#include "conventions.h"
#include "entries.h"
#include "python_names.h"

/* By which computed names a program asks: getattr(losses, args.loss), getattr(callback, event), globals()[f"{kind}_loss"]. */
typedef struct Asking {
    const Inference *inference;
    Arena *scratch;
    bool *functions;    /* [FileId]: of its functions and classes by any name; [0]: of all files' */
    bool *methods;      /* [FileId]: likewise of methods of its classes */
    FileId *modules;    /* [NameId] of one file: what the name is bound to as a module, see find_modules */
    Names starts, ends; /* what texts begin or end with that are put together: "on_", "_loss" */
} Asking;

static bool is_identifier(Text text) {
    for (uint32_t i = 0; i < text.length; i++)
        if (text.bytes[i] != '_' && !isalnum((unsigned char)text.bytes[i])) return false;
    return text.length > 1;
}

static void add_part(Asking *self, Text text, bool start) {
    if (is_identifier(text)) names_intern(start ? &self->starts : &self->ends, text);
}

static Text text_at(const FileModel *model, ExprId id) {
    const Expr *expr = &model->exprs.items[id];
    return expr->kind == EXPR_STRING ? model_name(model, expr->name) : (Text){0};
}

/* f"on_{event}", "on_" + event, "on_%s" % event, "on_{}".format(event) */
static void add_parts(Asking *self, const FileModel *model, const Expr *expr) {
    if (expr->kind == EXPR_FSTRING && expr->list.count) {
        add_part(self, text_at(model, model->links.items[expr->list.first]), true);
        add_part(self, text_at(model, model->links.items[expr->list.first + expr->list.count - 1]), false);
    } else if (expr->kind == EXPR_BINARY) {
        add_part(self, text_at(model, expr->a), true);
        add_part(self, text_at(model, expr->b), false);
    } else if (expr->kind == EXPR_STRING) {
        Text text = model_name(model, expr->name);
        uint32_t first = 0, last = text.length;
        while (first < text.length && text.bytes[first] != '%' && text.bytes[first] != '{') first++;
        if (first == text.length) return;
        while (last > first && text.bytes[last - 1] != '}' && text.bytes[last - 1] != 's') last--;
        add_part(self, text_slice(text, 0, first), true);
        add_part(self, text_slice(text, last, text.length), false);
    }
}

static bool is_called(const FileModel *model, const Expr *call, PythonName name) {
    const Expr *callee = &model->exprs.items[call->a];
    return call->kind == EXPR_CALL && callee->kind == EXPR_NAME &&
           python_is(name, model_name(model, callee->name));
}

/* A text of the program, or one that is made of such: {"mse": "mse_loss"}[name]. */
static bool is_put_together(const FileModel *model, ExprId id) {
    const Expr *expr = &model->exprs.items[id];
    return expr->kind == EXPR_STRING || expr->kind == EXPR_FSTRING || expr->kind == EXPR_BINARY ||
           (expr->kind == EXPR_SUBSCRIPT && model->exprs.items[expr->a].kind == EXPR_DICT);
}

/* sys.modules[__name__] */
static bool is_own_module(const FileModel *model, ExprId id) {
    const Expr *expr = &model->exprs.items[id], *of = &model->exprs.items[expr->a];
    return expr->kind == EXPR_SUBSCRIPT && of->kind == EXPR_ATTRIBUTE &&
           python_is(PY_modules, model_name(model, of->name)) &&
           python_is(PY___name__, model_name(model, model->exprs.items[expr->b].name));
}

enum { FOREIGN = UINT32_MAX }; /* in place of a FileId: a module that is none of the program's */

/* Which variables of a file are bound to modules, by imports or as `here = sys.modules[__name__]`. */
static void find_modules(Asking *self, FileId file) {
    const Program *program = self->inference->program;
    const FileModel *model = program->files.items[file].model;
    self->modules = arena_new(self->scratch, FileId, model->names.count + 1);
    for (uint32_t i = 1; i < model->imports.count; i++) {
        const Import *import = &model->imports.items[i];
        if (!import->target) continue;
        Text dotted = program_import_name(self->scratch, program, file, import, import->name != 0);
        Sym name = names_find(&program->names, dotted);
        FileId of = name ? program_import(program, file, name) : 0;
        self->modules[model->exprs.items[import->target].name] = of ? of : FOREIGN;
    }
    for (StmtId s = 1; s < model->stmts.count; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        if (stmt->kind == STMT_ASSIGN && stmt->list.count && is_own_module(model, stmt->b))
            self->modules[model->exprs.items[model->links.items[stmt->list.first]].name] = file;
    }
}

/* The file of the module that an expression is; FOREIGN; 0 = it is no module. */
static FileId module_of(const Asking *self, FileId file, ExprId id) {
    const FileModel *model = self->inference->program->files.items[file].model;
    const Expr *expr = &model->exprs.items[id];
    if (is_own_module(model, id)) return file;
    return expr->kind == EXPR_NAME ? self->modules[expr->name] : 0;
}

static void note_getattr(Asking *self, FileId file, const Expr *call) {
    const FileModel *model = self->inference->program->files.items[file].model;
    if (!is_called(model, call, PY_getattr) || call->list.count < 2) return;
    ExprId object = model->links.items[call->list.first], name = model->links.items[call->list.first + 1];
    if (is_put_together(model, name)) return;
    bool variable = model->exprs.items[name].kind == EXPR_NAME; /* of an object: one of the program's texts */
    FileId of = module_of(self, file, object);
    if (of) {
        if (of != FOREIGN) self->functions[of] = true;
    } else if (python_is(PY_self, model_name(model, model->exprs.items[object].name))) {
        self->methods[file] |= !variable;
    } else {
        self->functions[0] = true;
        self->methods[0] |= !variable;
    }
}

/* globals()[f"{kind}_loss"] asks by a text that is put together, any other use of globals() by any name. */
static void note_scopes(Asking *self, FileId file) {
    const FileModel *model = self->inference->program->files.items[file].model;
    uint32_t asked = 0;
    for (ExprId e = 1; e < model->exprs.count; e++) {
        const Expr *expr = &model->exprs.items[e];
        asked += is_called(model, expr, PY_globals) || is_called(model, expr, PY_locals) ||
                 (is_called(model, expr, PY_vars) && !expr->list.count);
        if (expr->kind == EXPR_SUBSCRIPT && is_called(model, &model->exprs.items[expr->a], PY_globals))
            asked -= is_put_together(model, expr->b);
        bool dict = expr->kind == EXPR_ATTRIBUTE && python_is(PY___dict__, model_name(model, expr->name));
        FileId of = dict ? module_of(self, file, expr->a) : 0;
        if (of && of != FOREIGN) self->functions[of] = true;
    }
    self->functions[file] |= asked > 0;
}

/* fire.Fire(main) of a function asks for no other one. */
static bool is_of_function(const FileModel *model, const Expr *call) {
    const Expr *given = call->kind == EXPR_CALL && call->list.count
                            ? &model->exprs.items[model->links.items[call->list.first]]
                            : NULL;
    if (!given || given->kind != EXPR_NAME) return false;
    for (FuncId func = 2; func < model->funcs.count; func++)
        if (model->funcs.items[func].name == given->name && !model->funcs.items[func].class_id) return true;
    return false;
}

static bool asks_outside(const Asking *self, const FileModel *model, const Expr *expr) {
    return is_mention(expr) &&
           name_is(self->inference->book, NAMED_asking_by_name, model_name(model, expr->name));
}

static void note_asking(Asking *self, const FileModel *model) {
    uint32_t asked = 0;
    for (ExprId e = 1; e < model->exprs.count; e++) {
        const Expr *expr = &model->exprs.items[e];
        asked += asks_outside(self, model, expr);
        asked -= asks_outside(self, model, &model->exprs.items[expr->a]) && is_of_function(model, expr);
    }
    if (asked) self->functions[0] = self->methods[0] = true;
}

static void note_file(Asking *self, FileId file) {
    const FileModel *model = self->inference->program->files.items[file].model;
    find_modules(self, file);
    for (ExprId e = 1; e < model->exprs.count; e++) {
        note_getattr(self, file, &model->exprs.items[e]);
        add_parts(self, model, &model->exprs.items[e]);
    }
    note_scopes(self, file);
    note_asking(self, model);
}

static bool is_asked(const Asking *self, FileId file, Text name, bool method) {
    const bool *any = method ? self->methods : self->functions;
    if (any[0] || any[file]) return true;
    for (uint32_t i = 0; i <= name.length; i++)
        if (names_find(&self->starts, text_slice(name, 0, i)) ||
            names_find(&self->ends, text_slice(name, i, name.length)))
            return true;
    return false;
}

/* @staticmethod, @torch.no_grad(): what gives back a function that is called by the same name; any other may register it. */
static bool keeps_name(const Inference *inference, const FileModel *model, List decorators) {
    static const PythonName KEEP[] = {PY_staticmethod, PY_classmethod, PY_property};
    for (uint32_t i = 0; i < decorators.count; i++) {
        const Expr *expr = &model->exprs.items[model->links.items[decorators.first + i]];
        if (expr->kind == EXPR_CALL) expr = &model->exprs.items[expr->a];
        Text name = is_mention(expr) ? model_name(model, expr->name) : (Text){0};
        if (!python_any(KEEP, sizeof KEEP / sizeof *KEEP, name) &&
            !name_is(inference->book, NAMED_gradless_decorator, name) &&
            !name_is(inference->book, NAMED_memoising_decorator, name))
            return false;
    }
    return true;
}

static bool is_own(const Asking *self, FileId file, const Func *func) {
    const SourceFile *source = &self->inference->program->files.items[file];
    Text name = model_name(source->model, func->name);
    if (!source->whole || text_starts(name, TEXT("__")) || is_asked(self, file, name, func->class_id != 0))
        return false;
    return keeps_name(self->inference, source->model, func->decorators) &&
           !(func->class_id &&
             is_open_class(self->inference, source->class_base + func->class_id, name, false));
}

/* A name that code out of sight may ask one function for counts as asked for each of that name: `forward` of a module. */
static void find_functions(const Asking *self, const bool *files, bool *own) {
    const Program *program = self->inference->program;
    bool *open = arena_new(self->scratch, bool, program->names.texts.count + 1);
    for (int round = 0; round < 2; round++)
        for (FileId file = 1; file < program->files.count; file++) {
            const SourceFile *source = &program->files.items[file];
            for (FuncId func = 2; func < source->model->funcs.count; func++) {
                const Func *f = &source->model->funcs.items[func];
                if (f->kind != FUNC_DEF || !f->name) continue;
                bool *here = &own[source->func_base + func], *asked = &open[source->syms[f->name]];
                if (round == 0) *here = files[file] && is_own(self, file, f), *asked |= !*here;
                if (round == 1) *here &= !*asked;
            }
        }
}

/* Without a decorator or a metaclass, which may register it. */
static bool is_own_class(const Asking *self, FileId file, const Class *class_) {
    const SourceFile *source = &self->inference->program->files.items[file];
    for (uint32_t i = 0; i < class_->bases.count; i++)
        if (source->model->exprs.items[source->model->links.items[class_->bases.first + i]].kind ==
            EXPR_KEYWORD)
            return false;
    return source->whole && !class_->decorators.count &&
           !is_asked(self, file, model_name(source->model, class_->name), false);
}

/* Whether classes find those that inherit them. */
static bool asks_for_subclasses(const Program *program) {
    static const PythonName ASKS[] = {PY___init_subclass__, PY___subclasses__};
    for (FileId file = 1; file < program->files.count; file++)
        if (says_any(program->files.items[file].model, ASKS, 2)) return true;
    return false;
}

Own find_own_code(Arena *arena, Arena *scratch, const Inference *inference) {
    const Program *program = inference->program;
    Own own = {arena_new(arena, bool, program->func_count + 1),
               arena_new(arena, bool, program->class_count + 1)};
    const bool *files = find_own(scratch, program, inference->book);
    Asking self = {.inference = inference,
                   .scratch = scratch,
                   .starts = {.arena = scratch},
                   .ends = {.arena = scratch},
                   .functions = arena_new(scratch, bool, program->files.count),
                   .methods = arena_new(scratch, bool, program->files.count)};
    for (FileId file = 1; file < program->files.count; file++) note_file(&self, file);
    find_functions(&self, files, own.functions);
    bool asks = asks_for_subclasses(program);
    for (FileId file = 1; file < program->files.count && !asks; file++) {
        const SourceFile *source = &program->files.items[file];
        for (ClassId id = 1; files[file] && id < source->model->classes.count; id++)
            own.classes[source->class_base + id] = is_own_class(&self, file, &source->model->classes.items[id]);
    }
    return own;
}
