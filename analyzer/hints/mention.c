/* Where functions are mentioned, and which private ones nothing mentions. */
#include "hints.h"
#include "conventions.h"
#include "python_names.h"

bool is_mention(const Expr *expr) { return expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE; }

static const Expr *own_name(const FileModel *model, const Func *func) {
    return &model->exprs.items[func->stmt ? model->stmts.items[func->stmt].b : 0];
}

const bool *find_named(Arena *arena, const Program *program) {
    Arena scratch = {0};
    bool *named = arena_new(arena, bool, program->func_count + 1);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        const FileModel *model = source->model;
        uint32_t *mentions = arena_new(&scratch, uint32_t, model->names.count + 1);
        for (ExprId e = 1; e < model->exprs.count; e++)
            mentions[model->exprs.items[e].name] += is_mention(&model->exprs.items[e]);
        for (FuncId func = 1; func < model->funcs.count; func++) {
            const Func *f = &model->funcs.items[func];
            const Expr *own = own_name(model, f);
            named[source->func_base + func] = mentions[f->name] > (own->name == f->name && is_mention(own));
        }
        arena_reset(&scratch);
    }
    arena_free(&scratch);
    return named;
}

/* Such as getattr(self, f"_{name}"). */
static bool asks_by_computed_name(const FileModel *model) {
    for (ExprId e = 1; e < model->exprs.count; e++) {
        const Expr *call = &model->exprs.items[e], *callee = &model->exprs.items[call->a];
        bool gets = call->kind == EXPR_CALL && call->list.count > 1 && callee->kind == EXPR_NAME &&
                    python_is(PY_getattr, model_name(model, callee->name));
        if (gets && model->exprs.items[model->links.items[call->list.first + 1]].kind != EXPR_STRING)
            return true;
    }
    return false;
}

static bool is_open_below(const Inference *inference, GlobalClass id, Text method, bool computed, int depth) {
    const ClassInfo *info = &inference->classes[id];
    const SourceFile *source = program_class_file(inference->program, id);
    const Class *class_ = &source->model->classes.items[id - source->class_base];
    bool known = info->evaluated && info->base_count >= class_->bases.count;
    if (!known || depth > 8 || (computed && asks_by_computed_name(source->model))) return true;
    for (uint32_t b = 0; b < info->base_count; b++) {
        const Value *base = info->bases[b];
        if (!base || base->count != 1) return true;
        const Alt *alt = &base->alts[0];
        bool module =
            alt->kind == KIND_ENTRY && rulebook_inherits(inference->book, alt->id, inference->known->module);
        if (module && !member_of(inference, alt->id, method)) continue;
        if (alt->kind != KIND_CLASS || is_open_below(inference, alt->id, method, computed, depth + 1))
            return true;
    }
    return false;
}

/* torch.nn.Module calls only what its page names. */
bool is_open_class(const Inference *inference, GlobalClass id, Text method, bool computed) {
    return is_open_below(inference, id, method, computed, 0);
}

/* Mentions that may reach a function, without those in functions that nothing reaches. A variable reaches only what
   its own file defines; an attribute, an import or a text equal to the name, what any file does. */
typedef struct Mentioning {
    const Inference *inference;
    Arena *arena;
    int32_t *far;     /* [Sym]: attributes, imports and texts */
    int32_t **near;   /* [FileId][NameId]: variables, but for the names that a def, class or import binds */
    int32_t **free;   /* the same without the variables of functions, which hide what is outside */
    int32_t *starred; /* [Sym]: the sum of `free`, where `from helpers import *` may bind them; else NULL */
    bool **bound;     /* [FileId][ExprId]: it is such a name */
    Own own;
    bool *forgotten;
} Mentioning;

/* Not counted are mentions by the function itself or by one of its name: recursion, `super()._reset()`. */
static void count_mentioning(Mentioning *self, FileId file, FuncId func, int32_t by) {
    const SourceFile *source = &self->inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    for (ExprId e = f->first_expr; e < f->end_expr; e++) {
        const Expr *expr = &source->model->exprs.items[e];
        if (f->name && expr->name == f->name) continue;
        bool local = expr->binding == BIND_LOCAL && (f->kind == FUNC_DEF || f->kind == FUNC_LAMBDA);
        if (expr->kind == EXPR_NAME && !self->bound[file][e]) {
            self->near[file][expr->name] += by;
            if (!local) self->free[file][expr->name] += by;
            if (!local && self->starred) self->starred[source->syms[expr->name]] += by;
        }
        if (expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_STRING)
            self->far[source->syms[expr->name]] += by;
    }
}

