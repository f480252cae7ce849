#include "model_valid.h"

enum { DEEPEST = 1000 }; /* twice lower.h's limit: comprehensions and patterns add levels */

typedef struct Checking {
    const FileModel *model;
    uint16_t *expr_depth, *stmt_depth;
    const Func *func; /* whose parts are looked at */
    FuncId func_id;
} Checking;

static bool span_fits(const Checking *self, Span span) {
    return span.start <= span.end && span.end <= self->model->byte_count;
}

static bool list_fits(const Checking *self, List list) {
    return list.count <= self->model->links.count && list.first <= self->model->links.count - list.count;
}

/* Every item is below `end`; none is 0, where 0 would mean a missing item. */
static bool items_below(const Checking *self, List list, uint32_t end) {
    if (!list_fits(self, list)) return false;
    for (uint32_t i = 0; i < list.count; i++) {
        uint32_t item = self->model->links.items[list.first + i];
        if (!item || item >= end) return false;
    }
    return true;
}

/* ---- expressions ---- */

/* Whether the expression is evaluated by the function itself, or by the statement of another function that
   defines it. */
static bool is_own(const Func *func, ExprId id) {
    return !id || (id >= func->first_expr && id < func->end_expr);
}

static bool all_own(const Checking *self, List list) {
    for (uint32_t i = 0; i < list.count; i++)
        if (!is_own(self->func, self->model->links.items[list.first + i])) return false;
    return true;
}

static bool is_own_loop(const Func *func, LoopId id) { return id >= func->first_loop && id < func->end_loop; }

static bool child_fits(Checking *self, ExprId parent, ExprId child) {
    if (!child) return true;
    if (child >= parent || child < self->func->first_expr) return false;
    uint16_t depth = (uint16_t)(self->expr_depth[child] + 1);
    if (depth > self->expr_depth[parent]) self->expr_depth[parent] = depth;
    return true;
}

/* Whether the id is a function of this kind that comes after the one that defines it. */
static bool is_made(const Checking *self, FuncId id, FuncKind kind) {
    return id > self->func_id && id < self->model->funcs.count && self->model->funcs.items[id].kind == kind;
}

/* Checks references to other scopes: a lambda's body, a variable of an enclosing function, a comprehension's
   loop. */
static bool reach_fits(const Checking *self, const Expr *expr) {
    switch (expr->kind) {
    case EXPR_LAMBDA: return is_made(self, expr->func, FUNC_LAMBDA);
    case EXPR_NAME: return expr->func < self->func_id || expr->func == 0;
    case EXPR_LIST_COMP:
    case EXPR_SET_COMP:
    case EXPR_DICT_COMP:
    case EXPR_GENERATOR: return is_own_loop(self->func, expr->loop);
    case EXPR_DICT: return expr->list.count % 2 == 0 && !expr->func;
    default: return !expr->func;
    }
}

static bool is_between(uint32_t op, Operator first, Operator last) { return op >= first && op <= last; }

/* A comparison has one operator between each two operands. */
static bool comparison_fits(const Checking *self, const Expr *expr) {
    List codes = {expr->c, expr->list.count - 1};
    if (expr->list.count < 2 || !list_fits(self, codes)) return false;
    for (uint32_t i = 0; i < codes.count; i++)
        if (!is_between(self->model->links.items[codes.first + i], OP_LT, OP_IS_NOT)) return false;
    return is_between(expr->op, OP_LT, OP_IS_NOT);
}

/* The operator must be in range: inference indexes a table of methods by it. */
static bool operator_fits(const Checking *self, const Expr *expr) {
    switch (expr->kind) {
    case EXPR_BINARY: return is_between(expr->op, OP_ADD, OP_RSHIFT);
    case EXPR_UNARY: return is_between(expr->op, OP_NEG, OP_INVERT);
    case EXPR_COMPARE: return comparison_fits(self, expr);
    default: return true;
    }
}

