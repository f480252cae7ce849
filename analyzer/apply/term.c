/* Terms that give a value without a call: like(x), made(...), on(device), shapes, parts. */
#include "clause.h"
#include "conventions.h"
#include "narrow.h"
#include "python.h"
#include "python_names.h"

typedef struct Together {
    Alt all[4 * VALUE_ALTS];
    uint32_t count, arguments, scalars;
    bool unknown;
} Together;

/* The dataset that a loader is constructed with. */
const Value *loader_dataset(const Eval *eval, const Bound *bound) {
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        const RuleParam *param = &eval->inference->book->params[bound->clause->first_param + i];
        if (name_is(eval->inference->book, NAMED_dataset_parameter, param_name(eval, param)))
            return bound->values[i];
    }
    return NULL;
}

/* A hook registered by a module's constructor later sees tensors on the device that the module is moved to. */
const Value *moved_by_then(Eval *eval, ExprId expr, const Value *value) {
    Alt alts[VALUE_ALTS];
    OriginId origin = origin_of(eval, ORIGIN_MODEL, expr, 0);
    for (uint32_t i = 0; value && i < value->count; i++) {
        Alt *alt = &alts[i];
        *alt = value->alts[i];
        if (alt->kind != KIND_TENSOR || alt->device == DEVICE_CUDA) continue;
        alt->device = DEVICE_CUDA;
        alt->pinned = TRI_NO;
        alt->belief |= BELIEVED;
        alt->origin = origin;
    }
    return value ? value_from(&eval->inference->values, alts, value->count) : NULL;
}

bool moves_later(Eval *eval, const Bound *bound) {
    const Value *self = bound->clause->param_count ? bound->values[0] : NULL;
    const RuleParam *first = &eval->inference->book->params[bound->clause->first_param];
    return self && self->count == 1 && python_is(PY_self, param_name(eval, first)) &&
           is_moved_later(eval, &self->alts[0]);
}

const Value *term_param(const Eval *eval, TermId id, const Bound *bound) {
    const Term *term = &eval->inference->book->terms[id];
    if (term->kind != TERM_PARAM || term->value < 0 || term->value >= BOUND_PARAMS) return NULL;
    return bound->values[term->value];
}

/* `dtype=torch.bool` in the call overrides the page. */
static uint8_t asked_dtype(const Eval *eval, const Bound *bound) {
    const Rulebook *book = eval->inference->book;
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        const Value *value = bound->given[i] ? bound->values[i] : NULL;
        if (!value || value->count != 1 || value->alts[0].kind != KIND_DTYPE) continue;
        const RuleParam *param = &book->params[bound->clause->first_param + i];
        if (name_is(book, NAMED_dtype_name, rulebook_text(book, param->name))) return value->alts[0].dtype;
    }
    return DTYPE_UNKNOWN;
}

Shape term_shape(const Eval *eval, const Term *term, const Bound *bound) {
    Shape shape = {0};
    uint8_t asked = asked_dtype(eval, bound);
    for (uint32_t i = 0; i < term->count; i++) {
        const Term *word = &eval->inference->book->terms[term_argument(eval, term, i)];
        const Value *dtype = term_param(eval, term_argument(eval, term, i), bound);
        if (dtype && dtype->count == 1 && dtype->alts[0].kind == KIND_DTYPE) shape.dtype = dtype->alts[0].dtype;
        if (word->kind != TERM_WORD) continue;
        if (word->word == COND_unsorted) shape.flags |= ALT_UNSORTED;
        if (word->word == COND_array) shape.dims = DIMS_ARRAY;
        if (word->word == COND_vector) shape.dims = DIMS_VECTOR;
        if (word->word == COND_matrix) shape.dims = DIMS_MATRIX;
        if (word->word == COND_dtype_bool) shape.dtype = DTYPE_BOOL;
        if (word->word == COND_dtype_int) shape.dtype = DTYPE_INT;
        if (word->word == COND_dtype_float) shape.dtype = DTYPE_FLOAT;
        if (word->word == COND_scalar) shape.dims = DIMS_SCALAR;
    }
    if (asked) shape.dtype = asked;
    return shape;
}