static void count_file(Mentioning *self, FileId file) {
    const SourceFile *source = &self->inference->program->files.items[file];
    const FileModel *model = source->model;
    self->near[file] = arena_new(self->arena, int32_t, model->names.count + 1);
    self->free[file] = arena_new(self->arena, int32_t, model->names.count + 1);
    self->bound[file] = arena_new(self->arena, bool, model->exprs.count + 1);
    for (StmtId s = 1; s < model->stmts.count; s++) {
        uint8_t kind = model->stmts.items[s].kind;
        if (kind == STMT_FUNCTION || kind == STMT_CLASS) self->bound[file][model->stmts.items[s].b] = true;
    }
    for (uint32_t i = 1; i < model->imports.count; i++) {
        self->bound[file][model->imports.items[i].target] = true;
        self->far[source->syms[model->imports.items[i].name]]++;
    }
    for (FuncId func = 1; func < model->funcs.count; func++) count_mentioning(self, file, func, 1);
}

/* [Sym]: how many of a class's mentions make an object for an attribute that nothing reads: `self.kl = Kl()`. */
static const uint32_t *count_unread(Arena *arena, const Inference *inference) {
    const Program *program = inference->program;
    uint32_t *written = arena_new(arena, uint32_t, program->names.texts.count + 1);
    uint32_t *unread = arena_new(arena, uint32_t, program->names.texts.count + 1);
    uint32_t *asked = arena_new(arena, uint32_t, program->names.texts.count + 1);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (ExprId e = 1; e < source->model->exprs.count; e++) {
            const Expr *expr = &source->model->exprs.items[e];
            asked[source->syms[expr->name]] += expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_STRING;
        }
    }
    for (int round = 0; round < 2; round++)
        for (FileId file = 1; file < program->files.count; file++) {
            const SourceFile *source = &program->files.items[file];
            const Writes *writes = source->whole ? writes_of(inference, file) : NULL;
            for (uint32_t i = 0; writes && i < writes->count; i++) {
                const Write *write = &writes->items[i];
                const FileModel *model = source->model;
                if (model->exprs.items[write->target].kind != EXPR_ATTRIBUTE) continue;
                written[write->name] += round == 0;
                if (round == 0 || write->kind != DEF_ASSIGN || written[write->name] != asked[write->name])
                    continue;
                const Expr *made = &model->exprs.items[model->stmts.items[write->stmt].b];
                const Expr *callee = &model->exprs.items[made->a];
                if (made->kind == EXPR_CALL && is_mention(callee)) unread[source->syms[callee->name]]++;
            }
        }
    return unread;
}

/* All objects of the class are kept where nothing reads them. */
static bool is_never_read(const Mentioning *self, FileId file, const Func *func, const uint32_t *unread) {
    const SourceFile *source = &self->inference->program->files.items[file];
    NameId name =
        func->class_id && func->kind == FUNC_DEF ? source->model->classes.items[func->class_id].name : 0;
    if (!name || self->far[source->syms[name]]) return false;
    return unread[source->syms[name]] && unread[source->syms[name]] == (uint32_t)self->near[file][name];
}

/* ---- classes that the program never makes ---- */

typedef struct Heir {
    GlobalClass id;
    uint32_t next; /* of the same base; 0 = none */
} Heir;

typedef struct Making {
    const Program *program;
    uint32_t *
        named; /* [Sym]: names, attributes and texts but for the classes' own statements and methods, and bases */
    uint32_t *heirs; /* [Sym]: the first class with such a base in `items` */
    bool *by_super;  /* [Sym]: asked as super().reset() */
    VEC(Heir) items;
} Making;

/* A class's own methods name it without making one: super(Net, self). */
static bool names_itself(const FileModel *model, const Func *func, const Expr *expr) {
    return func->class_id && model->classes.items[func->class_id].name == expr->name;
}

static void count_names(Making *self, const SourceFile *source, const bool *bound) {
    const FileModel *model = source->model;
    for (FuncId func = 1; func < model->funcs.count; func++) {
        const Func *f = &model->funcs.items[func];
        for (ExprId e = f->first_expr; e < f->end_expr; e++) {
            const Expr *expr = &model->exprs.items[e], *of = &model->exprs.items[expr->a];
            bool names = (is_mention(expr) && !bound[e]) || expr->kind == EXPR_STRING;
            self->named[source->syms[expr->name]] += names && !names_itself(model, f, expr);
            if (expr->kind == EXPR_ATTRIBUTE && of->kind == EXPR_CALL &&
                python_is(PY_super, model_name(model, model->exprs.items[of->a].name)))
                self->by_super[source->syms[expr->name]] = true;
        }
    }
    for (uint32_t i = 1; i < model->imports.count; i++)
        self->named[source->syms[model->imports.items[i].name]] += model->imports.items[i].alias != 0;
}

