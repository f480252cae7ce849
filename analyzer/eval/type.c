/* Whether an alternative is an instance of the types that isinstance() names: yes, no, or unknown. */
#include "narrow.h"
#include "conventions.h"
#include "parts.h"
#include "python_names.h"

enum { TYPES_DEEP = 3 };

/* `training = model is not None` decides later branches like the test itself. That it is None is mostly the
   default of a parameter, for which an unseen caller may pass something. */
const Value *none_test(Eval *eval, Operator op, const Value *left, const Value *right) {
    bool open = value_has(left, KIND_UNKNOWN) || value_has(left, KIND_NONE) || !value_only(right, KIND_NONE);
    for (uint32_t i = 0; left && i < left->count; i++) open |= (left->alts[i].flags & ALT_WIDE) != 0;
    return open ? kind_value(eval, KIND_NUMBER) : device_truth(eval, op == OP_IS_NOT);
}

static Tri any_of(Tri a, Tri b) {
    if (a == TRI_YES || b == TRI_YES) return TRI_YES;
    return a == TRI_NO && b == TRI_NO ? TRI_NO : TRI_UNKNOWN;
}

static bool is_entry(const Eval *eval, const Alt *type, Named named) {
    const Rulebook *book = eval->inference->book;
    return type->kind == KIND_ENTRY &&
           name_is(book, named, rulebook_text(book, book->entries[type->id].qualified));
}

/* Types whose instances are no tensors, arrays or records of a program, unless those inherit from them. */
static bool is_plain(const Eval *eval, const Alt *type) {
    if (type->kind == KIND_ENTRY && type->id == eval->inference->known->tensor) return true;
    return is_entry(eval, type, NAMED_plain_class);
}

/* The type of a container; NAMED_NOTHING: none of these. */
static Named maker(const Eval *eval, const Alt *container) {
    static const Named NAMES[] = {[FLAVOUR_LIST] = NAMED_list_class,
                                  [FLAVOUR_SIZE] = NAMED_tuple_class,
                                  [FLAVOUR_TUPLE] = NAMED_tuple_class,
                                  [FLAVOUR_DICT] = NAMED_dict_class};
    uint8_t flavour = infer_object(eval->inference, container->object)->flavour;
    return flavour > FLAVOUR_DICT ? NAMED_NOTHING : NAMES[flavour];
}

static Tri container_is(const Eval *eval, const Alt *alt, const Alt *type) {
    Named made = maker(eval, alt);
    if (!made)
        return is_entry(eval, type, NAMED_dict_class) ? TRI_NO : TRI_UNKNOWN; /* `d.values()` is no dict */
    if (is_entry(eval, type, made)) return TRI_YES;
    return is_plain(eval, type) ? TRI_NO : TRI_UNKNOWN;
}

/* True and False are ints; an unknown number may be either. */
static Tri number_is(const Eval *eval, const Alt *alt, const Alt *type) {
    const Known *known = eval->inference->known;
    bool truth = alt->id && (alt->id == known->true_text || alt->id == known->false_text);
    if (is_entry(eval, type, NAMED_number_class))
        return truth && !is_entry(eval, type, NAMED_float_class) ? TRI_YES : TRI_UNKNOWN;
    return is_plain(eval, type) ? TRI_NO : TRI_UNKNOWN;
}

/* All its ancestors are known. */
static bool knows_bases(Inference *inference, GlobalClass class_id) {
    uint32_t count;
    const uint32_t *order = class_order(inference, class_id, &count);
    for (uint32_t i = 0; i < count; i++) {
        const ClassInfo *info = order[i] & 1 ? NULL : class_info(inference, order[i] >> 1);
        for (uint32_t b = 0; info && b < info->base_count; b++)
            if (!info->bases[b] || value_has(info->bases[b], KIND_UNKNOWN)) return false;
    }
    return count > 0;
}

static bool is_below(Inference *inference, GlobalClass class_id, GlobalClass base) {
    uint32_t count;
    const uint32_t *order = class_order(inference, class_id, &count);
    for (uint32_t i = 0; i < count; i++)
        if (order[i] == base << 1) return true;
    return false;
}

/* An instance of a class may be of a subclass. */
static Tri instance_is(Eval *eval, const Alt *alt, const Alt *type) {
    Inference *inference = eval->inference;
    if (type->kind == KIND_CLASS) {
        if (is_below(inference, alt->id, type->id)) return type->flags & ALT_GUESS ? TRI_UNKNOWN : TRI_YES;
        return knows_bases(inference, alt->id) && !is_below(inference, type->id, alt->id) ? TRI_NO
                                                                                          : TRI_UNKNOWN;
    }
    if (type->kind != KIND_ENTRY) return TRI_UNKNOWN;
    if (class_inherits(inference, alt->id, type->id)) return TRI_YES;
    return is_plain(eval, type) && knows_bases(inference, alt->id) ? TRI_NO : TRI_UNKNOWN;
}