static bool expr_fits(Checking *self, ExprId id) {
    const FileModel *model = self->model;
    const Expr *expr = &model->exprs.items[id];
    if (expr->kind == EXPR_NONE_ID || expr->kind > EXPR_NAMED || expr->binding > BIND_GLOBAL) return false;
    if (!span_fits(self, expr->span) || !list_fits(self, expr->list)) return false;
    if (!child_fits(self, id, expr->a) || !child_fits(self, id, expr->b)) return false;
    if (expr->kind != EXPR_COMPARE && !child_fits(self, id, expr->c)) return false;
    for (uint32_t i = 0; i < expr->list.count; i++)
        if (!child_fits(self, id, model->links.items[expr->list.first + i])) return false;
    if (expr->kind == EXPR_NAME && (expr->binding == BIND_NO || !expr->name)) return false;
    return operator_fits(self, expr) && reach_fits(self, expr) && self->expr_depth[id] <= DEEPEST &&
           expr->name < model->names.count;
}

/* The slot must be one of the function that the binding says (model.h, Binding). */
static bool slot_fits(const FileModel *model, const Func *func, const Expr *expr) {
    bool is_name = expr->kind == EXPR_NAME;
    const Func *owner = is_name && expr->binding == BIND_FREE     ? &model->funcs.items[expr->func]
                        : is_name && expr->binding == BIND_GLOBAL ? &model->funcs.items[1]
                                                                  : func;
    if (is_name && expr->binding == BIND_LOCAL && !expr->slot) return false;
    return expr->slot <= owner->local_count;
}

/* ---- statements ---- */

static bool block_fits(Checking *self, StmtId parent, List block) {
    if (!list_fits(self, block)) return false;
    for (uint32_t i = 0; i < block.count; i++) {
        StmtId child = self->model->links.items[block.first + i];
        if (child <= parent || child >= self->func->end_stmt) return false;
        if (self->stmt_depth[child] <= self->stmt_depth[parent])
            self->stmt_depth[child] = (uint16_t)(self->stmt_depth[parent] + 1);
    }
    return true;
}

static bool imports_fit(const Checking *self, List list) {
    const FileModel *model = self->model;
    if (!items_below(self, list, model->imports.count)) return false;
    for (uint32_t i = 0; i < list.count; i++)
        if (!is_own(self->func, model->imports.items[model->links.items[list.first + i]].target)) return false;
    return true;
}

/* Checks what a definition evaluates where it stands: decorators, defaults, bases. */
static bool definition_fits(const Checking *self, const Stmt *stmt) {
    const FileModel *model = self->model;
    const Func *func = &model->funcs.items[stmt->func];
    const Class *class = &model->classes.items[stmt->class_id];
    if (stmt->kind == STMT_CLASS)
        return stmt->class_id && is_made(self, class->body, FUNC_CLASS_BODY) &&
               !model->funcs.items[class->body].param_count && all_own(self, class->bases) &&
               all_own(self, class->decorators);
    if (stmt->kind != STMT_FUNCTION) return true;
    for (uint32_t i = 0; i < func->param_count; i++)
        if (!is_own(self->func, model->params.items[func->first_param + i].fallback)) return false;
    return is_made(self, stmt->func, FUNC_DEF) && all_own(self, func->decorators);
}

static bool parts_fit(Checking *self, StmtId id, const Stmt *stmt) {
    switch (stmt->kind) {
    case STMT_TRY:
    case STMT_WITH:
    case STMT_MATCH: return block_fits(self, id, stmt->list);
    case STMT_GLOBAL:
    case STMT_NONLOCAL: return items_below(self, stmt->list, self->model->names.count);
    case STMT_IMPORT: return imports_fit(self, stmt->list);
    case STMT_CASE:
        if (!stmt->list.count) return false; /* its pattern */
        /* fall through */
    default: return list_fits(self, stmt->list) && all_own(self, stmt->list);
    }
}

