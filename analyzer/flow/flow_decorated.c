/* What decorators say about how often a function's body runs. */
#include "flow_walk.h"

/* The module that the first name of `cuda.jit` or `triton.jit` is imported from. */
static Text imported_from(const Walk *walk, ExprId id) {
    const FileModel *model = walk->model;
    const Expr *expr = &model->exprs.items[id];
    while (expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_CALL) expr = &model->exprs.items[expr->a];
    for (uint32_t i = 1; expr->kind == EXPR_NAME && i < model->imports.count; i++) {
        const Import *import = &model->imports.items[i];
        const Expr *bound = &model->exprs.items[import->target];
        if (import->target && !import->dots && bound->name == expr->name)
            return model_name(model, import->module);
    }
    return (Text){0};
}

/* @numba.cuda.jit, @triton.jit: the body is compiled, so none of its lines runs in Python. */
bool flow_compiled(const Walk *walk) {
    for (uint32_t i = 0; i < walk->func->decorators.count; i++) {
        Text module = imported_from(walk, walk->model->links.items[walk->func->decorators.first + i]);
        if (name_is(walk->inference->book, NAMED_compiling_module, module)) return true;
    }
    return false;
}

/* @lru_cache and the like: the body runs once for each of its arguments, most of which never change; a
   @cached_property once for each object. */
uint8_t flow_memoised(const Walk *walk) {
    for (uint32_t i = 0; i < walk->func->decorators.count; i++) {
        const Expr *expr =
            &walk->model->exprs.items[walk->model->links.items[walk->func->decorators.first + i]];
        if (expr->kind == EXPR_CALL) expr = &walk->model->exprs.items[expr->a];
        if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) continue;
        Text name = model_name(walk->model, expr->name);
        if (name_is(walk->inference->book, NAMED_memoising_decorator, name)) return GUARD_EVERY | GUARD_RARE;
        if (name_is(walk->inference->book, NAMED_cached_property, name)) return GUARD_EVERY;
    }
    return 0;
}
