#include "thing.h"

Thing thing_list(Arena *arena, bool tuple) {
    Thing made = {.kind = THING_LIST, .list = arena_new(arena, ThingList, 1)};
    made.list->tuple = tuple;
    return made;
}

Thing thing_dict(Arena *arena) { return (Thing){.kind = THING_DICT, .dict = arena_new(arena, ThingDict, 1)}; }

void list_push(Arena *arena, Thing list, Thing item) { vec_push(arena, &list.list->items, item); }

bool things_same(Thing a, Thing b) {
    if (thing_is_number(a) && thing_is_number(b)) return number_same(a.number, b.number);
    if (a.kind != b.kind) return false;
    switch ((ThingKind)a.kind) {
    case THING_NONE:
    case THING_ELLIPSIS: return true;
    case THING_UNKNOWN: return false;
    case THING_API:
    case THING_FILE:
    case THING_PRIMITIVE: return a.id == b.id;
    case THING_TEXT: return text_equal(a.text, b.text);
    default: return a.tensor == b.tensor;
    }
}

static bool same_tensors(const Tensor *a, const Tensor *b) {
    bool same = a->rank == b->rank && a->element == b->element && a->graded == b->graded;
    for (int i = 0; same && i < a->rank; i++) same = number_same(a->dims[i], b->dims[i]);
    return same;
}

static Number join_numbers(Numbers *numbers, Number a, Number b) {
    Amount x = number_range(numbers, a), y = number_range(numbers, b);
    if (number_same(a, b)) return a;
    Text name = number_name(numbers, a.of ? a : b);
    return number_unknown(numbers, x.low < y.low ? x.low : y.low, x.high > y.high ? x.high : y.high, name);
}

static Thing join_tensors(Arena *arena, Numbers *numbers, Thing a, Thing b) {
    Tensor *made = arena_new(arena, Tensor, 1);
    *made = *a.tensor;
    made->graded |= b.tensor->graded;
    made->host &= b.tensor->host;
    if (a.tensor->element != b.tensor->element) made->element = ELEMENT_UNKNOWN;
    if (a.tensor->rank != b.tensor->rank) made->rank = RANK_UNKNOWN;
    for (int i = 0; i < made->rank; i++)
        made->dims[i] = join_numbers(numbers, a.tensor->dims[i], b.tensor->dims[i]);
    return (Thing){.kind = THING_TENSOR, .tensor = made};
}

static Thing join_within(Arena *arena, Numbers *numbers, Thing a, Thing b, uint32_t depth);

static Thing join_lists(Arena *arena, Numbers *numbers, Thing a, Thing b, uint32_t depth) {
    if (depth > 3 || a.list->items.count != b.list->items.count || a.list->open || b.list->open)
        return thing_unknown();
    Thing made = thing_list(arena, a.list->tuple);
    for (uint32_t i = 0; i < a.list->items.count; i++)
        list_push(arena, made,
                  join_within(arena, numbers, a.list->items.items[i], b.list->items.items[i], depth + 1));
    return made;
}

/* Batches with the same names: `batches[i % 8]`. */
static Thing join_dicts(Arena *arena, Numbers *numbers, Thing a, Thing b, uint32_t depth) {
    bool same = depth <= 3 && a.dict->keys.count == b.dict->keys.count && !a.dict->open && !b.dict->open;
    for (uint32_t i = 0; same && i < a.dict->keys.count; i++)
        same = things_same(a.dict->keys.items[i], b.dict->keys.items[i]) &&
               a.dict->values.items[i].kind == THING_TENSOR;
    if (!same) return thing_unknown();
    Thing made = thing_dict(arena);
    for (uint32_t i = 0; i < a.dict->keys.count; i++)
        dict_put(arena, made, a.dict->keys.items[i],
                 join_within(arena, numbers, a.dict->values.items[i], b.dict->values.items[i], depth + 1));
    return made;
}

/* Whether two instances can be joined: any two of a class of the program; of an API's class, two with equal
   sizes. */
static bool same_instances(const Instance *a, const Instance *b) {
    if (a->class_ != b->class_ || !a->class_ || a->names.count != b->names.count) return false;
    for (uint32_t i = 0; !a->class_->file && i < a->names.count; i++)
        if (thing_is_number(a->values.items[i]) && !things_same(a->values.items[i], b->values.items[i]))
            return false;
    return true;
}

static Thing join_within(Arena *arena, Numbers *numbers, Thing a, Thing b, uint32_t depth) {
    if (things_same(a, b)) return a;
    if (thing_is_number(a) && thing_is_number(b))
        return thing_number(join_numbers(numbers, a.number, b.number));
    if (a.kind != b.kind) return thing_unknown();
    if (a.kind == THING_TENSOR)
        return same_tensors(a.tensor, b.tensor) ? a : join_tensors(arena, numbers, a, b);
    if (a.kind == THING_INSTANCE) return same_instances(a.instance, b.instance) ? a : thing_unknown();
    if (a.kind == THING_DICT) return join_dicts(arena, numbers, a, b, depth);
    return a.kind == THING_LIST && a.list->tuple ? join_lists(arena, numbers, a, b, depth) : thing_unknown();
}

Thing thing_join(Arena *arena, Numbers *numbers, Thing a, Thing b) {
    return join_within(arena, numbers, a, b, 0);
}

static uint32_t key_at(const ThingDict *dict, Thing key) {
    uint32_t at = 0;
    while (at < dict->keys.count && !things_same(dict->keys.items[at], key)) at++;
    return at;
}

Thing dict_find(Thing dict, Thing key, bool *found) {
    uint32_t at = key_at(dict.dict, key);
    *found = at < dict.dict->keys.count;
    return *found ? dict.dict->values.items[at] : dict.dict->rest;
}

void dict_put(Arena *arena, Thing dict, Thing key, Thing value) {
    if (key.kind == THING_UNKNOWN || (thing_is_number(key) && !number_is_known(key.number))) {
        bool alone = !dict.dict->open && !dict.dict->keys.count;
        dict.dict->open = true, dict.dict->rest = alone ? value : thing_unknown();
        return;
    }
    uint32_t at = key_at(dict.dict, key);
    if (at < dict.dict->keys.count) {
        dict.dict->values.items[at] = value;
        return;
    }
    vec_push(arena, &dict.dict->keys, key);
    vec_push(arena, &dict.dict->values, value);
}

Thing *instance_slot(Instance *instance, Text name) {
    for (uint32_t i = 0; i < instance->names.count; i++)
        if (text_equal(instance->names.items[i], name)) return &instance->values.items[i];
    return NULL;
}

void instance_put(Arena *arena, Instance *instance, Text name, Thing value) {
    Thing *slot = instance_slot(instance, name);
    if (slot) {
        *slot = value;
        return;
    }
    vec_push(arena, &instance->names, name);
    vec_push(arena, &instance->values, value);
}

Number tensor_elements(Numbers *numbers, const Tensor *tensor) {
    if (tensor->rank == RANK_UNKNOWN) return number_unknown(numbers, 0, __builtin_inf(), (Text){0});
    Number count = number_of(1);
    for (int i = 0; i < tensor->rank; i++) count = number_multiply(numbers, count, tensor->dims[i]);
    return count;
}

double element_bytes(uint8_t element) {
    static const double BYTES[] = {
#define ELEMENT(name, word, bytes) bytes,
#include "elements.def"
    };
    return BYTES[element];
}
