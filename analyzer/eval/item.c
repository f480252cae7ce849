/* Subscripts and iteration: the results of `a[i]` and `for x in a`, and the protocol applied to the index.
   Tuples keep positions. */
#include "eval.h"
#include "apply.h"
#include "belief.h"
#include "conventions.h"
#include "module.h"
#include "narrow.h"
#include "parts.h"
#include "python.h"

static const Value *missing_part(Eval *eval, ObjectId dict);
static void use_as_index(Eval *eval, ExprId index_expr, const Value *index);
static void use_bounds(Eval *eval, ExprId index_expr);
static const Value *object_element(Eval *eval, ExprId expr, const Alt *alt, bool report);

static bool is_slice(const Value *index) { return value_only(index, KIND_SLICE); }

static bool is_record(const Alt *alt, const Value *index) {
    return (alt->flags & ALT_BATCH) && (value_only(index, KIND_TEXT) || value_only(index, KIND_NUMBER));
}

/* Indexes all tensors of a value together: if both object and index may be on either device, they are on the
   same one. */
static const Value *tensor_items(Eval *eval, ExprId expr, const Value *object, const Value *index) {
    Args args = {.values = {index}, .count = 1};
    EntryId entry = member_of(eval->inference, eval->inference->known->tensor, TEXT("__getitem__"));
    Alt plain[VALUE_ALTS];
    uint32_t count = 0;
    const Value *result = NULL;
    for (uint32_t i = 0; object && i < object->count; i++) {
        const Alt *alt = &object->alts[i];
        if (alt->kind != KIND_TENSOR) continue;
        if (is_record(alt, index))
            result = join_values(eval, result, batch_part(eval, alt));
        else
            plain[count++] = *alt;
    }
    if (!count) return result;
    const Value *tensors = value_from(&eval->inference->values, plain, count);
    ItemDoubt before = doubt_items(eval, object);
    result = join_values(eval, result, apply_entry(eval, expr, EFFECT_OWN, entry, tensors, &args));
    end_doubt(eval, before);
    return result;
}

static bool number_of(Eval *eval, const Value *index, int64_t *number) {
    if (!index || index->count != 1 || index->alts[0].kind != KIND_NUMBER || !index->alts[0].id) return false;
    Text text = sym_text(eval, index->alts[0].id);
    *number = 0;
    for (uint32_t i = 0; i < text.length; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9' || i > 6) return false;
        *number = *number * 10 + (text.bytes[i] - '0');
    }
    return text.length > 0;
}

static const Value *container_item(Eval *eval, const Alt *alt, const Value *index) {
    const Object *object = infer_object(eval->inference, alt->object);
    int64_t number;
    if (is_slice(index)) return alt_value(eval, alt);
    if (index && index->count == 1 && index->alts[0].kind == KIND_TEXT && index->alts[0].id) {
        uint32_t key = name_key(index->alts[0].id);
        if (object_has(eval->inference, alt->object, key) || object->open) {
            const Value *value = object_get(eval, alt->object, key);
            return value ? value : kind_value(eval, KIND_UNKNOWN);
        }
        if (object->flavour == FLAVOUR_DICT) {
            const Value *value = missing_part(eval, alt->object);
            return value ? value : kind_value(eval, KIND_UNKNOWN);
        }
    }
    if (object->flavour != FLAVOUR_DICT && number_of(eval, index, &number) &&
        object_has(eval->inference, alt->object, position_key((uint32_t)number)))
        return object_get(eval, alt->object, position_key((uint32_t)number));
    const Value *value = object_any(eval, alt->object);
    return value ? value : kind_value(eval, KIND_UNKNOWN);
}

static const Value *keyed_part(Eval *eval, ObjectId parts, const Value *index) {
    int64_t number;
    uint32_t key = 0;
    if (number_of(eval, index, &number)) key = position_key((uint32_t)number);
    if (index && index->count == 1 && index->alts[0].kind == KIND_TEXT && index->alts[0].id)
        key = name_key(index->alts[0].id);
    return key && object_has(eval->inference, parts, key) ? object_get(eval, parts, key)
                                                          : object_any(eval, parts);
}