static bool stmt_fits(Checking *self, StmtId id) {
    const FileModel *model = self->model;
    const Stmt *stmt = &model->stmts.items[id];
    if (stmt->kind == STMT_NONE_ID || stmt->kind > STMT_CASE) return false;
    if (stmt->kind == STMT_AUGMENT && !is_between(stmt->op, OP_ADD, OP_RSHIFT)) return false;
    if (!span_fits(self, stmt->span) || !span_fits(self, stmt->head)) return false;
    if (!parts_fit(self, id, stmt) || !block_fits(self, id, stmt->body)) return false;
    if (!block_fits(self, id, stmt->orelse) || !block_fits(self, id, stmt->final)) return false;
    if ((stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE) && !is_own_loop(self->func, stmt->loop))
        return false;
    return self->stmt_depth[id] <= DEEPEST && is_own(self->func, stmt->a) && is_own(self->func, stmt->b) &&
           stmt->func < model->funcs.count && stmt->class_id < model->classes.count &&
           stmt->loop < model->loops.count && definition_fits(self, stmt);
}

/* ---- functions, classes, the rest ---- */

static bool range_fits(uint32_t before, uint32_t first, uint32_t end, uint32_t count) {
    return first == before && first <= end && end <= count;
}

static bool part_fits(uint32_t first, uint32_t count, uint32_t all) {
    return first <= all && count <= all - first;
}

static bool func_parts_fit(const Checking *self, FuncId id) {
    const FileModel *model = self->model;
    const Func *func = &model->funcs.items[id], *before = &model->funcs.items[id - 1];
    bool is_first = id == 1;
    return range_fits(is_first ? 1 : before->end_expr, func->first_expr, func->end_expr, model->exprs.count) &&
           range_fits(is_first ? 1 : before->end_stmt, func->first_stmt, func->end_stmt, model->stmts.count) &&
           range_fits(is_first ? 1 : before->end_loop, func->first_loop, func->end_loop, model->loops.count) &&
           part_fits(func->first_param, func->param_count, model->params.count) &&
           part_fits(func->first_local, func->local_count, model->locals.count);
}

/* A path's `above` chain reaches its variable within few steps. */
static bool path_fits(const FileModel *model, const Func *func, const Local *local) {
    enum { STEPS_MOST = 4 };
    const Local *at = local;
    for (int step = 0; step < STEPS_MOST && at->root; step++) {
        if (!at->above || at->above > func->local_count) return false;
        at = &model->locals.items[func->first_local + at->above - 1];
    }
    return !at->root;
}

static bool locals_fit(const FileModel *model, const Func *func) {
    for (uint32_t i = 0; i < func->local_count; i++) {
        const Local *local = &model->locals.items[func->first_local + i];
        if (local->name >= model->names.count || local->root > func->local_count ||
            !path_fits(model, func, local))
            return false;
    }
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *param = &model->params.items[func->first_param + i];
        if (param->name >= model->names.count || param->slot > func->local_count) return false;
        if (param->annotation >= model->exprs.count || param->fallback >= model->exprs.count) return false;
    }
    return true;
}

static bool func_body_fits(const Checking *self, const Func *func) {
    if (!list_fits(self, func->body)) return false;
    for (uint32_t i = 0; i < func->body.count; i++) {
        StmtId stmt = self->model->links.items[func->body.first + i];
        if (stmt < func->first_stmt || stmt >= func->end_stmt) return false;
    }
    for (ExprId id = func->first_expr; id < func->end_expr; id++)
        if (!slot_fits(self->model, func, &self->model->exprs.items[id])) return false;
    return true;
}

static bool func_fits(const Checking *self, FuncId id) {
    const FileModel *model = self->model;
    const Func *func = &model->funcs.items[id];
    bool placed = id == 1 ? func->kind == FUNC_MODULE && !func->parent : func->parent && func->parent < id;
    return placed && func->kind <= FUNC_CLASS_BODY && locals_fit(model, func) && func_body_fits(self, func) &&
           span_fits(self, func->span) && func->name < model->names.count &&
           func->class_id < model->classes.count && func->stmt < model->stmts.count &&
           func->returns < model->exprs.count && items_below(self, func->decorators, model->exprs.count);
}

