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

/* Whether unseen code may call the method: the class has an unknown base, or one of a library that may know the
   name, or attribute names are computed. torch.nn.Module calls only what its page names. */
static bool is_open_class(const Inference *inference, GlobalClass id, Text method, int depth) {
    const ClassInfo *info = &inference->classes[id];
    const SourceFile *source = program_class_file(inference->program, id);
    const Class *class_ = &source->model->classes.items[id - source->class_base];
    bool known = info->evaluated && info->base_count >= class_->bases.count;
    if (!known || depth > 8 || asks_by_computed_name(source->model)) return true;
    for (uint32_t b = 0; b < info->base_count; b++) {
        const Value *base = info->bases[b];
        if (!base || base->count != 1) return true;
        const Alt *alt = &base->alts[0];
        bool module = alt->kind == KIND_ENTRY && alt->id == inference->known->module;
        if (module && !member_of(inference, alt->id, method)) continue;
        if (alt->kind != KIND_CLASS || is_open_class(inference, alt->id, method, depth + 1)) return true;
    }
    return false;
}

/* Mentions that may reach a function, without those in functions that nothing reaches. A variable reaches only what
   its own file defines; an attribute, an import or a text equal to the name, what any file does. */
typedef struct Mentioning {
    const Inference *inference;
    Arena *arena;
    int32_t *far;   /* [Sym]: attributes, imports and texts */
    int32_t **near; /* [FileId][NameId]: variables, but for the names that a def or class statement binds */
    bool **bound;   /* [FileId][ExprId]: it is such a name */
    bool *forgotten;
} Mentioning;

/* Not counted are mentions by the function itself or by one of its name: recursion, `super()._reset()`. */
static void count_mentioning(Mentioning *self, FileId file, FuncId func, int32_t by) {
    const SourceFile *source = &self->inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    for (ExprId e = f->first_expr; e < f->end_expr; e++) {
        const Expr *expr = &source->model->exprs.items[e];
        if (f->name && expr->name == f->name) continue;
        if (expr->kind == EXPR_NAME && !self->bound[file][e]) self->near[file][expr->name] += by;
        if (expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_STRING)
            self->far[source->syms[expr->name]] += by;
    }
}

static void count_file(Mentioning *self, FileId file) {
    const SourceFile *source = &self->inference->program->files.items[file];
    const FileModel *model = source->model;
    self->near[file] = arena_new(self->arena, int32_t, model->names.count + 1);
    self->bound[file] = arena_new(self->arena, bool, model->exprs.count + 1);
    for (StmtId s = 1; s < model->stmts.count; s++) {
        uint8_t kind = model->stmts.items[s].kind;
        if (kind == STMT_FUNCTION || kind == STMT_CLASS) self->bound[file][model->stmts.items[s].b] = true;
    }
    for (FuncId func = 1; func < model->funcs.count; func++) count_mentioning(self, file, func, 1);
    for (uint32_t i = 1; i < model->imports.count; i++) self->far[source->syms[model->imports.items[i].name]]++;
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

static bool is_private(const FileModel *model, const Func *func) {
    Text name = func->kind == FUNC_DEF && func->name ? model_name(model, func->name) : (Text){0};
    return text_starts(name, TEXT("_")) && !text_ends(name, TEXT("__"));
}

/* Nothing that is reached mentions the function. Its own mentions count no more. */
static void forget(Mentioning *self, FileId file, FuncId func) {
    const SourceFile *source = &self->inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    bool *forgotten = &self->forgotten[source->func_base + func];
    if (*forgotten || !is_private(source->model, f) || f->decorators.count) return;
    if (self->far[source->syms[f->name]] > 0 || self->near[file][f->name] > 0) return;
    if (f->class_id &&
        is_open_class(self->inference, source->class_base + f->class_id, model_name(source->model, f->name), 0))
        return;
    *forgotten = true;
    count_mentioning(self, file, func, -1);
}

/* Private functions that nothing in the program mentions but others of them, e.g. an obsolete `def _sync(self)`, and
   methods of objects that nothing reads. Not counted: methods that an unseen base class may call. */
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
                       .bound = arena_new(&scratch, bool *, program->files.count),
                       .forgotten = forgotten};
    for (FileId file = 1; file < program->files.count; file++) count_file(&self, file);
    const uint32_t *unread = count_unread(&scratch, inference);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (FuncId func = 2; source->whole && func < source->model->funcs.count; func++)
            forgotten[source->func_base + func] =
                is_never_read(&self, file, &source->model->funcs.items[func], unread);
    }
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