static void count_heirs(Making *self, Arena *scratch, const SourceFile *source) {
    const FileModel *model = source->model;
    for (ClassId id = 1; id < model->classes.count; id++) {
        List bases = model->classes.items[id].bases;
        for (uint32_t i = 0; i < bases.count; i++) {
            const Expr *base = &model->exprs.items[model->links.items[bases.first + i]];
            if (!is_mention(base)) continue;
            Sym name = source->syms[base->name];
            self->named[name]--;
            vec_push(scratch, &self->items, ((Heir){source->class_base + id, self->heirs[name]}));
            self->heirs[name] = self->items.count - 1;
        }
    }
}

static bool defines(const SourceFile *source, ClassId id, Text method) {
    List methods = source->model->classes.items[id].methods;
    for (uint32_t i = 0; i < methods.count; i++) {
        const Func *func = &source->model->funcs.items[source->model->links.items[methods.first + i]];
        if (func->name && text_equal(model_name(source->model, func->name), method)) return true;
    }
    return false;
}

/* No object has the method: its class is only inherited, if at all, and each class that does has one of its own. */
static bool is_never_had(const Making *self, const SourceFile *source, const Func *func) {
    Sym class_name = source->syms[source->model->classes.items[func->class_id].name];
    if (self->named[class_name] || !func->name) return false;
    uint32_t heir = self->heirs[class_name];
    if (heir && self->by_super[source->syms[func->name]]) return false;
    for (; heir; heir = self->items.items[heir].next) {
        GlobalClass id = self->items.items[heir].id;
        const SourceFile *file = program_class_file(self->program, id);
        if (!defines(file, id - file->class_base, model_name(source->model, func->name))) return false;
    }
    return true;
}

static void forget_unmade(Mentioning *self) {
    const Program *program = self->inference->program;
    uint32_t names = program->names.texts.count + 1;
    Making making = {.program = program,
                     .named = arena_new(self->arena, uint32_t, names),
                     .heirs = arena_new(self->arena, uint32_t, names),
                     .by_super = arena_new(self->arena, bool, names)};
    vec_push(self->arena, &making.items, (Heir){0});
    for (FileId file = 1; file < program->files.count; file++)
        count_names(&making, &program->files.items[file], self->bound[file]);
    for (FileId file = 1; file < program->files.count; file++)
        count_heirs(&making, self->arena, &program->files.items[file]);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (FuncId func = 2; func < source->model->funcs.count; func++) {
            const Func *f = &source->model->funcs.items[func];
            if (f->kind == FUNC_DEF && f->class_id && self->own.classes[source->class_base + f->class_id])
                self->forgotten[source->func_base + func] |= is_never_had(&making, source, f);
        }
    }
}

static bool imports_stars(const Program *program) {
    for (FileId file = 1; file < program->files.count; file++) {
        const FileModel *model = program->files.items[file].model;
        for (uint32_t i = 1; i < model->imports.count; i++)
            if (text_is(model_name(model, model->imports.items[i].name), "*")) return true;
    }
    return false;
}

static bool is_private(const FileModel *model, const Func *func) {
    Text name = func->kind == FUNC_DEF && func->name ? model_name(model, func->name) : (Text){0};
    return text_starts(name, TEXT("_")) && !text_ends(name, TEXT("__"));
}

/* Nothing that is reached mentions the function. Its own mentions count no more. */
static void forget(Mentioning *self, FileId file, FuncId func) {
    const SourceFile *source = &self->inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    bool *forgotten = &self->forgotten[source->func_base + func];
    bool own = self->own.functions[source->func_base + func];
    if (*forgotten || !(own || (is_private(source->model, f) && !f->decorators.count))) return;
    const int32_t *near = f->parent == 1 ? self->free[file] : self->near[file];
    if (self->far[source->syms[f->name]] > 0 || near[f->name] > 0) return;
    if (own && self->starred && self->starred[source->syms[f->name]] > 0) return;
    if (!own && f->class_id &&
        is_open_class(self->inference, source->class_base + f->class_id, model_name(source->model, f->name),
                      true))
        return;
    *forgotten = true;
    count_mentioning(self, file, func, -1);
}

/* Functions that nothing in the program mentions but others of them, private ones, e.g. an obsolete `def _sync(self)`, and
   those that only the program can call; and methods of objects that nothing reads. Not counted: methods that an unseen
   base class may call. */