static bool class_fits(const Checking *self, ClassId id) {
    const FileModel *model = self->model;
    const Class *class = &model->classes.items[id];
    return class->name < model->names.count && class->parent && class->parent < class->body &&
           class->body < model->funcs.count && class->outer < id && span_fits(self, class->span) &&
           items_below(self, class->bases, model->exprs.count) &&
           items_below(self, class->decorators, model->exprs.count) &&
           items_below(self, class->methods, model->funcs.count);
}

static bool loop_fits(const Checking *self, LoopId id) {
    const Loop *loop = &self->model->loops.items[id];
    return loop->func == self->func_id && loop->outer < id && is_own(self->func, loop->expr) &&
           (!loop->outer || loop->outer >= self->func->first_loop) &&
           (!loop->stmt || (loop->stmt >= self->func->first_stmt && loop->stmt < self->func->end_stmt)) &&
           span_fits(self, loop->head);
}

static bool import_fits(const Checking *self, const Import *import) {
    const FileModel *model = self->model;
    return import->module < model->names.count && import->name < model->names.count &&
           import->alias < model->names.count && import->target < model->exprs.count &&
           span_fits(self, import->span);
}

static bool comment_fits(const Checking *self, Span span) {
    return span.start < span.end && span_fits(self, span);
}

static bool lines_fit(const FileModel *model) {
    if (!model->lines.count || model->lines.items[0] != 0) return false;
    for (uint32_t i = 1; i < model->lines.count; i++)
        if (model->lines.items[i] <= model->lines.items[i - 1]) return false;
    return model->lines.items[model->lines.count - 1] <= model->byte_count &&
           model->broken_at <= model->byte_count;
}

static bool has_records(const FileModel *model) {
    return model->names.count && model->exprs.count && model->stmts.count && model->funcs.count > 1 &&
           model->classes.count && model->params.count && model->locals.count && model->loops.count &&
           model->imports.count && model->comments.count;
}

#define ALL_FIT(vec, check)                            \
    for (uint32_t id = 1; id < model->vec.count; id++) \
        if (!(check)) return false

/* Checks what one function evaluates. The ranges of all functions' parts have been checked by then. */
static bool contents_fit(Checking *self, FuncId id) {
    const Func *func = self->func = &self->model->funcs.items[id];
    self->func_id = id;
    for (ExprId expr = func->first_expr; expr < func->end_expr; expr++)
        if (!expr_fits(self, expr)) return false;
    for (StmtId stmt = func->first_stmt; stmt < func->end_stmt; stmt++)
        if (!stmt_fits(self, stmt)) return false;
    for (LoopId loop = func->first_loop; loop < func->end_loop; loop++)
        if (!loop_fits(self, loop)) return false;
    return true;
}

static bool everything_fits(Checking *self) {
    const FileModel *model = self->model;
    const Func *last = &model->funcs.items[model->funcs.count - 1];
    ALL_FIT(funcs, func_parts_fit(self, id));
    ALL_FIT(classes, class_fits(self, id));
    ALL_FIT(funcs, list_fits(self, model->funcs.items[id].decorators));
    ALL_FIT(funcs, contents_fit(self, id));
    ALL_FIT(funcs, func_fits(self, id));
    ALL_FIT(imports, import_fits(self, &model->imports.items[id]));
    ALL_FIT(comments, comment_fits(self, model->comments.items[id].span));
    return last->end_expr == model->exprs.count && last->end_stmt == model->stmts.count &&
           last->end_loop == model->loops.count && lines_fit(model) &&
           items_below(self, model->exported, model->names.count);
}

bool model_valid(Arena *scratch, const FileModel *model) {
    if (!has_records(model)) return false;
    Checking self = {.model = model,
                     .expr_depth = arena_new(scratch, uint16_t, model->exprs.count),
                     .stmt_depth = arena_new(scratch, uint16_t, model->stmts.count)};
    return everything_fits(&self);
}