/* An instance of the program's own subclass of a library class: it keeps its arguments. */
static bool holds_unseen(const Eval *eval, const Alt *alt) {
    return class_info(eval->inference, alt->id)->entry_base != 0;
}

/* If an attribute is computed with, it was no method: its owner is something else than believed. */
static bool is_function(const Alt *alt) {
    return alt->kind == KIND_ENTRY || alt->kind == KIND_FUNCTION || alt->kind == KIND_NATIVE ||
           alt->kind == KIND_PARTIAL;
}

/* The tensors in a value: itself, a container's elements, a module's parameters, an object's contents. */
static uint32_t tensors_in(Eval *eval, const Value *value, Alt *out, uint32_t most, bool *unknown) {
    uint32_t count = 0;
    for (uint32_t i = 0; value && i < value->count && count < most; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_TENSOR) {
            out[count++] = *alt;
        } else if (alt->kind == KIND_CONTAINER) {
            const Value *inner = object_any(eval, alt->object);
            for (uint32_t k = 0; inner && k < inner->count && count < most; k++) {
                if (inner->alts[k].kind == KIND_TENSOR) out[count++] = inner->alts[k];
                if (inner->alts[k].kind == KIND_UNKNOWN) *unknown = true;
                if (inner->alts[k].kind != KIND_CONTAINER) continue;
                const Value *deep = object_any(eval, inner->alts[k].object);
                for (uint32_t d = 0; deep && d < deep->count && count < most; d++)
                    if (deep->alts[d].kind == KIND_TENSOR) out[count++] = deep->alts[d];
            }
        } else if ((alt->kind == KIND_INSTANCE || alt->kind == KIND_OBJECT) &&
                   (alt->device != DEVICE_UNKNOWN || is_module_alt(eval, alt))) {
            out[count] = alt_tensor((Device)alt->device, alt->belief, alt->origin);
            out[count].flags = alt->flags & ALT_LEFT_ON_CPU;
            out[count++].id = is_module_alt(eval, alt); /* a parameter, not a result */
        } else if (alt->kind == KIND_UNKNOWN || (alt->kind == KIND_INSTANCE && holds_unseen(eval, alt)) ||
                   is_function(alt)) {
            *unknown = true;
        }
    }
    return count;
}

static bool all_on(const Alt *alts, uint32_t count, Device device) {
    for (uint32_t i = 0; i < count; i++)
        if (alts[i].device != device) return false;
    return count > 0;
}

static Alt like_alt(const Alt *from, Shape shape, bool keep_scalar) {
    Alt alt = alt_tensor((Device)from->device, from->belief, from->origin);
    alt.dtype = shape.dtype ? shape.dtype : from->dtype;
    alt.dims = shape.dims ? shape.dims : keep_scalar && from->dims == DIMS_SCALAR ? DIMS_SCALAR : DIMS_UNKNOWN;
    bool whole = alt.dtype == DTYPE_BOOL || alt.dtype == DTYPE_INT; /* has no gradient */
    alt.flags = from->flags & (whole ? ALT_UNSORTED : ALT_GRADIENT | ALT_UNSORTED);
    /* what tensor operations are applied to is a tensor: a guess becomes likely */
    if (from->flags & ALT_GUESS) alt.belief &= BELIEVED;
    return alt;
}

/* An operation on None: another value, which is not visible, must come there. */
static bool nothing_there(const Eval *eval, const Term *term, const Bound *bound) {
    for (uint32_t i = 0; i < term->count; i++) {
        const Value *value = term_param(eval, term_argument(eval, term, i), bound);
        if (value) return value_only(value, KIND_NONE);
    }
    return false;
}

/* A loss, or a layer's product or convolution, i.e. what training computes with. If nothing is known of its
   arguments, they are on the GPU of the priced run. */