const bool *find_forgotten(const Inference *inference) {
    enum { ROUNDS = 4 }; /* helpers of helpers; deeper ones count as reached */
    const Program *program = inference->program;
    bool *forgotten = arena_new(inference->arena, bool, program->func_count + 1);
    if (program->incomplete) return forgotten;
    Arena scratch = {0};
    Mentioning self = {.inference = inference,
                       .arena = &scratch,
                       .far = arena_new(&scratch, int32_t, program->names.texts.count + 1),
                       .near = arena_new(&scratch, int32_t *, program->files.count),
                       .free = arena_new(&scratch, int32_t *, program->files.count),
                       .own = find_own_code(&scratch, &scratch, inference),
                       .bound = arena_new(&scratch, bool *, program->files.count),
                       .forgotten = forgotten};
    if (imports_stars(program)) self.starred = arena_new(&scratch, int32_t, program->names.texts.count + 1);
    for (FileId file = 1; file < program->files.count; file++) count_file(&self, file);
    const uint32_t *unread = count_unread(&scratch, inference);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (FuncId func = 2; source->whole && func < source->model->funcs.count; func++)
            forgotten[source->func_base + func] =
                is_never_read(&self, file, &source->model->funcs.items[func], unread);
    }
    forget_unmade(&self);
    for (int round = 0; round < ROUNDS; round++)
        for (FileId file = 1; file < program->files.count; file++) {
            const SourceFile *source = &program->files.items[file];
            for (FuncId func = 2; source->whole && func < source->model->funcs.count; func++)
                forget(&self, file, func);
        }
    arena_free(&scratch);
    return forgotten;
}

void each_function(Mentions *self, EachFunc *visit) {
    const Program *program = self->program;
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (FuncId func = 1; source->reaches_torch && func < source->model->funcs.count; func++)
            visit(self, source, func);
    }
}

void add_bounded(Mentions *self, Sym name, CallPlace place) {
    self->names->bounded[name]++;
    if (self->names->place[name] != CALLED_BY_WORKERS) self->names->place[name] = (uint8_t)place;
}

/* Names in DataLoader(..., collate_fn=dataset.collater if padded else None). */
static void count_collating(Mentions *self, const SourceFile *source, const Func *func, const Expr *keyword) {
    const FileModel *model = source->model;
    Span value = model->exprs.items[keyword->a].span;
    for (ExprId e = func->first_expr; e < func->end_expr; e++) {
        const Expr *expr = &model->exprs.items[e];
        if (is_mention(expr) && expr->span.start >= value.start && expr->span.end <= value.end)
            add_bounded(self, source->syms[expr->name], CALLED_BY_WORKERS);
    }
}

static void count_mentions(Mentions *self, const SourceFile *source, FuncId func) {
    const FileModel *model = source->model;
    const Func *f = &model->funcs.items[func];
    for (ExprId e = f->first_expr; e < f->end_expr; e++) {
        const Expr *expr = &model->exprs.items[e];
        if (is_mention(expr) && expr->name != f->name) self->names->all[source->syms[expr->name]]++;
        if (expr->kind == EXPR_KEYWORD &&
            name_is(self->book, NAMED_collate_parameter, model_name(model, expr->name)))
            count_collating(self, source, f, expr);
    }
}

/* `def make(): def check(x): ...; return check`: make only returns check. */
static bool is_handed_out(const FileModel *model, const Func *func) {
    const Stmt *last = func->parent > 1 ? model_last(model, model->funcs.items[func->parent].body) : NULL;
    const Expr *given = last && last->kind == STMT_RETURN ? &model->exprs.items[last->a] : NULL;
    return given && given->kind == EXPR_NAME && given->name == func->name;
}

/* Subtracts a function's own def, and assignments to variables of its name, which are no mentions. */
static void discount_own(Mentions *self, const SourceFile *source, FuncId func) {
    const FileModel *model = source->model;
    const Func *f = &model->funcs.items[func];
    const Expr *own = own_name(model, f);
    const Func *parent = &model->funcs.items[f->parent];
    if (f->name && own->name == f->name && is_mention(own) && parent->name != f->name)
        self->names->all[source->syms[f->name]] -= 1u + is_handed_out(model, f);
    for (StmtId s = f->first_stmt; s < f->end_stmt; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        for (uint32_t t = 0; stmt->kind == STMT_ASSIGN && t < stmt->list.count; t++) {
            const Expr *target = &model->exprs.items[model->links.items[stmt->list.first + t]];
            bool counted = target->kind == EXPR_NAME && target->name != f->name;
            self->names->all[source->syms[target->name]] -= counted;
        }
    }
}

Mentioned *find_mentioned(Arena *arena, const Rulebook *book, const Program *program, uint32_t names) {
    Mentioned *mentioned = arena_new(arena, Mentioned, 1);
    mentioned->all = arena_new(arena, uint32_t, names);
    mentioned->bounded = arena_new(arena, uint32_t, names);
    mentioned->place = arena_new(arena, uint8_t, names);
    Mentions self = {.book = book, .program = program, .names = mentioned};
    each_function(&self, count_mentions);
    each_function(&self, discount_own);
    return mentioned;
}