static const Value *member_item(Eval *eval, ExprId expr, const Alt *alt, const Value *index) {
    Args args = {.values = {index}, .count = 1};
    EntryId entry = 0;
    const Known *known = eval->inference->known;
    if (alt->kind == KIND_OBJECT && alt->object) {
        ObjectId parts = alt->object;
        const Value *any = is_slice(index) ? alt_value(eval, alt) : keyed_part(eval, parts, index);
        if (any) return follow_owner(eval, alt, any);
    }
    if (alt->kind == KIND_INSTANCE) {
        const Value *method = class_member(eval, alt->id, known->getitem, &entry);
        if (value_has(method, KIND_FUNCTION))
            return call_method(eval, expr, alt_value(eval, alt), known->getitem, &args);
    } else {
        entry = alt->id;
    }
    EntryId member = entry ? member_of(eval->inference, entry, TEXT("__getitem__")) : 0;
    if (member) return apply_entry(eval, expr, EFFECT_OWN, member, alt_value(eval, alt), &args);
    return kind_value(eval, KIND_UNKNOWN);
}

/* config["device"] on an unknown object. */
static const Value *keyed_value(Eval *eval, ExprId expr, const Value *index, Kind otherwise) {
    bool key = index && index->count == 1 && index->alts[0].kind == KIND_TEXT && index->alts[0].id;
    return key && names_place(eval->inference->book, sym_text(eval, index->alts[0].id))
               ? attribute_by_convention(eval, expr, index->alts[0].id, otherwise)
               : kind_value(eval, otherwise);
}

static bool is_named(Eval *eval, const Expr *expr, ExprKind kind, PythonName name) {
    return expr->kind == kind && python_is(name, model_name(eval->model, expr->name));
}

/* sys.modules[__name__] */
static bool is_own_module(Eval *eval, ExprId expr, ExprId index_expr) {
    const Expr *exprs = eval->model->exprs.items, *object = &exprs[exprs[expr].a];
    return is_named(eval, &exprs[index_expr], EXPR_NAME, PY___name__) &&
           is_named(eval, object, EXPR_ATTRIBUTE, PY_modules) &&
           is_named(eval, &exprs[object->a], EXPR_NAME, PY_sys);
}

const Value *eval_subscript(Eval *eval, ExprId expr, const Value *object, ExprId index_expr) {
    if (is_own_module(eval, expr, index_expr)) return own_module(eval);
    const Value *index = eval_expr(eval, index_expr), *cut = cut_tuple(eval, expr, object, index_expr);
    if (cut) return cut;
    const Value *result = tensor_items(eval, expr, object, masked_by_name(eval, index_expr, index));
    for (uint32_t i = 0; object && i < object->count; i++) {
        const Alt *alt = &object->alts[i];
        if (no_item(object, alt, index)) continue;
        switch ((Kind)alt->kind) {
        case KIND_TENSOR: break;
        case KIND_CONTAINER: /* where it may be a tensor too, the index is a tensor with that one */
            if (infer_object(eval->inference, alt->object)->flavour <= FLAVOUR_TUPLE &&
                !value_has(object, KIND_TENSOR))
                use_as_index(eval, index_expr, index);
            result = join_values(eval, result, container_item(eval, alt, index));
            break;
        case KIND_INSTANCE:
        case KIND_OBJECT: result = join_values(eval, result, member_item(eval, expr, alt, index)); break;
        case KIND_NUMPY:
        case KIND_TEXT:
            if (!value_has(object, KIND_TENSOR)) use_as_index(eval, index_expr, index);
            result = join_values(eval, result, array_item(eval, alt, index));
            break;
        case KIND_HOST:
        case KIND_NUMBER: result = join_values(eval, result, keyed_value(eval, expr, index, KIND_HOST)); break;
        case KIND_NONE: break;
        case KIND_MODULE: result = join_values(eval, result, module_item(eval, alt, index, index_expr)); break;
        case KIND_ENTRY:
        case KIND_CLASS: result = join_values(eval, result, alt_value(eval, alt)); break; /* List[int] */
        default:
            if (value_only(object, KIND_UNKNOWN)) use_bounds(eval, index_expr);
            result = join_values(eval, result, keyed_value(eval, expr, index, KIND_UNKNOWN));
            break;
        }
    }
    return result;
}

static const Value *instance_element(Eval *eval, ExprId expr, const Alt *alt, bool report) {
    const Known *known = eval->inference->known;
    EntryId entry = 0;
    if (value_has(class_member(eval, alt->id, known->next, &entry), KIND_FUNCTION))
        return call_method(eval, expr, alt_value(eval, alt), known->next, &(Args){0});
    if (value_has(class_member(eval, alt->id, known->iter, &entry), KIND_FUNCTION)) {
        if (eval->depth >= CALL_DEPTH)
            return kind_value(eval, KIND_UNKNOWN); /* iterators that give each other */
        const Value *iterator = call_method(eval, expr, alt_value(eval, alt), known->iter, &(Args){0});
        eval->depth++;
        const Value *element = element_of(eval, expr, iterator, report);
        eval->depth--;
        return element;
    }
    if (value_has(class_member(eval, alt->id, known->getitem, &entry), KIND_FUNCTION)) {
        Args args = {.values = {kind_value(eval, KIND_NUMBER)}, .count = 1};
        return call_method(eval, expr, alt_value(eval, alt), known->getitem, &args);
    }
    EntryId member = entry ? member_of(eval->inference, entry, TEXT("__iter__")) : 0;
    return member ? apply_entry(eval, expr, EFFECT_USE, member, alt_value(eval, alt), &(Args){0})
                  : kind_value(eval, KIND_UNKNOWN);
}

