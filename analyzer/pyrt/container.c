/* Keys and positions of containers, for the methods of list, dict and set. */
#include "python.h"
#include "conventions.h"
#include "python_names.h"

void container_set_position(Eval *eval, ObjectId object, uint32_t position, const Value *value) {
    if (value)
        store_write(eval->inference, object_slot(eval->inference, object, position_key(position)), value);
}

const Value *container_open(Eval *eval, ExprId expr, PartOf part, Flavour flavour, const Value *element) {
    ObjectId object = object_part(eval, expr, part, flavour);
    infer_object(eval->inference, object)->open = true;
    if (element) object_add(eval, object, element);
    return object_value(eval, object);
}

const Value *container_pairs(Eval *eval, ExprId expr, const Value *first, const Value *second) {
    ObjectId pair = object_part(eval, expr, PART_PAIR, FLAVOUR_TUPLE);
    container_set_position(eval, pair, 0, first);
    container_set_position(eval, pair, 1, second);
    return container_open(eval, expr, PART_PAIRS, FLAVOUR_ITERATOR, object_value(eval, pair));
}

const Value *native_argument(const Args *args, uint32_t i) { return i < args->count ? args->values[i] : NULL; }

const Value *container_get_key(Eval *eval, const Alt *container, const Value *key) {
    if (key && key->count == 1 && key->alts[0].kind == KIND_TEXT && key->alts[0].id)
        return object_get(eval, container->object, name_key(key->alts[0].id));
    return object_any(eval, container->object);
}

void container_set_key(Eval *eval, const Alt *container, const Value *key, const Value *value) {
    if (!value) return;
    if (key && key->count == 1 && key->alts[0].kind == KIND_TEXT && key->alts[0].id)
        store_write(eval->inference, object_slot(eval->inference, container->object, name_key(key->alts[0].id)),
                    value);
    else
        object_add(eval, container->object, value);
}

bool is_container_method(const Rulebook *book, Text name) {
    static const PythonName METHODS[] = {
        PY_items, PY_values, PY_keys,    PY_get,        PY_pop,    PY_popitem, PY_setdefault, PY_update,
        PY_copy,  PY_append, PY_add,     PY_appendleft, PY_insert, PY_extend,  PY_popleft,    PY_index,
        PY_count, PY_remove, PY_discard, PY_clear,      PY_sort,   PY_reverse};
    return python_any(METHODS, sizeof METHODS / sizeof *METHODS, name) ||
           name_is(book, NAMED_moving_method, name);
}