static bool trains(const Eval *eval, const Bound *bound, Shape shape) {
    const Rulebook *book = eval->inference->book;
    EntryId parent = bound->entry ? book->entries[bound->entry].parent : 0;
    if (!parent) return false;
    if (book->entries[parent].kind == ENTRY_CLASS)
        return rulebook_inherits(book, parent, eval->inference->known->module);
    if (!name_is(book, NAMED_functional_module, rulebook_text(book, book->entries[parent].qualified)))
        return false;
    Text name = rulebook_text(book, book->entries[bound->entry].qualified); /* also with reduction="none" */
    if (shape.dims == DIMS_SCALAR || name_is(book, NAMED_loss_function, name)) return true;
    return rulebook_effect(book, (ClauseId)(bound->clause - book->clauses), EFF_matmul);
}

static void add_tensors(Eval *eval, const Value *value, Together *made) {
    Alt found[2 * VALUE_ALTS];
    uint32_t count = tensors_in(eval, value, found, 2 * VALUE_ALTS, &made->unknown);
    made->arguments += count > 0;
    made->scalars += count > 0 && found[0].dims == DIMS_SCALAR;
    if (all_on(found, count, DEVICE_CUDA) && !all_on(made->all, made->count, DEVICE_CUDA))
        made->count = 0;
    else if (all_on(made->all, made->count, DEVICE_CUDA))
        return;
    for (uint32_t k = 0; k < count && made->count < 4 * VALUE_ALTS; k++) made->all[made->count++] = found[k];
}

/* torch.cat([a, b]): each element counts as an argument. */
static void add_argument(Eval *eval, const Value *value, Together *made) {
    bool one = value && value->count == 1 && value->alts[0].kind == KIND_CONTAINER;
    const Object *object = one ? infer_object(eval->inference, value->alts[0].object) : NULL;
    bool known = object && !object->open && object->flavour <= FLAVOUR_TUPLE && object->key_count > 1;
    if (!known) {
        add_tensors(eval, value, made);
        return;
    }
    uint32_t count = object->key_count;
    for (uint32_t i = 0; i < count; i++)
        add_tensors(eval, object_get(eval, value->alts[0].object, position_key(i)), made);
}

/* The variables from which a loss is computed are where the loss is, from here on. */
static void place_arguments(Eval *eval, const Term *term, const Bound *bound, OriginId origin) {
    for (uint32_t i = 0; i < term->count; i++) {
        const Term *param = &eval->inference->book->terms[term_argument(eval, term, i)];
        ExprId expr = param->kind == TERM_PARAM ? bound->exprs[param->value] : 0;
        uint32_t slot = expr && eval->model->exprs.items[expr].kind == EXPR_NAME ? slot_of(eval, expr) : 0;
        const Value *value = slot ? env_get(eval->env, slot) : NULL;
        if (!value || value->count != 1 || value->alts[0].device != DEVICE_UNKNOWN) continue;
        if (value->alts[0].kind != KIND_UNKNOWN && value->alts[0].kind != KIND_TENSOR) continue;
        Alt placed = alt_tensor(DEVICE_CUDA, BELIEVED, origin);
        placed.dtype = value->alts[0].dtype, placed.dims = value->alts[0].dims;
        env_put(eval->env, slot, alt_value(eval, &placed));
    }
}

static const Value *shaped(Eval *eval, Alt alt, Shape shape) {
    alt.dtype = shape.dtype, alt.dims = shape.dims;
    return value_of(&eval->inference->values, alt);
}

