/* Methods of Python's containers, and the built-ins whose result depends on their arguments' structure. */
#include "runtime.h"
#include "apply.h"
#include "conventions.h"
#include "environment.h"
#include "eval.h"
#include "module.h"
#include "narrow.h"
#include "parts.h"
#include "python.h"
#include "python_names.h"

typedef enum Builtin {
    DO_ZIP = 1,
    DO_ENUMERATE,
    DO_MAP,
    DO_LIST,
    DO_TUPLE,
    DO_SET,
    DO_DICT,
    DO_GETATTR,
    DO_SETATTR,
    DO_NEXT,
    DO_PARTIAL,
    DO_SLICE,
    DO_COMPARE,
    DO_TYPE,
    DO_GLOBALS,
    DO_IMPORT,
} Builtin;

/* dict.update(other) or {**other}: known keys keep their names. */
void update_container(Eval *eval, ObjectId object, const Value *other) {
    Inference *inference = eval->inference;
    for (uint32_t i = 0; other && i < other->count; i++) {
        const Alt *alt = &other->alts[i];
        if (alt->kind == KIND_TENSOR && (alt->flags & ALT_BATCH))
            object_add(eval, object, batch_part(eval, alt));
        if (alt->kind == KIND_UNKNOWN) object_add(eval, object, alt_value(eval, alt));
        if (alt->kind != KIND_CONTAINER || alt->object == object) continue;
        bool dict = infer_object(inference, alt->object)->flavour == FLAVOUR_DICT;
        for (uint32_t k = 0; dict && k < infer_object(inference, alt->object)->key_count; k++) {
            uint32_t key = object_keys(infer_object(inference, alt->object))[k].key;
            const Value *value = object_get(eval, alt->object, key);
            if (value) store_write(inference, object_slot(inference, object, key), value);
        }
        const Value *rest = dict ? store_read(inference, eval->id, infer_object(inference, alt->object)->rest)
                                 : element_of(eval, 0, alt_value(eval, alt), false);
        if (rest) object_add(eval, object, rest);
    }
}

static void update(Eval *eval, const Alt *container, const Args *args) {
    Inference *inference = eval->inference;
    for (uint32_t i = 0; i < args->named_count; i++)
        store_write(inference, object_slot(inference, container->object, name_key(args->names[i])),
                    args->named[i]);
    update_container(eval, container->object, native_argument(args, 0));
}

static const Value *dict_method(Eval *eval, ExprId expr, const Alt *alt, Text name, const Args *args,
                                bool *handled) {
    const Value *key = native_argument(args, 0);
    *handled = true;
    bool items = python_is(PY_items, name);
    if (items || python_is(PY_values, name)) {
        const Value *part = follow_owner(eval, alt, object_turns(eval, alt->object)); /* also of a ModuleDict */
        return items ? container_pairs(eval, expr, kind_value(eval, KIND_TEXT), part)
                     : container_open(eval, expr, PART_VIEW, FLAVOUR_ITERATOR, part);
    }
    if (python_is(PY_keys, name))
        return container_open(eval, expr, PART_VIEW, FLAVOUR_ITERATOR, kind_value(eval, KIND_TEXT));
    if (python_is(PY_get, name) || python_is(PY_pop, name) || python_is(PY_setdefault, name)) {
        const Value *otherwise = native_argument(args, 1);
        if (python_is(PY_setdefault, name)) container_set_key(eval, alt, key, otherwise);
        const Value *value = container_get_key(eval, alt, key);
        return value || otherwise ? join_values(eval, value, otherwise) : kind_value(eval, KIND_NONE);
    }
    if (python_is(PY_update, name)) return update(eval, alt, args), kind_value(eval, KIND_NONE);
    if (python_is(PY_copy, name)) return alt_value(eval, alt);
    *handled = false;
    return NULL;
}

/* With `key=`, what Python compares: a list of the function's results for each element. NULL = without it. */
static const Value *compared_keys(Eval *eval, ExprId expr, const Value *element, const Args *args) {
    Sym name = names_find(&eval->inference->program->names, python_text(PY_key));
    bool taken[ARGUMENTS];
    const Value *key = name ? named_argument(args, name, taken) : NULL;
    if (!key || !element || value_has(key, KIND_NONE)) return NULL;
    const Value *given = call_value(eval, expr, key, &(Args){.values = {element}, .exprs = {expr}, .count = 1});
    return given ? container_open(eval, expr, PART_COMPARED, FLAVOUR_LIST, given) : NULL;
}

