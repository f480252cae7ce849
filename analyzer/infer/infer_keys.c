/* Keys of dicts. A loop over a batch that asks it for what it goes through, `for key in batch: batch[key]`: such a batch is a
   dict, and these are its keys. */
#include "interpret.h"

/* `batch[key]` somewhere within the loop. */
static bool asks_for(const Eval *eval, uint32_t whole, uint32_t key, Span loop) {
    for (ExprId e = eval->func->first_expr; e < eval->func->end_expr; e++) {
        const Expr *expr = &eval->model->exprs.items[e];
        bool within = expr->span.start >= loop.start && expr->span.end <= loop.end;
        if (within && expr->kind == EXPR_SUBSCRIPT && slot_of(eval, expr->a) == whole &&
            slot_of(eval, expr->b) == key)
            return true;
    }
    return false;
}

static bool is_batch(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind == KIND_TENSOR && (value->alts[i].flags & ALT_BATCH)) return true;
    return false;
}

const Value *turn_of(Eval *eval, ExprId target, ExprId iterable, const Value *value, Span loop) {
    const Value *element = element_of(eval, iterable, value, true);
    uint32_t whole = slot_of(eval, iterable), key = slot_of(eval, target);
    if (!whole || !key || !is_batch(value) || !asks_for(eval, whole, key, loop)) return element;
    return kind_value(eval, KIND_TEXT);
}

/* A key that nobody in sight gave to a dict whose other keys are known: a part like the others, where all are tensors; of
   a state of tensors, counts and names nothing is known. */
const Value *missing_part(Eval *eval, ObjectId dict) {
    const Value *any = object_any(eval, dict);
    for (uint32_t i = 0; any && i < any->count; i++)
        if (any->alts[i].kind != KIND_TENSOR && any->alts[i].kind != KIND_UNKNOWN)
            return value_has(any, KIND_TENSOR) ? kind_value(eval, KIND_UNKNOWN) : any;
    return any;
}
