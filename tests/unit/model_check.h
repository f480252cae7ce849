#ifndef SYNCL_MODEL_CHECK_H
#define SYNCL_MODEL_CHECK_H
/* What model.h promises of every FileModel, as one function: ids in range, children before parents, each function's
   parts contiguous and its own, spans inside the file, nesting within the limit. Gives NULL, or what is broken. */
#include "lower.h"
#include <stdlib.h>

typedef struct ModelCheck {
    const FileModel *model;
    uint16_t *depth; /* by ExprId */
    const char *broken;
} ModelCheck;

static inline void check_that(ModelCheck *self, bool holds, const char *what) {
    if (!holds && !self->broken) self->broken = what;
}

static inline void check_child(ModelCheck *self, ExprId parent, ExprId child) {
    if (!child) return;
    check_that(self, child < parent, "a child expression's id is not below its parent's");
    if (child < parent && self->depth[child] + 1 > self->depth[parent])
        self->depth[parent] = (uint16_t)(self->depth[child] + 1);
}

static inline void check_list(ModelCheck *self, List list) {
    check_that(self, list.first + list.count <= self->model->links.count, "a list ends beyond the links");
}

static inline void check_span(ModelCheck *self, Span span) {
    check_that(self, span.start <= span.end && span.end <= self->model->byte_count,
               "a span is outside the file");
}

static inline void check_expr(ModelCheck *self, ExprId id) {
    const Expr *expr = &self->model->exprs.items[id];
    check_that(self, expr->kind > EXPR_NONE_ID && expr->kind <= EXPR_NAMED, "an expression has no kind");
    check_span(self, expr->span);
    check_list(self, expr->list);
    check_child(self, id, expr->a);
    check_child(self, id, expr->b);
    if (expr->kind != EXPR_COMPARE) check_child(self, id, expr->c);
    for (uint32_t i = 0; i < expr->list.count && !self->broken; i++)
        check_child(self, id, self->model->links.items[expr->list.first + i]);
    check_that(self, expr->name < self->model->names.count, "a name is out of range");
    check_that(self, expr->kind != EXPR_NAME || expr->binding != BIND_NO, "a name is not resolved");
    check_that(self, self->depth[id] <= 2 * LOWER_DEPTH_LIMIT, "expressions nest too deeply");
}

static inline void check_slots(ModelCheck *self, const Func *func) {
    for (ExprId id = func->first_expr; id < func->end_expr; id++) {
        const Expr *expr = &self->model->exprs.items[id];
        const Func *owner =
            expr->kind == EXPR_NAME && expr->binding == BIND_FREE     ? &self->model->funcs.items[expr->func]
            : expr->kind == EXPR_NAME && expr->binding == BIND_GLOBAL ? &self->model->funcs.items[1]
                                                                      : func;
        check_that(self, expr->slot <= owner->local_count, "a slot is out of range");
        if (expr->kind == EXPR_NAME && expr->binding == BIND_LOCAL)
            check_that(self, expr->slot > 0, "a local has no slot");
    }
}

static inline void check_own(ModelCheck *self, const Func *func, ExprId id) {
    check_that(self, !id || (id >= func->first_expr && id < func->end_expr),
               "an operand is another function's");
}

static inline void check_operands(ModelCheck *self, const Func *func) {
    for (ExprId id = func->first_expr; id < func->end_expr; id++) {
        const Expr *expr = &self->model->exprs.items[id];
        check_own(self, func, expr->a), check_own(self, func, expr->b);
        for (uint32_t i = 0; i < expr->list.count; i++)
            check_own(self, func, self->model->links.items[expr->list.first + i]);
    }
    for (StmtId id = func->first_stmt; id < func->end_stmt; id++) {
        check_own(self, func, self->model->stmts.items[id].a);
        check_own(self, func, self->model->stmts.items[id].b);
    }
}

static inline void check_func(ModelCheck *self, FuncId id) {
    const FileModel *model = self->model;
    const Func *func = &model->funcs.items[id];
    check_that(self, func->first_expr == model->funcs.items[id - 1].end_expr || id == 1,
               "expressions have a gap");
    check_that(self, func->end_expr <= model->exprs.count && func->first_expr <= func->end_expr,
               "expressions end wrongly");
    check_that(self, func->first_stmt <= func->end_stmt && func->end_stmt <= model->stmts.count,
               "statements end wrongly");
    check_that(self, id == 1 || (func->parent && func->parent < id), "a function stands before its parent");
    check_list(self, func->body);
    check_span(self, func->span);
    check_slots(self, func);
    if (!self->broken) check_operands(self, func);
    for (uint32_t i = 0; i < func->body.count; i++) {
        StmtId stmt = model->links.items[func->body.first + i];
        check_that(self, stmt >= func->first_stmt && stmt < func->end_stmt,
                   "a statement is not its function's");
    }
    for (LoopId loop = func->first_loop; loop < func->end_loop; loop++)
        check_that(self, model->loops.items[loop].func == id, "a loop is not its function's");
}

static inline const char *model_broken(const FileModel *model) {
    ModelCheck self = {.model = model, .depth = calloc(model->exprs.count, sizeof(uint16_t))};
    for (ExprId id = 1; id < model->exprs.count && !self.broken; id++) check_expr(&self, id);
    for (StmtId id = 1; id < model->stmts.count && !self.broken; id++) {
        const Stmt *stmt = &model->stmts.items[id];
        check_that(&self, stmt->kind != STMT_NONE_ID, "a statement has no kind");
        check_span(&self, stmt->span);
        check_span(&self, stmt->head);
        check_that(&self, stmt->a < model->exprs.count && stmt->b < model->exprs.count,
                   "an operand is out of range");
        check_list(&self, stmt->list), check_list(&self, stmt->body), check_list(&self, stmt->orelse);
    }
    for (FuncId id = 1; id < model->funcs.count && !self.broken; id++) check_func(&self, id);
    const Func *last = &model->funcs.items[model->funcs.count - 1];
    check_that(&self, last->end_expr == model->exprs.count, "expressions are left over");
    free(self.depth);
    return self.broken;
}

#endif