static const Value *list_method(Eval *eval, ExprId expr, const Alt *alt, Text name, const Args *args,
                                bool *handled) {
    const Value *value = native_argument(args, 0);
    *handled = true;
    if (python_is(PY_append, name) || python_is(PY_add, name) || python_is(PY_appendleft, name)) {
        if (value) object_add(eval, alt->object, value);
        return kind_value(eval, KIND_NONE);
    }
    if (python_is(PY_insert, name)) {
        if (native_argument(args, 1)) object_add(eval, alt->object, native_argument(args, 1));
        return kind_value(eval, KIND_NONE);
    }
    if (python_is(PY_extend, name) || python_is(PY_update, name)) {
        const Value *element = element_of(eval, 0, value, false);
        if (element) object_add(eval, alt->object, element);
        return kind_value(eval, KIND_NONE);
    }
    if (python_is(PY_pop, name) || python_is(PY_popleft, name)) return object_any(eval, alt->object);
    if (python_is(PY_copy, name)) return alt_value(eval, alt);
    if (python_is(PY_index, name) || python_is(PY_count, name) || python_is(PY_remove, name) ||
        python_is(PY_sort, name)) {
        EntryId list = eval->inference->known->list;
        EntryId entry = list ? member_of(eval->inference, list, name) : 0;
        const Value *keys = entry ? compared_keys(eval, expr, object_any(eval, alt->object), args) : NULL;
        if (keys) apply_entry(eval, expr, EFFECT_OWN, entry, keys, &(Args){0});
        if (entry) apply_entry(eval, expr, EFFECT_OWN, entry, alt_value(eval, alt), args);
        return kind_value(eval, python_is(PY_sort, name) ? KIND_NONE : KIND_NUMBER);
    }
    if (python_is(PY_clear, name) || python_is(PY_reverse, name)) return kind_value(eval, KIND_NONE);
    *handled = false;
    return NULL;
}

/* A dict or tuple with a method that moves it to a device: BatchEncoding, transforms of whole batches. */
static const Value *moved_container(Eval *eval, ExprId expr, const Alt *alt, Text name, const Args *args,
                                    bool *handled) {
    *handled = name_is(eval->inference->book, NAMED_moving_method, name);
    if (!*handled) return NULL;
    EntryId entry = entry_named(eval->inference->book, NAMED_moving_container_class);
    EntryId method = entry ? member_of(eval->inference, entry, name) : 0;
    return method ? apply_entry(eval, expr, EFFECT_OWN, method, alt_value(eval, alt), args)
                  : alt_value(eval, alt);
}

const Value *call_native(Eval *eval, ExprId expr, const Alt *alt, Sym name, const Args *args, bool *handled) {
    Text text = names_text(&eval->inference->program->names, name);
    bool dict = infer_object(eval->inference, alt->object)->flavour == FLAVOUR_DICT;
    const Value *value = dict ? dict_method(eval, expr, alt, text, args, handled)
                              : list_method(eval, expr, alt, text, args, handled);
    if (!*handled && dict) value = list_method(eval, expr, alt, text, args, handled);
    if (!*handled && !dict) value = dict_method(eval, expr, alt, text, args, handled);
    if (!*handled) value = moved_container(eval, expr, alt, text, args, handled);
    if (!*handled && object_has(eval->inference, alt->object, name_key(name))) {
        *handled = true;
        value = call_value(eval, expr, object_get(eval, alt->object, name_key(name)), args);
    } else if (!*handled && dict && infer_object(eval->inference, alt->object)->open &&
               !is_container_method(eval->inference->book, text)) {
        const Value *held = object_any(eval, alt->object);
        *handled = held != NULL;
        if (held) value = call_value(eval, expr, held, args);
    }
    return value;
}

static const Value *do_zip(Eval *eval, ExprId expr, const Args *args) {
    ObjectId tuple = object_part(eval, expr, PART_ZIPPED, FLAVOUR_TUPLE);
    for (uint32_t i = 0; i < args->count; i++)
        container_set_position(eval, tuple, i, element_of(eval, args->exprs[i], args->values[i], true));
    if (args->star && args->star_value) object_add(eval, tuple, element_of(eval, 0, args->star_value, false));
    return container_open(eval, expr, PART_ZIP, FLAVOUR_ITERATOR, object_value(eval, tuple));
}

