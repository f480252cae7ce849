#include "rulepage_remedy.h"

typedef struct Reading {
    TermScope *scope;
    const Func *func;
    Remedy remedy;
} Reading;

static const FileModel *model_of(const Reading *self) { return self->scope->model; }

static void refuse(const Reading *self, Span span, const char *what) {
    draft_fail(self->scope->draft, term_place(self->scope, span), "%s", what);
}

static bool calls_word(const FileModel *model, const Expr *expr, const char *word) {
    const Expr *name = expr->kind == EXPR_CALL ? &model->exprs.items[expr->a] : expr;
    return name->kind == EXPR_NAME && text_equal(model_name(model, name->name), text_of(word));
}

/* Reads @safe or @unsafe('what it changes'), and below it perhaps @sure and @unproven. */
static void read_decorators(Reading *self) {
    const FileModel *model = model_of(self);
    List list = self->func->decorators;
    bool known = list.count > 0;
    for (uint32_t i = 1; i < list.count; i++) {
        const Expr *word = &model->exprs.items[model->links.items[list.first + i]];
        bool sure = calls_word(model, word, "sure"), unproven = calls_word(model, word, "unproven");
        self->remedy.sure |= sure, self->remedy.unproven |= unproven;
        known &= word->kind == EXPR_NAME && (sure || unproven);
    }
    const Expr *one = &model->exprs.items[known ? model->links.items[list.first] : 0];
    bool doubted = calls_word(model, one, "unsafe") && one->list.count == 1;
    const Expr *why = &model->exprs.items[doubted ? model->links.items[one->list.first] : 0];
    if (why->kind == EXPR_STRING)
        self->remedy.doubt = draft_text(self->scope->draft, model_name(model, why->name));
    else if (!calls_word(model, one, "safe") || one->kind != EXPR_NAME)
        refuse(self, self->func->span,
               "a remedy is @safe, or @unsafe('what it changes'); then perhaps @sure and @unproven");
}

static void read_metavariables(Reading *self) {
    TermScope *scope = self->scope;
    Draft *draft = scope->draft;
    const FileModel *model = model_of(self);
    self->remedy.first_param = draft->params.count;
    self->remedy.param_count = self->func->param_count;
    for (uint32_t i = 0; i < self->func->param_count; i++) {
        const Param *param = &model->params.items[self->func->first_param + i];
        RuleParam made = {.name = draft_text(draft, model_name(model, param->name)), .star = param->star};
        if (param->annotation) made.condition = term_condition(scope, param->annotation);
        vec_push(draft->arena, &draft->params, made);
    }
    if (self->func->returns) self->remedy.use = term_condition(scope, self->func->returns);
}

static bool is_part(const FileModel *model, const Stmt *stmt, const char *word) {
    if (stmt->kind != STMT_WITH || stmt->list.count != 1 || !stmt->body.count) return false;
    const Stmt *item = &model->stmts.items[model->links.items[stmt->list.first]];
    return calls_word(model, &model->exprs.items[item->a], word);
}

/* The optional parts after the replacement, each at most once: edits at other places. */
static bool is_further_part(const FileModel *model, const Stmt *stmt) {
    static const char *const parts[] = {"reads", "calls", "behind", "made", "first", "ahead", "then"};
    bool is = false;
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++) is |= is_part(model, stmt, parts[i]);
    return is;
}

/* A docstring, the pattern, the replacement, then optional parts. */
static void read_body(Reading *self) {
    const FileModel *model = model_of(self);
    List body = self->func->body;
    const Stmt *parts[3] = {0};
    bool complete = body.count >= 3;
    for (uint32_t i = 0; i < body.count; i++) {
        const Stmt *part = &model->stmts.items[model->links.items[body.first + i]];
        if (i < 3) parts[i] = part;
        complete &= i < 3 || is_further_part(model, part);
    }
    const Expr *title = &model->exprs.items[complete && parts[0]->kind == STMT_EXPR ? parts[0]->a : 0];
    if (title->kind != EXPR_STRING || !is_part(model, parts[1], "before") ||
        !is_part(model, parts[2], "after")) {
        refuse(self, self->func->span,
               "a remedy has a docstring, 'with before:' and 'with after:', and nothing else");
        return;
    }
    self->remedy.title = draft_text(self->scope->draft, model_name(model, title->name));
}

static void read_remedy(TermScope *scope, Text bytes, HazardId hazard, const Func *func) {
    Reading self = {.scope = scope, .func = func, .remedy = {.hazard = hazard}};
    Draft *draft = scope->draft;
    self.remedy.name = draft_text(draft, model_name(scope->model, func->name));
    self.remedy.source = draft_text(draft, text_slice(bytes, func->span.start, func->span.end));
    read_decorators(&self);
    read_metavariables(&self);
    read_body(&self);
    vec_push(draft->arena, &draft->remedies, self.remedy);
}

void remedies_read(TermScope *scope, Text bytes, HazardId hazard) {
    const FileModel *model = scope->model;
    List body = model->funcs.items[1].body;
    for (uint32_t i = 0; i < body.count; i++) {
        const Stmt *stmt = &model->stmts.items[model->links.items[body.first + i]];
        if (stmt->kind == STMT_FUNCTION)
            read_remedy(scope, bytes, hazard, &model->funcs.items[stmt->func]);
        else
            draft_fail(scope->draft, term_place(scope, stmt->span), "only defs may stand among remedies");
    }
}
