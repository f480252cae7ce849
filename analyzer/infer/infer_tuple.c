/* Tuples joined and cut: `outputs = (hidden,) + layer_outputs[1:]` keeps its positions; and what an index is asked for. */
#include "interpret.h"

enum { MOST_POSITIONS = 32 };

/* How many positions a tuple has, when that is known and there is nothing else in it. */
static bool positions_of(const Eval *eval, const Value *value, uint32_t *count) {
    if (!value || value->count != 1 || value->alts[0].kind != KIND_CONTAINER) return false;
    const Object *object = &eval->inference->objects.items[value->alts[0].object];
    if (object->flavour != FLAVOUR_TUPLE || object->open || object->keys.count > MOST_POSITIONS) return false;
    for (uint32_t i = 0; i < object->keys.count; i++)
        if (object->keys.items[i] >= position_key(object->keys.count)) return false;
    *count = object->keys.count;
    return true;
}

/* Of what is unpacked into `total` names, the returns that have as many parts, when some do: `return x` of the same
   function is for other arguments. */
const Value *fitting_parts(Eval *eval, const Value *value, uint32_t total) {
    Alt kept[VALUE_ALTS];
    uint32_t count = 0, fits = 0, parts;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool known = positions_of(eval, alt_value(eval, alt), &parts), fit = known && parts == total;
        bool single = (alt->kind == KIND_TENSOR && !(alt->flags & ALT_BATCH)) || alt->kind == KIND_NONE ||
                      alt->kind == KIND_NUMBER;
        fits += fit;
        if (fit || (!known && !single)) kept[count++] = *alt;
    }
    return fits && count < value->count ? value_from(&eval->inference->values, kept, count) : value;
}

static void put(Eval *eval, ObjectId into, uint32_t position, const Value *value) {
    if (value) store_write(eval->inference, object_slot(eval->inference, into, position_key(position)), value);
}

bool join_tuples(Eval *eval, ObjectId into, ExprId right_expr, const Value *left, const Value *right) {
    uint32_t first, second = 0;
    if (!positions_of(eval, left, &first) || left->alts[0].object == into || !value_only(right, KIND_CONTAINER))
        return false;
    Object *object = &eval->inference->objects.items[into];
    if (object->open && !object->supposed) return false; /* it was joined of something else before */
    for (uint32_t i = 0; i < first; i++)
        put(eval, into, i, object_get(eval, left->alts[0].object, position_key(i)));
    bool known = positions_of(eval, right, &second) && right->alts[0].object != into;
    for (uint32_t i = 0; known && i < second; i++)
        put(eval, into, first + i, object_get(eval, right->alts[0].object, position_key(i)));
    if (!known) {
        store_write(eval->inference, eval->inference->objects.items[into].rest,
                    element_of(eval, right_expr, right, false));
        eval->inference->objects.items[into].open = eval->inference->objects.items[into].supposed = true;
    }
    return true;
}

/* `outputs += (x,)` of a tuple makes another one; an empty one that a loop fills stays the one that it is. */
const Value *add_to_tuple(Eval *eval, ExprId right_expr, const Value *left, const Value *right) {
    uint32_t count;
    if (!right || !positions_of(eval, left, &count) || !count) return NULL;
    ObjectId made =
        store_object(eval->inference, STORE_PART, eval->id, (uint64_t)right_expr << 8 | 40, FLAVOUR_TUPLE);
    return join_tuples(eval, made, right_expr, left, right) ? object_value(eval, made) : NULL;
}

/* A bound of a slice that is a plain number; without one, `otherwise`. */
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
    if (slice->kind != EXPR_SLICE || slice->c || !positions_of(eval, tuple, &count)) return NULL;
    if (!bound_of(eval, slice->a, 0, &from) || !bound_of(eval, slice->b, count, &to)) return NULL;
    ObjectId made =
        store_object(eval->inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 38, FLAVOUR_TUPLE);
    for (uint32_t i = from; i < to && i < count; i++)
        put(eval, made, i - from, object_get(eval, tuple->alts[0].object, position_key(i)));
    return object_value(eval, made);
}

/* A slice's bounds are asked for their integer, whatever is cut. */
void use_bounds(Eval *eval, ExprId index_expr) {
    const Expr *expr = &eval->model->exprs.items[index_expr];
    for (uint32_t i = 0; expr->kind == EXPR_TUPLE && i < expr->list.count; i++)
        use_bounds(eval, eval->model->links.items[expr->list.first + i]);
    if (expr->kind != EXPR_SLICE) return;
    const ExprId bounds[] = {expr->a, expr->b, expr->c};
    for (int i = 0; i < 3; i++) {
        const Value *bound = bounds[i] ? infer_fact(eval->context, eval->model, bounds[i]) : NULL;
        if (value_has(bound, KIND_TENSOR)) use_protocol(eval, bounds[i], bound, "__index__", NULL);
    }
}

/* So is a list's index. */
void use_as_index(Eval *eval, ExprId index_expr, const Value *index) {
    if (value_has(index, KIND_TENSOR)) use_protocol(eval, index_expr, index, "__index__", NULL);
    use_bounds(eval, index_expr);
}

/* [0] * t: how often. A float would be an error there, so that what is taken for a list was none; what may be a tensor too
   is one beside a tensor. */
void use_count(Eval *eval, ExprId expr, const Value *left, const Value *right) {
    bool repeats =
        !value_has(left, KIND_TENSOR) && (value_has(left, KIND_CONTAINER) || value_has(left, KIND_TEXT));
    for (uint32_t i = 0; right && i < right->count; i++)
        repeats &= right->alts[i].kind != KIND_TENSOR || right->alts[i].dtype != DTYPE_FLOAT;
    if (repeats && value_has(right, KIND_TENSOR)) use_protocol(eval, expr, right, "__index__", NULL);
}

/* What operations on tensors take apart is a tensor, whatever else may come there. */
const Value *taken_apart(Eval *eval, EntryId entry, const Value *value) {
    const Rulebook *book = eval->inference->book;
    Text api = rulebook_text(book, book->entries[entry].qualified);
    if (text_starts(api, TEXT("torch.")) && value_has(value, KIND_TENSOR))
        value = value_drop(&eval->inference->values, value, KIND_CONTAINER);
    return element_of(eval, 0, value, false);
}