/* A new tensor on the device of the arguments: the GPU if one is certainly there, since CPU scalars follow. */
const Value *term_like(Eval *eval, ExprId expr, const Term *term, const Bound *bound) {
    Shape shape = term_shape(eval, term, bound);
    Together made = {0};
    bool bottom = true;
    if (term->count == 2 && is_outvoted(eval, term_param(eval, term_argument(eval, term, 0), bound),
                                        term_param(eval, term_argument(eval, term, 1), bound)))
        return shaped(eval, alt_tensor(DEVICE_UNKNOWN, 0, 0), shape);
    for (uint32_t i = 0; i < term->count; i++) {
        TermId id = term_argument(eval, term, i);
        if (eval->inference->book->terms[id].kind != TERM_PARAM) continue;
        const Value *value = term_param(eval, id, bound);
        bottom &= value == NULL;
        add_argument(eval, value, &made);
    }
    if (bottom && term->count) return NULL;
    if (!made.count && nothing_there(eval, term, bound)) return kind_value(eval, KIND_UNKNOWN);
    bool placeless = made.count ? all_on(made.all, made.count, DEVICE_UNKNOWN) : made.unknown;
    if (placeless && trains(eval, bound, shape)) {
        OriginId origin = origin_of(eval, ORIGIN_RESULT, expr, 0);
        place_arguments(eval, term, bound, origin);
        return shaped(eval, alt_tensor(DEVICE_CUDA, BELIEVED, origin), shape);
    }
    Device device = made.unknown ? DEVICE_UNKNOWN : DEVICE_CPU;
    if (!made.count) return shaped(eval, alt_tensor(device, 0, 0), shape);
    for (uint32_t i = 0; i < made.count; i++) {
        uint8_t lazy = made.all[i].id && !(made.all[i].flags & ALT_LEFT_ON_CPU) ? ALT_LAZY : 0;
        made.all[i] = like_alt(&made.all[i], shape, made.scalars == made.arguments);
        made.all[i].flags |= lazy | (shape.flags & ALT_UNSORTED);
    }
    return value_readings(&eval->inference->values, made.all, made.count);
}

/* torch.tensor([]), torch.Tensor([]), torch.empty(0, 4) have no elements, so nothing to copy. */
static bool made_empty(const Eval *eval, const Bound *bound) {
    const RuleParam *params = &eval->inference->book->params[bound->clause->first_param];
    const uint32_t at = bound->clause->param_count && python_is(PY_self, param_name(eval, params));
    if (at >= bound->clause->param_count || !bound->given[at]) return false;
    Text name = param_name(eval, &params[at]);
    const Value *value = bound->values[at];
    if (!value || value->count != 1 || value->alts[0].kind != KIND_CONTAINER) return false;
    const Object *object = infer_object(eval->inference, value->alts[0].object);
    const Rulebook *book = eval->inference->book;
    bool data = name_is(book, NAMED_data_attribute, name), sizes = name_is(book, NAMED_size_parameter, name);
    if (object->open) return false;
    if (!object->key_count) return data;
    for (uint32_t i = 0; sizes && i < object->key_count; i++) {
        const Value *size = slot_value(eval->inference, object_keys(object)[i].slot);
        if (!size || size->count != 1) continue;
        if (size->alts[0].kind == KIND_CONTAINER && object->key_count == 1) {
            Bound inner = *bound;
            inner.values[at] = size;
            return made_empty(eval, &inner);
        }
        if (size->alts[0].kind != KIND_NUMBER || !size->alts[0].id) continue;
        if (text_equal(sym_text(eval, size->alts[0].id), TEXT("0"))) return true;
    }
    return false;
}

const Value *term_fixed(Eval *eval, ExprId expr, const Term *term, const Bound *bound, Device device) {
    Shape shape = term_shape(eval, term, bound);
    OriginId origin = device == DEVICE_CUDA ? origin_of(eval, ORIGIN_RESULT, expr, 0) : 0;
    Alt alt = alt_tensor(device, 0, origin);
    if (made_empty(eval, bound)) alt.flags = ALT_EMPTY;
    return shaped(eval, alt, shape);
}