static const Value *alt_element(Eval *eval, ExprId expr, const Alt *alt, bool report) {
    const Known *known = eval->inference->known;
    switch ((Kind)alt->kind) {
    case KIND_CONTAINER:
        if (infer_object(eval->inference, alt->object)->flavour == FLAVOUR_DICT)
            return kind_value(eval, KIND_TEXT);
        return object_turns(eval, alt->object);
    case KIND_TENSOR: {
        if (alt->flags & ALT_BATCH) return batch_part(eval, alt);
        EntryId entry = member_of(eval->inference, known->tensor, TEXT("__iter__"));
        if (report && expr) return apply_entry(eval, expr, EFFECT_USE, entry, alt_value(eval, alt), &(Args){0});
        Alt row = *alt;
        row.dims = alt->dims == DIMS_VECTOR   ? DIMS_SCALAR
                   : alt->dims == DIMS_MATRIX ? DIMS_VECTOR
                   : alt->dims == DIMS_DEEP   ? DIMS_ARRAY
                                              : DIMS_UNKNOWN;
        row.flags = row.dims ? 0 : ALT_PICKED;
        return value_of(&eval->inference->values, row);
    }
    case KIND_OBJECT: return object_element(eval, expr, alt, report);
    case KIND_INSTANCE: return instance_element(eval, expr, alt, report);
    case KIND_NUMPY: return array_turn(eval, alt);
    case KIND_TEXT: return kind_value(eval, KIND_TEXT);
    case KIND_NUMBER:
    case KIND_HOST: return kind_value(eval, KIND_HOST);
    case KIND_NONE: return NULL;
    default: return kind_value(eval, KIND_UNKNOWN);
    }
}

const Value *element_of(Eval *eval, ExprId expr, const Value *iterable, bool report) {
    if (!enter_nested(eval)) return kind_value(eval, KIND_UNKNOWN);
    const Value *result = NULL;
    for (uint32_t i = 0; iterable && i < iterable->count; i++)
        result = join_values(eval, result, alt_element(eval, expr, &iterable->alts[i], report));
    eval->nesting--;
    return result;
}

const Value *position_of(Eval *eval, const Value *tuple, uint32_t position) {
    const Value *result = NULL;
    for (uint32_t i = 0; tuple && i < tuple->count; i++) {
        const Alt *alt = &tuple->alts[i];
        const Value *value;
        if (alt->kind == KIND_CONTAINER && object_has(eval->inference, alt->object, position_key(position)))
            value = object_get(eval, alt->object, position_key(position));
        else
            value = alt_element(eval, 0, alt, false);
        result = join_values(eval, result, value);
    }
    return result;
}

bool join_tuples(Eval *eval, ObjectId into, ExprId right_expr, const Value *left, const Value *right) {
    uint32_t first, second = 0;
    if (!tuple_positions(eval, left, &first) || left->alts[0].object == into ||
        !value_only(right, KIND_CONTAINER))
        return false;
    Object *object = infer_object(eval->inference, into);
    if (object->open && !object->supposed) return false; /* it was joined of something else before */
    for (uint32_t i = 0; i < first; i++)
        tuple_put(eval, into, i, object_get(eval, left->alts[0].object, position_key(i)));
    bool known = tuple_positions(eval, right, &second) && right->alts[0].object != into;
    for (uint32_t i = 0; known && i < second; i++)
        tuple_put(eval, into, first + i, object_get(eval, right->alts[0].object, position_key(i)));
    if (!known) {
        store_write(eval->inference, infer_object(eval->inference, into)->rest,
                    element_of(eval, right_expr, right, false));
        infer_object(eval->inference, into)->open = infer_object(eval->inference, into)->supposed = true;
    }
    return true;
}

/* `outputs += (x,)` makes a new tuple; an empty tuple that a loop fills stays one object. */
const Value *add_to_tuple(Eval *eval, ExprId right_expr, const Value *left, const Value *right) {
    uint32_t count;
    if (!right || !tuple_positions(eval, left, &count) || !count) return NULL;
    ObjectId made = object_part(eval, right_expr, PART_LONGER, FLAVOUR_TUPLE);
    return join_tuples(eval, made, right_expr, left, right) ? object_value(eval, made) : NULL;
}

