/* Functions that store their keyword arguments as attributes: `for name, part in parts.items(): setattr(self,
   name, part)`. */
#include "parts.h"
#include "python_names.h"

static const Expr *part_of(const FileModel *model, List list, uint32_t i) {
    return &model->exprs.items[model->links.items[list.first + i]];
}

static bool is_local(const Expr *expr, uint32_t slot) {
    return slot && expr->kind == EXPR_NAME && expr->binding == BIND_LOCAL && expr->slot == slot;
}

/* The parameter iterated over: `kwargs` in `for name, part in kwargs.items()`; param_count = none. */
static uint32_t items_of(const FileModel *model, const Func *func, const Stmt *loop) {
    const Expr *call = &model->exprs.items[loop->b], *method = &model->exprs.items[call->a];
    uint32_t i = 1;
    if (call->kind != EXPR_CALL || method->kind != EXPR_ATTRIBUTE ||
        !python_is(PY_items, model_name(model, method->name)))
        return func->param_count;
    const Expr *owner = &model->exprs.items[method->a];
    while (i < func->param_count && !is_local(owner, model->params.items[func->first_param + i].slot)) i++;
    return i < func->param_count ? i : func->param_count;
}

/* setattr(self, name, part) with the first parameter and the loop's variables. */
static bool sets(const FileModel *model, const Func *func, const Stmt *loop, const Expr *call) {
    const Expr *pair = &model->exprs.items[loop->a], *callee = &model->exprs.items[call->a];
    bool called = call->kind == EXPR_CALL && call->list.count == 3 && callee->kind == EXPR_NAME &&
                  python_is(PY_setattr, model_name(model, callee->name));
    return called && is_local(part_of(model, call->list, 0), model->params.items[func->first_param].slot) &&
           is_local(part_of(model, call->list, 1), part_of(model, pair->list, 0)->slot) &&
           is_local(part_of(model, call->list, 2), part_of(model, pair->list, 1)->slot);
}

uint32_t kept_parameter(const FileModel *model, const Func *func) {
    for (StmtId s = func->first_stmt; s < func->end_stmt; s++) {
        const Stmt *loop = &model->stmts.items[s];
        const Expr *pair = &model->exprs.items[loop->a];
        if (loop->kind != STMT_FOR || pair->kind != EXPR_TUPLE || pair->list.count != 2) continue;
        uint32_t param = items_of(model, func, loop);
        if (param == func->param_count) continue;
        for (ExprId e = func->first_expr; e < func->end_expr; e++)
            if (sets(model, func, loop, &model->exprs.items[e])) return KEEPS_FIRST + param;
    }
    return KEEPS_NONE;
}
