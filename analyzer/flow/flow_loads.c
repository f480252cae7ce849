/* Loops over what a loader gives: `for x, y in tqdm(loader):`. */
#include "flow_walk.h"

/* enumerate(loader), tqdm(loader), zip(loader, other): a part of what an iteration gives is of a batch. */
Loads loads_inside(const Walk *walk, const Value *value, int depth) {
    Loads loads = LOADS_NOTHING;
    for (uint32_t i = 0; value && i < value->count && !loads; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_TENSOR && (alt->flags & ALT_BATCH))
            return alt->flags & ALT_IN_PROCESS ? LOADS_HERE : LOADS_BATCHES;
        if (alt->kind != KIND_CONTAINER || !depth) continue;
        const Object *parts = infer_object(walk->inference, alt->object);
        for (uint32_t part = 0; part < parts->key_count && !loads; part++)
            loads = loads_inside(walk, slot_value(walk->inference, object_keys(parts)[part].slot), depth - 1);
    }
    return loads;
}

/* `batch.items()`, or `zip(outputs, labels)` with tensors: parts of something loaded before. */
static bool is_walk_of_parts(const Walk *walk, ExprId iterable) {
    const Expr *call = &walk->model->exprs.items[iterable];
    if (call->kind != EXPR_CALL) return false;
    bool method = walk->model->exprs.items[call->a].kind == EXPR_ATTRIBUTE;
    Text name = last_name(walk, call->a);
    bool parts = method && (python_is(PY_items, name) || python_is(PY_values, name));
    bool pairs = !method && (python_is(PY_enumerate, name) || python_is(PY_zip, name));
    for (uint32_t i = 0; pairs && !parts && i < call->list.count; i++) {
        ExprId given = walk->model->links.items[call->list.first + i];
        parts = value_only(infer_fact(walk->context, walk->model, given), KIND_TENSOR) ||
                is_walk_of_parts(walk, given);
    }
    return parts;
}

Loads loads_of(const Walk *walk, ExprId iterable) {
    const Value *value = infer_fact(walk->context, walk->model, iterable);
    if (is_walk_of_parts(walk, iterable)) return LOADS_NOTHING;
    const Rulebook *book = walk->inference->book;
    EntryId loader = entry_named(book, NAMED_loader_class);
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_OBJECT && loader && rulebook_inherits(book, alt->id, loader))
            return alt->flags & ALT_IN_PROCESS ? LOADS_HERE : LOADS_BATCHES;
        if ((alt->kind != KIND_OBJECT && alt->kind != KIND_CONTAINER) || !alt->object) continue;
        const Object *iterated = infer_object(walk->inference, alt->object);
        Loads inside = loads_inside(walk, slot_value(walk->inference, iterated->rest), LOADS_DEEP);
        if (inside) return inside;
    }
    return LOADS_NOTHING;
}