static const Value *do_enumerate(Eval *eval, ExprId expr, const Args *args) {
    return container_pairs(eval, expr, kind_value(eval, KIND_NUMBER),
                           args->count ? element_of(eval, args->exprs[0], args->values[0], true) : NULL);
}

/* slice(a, b) is a:b; slice(b) is :b. */
static const Value *do_slice(Eval *eval, ExprId expr, const Args *args) {
    ObjectId object = object_part(eval, expr, PART_SLICE, FLAVOUR_PARTS);
    for (uint32_t i = 0; i < args->count && i < 3; i++)
        container_set_position(eval, object, args->count == 1 ? 1 : i, args->values[i]);
    return value_of(&eval->inference->values, (Alt){.kind = KIND_SLICE, .object = object});
}

static const Value *do_map(Eval *eval, ExprId expr, const Args *args) {
    Args inner = {0};
    for (uint32_t i = 1; i < args->count; i++) {
        inner.values[inner.count] = element_of(eval, args->exprs[i], args->values[i], true);
        inner.exprs[inner.count++] = args->exprs[i];
    }
    return container_open(eval, expr, PART_MAPPED, FLAVOUR_ITERATOR,
                          call_value(eval, expr, native_argument(args, 0), &inner));
}

/* list(x), tuple(x), set(x): copies that keep known positions. */
static const Value *do_copy(Eval *eval, ExprId expr, const Args *args, Flavour flavour) {
    Inference *inference = eval->inference;
    const Value *value = native_argument(args, 0);
    ObjectId copy = object_part(eval, expr, PART_COPY, flavour);
    if (value && value->count == 1 && value->alts[0].kind == KIND_CONTAINER) {
        ObjectId from = value->alts[0].object;
        if (infer_object(inference, from)->flavour <= FLAVOUR_TUPLE && flavour != FLAVOUR_SET) {
            for (uint32_t i = 0; object_has(inference, from, position_key(i)); i++)
                container_set_position(eval, copy, i, object_get(eval, from, position_key(i)));
            const Value *rest = store_read(inference, eval->id, infer_object(inference, from)->rest);
            if (rest) object_add(eval, copy, rest);
            infer_object(inference, copy)->open |= infer_object(inference, from)->open;
            return object_value(eval, copy);
        }
    }
    infer_object(inference, copy)->open = true;
    const Value *element = args->count ? element_of(eval, args->exprs[0], value, true) : NULL;
    if (element) object_add(eval, copy, element);
    return object_value(eval, copy);
}

const Value *make_dict(Eval *eval, ExprId expr, const Args *args) {
    ObjectId object = object_part(eval, expr, PART_COPY, FLAVOUR_DICT);
    Alt alt = {.kind = KIND_CONTAINER, .object = object};
    const Value *from = native_argument(args, 0);
    if (from && value_has(from, KIND_CONTAINER) &&
        infer_object(eval->inference, from->alts[0].object)->flavour != FLAVOUR_DICT) {
        const Value *pair = element_of(eval, 0, from, false);
        const Value *value = position_of(eval, pair, 1);
        if (value) object_add(eval, object, value);
        Args named = *args;
        named.count = 0;
        update(eval, &alt, &named);
    } else {
        update(eval, &alt, args);
    }
    return object_value(eval, object);
}

static const Value *do_getattr(Eval *eval, ExprId expr, const Args *args) {
    const Value *name = native_argument(args, 1), *result = native_argument(args, 2);
    for (uint32_t i = 0; !name || i < name->count; i++)
        if (!name || name->alts[i].kind != KIND_TEXT || !name->alts[i].id)
            return join_values(eval, any_attribute(eval, native_argument(args, 0), args->exprs[1]), result);
    for (uint32_t i = 0; i < name->count; i++) /* each name in a literal tuple */
        result =
            join_values(eval, result, eval_attribute(eval, expr, native_argument(args, 0), name->alts[i].id));
    return result;
}

static const Value *do_setattr(Eval *eval, ExprId expr, const Args *args) {
    const Value *name = native_argument(args, 1);
    bool known = name && name->count == 1 && name->alts[0].kind == KIND_TEXT && name->alts[0].id;
    const Value *object = native_argument(args, 0), *value = native_argument(args, 2);
    if (known && value) assign_attribute(eval, expr, object, name->alts[0].id, value);
    for (uint32_t i = 0; !known && value && object && i < object->count; i++)
        if (object->alts[i].kind == KIND_INSTANCE) /* the attribute of an unknown name */
            store_write(eval->inference, store_slot(eval->inference, STORE_ATTRIBUTE, object->alts[i].id, 0),
                        value);
    return kind_value(eval, KIND_NONE);
}

