/* Abstract objects: reading and writing the contents of containers and parts, and bound methods. */
#include "evaluation.h"

enum { FIRST_KEYS = 4, MOST_KEYS = 64 };

uint32_t position_key(uint32_t position) { return position << 1 | 1; }

uint32_t name_key(Sym name) { return name << 1; }

static const ObjectKey *find_key(const Object *object, uint32_t key) {
    const ObjectKey *keys = object_keys(object);
    for (uint32_t i = 0; i < object->key_count; i++)
        if (keys[i].key == key) return &keys[i];
    return NULL;
}

static void add_key(Arena *arena, Object *object, ObjectKey key) {
    uint32_t count = object->key_count++;
    if (!count) {
        object->keys.only = key;
        return;
    }
    bool full = count >= FIRST_KEYS && !(count & (count - 1));
    if (count == 1 || full) {
        ObjectKey *more = arena_raw(arena, sizeof *more * (full ? count * 2 : FIRST_KEYS));
        memcpy(more, count == 1 ? &object->keys.only : object->keys.several, sizeof *more * count);
        object->keys.several = more;
    }
    object->keys.several[count] = key;
}

SlotId object_slot(Inference *inference, ObjectId id, uint32_t key) {
    Object *object = infer_object(inference, id);
    const ObjectKey *known = find_key(object, key);
    if (known) return known->slot;
    if (object->key_count >= MOST_KEYS) return object->rest; /* a table, not a record */
    SlotId slot = store_new_slot(inference);
    store_invalidate(inference, object->rest);
    add_key(inference->store, object, (ObjectKey){key, slot});
    return slot;
}

bool object_has(const Inference *inference, ObjectId id, uint32_t key) {
    return find_key(infer_object(inference, id), key);
}

ObjectId object_part(Eval *eval, ExprId expr, PartOf part, Flavour flavour) {
    return store_object(eval->inference, STORE_PART, eval->id, (uint64_t)expr << 8 | part, flavour);
}

ObjectId object_at(Eval *eval, ExprId expr, PartOf first, ObjectId like, uint32_t path) {
    Flavour flavour = (Flavour)infer_object(eval->inference, like)->flavour;
    uint64_t part = (uint64_t)path << 40 | (uint64_t)expr << 8 | (uint8_t)((uint32_t)first + flavour);
    return store_object(eval->inference, STORE_PART, eval->id, part, flavour);
}

/* A known key whose value is None or a tensor may also have been written by an unknown key; one that holds a
   number, a text or an unknown hardly. */
static const Value *of_other_keys(Eval *eval, const Value *known, const Value *rest) {
    if (!value_has(rest, KIND_TENSOR) || value_has(known, KIND_TENSOR)) return rest;
    uint8_t belief = value_only(known, KIND_NONE) ? BELIEVED : GUESSED;
    return value_believed(&eval->inference->values, rest, belief);
}

const Value *object_own(Eval *eval, ObjectId id, uint32_t key) {
    if (!object_has(eval->inference, id, key)) return NULL;
    return store_read(eval->inference, eval->id, object_slot(eval->inference, id, key));
}

const Value *object_get(Eval *eval, ObjectId id, uint32_t key) {
    Inference *inference = eval->inference;
    const Value *rest = store_read(inference, eval->id, infer_object(inference, id)->rest);
    if (!object_has(inference, id, key)) return rest;
    const Value *known = store_read(inference, eval->id, object_slot(inference, id, key));
    if (known && infer_object(inference, id)->supposed) return known;
    return value_join(&inference->values, known, known ? of_other_keys(eval, known, rest) : rest);
}

const Value *object_any(Eval *eval, ObjectId id) {
    Inference *inference = eval->inference;
    const Value *value = store_read(inference, eval->id, infer_object(inference, id)->rest);
    for (uint32_t i = 0; i < infer_object(inference, id)->key_count; i++)
        value = value_join(&inference->values, value,
                           store_read(inference, eval->id, object_keys(infer_object(inference, id))[i].slot));
    return value;
}

/* If all elements are known, each comes in one iteration: of `{"loss": loss, "lr": lr}.items()` one is the
   loss. */
const Value *object_turns(Eval *eval, ObjectId id) {
    const Value *value = object_any(eval, id);
    const Object *object = infer_object(eval->inference, id);
    bool all = object->key_count > 1 && !object->open && !slot_value(eval->inference, object->rest);
    if (!all || !value || value->count < 2) return value;
    return value_flagged(&eval->inference->values, value, ALT_TURNS);
}

void object_add(Eval *eval, ObjectId id, const Value *value) {
    Object *object = infer_object(eval->inference, id);
    object->open = true;
    object->supposed = false;
    store_write(eval->inference, object->rest, value);
}

const Value *object_value(Eval *eval, ObjectId object) {
    return value_of(&eval->inference->values, (Alt){.kind = KIND_CONTAINER, .object = object});
}

const Value *literal_value(Eval *eval, Kind kind, Sym text) {
    return value_of(&eval->inference->values, (Alt){.kind = (uint8_t)kind, .id = text});
}

const Value *alt_value(Eval *eval, const Alt *alt) { return value_of(&eval->inference->values, *alt); }

const Value *only_kind(Eval *eval, const Value *value, Kind kind) {
    Alt alts[VALUE_ALTS];
    uint32_t count = 0;
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind == kind) alts[count++] = value->alts[i];
    return value_from(&eval->inference->values, alts, count);
}

const Value *bound_value(Eval *eval, ExprId expr, Kind kind, uint32_t id, const Value *receiver,
                         uint8_t belief) {
    ObjectId object = 0;
    if (receiver) {
        object = store_object(eval->inference, STORE_BOUND, eval->id, (uint64_t)id << 32 | expr, FLAVOUR_PARTS);
        store_write(eval->inference, infer_object(eval->inference, object)->rest, receiver);
    }
    return value_of(&eval->inference->values,
                    (Alt){.kind = (uint8_t)kind, .id = id, .object = object, .belief = belief});
}

const Value *bound_receiver(Eval *eval, const Alt *alt) {
    if (!alt->object) return NULL;
    return store_read(eval->inference, eval->id, infer_object(eval->inference, alt->object)->rest);
}

bool enter_nested(Eval *eval) {
    if (eval->nesting == 0) eval->nested_calls = 0;
    if (eval->nesting >= NESTING || eval->nested_calls++ >= NESTED_CALLS) return false;
    eval->nesting++;
    return true;
}