static ObjectId move_object(Eval *eval, ExprId expr, const Alt *alt, Device device, uint8_t belief,
                            OriginId origin, uint32_t path) {
    Inference *inference = eval->inference;
    ObjectId moved = object_at(eval, expr, PART_MOVED, alt->object, path);
    for (uint32_t i = 0; i < infer_object(inference, alt->object)->key_count; i++) {
        uint32_t key = object_keys(infer_object(inference, alt->object))[i].key;
        const Value *part = object_get(eval, alt->object, key);
        store_write(inference, object_slot(inference, moved, key),
                    term_move(eval, expr, part, device, belief, origin, path_into(path, i)));
    }
    const Value *rest = store_read(inference, eval->id, infer_object(inference, alt->object)->rest);
    rest = term_move(eval, expr, rest, device, belief, origin, path_into(path, PATH_REST));
    if (rest) object_add(eval, moved, rest);
    return moved;
}

/* A loader that is moved, as accelerate does, moves the results of its collate function. */
static bool moves_inside(const Inference *inference, const Alt *alt) {
    EntryId loader = inference->known->loader;
    return alt->kind == KIND_CONTAINER || (alt->kind == KIND_OBJECT && alt->object && loader &&
                                           rulebook_inherits(inference->book, alt->id, loader));
}

const Value *term_move(Eval *eval, ExprId expr, const Value *value, Device device, uint8_t belief,
                       OriginId origin, uint32_t path) {
    const Value *result = NULL;
    for (uint32_t i = 0; value && i < value->count; i++) {
        Alt alt = value->alts[i];
        bool holder = (alt.kind == KIND_INSTANCE || alt.kind == KIND_OBJECT);
        if (path <= PATH_DEEPEST && moves_inside(eval->inference, &alt))
            alt.object = move_object(eval, expr, &alt, device, belief, origin, path);
        if (alt.kind == KIND_TENSOR || holder) {
            bool there = alt.device == device && alt.kind == KIND_TENSOR;
            bool stays = there && (alt.belief <= belief || (alt.flags & ALT_GUESS)); /* which may be a module */
            alt.device = (uint8_t)device;
            if (!stays) alt.belief = belief, alt.origin = origin;
            if (!there) alt.pinned = TRI_NO;
            alt.flags =
                (uint16_t)(device == DEVICE_CPU ? alt.flags | ALT_LEFT_ON_CPU : alt.flags & ~ALT_LEFT_ON_CPU);
            if (!there && !holder) alt.object = 0;
        }
        result = join_values(eval, result, value_of(&eval->inference->values, alt));
    }
    return result;
}

const Value *term_on(Eval *eval, ExprId expr, const Value *where, const Value *value) {
    const Value *result = NULL;
    if (!where || !value) return value;
    for (uint32_t i = 0; i < where->count; i++) {
        const Alt *alt = &where->alts[i];
        Device device;
        bool names = names_device(eval, alt, &device);
        if (alt->kind == KIND_NONE || alt->kind == KIND_DTYPE ||
            (alt->kind == KIND_TEXT && device == DEVICE_UNKNOWN)) {
            result = join_values(eval, result, value);
        } else if (names && device != DEVICE_UNKNOWN) {
            OriginKind kind = ORIGIN_MOVED;
            OriginId origin = device == DEVICE_CUDA ? origin_of(eval, kind, expr, alt->origin) : 0;
            result = join_values(eval, result, term_move(eval, expr, value, device, alt->belief, origin, 0));
        } else { /* a dtype, a device, another tensor: what it was stays the best guess */
            result = join_values(eval, result, value_believed(&eval->inference->values, value, BELIEVED));
        }
    }
    return result;
}

