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

/* It has one value, or a handful, in a run: a device, a dtype, None, a literal. */
static bool is_of_run(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool literal = (alt->kind == KIND_NUMBER || alt->kind == KIND_TEXT) && alt->id;
        if (!literal && alt->kind != KIND_DEVICE && alt->kind != KIND_DTYPE && alt->kind != KIND_NONE)
            return false;
    }
    return value && value->count;
}

/* All arguments are such, or left to their defaults. */
static bool is_asked_alike(const Walk *walk) {
    const Context *context = walk->context;
    for (uint32_t i = 0; i < context->arg_count; i++)
        if (context->args[i] && !is_of_run(context->args[i])) return false;
    return !context->root;
}

/* @lru_cache and the like: the body runs once for each of its arguments, most of which never change, and once in
   a run where all are like `x.device`; a @cached_property once for each object. */
bool guard_memoised(const Walk *walk, Item *guard) {
    for (uint32_t i = 0; i < walk->func->decorators.count; i++) {
        const Expr *expr =
            &walk->model->exprs.items[walk->model->links.items[walk->func->decorators.first + i]];
        if (expr->kind == EXPR_CALL) expr = &walk->model->exprs.items[expr->a];
        if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) continue;
        Text name = model_name(walk->model, expr->name);
        bool kept = name_is(walk->inference->book, NAMED_memoising_decorator, name);
        if (!kept && !name_is(walk->inference->book, NAMED_cached_property, name)) continue;
        if (kept && is_asked_alike(walk))
            guard->role = PINS_RUN;
        else
            guard->flags = kept ? GUARD_EVERY | GUARD_RARE : GUARD_EVERY;
        return true;
    }
    return false;
}