static const Value *do_next(Eval *eval, ExprId expr, const Args *args) {
    const Value *value = native_argument(args, 0), *result = NULL;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        EntryId entry = 0;
        Sym next = eval->inference->known->next;
        if (alt->kind == KIND_INSTANCE && value_has(class_member(eval, alt->id, next, &entry), KIND_FUNCTION))
            result = join_values(eval, result, call_method(eval, expr, alt_value(eval, alt), next, &(Args){0}));
        else
            result = join_values(eval, result, element_of(eval, expr, alt_value(eval, alt), false));
    }
    return join_values(eval, result, native_argument(args, 1));
}

static const Value *do_partial(Eval *eval, ExprId expr, const Args *args) {
    ObjectId object = object_part(eval, expr, PART_PARTIAL, FLAVOUR_PARTS);
    for (uint32_t i = 0; i < args->count; i++) container_set_position(eval, object, i, args->values[i]);
    for (uint32_t i = 0; i < args->named_count; i++)
        if (args->named[i])
            store_write(eval->inference, object_slot(eval->inference, object, name_key(args->names[i])),
                        args->named[i]);
    return value_of(&eval->inference->values, (Alt){.kind = KIND_PARTIAL, .object = object});
}

/* Keeps the positions and names of modules that a list or dict shows. */
static void add_modules(Eval *eval, ObjectId object, ObjectId from) {
    Inference *inference = eval->inference;
    for (uint32_t k = 0; k < infer_object(inference, from)->key_count; k++) {
        uint32_t key = object_keys(infer_object(inference, from))[k].key;
        const Value *part = store_read(inference, eval->id, object_keys(infer_object(inference, from))[k].slot);
        if (value_has(part, KIND_CONTAINER)) part = position_of(eval, part, 1); /* ("name", module) */
        if (part) store_write(inference, object_slot(inference, object, key), part);
    }
    const Value *rest = store_read(inference, eval->id, infer_object(inference, from)->rest);
    if (value_has(rest, KIND_CONTAINER)) rest = position_of(eval, rest, 1);
    if (!rest) return;
    object_add(eval, object, rest);
    infer_object(inference, object)->length = infer_object(inference, from)->length;
}

static const Value *do_modules(Eval *eval, ExprId expr, EntryId class_entry, const Args *args, bool list) {
    ObjectId object = object_part(eval, expr, PART_MODULES, list ? FLAVOUR_LIST : FLAVOUR_DICT);
    for (uint32_t i = 0; i < args->count; i++) {
        const Value *value = args->values[i];
        if (value_has(value, KIND_CONTAINER)) { /* ModuleList([...]), Sequential(OrderedDict(...)) */
            add_modules(eval, object, only_kind(eval, value, KIND_CONTAINER)->alts[0].object);
        } else if (value) {
            container_set_position(eval, object, i, value);
        }
    }
    if (args->star && args->star_value) {
        object_add(eval, object, args->star_value);
        infer_object(eval->inference, object)->length = args->star_length;
    }
    Alt alt = {
        .kind = KIND_OBJECT, .id = class_entry, .object = object, .device = (uint8_t)default_device(eval)};
    return value_of(&eval->inference->values, alt);
}

/* sorted(rows, key=...): what it compares. */
static void do_compare(Eval *eval, ExprId expr, EntryId entry, const Args *args) {
    const Value *element = args->count == 1 ? element_of(eval, 0, args->values[0], false) : NULL;
    for (uint32_t i = 0; args->count > 1 && i < args->count; i++)
        element = join_values(eval, element, args->values[i]);
    const Value *keys = compared_keys(eval, expr, element, args);
    if (keys)
        apply_entry(eval, expr, EFFECT_OWN, entry, NULL,
                    &(Args){.values = {keys}, .exprs = {expr}, .count = 1});
}