static Tri alt_is(Eval *eval, const Alt *alt, const Alt *type) {
    if (alt->flags & (ALT_WIDE | ALT_GUESS | ALT_BATCH)) return TRI_UNKNOWN;
    switch ((Kind)alt->kind) {
    case KIND_NONE: return is_plain(eval, type) || type->kind == KIND_CLASS ? TRI_NO : TRI_UNKNOWN;
    case KIND_NUMBER: return number_is(eval, alt, type);
    case KIND_TEXT:
        if (is_entry(eval, type, NAMED_str_class)) return TRI_YES;
        if (is_entry(eval, type, NAMED_bytes_class)) return TRI_UNKNOWN;
        return is_plain(eval, type) ? TRI_NO : TRI_UNKNOWN;
    case KIND_CONTAINER: return container_is(eval, alt, type);
    case KIND_INSTANCE: return instance_is(eval, alt, type);
    default: return TRI_UNKNOWN;
    }
}

static bool names_number(Eval *eval, const Value *type, Named named, int depth) {
    for (uint32_t i = 0; type && i < type->count && depth < TYPES_DEEP; i++) {
        const Alt *alt = &type->alts[i];
        if (is_entry(eval, alt, named)) return true;
        if (alt->kind == KIND_CONTAINER && names_number(eval, object_any(eval, alt->object), named, depth + 1))
            return true;
    }
    return false;
}

static Tri value_is(Eval *eval, const Alt *alt, const Value *type, int depth) {
    if (!type || depth == TYPES_DEEP) return TRI_UNKNOWN;
    Tri result = TRI_NO;
    for (uint32_t i = 0; i < type->count; i++) {
        const Alt *one = &type->alts[i];
        bool several = one->kind == KIND_CONTAINER;
        Tri is =
            several ? value_is(eval, alt, object_any(eval, one->object), depth + 1) : alt_is(eval, alt, one);
        result = any_of(result, is);
    }
    return result;
}

Tri is_of_type(Eval *eval, const Alt *alt, const Value *type) {
    bool number = alt->kind == KIND_NUMBER && !(alt->flags & ALT_WIDE);
    if (number && names_number(eval, type, NAMED_int_class, 0) &&
        names_number(eval, type, NAMED_float_class, 0))
        return TRI_YES;
    return value_is(eval, alt, type, 0);
}

/* type(x), x.__class__: may be a subclass of the known class. */
const Value *type_of(Eval *eval, const Value *value) {
    const Value *result = NULL;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        Named made = alt->kind == KIND_CONTAINER ? maker(eval, alt) : NAMED_NOTHING;
        Alt type = {.kind = KIND_UNKNOWN};
        if (alt->kind == KIND_INSTANCE)
            type = (Alt){.kind = KIND_CLASS, .id = alt->id, .belief = alt->belief, .flags = ALT_GUESS};
        else if (made)
            type.kind = KIND_ENTRY, type.id = entry_named(eval->inference->book, made);
        result = join_values(eval, result, value_of(&eval->inference->values, type));
    }
    return result;
}

/* Methods that only strings have, with a boolean result. */
bool asks_text(Text name) {
    static const PythonName TRUTHS[] = {PY_startswith, PY_endswith,  PY_isdigit,
                                        PY_isalpha,    PY_isnumeric, PY_isupper};
    return python_any(TRUTHS, sizeof TRUTHS / sizeof *TRUTHS, name);
}

/* No tensor has these methods: of alternatives, the others are meant. */
static bool never_of_tensor(Text name) {
    static const PythonName OTHERS[] = {PY_keys, PY_append, PY_extend};
    if (python_any(OTHERS, sizeof OTHERS / sizeof *OTHERS, name))
        return true; /* a TensorDict is modelled as a tensor, but has `get` and `items` */
    return asks_text(name);
}

static bool may_be_on_gpu(const Value *value) {
    for (uint32_t i = 0; i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_TENSOR && alt->device == DEVICE_CUDA) return true;
    }
    return false;
}

/* Keeps the alternatives of a receiver that have the method: a list cannot be moved if it may be a tensor, and
   a dict has no mean if it may be a GPU tensor. */
const Value *that_has(Eval *eval, const Value *receiver, Sym name) {
    if (!receiver || receiver->count < 2 || value_only(receiver, KIND_TENSOR)) return receiver;
    Text text = sym_text(eval, name);
    if (never_of_tensor(text)) return value_drop(&eval->inference->values, receiver, KIND_TENSOR);
    if (!value_has(receiver, KIND_TENSOR)) return receiver;
    bool gpu = may_be_on_gpu(receiver);
    bool moves = name_is(eval->inference->book, NAMED_moving_method, text);
    Alt kept[VALUE_ALTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < receiver->count; i++) {
        const Alt *alt = &receiver->alts[i];
        uint8_t flavour =
            alt->kind == KIND_CONTAINER ? infer_object(eval->inference, alt->object)->flavour : FLAVOUR_DICT;
        bool plain = flavour <= FLAVOUR_TUPLE;
        if (!(moves && plain) && !(gpu && lacks_attribute(eval, receiver, alt, name))) kept[count++] = *alt;
    }
    return value_from(&eval->inference->values, kept, count);
}