/* torch.zeros(3, 4) and torch.zeros((3, 4)) have dimensions; torch.zeros(()) has none. */
static uint8_t sized_dims(const Eval *eval, const Bound *bound) {
    const Rulebook *book = eval->inference->book;
    uint32_t at = 0;
    const RuleParam *params = &book->params[bound->clause->first_param];
    while (at < bound->clause->param_count && !params[at].star &&
           !name_is(book, NAMED_size_parameter, rulebook_text(book, params[at].name)))
        at++;
    if (at == bound->clause->param_count || !bound->given[at] || (params[at].star && at > 0))
        return DIMS_UNKNOWN;
    const Value *value = bound->values[at];
    for (int depth = 0; depth < 2 && value && value->count == 1 && value->alts[0].kind == KIND_CONTAINER;
         depth++) {
        const Object *object = infer_object(eval->inference, value->alts[0].object);
        if (object->open) return DIMS_UNKNOWN;
        if (!object->key_count) return depth ? DIMS_SCALAR : DIMS_UNKNOWN;
        if (object->key_count > 1) return object->key_count == 2 ? DIMS_MATRIX : DIMS_DEEP;
        value = slot_value(eval->inference, object_keys(object)[0].slot);
    }
    return value_only(value, KIND_NUMBER) || value_only(value, KIND_HOST) ? DIMS_VECTOR
                                                                          : DIMS_UNKNOWN; /* torch.zeros(n) */
}

/* The element type of Python data: torch.tensor([0, 2]) holds integers, torch.tensor(0.5) a float. */
static uint8_t data_dtype(const Eval *eval, const Value *value, int depth) {
    uint8_t dtype = DTYPE_UNKNOWN;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        uint8_t own = alt->kind == KIND_NUMBER ? alt->dtype : DTYPE_UNKNOWN;
        if (alt->kind == KIND_CONTAINER && depth < 3) {
            const Object *object = infer_object(eval->inference, alt->object);
            own = data_dtype(eval, slot_value(eval->inference, object->rest), depth + 1);
            for (uint32_t k = 0; k < object->key_count; k++) {
                uint8_t part =
                    data_dtype(eval, slot_value(eval->inference, object_keys(object)[k].slot), depth + 1);
                if (part > own) own = part; /* bool < int < float, as torch promotes */
            }
        }
        if (own > dtype) dtype = own;
    }
    return dtype;
}

static Shape made_shape(const Eval *eval, const Term *term, const Bound *bound) {
    Shape shape = term_shape(eval, term, bound);
    if (!shape.dims) shape.dims = sized_dims(eval, bound);
    if (!shape.dtype && bound->clause->param_count && bound->given[0] &&
        !eval->inference->book->params[bound->clause->first_param].star)
        shape.dtype = data_dtype(eval, bound->values[0], 0);
    if (made_empty(eval, bound)) shape.flags = ALT_EMPTY;
    return shape;
}

/* pin_memory=True: page-locked, if made on the CPU. */
static uint8_t made_pinned(const Eval *eval, const Bound *bound, Device device) {
    const Rulebook *book = eval->inference->book;
    if (device != DEVICE_CPU) return device == DEVICE_UNKNOWN ? TRI_UNKNOWN : TRI_NO;
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        Text name = rulebook_text(book, book->params[bound->clause->first_param + i].name);
        if (bound->given[i] && name_is(book, NAMED_pinning_option, name))
            return (uint8_t)literal_truth(eval, bound->values[i]);
    }
    return TRI_NO;
}

const Value *term_made(Eval *eval, ExprId expr, const Term *term, const Bound *bound) {
    Shape shape = made_shape(eval, term, bound);
    const Value *where = term_param(eval, term_argument(eval, term, 0), bound);
    Device fallback = default_device(eval);
    if (!where || value_only(where, KIND_NONE)) {
        OriginId origin = fallback == DEVICE_CUDA ? origin_of(eval, ORIGIN_MADE, expr, 0) : 0;
        Alt alt = alt_tensor(fallback, 0, origin);
        alt.dtype = shape.dtype, alt.dims = shape.dims, alt.flags = shape.flags;
        alt.pinned = made_pinned(eval, bound, fallback);
        return value_of(&eval->inference->values, alt);
    }
    const Value *result = NULL;
    for (uint32_t i = 0; i < where->count; i++) {
        Device device;
        const Alt *alt = &where->alts[i];
        if (alt->kind == KIND_NONE)
            device = fallback;
        else if (!names_device(eval, alt, &device))
            device = DEVICE_UNKNOWN;
        OriginId origin = device == DEVICE_CUDA ? origin_of(eval, ORIGIN_MADE, expr, alt->origin) : 0;
        Alt made = alt_tensor(device, alt->belief, origin);
        made.dtype = shape.dtype, made.dims = shape.dims, made.flags = shape.flags;
        made.pinned = made_pinned(eval, bound, device);
        result = join_values(eval, result, value_of(&eval->inference->values, made));
    }
    return result;
}