/* __index__ is applied to the bounds of a slice of anything. */
static void use_bounds(Eval *eval, ExprId index_expr) {
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

/* And to the index of a list. */
static void use_as_index(Eval *eval, ExprId index_expr, const Value *index) {
    if (value_has(index, KIND_TENSOR)) use_protocol(eval, index_expr, index, "__index__", NULL);
    use_bounds(eval, index_expr);
}

/* [0] * t applies __index__ to t. A float would raise, so then the list was none; if the list may also be a
   tensor, it is one. */
void use_count(Eval *eval, ExprId expr, const Value *left, const Value *right) {
    bool repeats =
        !value_has(left, KIND_TENSOR) && (value_has(left, KIND_CONTAINER) || value_has(left, KIND_TEXT));
    for (uint32_t i = 0; right && i < right->count; i++)
        repeats &= right->alts[i].kind != KIND_TENSOR || right->alts[i].dtype != DTYPE_FLOAT;
    if (repeats && value_has(right, KIND_TENSOR)) use_protocol(eval, expr, right, "__index__", NULL);
}

/* Operands of tensor operations are tensors, whatever other alternatives they have. */
const Value *taken_apart(Eval *eval, EntryId entry, const Value *value) {
    const Rulebook *book = eval->inference->book;
    Text api = rulebook_text(book, book->entries[entry].qualified);
    if (name_is(book, NAMED_torch_api, api) && value_has(value, KIND_TENSOR))
        value = value_drop(&eval->inference->values, value, KIND_CONTAINER);
    return element_of(eval, 0, value, false);
}

/* `batch[key]` occurs in the loop. */
static bool asks_for(const Eval *eval, uint32_t whole, uint32_t key, Span loop) {
    const FlowGraph *graph = eval->graph;
    Accesses uses = graph_uses(graph, key);
    for (const AccessId *u = uses.first; u < uses.end; u++) {
        ExprId index = graph->accesses[*u].expr;
        const Expr *item = &eval->model->exprs.items[index + 1]; /* the whole comes behind its last part */
        bool asked = index + 1 < eval->func->end_expr && item->kind == EXPR_SUBSCRIPT && item->b == index;
        if (asked && slot_of(eval, item->a) == whole && item->span.start >= loop.start &&
            item->span.end <= loop.end)
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

/* An unknown key of a dict whose other keys are known: if all parts are tensors, a part like those; in a state
   of tensors, counts and names it is unknown. */
static const Value *missing_part(Eval *eval, ObjectId dict) {
    const Value *any = object_any(eval, dict);
    for (uint32_t i = 0; any && i < any->count; i++)
        if (any->alts[i].kind != KIND_TENSOR && any->alts[i].kind != KIND_UNKNOWN)
            return value_has(any, KIND_TENSOR) ? kind_value(eval, KIND_UNKNOWN) : any;
    return any;
}

/* A batch: tensors in a structure that the dataset determines; pinned if its loader pins. */
static const Value *batch_of(Eval *eval, const Alt *loader, const Value *value) {
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; value && i < value->count; i++) {
        alts[i] = value->alts[i];
        if (alts[i].kind == KIND_TENSOR)
            alts[i].pinned = loader->pinned,
            alts[i].flags |= (uint16_t)(ALT_BATCH | (loader->flags & ALT_IN_PROCESS));
    }
    return value ? value_from(&eval->inference->values, alts, value->count) : NULL;
}

static const Value *object_element(Eval *eval, ExprId expr, const Alt *alt, bool report) {
    const Value *part = alt->object ? object_any(eval, alt->object) : NULL;
    EntryId member = member_of(eval->inference, alt->id, TEXT("__iter__"));
    /* A loader that was moved moves what its collate function makes. */
    bool moves = member && report && expr && alt->device == DEVICE_CUDA &&
                 rulebook_says(eval->inference->book, member, EFF_loads_data);
    Alt self = *alt;
    self.object = 0; /* where the loader is, not what it gives */
    const Value *value = member && (!part || moves)
                             ? apply_entry(eval, expr, EFFECT_USE, member, alt_value(eval, &self), &(Args){0})
                             : NULL;
    if (part) return follow_owner(eval, alt, part);
    if (!member) return kind_value(eval, KIND_UNKNOWN);
    return rulebook_says(eval->inference->book, member, EFF_loads_data) ? batch_of(eval, alt, value) : value;
}