const uint8_t *find_builtins(Arena *arena, const Rulebook *book) {
    static const struct {
        PythonName name;
        Builtin builtin;
    } TABLE[] = {
        {PY_zip, DO_ZIP},         {PY_enumerate, DO_ENUMERATE}, {PY_map, DO_MAP},
        {PY_list, DO_LIST},       {PY_tuple, DO_TUPLE},         {PY_set, DO_SET},
        {PY_dict, DO_DICT},       {PY_getattr, DO_GETATTR},     {PY_setattr, DO_SETATTR},
        {PY_next, DO_NEXT},       {PY_max, DO_COMPARE},         {PY_min, DO_COMPARE},
        {PY_sorted, DO_COMPARE},  {PY_slice, DO_SLICE},         {PY_type, DO_TYPE},
        {PY_globals, DO_GLOBALS},
    };
    static const struct {
        Named named;
        Builtin builtin;
    } LIKE[] = {{NAMED_partial_function, DO_PARTIAL},
                {NAMED_import_function, DO_IMPORT},
                {NAMED_list_like, DO_LIST},
                {NAMED_dict_like, DO_DICT}};
    uint8_t *builtins = arena_new(arena, uint8_t, book->entry_count);
    EntryId module = entry_named(book, NAMED_builtins_module);
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        builtins[rulebook_child(book, module, python_text(TABLE[i].name))] = (uint8_t)TABLE[i].builtin;
    for (size_t i = 0; i < sizeof LIKE / sizeof *LIKE; i++)
        for (uint32_t r = 0; r < name_rows(book, LIKE[i].named); r++)
            builtins[rulebook_find(book, name_row(book, LIKE[i].named, r))] = (uint8_t)LIKE[i].builtin;
    builtins[0] = 0; /* entries that no page knows */
    return builtins;
}

const Value *call_builtin(Eval *eval, ExprId expr, EntryId entry, const Args *args, bool *handled) {
    const Known *known = eval->inference->known;
    *handled = true;
    if (entry == known->module_list || entry == known->module_dict || entry == known->sequential)
        return do_modules(eval, expr, entry, args, entry != known->module_dict);
    Builtin builtin = (Builtin)eval->inference->builtins[entry];
    *handled = builtin != 0;
    switch (builtin) {
    case DO_ZIP: return do_zip(eval, expr, args);
    case DO_ENUMERATE:
        if (args->count + args->named_count > 1) apply_entry(eval, expr, EFFECT_OWN, entry, NULL, args);
        return do_enumerate(eval, expr, args);
    case DO_MAP: return do_map(eval, expr, args);
    case DO_LIST: return do_copy(eval, expr, args, FLAVOUR_LIST);
    case DO_TUPLE: return do_copy(eval, expr, args, FLAVOUR_TUPLE);
    case DO_SET: return do_copy(eval, expr, args, FLAVOUR_SET);
    case DO_DICT: return make_dict(eval, expr, args);
    case DO_GETATTR: return do_getattr(eval, expr, args);
    case DO_SETATTR: return do_setattr(eval, expr, args);
    case DO_NEXT: return do_next(eval, expr, args);
    case DO_PARTIAL: return do_partial(eval, expr, args);
    case DO_SLICE: return do_slice(eval, expr, args);
    case DO_GLOBALS: return own_module(eval);
    case DO_IMPORT: return imported_by_name(eval, args);
    case DO_TYPE:
        *handled = args->count == 1; /* with three arguments it makes a class */
        return *handled ? type_of(eval, args->values[0]) : NULL;
    case DO_COMPARE:
        do_compare(eval, expr, entry, args);
        *handled = false;
        break;
    }
    return NULL;
}

static void convert(Eval *eval, ExprId at, const Value *value, char conversion) {
    const char *method = strchr("di", conversion)       ? "__int__"
                         : strchr("feEgGF", conversion) ? "__float__"
                         : conversion == 'r'            ? "__repr__"
                                                        : "__str__";
    use_protocol(eval, at, value, method, NULL);
}

void eval_percent(Eval *eval, ExprId id, ExprId format, ExprId right) {
    const Expr *operand = &eval->model->exprs.items[right];
    Conversions made = {0};
    format_conversions(eval, format, 0, &made);
    if (!made.count) return;
    if (operand->kind != EXPR_TUPLE) {
        convert(eval, id, infer_fact(eval->context, eval->model, right), made.items[0]);
        return;
    }
    uint32_t item = 0;
    for (uint32_t i = 0; i < operand->list.count; i++) {
        ExprId part = eval->model->links.items[operand->list.first + i];
        const Expr *expr = &eval->model->exprs.items[part];
        bool star = expr->kind == EXPR_STAR;
        if (item >= made.count && !made.open) return;
        const Value *value = infer_fact(eval->context, eval->model, star ? expr->a : part);
        if (star) value = element_of(eval, 0, value, false);
        convert(eval, part, value, made.items[item < made.count ? item : made.count - 1]);
        item = star ? made.count - 1 : item + 1; /* a star gives an unknown number of values */
    }
}