ObjectId term_part(Eval *eval, ExprId expr, const Term *term, Flavour flavour) {
    uint32_t id = (uint32_t)(term - eval->inference->book->terms);
    const Alt *keeper = eval->keeper;
    if (keeper)
        return store_object(eval->inference, STORE_KEPT, keeper->id,
                            (uint64_t)keeper->object << 32 | (uint64_t)keeper->device << 28 | id, flavour);
    return store_object(eval->inference, STORE_PART, eval->id, (uint64_t)expr << 32 | 0x40000000u | id,
                        flavour);
}

const Value *term_device_of(Eval *eval, ExprId expr, const Value *value) {
    const Value *result = NULL;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        Device device;
        bool holder = alt->kind == KIND_INSTANCE || alt->kind == KIND_OBJECT;
        bool later = is_moved_later(eval, alt);
        if (later)
            device = DEVICE_CUDA;
        else if (holder)
            device = (Device)alt->device;
        else if (!names_device(eval, alt, &device))
            device = DEVICE_UNKNOWN;
        Alt made = {.kind = KIND_DEVICE,
                    .device = (uint8_t)device,
                    .belief = later ? BELIEVED : alt->belief,
                    .origin = alt->origin};
        if (device == DEVICE_CUDA && !alt->origin)
            made.origin = origin_of(eval, later ? ORIGIN_MODEL : ORIGIN_DEVICE, expr, 0);
        result = join_values(eval, result, value_of(&eval->inference->values, made));
    }
    return result;
}

const Value *term_pinned(Eval *eval, const Value *value) {
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; value && i < value->count; i++) {
        alts[i] = value->alts[i];
        if (alts[i].kind == KIND_TENSOR) alts[i].device = DEVICE_CPU, alts[i].pinned = TRI_YES;
    }
    return value ? value_from(&eval->inference->values, alts, value->count) : NULL;
}

const Value *stub_instance(Eval *eval, EntryId entry) {
    const Known *known = eval->inference->known;
    if (entry == known->tensor) return value_of(&eval->inference->values, alt_tensor(DEVICE_UNKNOWN, 0, 0));
    Alt alt = {.kind = KIND_OBJECT, .id = entry, .pinned = TRI_NO};
    if (known->module && rulebook_inherits(eval->inference->book, entry, known->module))
        alt.device = DEVICE_CPU;
    if (rulebook_inherits(eval->inference->book, entry, known->optimizer))
        alt.device = DEVICE_CUDA, alt.belief = BELIEVED;
    return value_of(&eval->inference->values, alt);
}

/* Model.from_pretrained(...): an instance of the class it is called on; __init__ runs with unknown arguments. */
const Value *instances_of_class(Eval *eval, const Value *class_value) {
    const Value *result = NULL;
    for (uint32_t i = 0; class_value && i < class_value->count; i++) {
        const Alt *alt = &class_value->alts[i];
        Alt made = {.kind = KIND_INSTANCE, .id = alt->id, .device = DEVICE_CPU};
        if (alt->kind == KIND_ENTRY || alt->kind == KIND_OBJECT)
            result = join_values(eval, result, stub_instance(eval, alt->id));
        else if (alt->kind == KIND_CLASS || alt->kind == KIND_INSTANCE)
            result = join_values(eval, result, value_of(&eval->inference->values, made));
        else
            result = join_values(eval, result, kind_value(eval, KIND_UNKNOWN));
    }
    return result;
}
