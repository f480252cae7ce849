/* Branches that do not run in the priced run, and values made only there. */
#include "conventions.h"
#include "narrow.h"
#include "python.h"

enum { NO_PARAMETER = -1u };

/* The parameter of the function that a name is; NO_PARAMETER = none. */
static uint32_t parameter_of(const Eval *eval, const Expr *name) {
    bool local = name->kind == EXPR_NAME && name->binding == BIND_LOCAL && name->slot;
    for (uint32_t i = 0; local && i < eval->func->param_count; i++)
        if (eval->model->params.items[eval->func->first_param + i].slot == name->slot) return i;
    return NO_PARAMETER;
}

/* The default of a parameter, if no visible call passes another value. */
static const Value *default_of(Eval *eval, const Expr *name) {
    uint32_t i = eval->context->root ? parameter_of(eval, name) : NO_PARAMETER;
    if (i == NO_PARAMETER || eval->context->args[i]) return NULL;
    if (!eval->model->params.items[eval->func->first_param + i].fallback) return NULL;
    GlobalFunc func = global_func(eval->inference, eval->file_id, eval->func_id);
    return store_read(eval->inference, eval->id, store_slot(eval->inference, STORE_DEFAULT, func, i));
}

/* `def to_detach(batch, cpu=True)`: a name that is a parameter, true unless a caller says otherwise. */
bool is_true_by_default(const Eval *eval, ExprId id) {
    uint32_t i = parameter_of(eval, &eval->model->exprs.items[id]);
    if (i == NO_PARAMETER) return false;
    ExprId fallback = eval->model->params.items[eval->func->first_param + i].fallback;
    return fallback && eval->model->exprs.items[fallback].kind == EXPR_TRUE;
}

/* `if backend is None:`, `if single:`: callers choose the branch by a parameter that says nothing of a device. */
bool is_choice(Eval *eval, ExprId id) {
    const Expr *expr = &eval->model->exprs.items[id];
    while (expr->kind == EXPR_NOT) expr = &eval->model->exprs.items[expr->a];
    if (expr->kind == EXPR_COMPARE) {
        const ExprId *sides = eval->model->links.items + expr->list.first;
        if (eval->model->exprs.items[sides[1]].kind != EXPR_NONE) return false;
        expr = &eval->model->exprs.items[sides[0]];
    }
    if (parameter_of(eval, expr) == NO_PARAMETER) return false;
    const Value *value = infer_fact(eval->context, eval->model, (ExprId)(expr - eval->model->exprs.items));
    Text name = model_name(eval->model, expr->name);
    const Rulebook *book = eval->inference->book;
    return !value_has(value, KIND_DEVICE) && !name_is(book, NAMED_device_name, name) &&
           !name_is(book, NAMED_gpu_flag, name) && !name_is(book, NAMED_host_flag, name);
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
