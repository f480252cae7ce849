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

/* Whether unseen code may call methods of the class: it has an unknown base, or attribute names are computed. */
static bool is_open_class(const Inference *inference, GlobalClass id, int depth) {
    const ClassInfo *info = &inference->classes[id];
    const SourceFile *source = program_class_file(inference->program, id);
    const Class *class_ = &source->model->classes.items[id - source->class_base];
    bool known = info->evaluated && !info->entry_base && info->base_count >= class_->bases.count;
    if (!known || depth > 8 || asks_by_computed_name(source->model)) return true;
    for (uint32_t b = 0; b < info->base_count; b++) {
        const Value *base = info->bases[b];
        if (!base || base->count != 1 || base->alts[0].kind != KIND_CLASS ||
            is_open_class(inference, base->alts[0].id, depth + 1))
            return true;
    }
    return false;
}

/* [Sym]: mentions of the name and equal strings, not counting definitions of functions. */
static uint32_t *count_spoken(Arena *arena, const Program *program) {
    uint32_t *spoken = arena_new(arena, uint32_t, program->names.texts.count + 1);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        const FileModel *model = source->model;
        for (ExprId e = 1; e < model->exprs.count; e++) {
            const Expr *expr = &model->exprs.items[e];
            spoken[source->syms[expr->name]] += is_mention(expr) || expr->kind == EXPR_STRING;
        }
        for (FuncId func = 1; func < model->funcs.count; func++) {
            const Func *f = &model->funcs.items[func];
            const Expr *own = own_name(model, f);
            spoken[source->syms[f->name]] -= own->name == f->name && is_mention(own);
        }
    }
    return spoken;
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
static bool is_never_read(const SourceFile *source, const Func *func, const uint32_t *spoken,
                          const uint32_t *unread) {
    NameId name =
        func->class_id && func->kind == FUNC_DEF ? source->model->classes.items[func->class_id].name : 0;
    return name && unread[source->syms[name]] && unread[source->syms[name]] == spoken[source->syms[name]];
}

/* Private functions that nothing in the program mentions, e.g. an obsolete `def _sync(self)`, and methods of objects
   that nothing reads. Not counted: methods that an unseen base class may call. */
const bool *find_forgotten(const Inference *inference) {
    const Program *program = inference->program;
    bool *forgotten = arena_new(inference->arena, bool, program->func_count + 1);
    if (program->incomplete) return forgotten;
    Arena scratch = {0};
    const uint32_t *spoken = count_spoken(&scratch, program);
    const uint32_t *unread = count_unread(&scratch, inference);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        for (FuncId func = 2; source->whole && func < source->model->funcs.count; func++) {
            const Func *f = &source->model->funcs.items[func];
            Text name = f->name ? model_name(source->model, f->name) : (Text){0};
            forgotten[source->func_base + func] = is_never_read(source, f, spoken, unread);
            bool own = f->kind == FUNC_DEF && text_starts(name, TEXT("_")) && !text_ends(name, TEXT("__"));
            if (!own || f->decorators.count || spoken[source->syms[f->name]]) continue;
            forgotten[source->func_base + func] =
                !f->class_id || !is_open_class(inference, source->class_base + f->class_id, 0);
        }
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
