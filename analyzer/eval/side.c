/* Branches that do not run in the priced run, and values made only there. */
#include "narrow.h"
#include "python.h"

/* The default of a parameter, if no visible call passes another value. */
static const Value *default_of(Eval *eval, const Expr *name) {
    bool asked = eval->context->root && name->kind == EXPR_NAME && name->binding == BIND_LOCAL && name->slot;
    for (uint32_t i = 0; asked && i < eval->func->param_count; i++) {
        const Param *param = &eval->model->params.items[eval->func->first_param + i];
        GlobalFunc func = global_func(eval->inference, eval->file_id, eval->func_id);
        if (param->slot == name->slot && param->fallback && !eval->context->args[i])
            return store_read(eval->inference, eval->id, store_slot(eval->inference, STORE_DEFAULT, func, i));
    }
    return NULL;
}

/* `if wide:` with wide False here, or False unless an unseen caller passes something else. */
OffSide off_side(Eval *eval, ExprId id) {
    const Expr *expr = &eval->model->exprs.items[id];
    if (expr->kind == EXPR_NOT) {
        OffSide side = off_side(eval, expr->a);
        return (OffSide){.off = tri_not(side.off), .belief = side.belief};
    }
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) return (OffSide){.off = TRI_UNKNOWN};
    uint8_t belief = GUESSED;
    Tri truth = literal_truth(eval, infer_fact(eval->context, eval->model, id));
    if (truth == TRI_UNKNOWN) truth = literal_truth(eval, default_of(eval, expr)), belief = BELIEVED;
    return (OffSide){.off = tri_not(truth), .belief = belief};
}

/* Where the other branch certainly makes something else. */
void doubt_side(Eval *eval, Env *off, const Env *on, uint8_t belief) {
    for (uint32_t s = 0; (s = env_differs(off, on, s));) {
        const Value *made = env_get(off, s), *other = env_get(on, s);
        if (!other || !value_has(made, KIND_TENSOR)) continue;
        if (value_has(other, KIND_TENSOR) || value_has(other, KIND_UNKNOWN)) continue;
        env_put(off, s, value_believed(&eval->inference->values, made, belief));
    }
}
