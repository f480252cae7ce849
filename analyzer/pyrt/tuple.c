/* Concatenating and slicing tuples: `outputs = (hidden,) + layer_outputs[1:]` keeps its positions. */
#include "python.h"

/* The number of positions of a tuple, if it is known and the value can be nothing else. */
bool tuple_positions(const Eval *eval, const Value *value, uint32_t *count) {
    if (!value || value->count != 1 || value->alts[0].kind != KIND_CONTAINER) return false;
    const Object *object = infer_object(eval->inference, value->alts[0].object);
    if (object->flavour != FLAVOUR_TUPLE || object->open || object->key_count > POSITIONS_KEPT) return false;
    for (uint32_t i = 0; i < object->key_count; i++)
        if (object_keys(object)[i].key >= position_key(object->key_count)) return false;
    *count = object->key_count;
    return true;
}

/* For unpacking into `total` names: only the alternatives with as many parts, if there are some. (`return x` in
   the same function then belongs to other arguments.) */
const Value *fitting_parts(Eval *eval, const Value *value, uint32_t total) {
    Alt kept[VALUE_ALTS];
    uint32_t count = 0, fits = 0, parts;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool known = tuple_positions(eval, alt_value(eval, alt), &parts), fit = known && parts == total;
        bool single = (alt->kind == KIND_TENSOR && !(alt->flags & ALT_BATCH)) || alt->kind == KIND_NONE ||
                      alt->kind == KIND_NUMBER;
        fits += fit;
        if (fit || (!known && !single)) kept[count++] = *alt;
    }
    return fits && count < value->count ? value_from(&eval->inference->values, kept, count) : value;
}

void tuple_put(Eval *eval, ObjectId into, uint32_t position, const Value *value) {
    if (value) store_write(eval->inference, object_slot(eval->inference, into, position_key(position)), value);
}

/* A slice bound that is a literal number; `otherwise` if there is none. */
static bool bound_of(const Eval *eval, ExprId id, uint32_t otherwise, uint32_t *bound) {
    *bound = otherwise;
    if (!id) return true;
    const Expr *expr = &eval->model->exprs.items[id];
    if (expr->kind != EXPR_INT) return false;
    Text text = model_name(eval->model, expr->name);
    *bound = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9' || i > 3) return false;
        *bound = *bound * 10 + (uint32_t)(text.bytes[i] - '0');
    }
    return true;
}

const Value *cut_tuple(Eval *eval, ExprId expr, const Value *tuple, ExprId index) {
    const Expr *slice = &eval->model->exprs.items[index];
    uint32_t count, from, to;
    if (slice->kind != EXPR_SLICE || slice->c || !tuple_positions(eval, tuple, &count)) return NULL;
    if (!bound_of(eval, slice->a, 0, &from) || !bound_of(eval, slice->b, count, &to)) return NULL;
    ObjectId made = object_part(eval, expr, PART_SLICE, FLAVOUR_TUPLE);
    for (uint32_t i = from; i < to && i < count; i++)
        tuple_put(eval, made, i - from, object_get(eval, tuple->alts[0].object, position_key(i)));
    return object_value(eval, made);
}
