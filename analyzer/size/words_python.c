/* Python's built-in functions, and the methods of its containers. */
#include "words.h"
#include "python_names.h"
#include "walk_list.h"

/* ---- Python's own ---- */

static Thing length_of(Sizes *self, Scope *scope, ExprId expr, Thing thing) {
    bool found;
    CallArgs none = {0};
    switch ((ThingKind)thing.kind) {
    case THING_LIST:
        if (!thing.list->open) return thing_known(thing.list->items.count);
        if (thing.list->length.of || thing.list->length.times != 0) return thing_number(thing.list->length);
        break;
    case THING_DICT:
        if (!thing.dict->open) return thing_known(thing.dict->keys.count);
        break;
    case THING_TEXT: return thing_known(thing.text.length);
    case THING_TENSOR:
        if (thing.tensor->rank > 0) return thing_number(thing.tensor->dims[0]);
        break;
    case THING_INSTANCE: {
        Thing length = size_method(self, scope, expr, thing, "__len__", &none, &found);
        if (found && thing_is_number(length)) return length;
        break;
    }
    default: break;
    }
    return thing_number(
        number_unknown(&self->numbers, 0, __builtin_inf(), scope ? size_source(self, scope, expr) : (Text){0}));
}

static Thing range_of(Sizes *self, const CallArgs *args) {
    Number low = args->count > 1 ? number_at(self, args, 0) : number_of(0),
           high = number_at(self, args, args->count > 1);
    Number step = args->count > 2 ? number_at(self, args, 2) : number_of(1);
    Thing made = thing_list(self->arena, false);
    Numbers *numbers = &self->numbers;
    bool known = number_is_known(low) && number_is_known(high) && number_is_known(step) && step.times != 0;
    double turns = known ? (high.times - low.times) / step.times : -1;
    if (known && turns <= UNROLL_MOST) {
        for (double i = 0; i < turns; i++)
            list_push(self->arena, made, thing_known(low.times + i * step.times));
        return made;
    }
    Number span = number_subtract(numbers, high, low);
    Amount ends[] = {number_range(numbers, low), number_range(numbers, high)};
    made.list->open = true;
    made.list->length = number_computed(
        numbers, NUMBER_FLOOR, number_add(numbers, span, number_subtract(numbers, step, number_of(1))), step);
    double least = ends[0].low < ends[1].low ? ends[0].low : ends[1].low;
    made.list->rest = thing_number(
        number_unknown(numbers, least, ends[1].high - 1 > least ? ends[1].high - 1 : least, (Text){0}));
    return made;
}

static Thing best_of(Sizes *self, Scope *scope, ExprId expr, const CallArgs *args, NumberOp op) {
    Thing list =
        args->count == 1 ? size_iterated(self, scope, expr, args->items[0]) : thing_list(self->arena, true);
    for (uint32_t i = 0; args->count > 1 && i < args->count; i++) list_push(self->arena, list, args->items[i]);
    if (list.list->open || !list.list->items.count) return thing_unknown();
    Number best = size_number(self, list.list->items.items[0], (Text){0});
    for (uint32_t i = 1; i < list.list->items.count; i++)
        best =
            number_computed(&self->numbers, op, best, size_number(self, list.list->items.items[i], (Text){0}));
    return thing_number(best);
}

static Thing sum_of(Sizes *self, Scope *scope, ExprId expr, const CallArgs *args) {
    Thing list = size_iterated(self, scope, expr, argument(args, 0));
    Thing sum = args->count > 1 ? args->items[1] : thing_known(0);
    if (list.list->open) return thing_unknown();
    for (uint32_t i = 0; i < list.list->items.count; i++) {
        Thing one = list.list->items.items[i];
        if (one.kind == THING_TENSOR || sum.kind == THING_TENSOR)
            sum = size_operator(self, scope, expr, OP_ADD, sum, one);
        else if (thing_is_number(one) && thing_is_number(sum))
            sum = thing_number(number_add(&self->numbers, sum.number, one.number));
        else
            return thing_unknown();
    }
    return sum;
}

static Thing zipped(Sizes *self, Scope *scope, ExprId expr, const CallArgs *args, bool counted) {
    Thing made = thing_list(self->arena, false), rest = thing_list(self->arena, true), lists[CALL_ARGUMENTS];
    uint32_t least = UINT32_MAX, count = counted && args->count ? 1 : args->count;
    Number start = counted && args->count > 1 ? number_at(self, args, 1) : number_of(0);
    for (uint32_t i = 0; i < count; i++) {
        lists[i] = size_iterated(self, scope, expr, args->items[i]);
        const ThingList *list = lists[i].list;
        if (!list->open && list->items.count < least) least = list->items.count;
        made.list->open |= list->open;
        if (list->open) made.list->length = list->length;
    }
    if (made.list->open) {
        if (counted)
            list_push(self->arena, rest,
                      thing_number(number_unknown(&self->numbers, 0, __builtin_inf(), (Text){0})));
        for (uint32_t i = 0; i < count; i++)
            list_push(self->arena, rest,
                      lists[i].list->items.count ? lists[i].list->items.items[0] : lists[i].list->rest);
        made.list->rest = rest;
        if (least != UINT32_MAX) made.list->length = number_of(least);
        return made;
    }
    for (uint32_t k = 0; k < least && count; k++) {
        Thing item = thing_list(self->arena, true);
        if (counted)
            list_push(self->arena, item, thing_number(number_add(&self->numbers, start, number_of(k))));
        for (uint32_t i = 0; i < count; i++) list_push(self->arena, item, lists[i].list->items.items[k]);
        list_push(self->arena, made, item);
    }
    size_spend(self, made.list->items.count);
    return made;
}

/* The columns of any number of rows, each with the same items. */
static Thing zipped_alike(Sizes *self, Scope *scope, ExprId expr, const ThingList *rows) {
    Thing made = thing_list(self->arena, false), row = size_iterated(self, scope, expr, rows->rest);
    if (rows->items.count || row.list->open) return thing_unknown();
    for (uint32_t k = 0; k < row.list->items.count && k < UNROLL_MOST; k++) {
        Thing column = thing_list(self->arena, true);
        column.list->open = true, column.list->rest = row.list->items.items[k],
        column.list->length = rows->length;
        list_push(self->arena, made, column);
    }
    return made;
}

/* zip(*rows): the columns, also of more rows than a call can have arguments. */
static Thing zipped_rows(Sizes *self, Scope *scope, ExprId expr, const CallArgs *args) {
    Thing made = thing_list(self->arena, false);
    const ThingList *more = args->more;
    uint32_t rows = args->count + (more ? more->items.count : 0), columns = UINT32_MAX;
    if (args->starred) return rows ? thing_unknown() : zipped_alike(self, scope, expr, args->starred);
    Thing *lists = arena_new(self->arena, Thing, rows);
    for (uint32_t i = 0; i < rows; i++) {
        Thing row = i < args->count ? args->items[i] : more->items.items[i - args->count];
        lists[i] = size_iterated(self, scope, expr, row);
        if (lists[i].list->open) return thing_unknown();
        if (lists[i].list->items.count < columns) columns = lists[i].list->items.count;
    }
    size_spend(self, rows / 8);
    for (uint32_t k = 0; k < columns && k < UNROLL_MOST; k++) {
        Thing column = thing_list(self->arena, true);
        for (uint32_t i = 0; i < rows; i++) list_push(self->arena, column, lists[i].list->items.items[k]);
        list_push(self->arena, made, column);
    }
    return made;
}

static Thing copied_list(Sizes *self, Scope *scope, ExprId expr, const CallArgs *args, bool tuple,
                         bool turned) {
    Thing made = thing_list(self->arena, tuple);
    made.list->made_under = self->maybe, made.list->turning = self->turning;
    if (!args->count) return made;
    Thing list = size_iterated(self, scope, expr, args->items[0]);
    uint32_t count = list.list->items.count;
    for (uint32_t i = 0; i < count; i++)
        list_push(self->arena, made, list.list->items.items[turned ? count - 1 - i : i]);
    made.list->open = list.list->open, made.list->rest = list.list->rest, made.list->length = list.list->length;
    size_spend(self, count / 8);
    return made;
}

static Thing mapped(Sizes *self, Scope *scope, ExprId expr, const CallArgs *args) {
    Thing list = size_iterated(self, scope, expr, argument(args, 1)), made = thing_list(self->arena, false);
    for (uint32_t i = 0; i < list.list->items.count && self->fuel > 0; i++) {
        CallArgs one = {.items = {list.list->items.items[i]}, .count = 1};
        list_push(self->arena, made, size_call_thing(self, scope, expr, args->items[0], &one));
    }
    made.list->open = list.list->open;
    return made;
}

/* dict.update(from, name=value) */
static void fill_dict(Sizes *self, Thing dict, const CallArgs *args) {
    Thing from = argument(args, 0);
    dict.dict->open |= args->open || (args->count && from.kind != THING_DICT);
    for (uint32_t i = 0; from.kind == THING_DICT && i < from.dict->keys.count; i++)
        dict_put(self->arena, dict, from.dict->keys.items[i], from.dict->values.items[i]);
    for (uint32_t i = 0; i < args->named_count; i++)
        dict_put(self->arena, dict, thing_text(args->names[i]), args->named[i]);
}

static Thing new_dict(Sizes *self, const CallArgs *args) {
    Thing made = thing_dict(self->arena);
    fill_dict(self, made, args);
    return made;
}

static Thing asked_attribute(Sizes *self, Scope *scope, ExprId expr, const CallArgs *args, bool whether) {
    if (argument(args, 1).kind != THING_TEXT) return thing_unknown();
    Thing found = size_attribute(self, scope, expr, args->items[0], args->items[1].text);
    bool there = found.kind != THING_UNKNOWN, instance = args->items[0].kind == THING_INSTANCE;
    bool open =
        !instance || args->items[0].instance->open || (there == false && args->items[0].instance->entry);
    if (whether) return there ? thing_bool(true) : open ? thing_unknown() : thing_bool(false);
    return there || args->count < 3 || open ? found : args->items[2];
}

static bool is_below(const ClassThing *class_, const ClassThing *base, uint32_t depth) {
    if (class_ == base) return true;
    for (uint32_t i = 0; depth < 12 && i < class_->base_count; i++)
        if (class_->bases[i].kind == THING_CLASS && is_below(class_->bases[i].class_, base, depth + 1))
            return true;
    return false;
}

static Thing is_instance(Sizes *self, Thing thing, Thing of, uint32_t depth) {
    if (of.kind == THING_LIST) {
        if (depth > 2) return thing_unknown();
        Thing any = thing_bool(false);
        for (uint32_t i = 0; i < of.list->items.count; i++) {
            Thing one = is_instance(self, thing, of.list->items.items[i], depth + 1);
            if (one.kind == THING_BOOL && one.number.times != 0) return one;
            if (one.kind != THING_BOOL) any = one;
        }
        return any;
    }
    if (thing.kind == THING_INSTANCE && of.kind == THING_CLASS)
        return thing.instance->class_ ? thing_bool(is_below(thing.instance->class_, of.class_, 0))
                                      : thing_unknown();
    if (of.kind == THING_CLASS && thing.kind != THING_UNKNOWN)
        return thing_bool(false); /* a number, a list ... */
    if (thing.kind == THING_INSTANCE && of.kind == THING_API && thing.instance->entry)
        return thing_bool(rulebook_inherits(self->book, thing.instance->entry, of.id));
    if (of.kind == THING_PRIMITIVE) {
        static const struct {
            uint8_t kind;
            uint16_t word;
        } OF[] = {{THING_NUMBER, SIZE_int},
                  {THING_NUMBER, SIZE_float},
                  {THING_TEXT, SIZE_str},
                  {THING_DICT, SIZE_dict}};
        for (size_t i = 0; i < sizeof OF / sizeof *OF; i++)
            if (of.id == OF[i].word && thing.kind != THING_UNKNOWN && thing.kind != THING_BOOL) {
                bool whole = thing.kind != THING_NUMBER || thing.number.of ||
                             thing.number.times == (double)(int64_t)thing.number.times;
                return thing_bool(thing.kind == OF[i].kind && (of.id == SIZE_float ? !whole : whole));
            }
        if (thing.kind == THING_LIST && (of.id == SIZE_tuple || of.id == SIZE_list))
            return thing_bool(thing.list->tuple == (of.id == SIZE_tuple));
        if (thing.kind != THING_UNKNOWN && (of.id == SIZE_tuple || of.id == SIZE_list))
            return thing_bool(false);
    }
    return thing_unknown();
}

static Thing as_number(Sizes *self, const CallArgs *args, uint32_t word) {
    Thing value = size_value(argument(args, 0));
    if (word == SIZE_bool && !thing_is_number(value)) return size_truth_of(self, value);
    if (value.kind == THING_TEXT) return thing_unknown();
    if (!thing_is_number(value))
        return thing_number(number_unknown(&self->numbers, -__builtin_inf(), __builtin_inf(), (Text){0}));
    if (word == SIZE_float) return thing_number(value.number);
    if (word == SIZE_bool) return size_truth_of(self, value);
    if (word != SIZE_abs)
        return thing_number(number_computed(&self->numbers, NUMBER_WHOLE, value.number, number_of(0)));
    Amount range = number_range(&self->numbers, value.number);
    return thing_number(range.high < 0 ? (Number){-value.number.times, value.number.of} : value.number);
}

/* What a loop over it yields. */
Thing size_iterated(Sizes *self, Scope *scope, ExprId expr, Thing thing) {
    Thing made = thing_list(self->arena, true);
    bool found;
    CallArgs none = {0};
    switch ((ThingKind)thing.kind) {
    case THING_LIST: return thing;
    case THING_DICT:
        for (uint32_t i = 0; i < thing.dict->keys.count; i++)
            list_push(self->arena, made, thing.dict->keys.items[i]);
        made.list->open = thing.dict->open;
        return made;
    case THING_TENSOR: {
        Thing rest = size_index(self, thing, thing_known(0));
        if (rest.kind == THING_TENSOR)
            rest.tensor->host = thing.tensor->host, rest.tensor->graded = thing.tensor->graded;
        int64_t length = thing.tensor->rank > 0 ? number_whole(thing.tensor->dims[0], UNROLL_MOST) : -1;
        bool whole = thing.tensor->rank == 1 && thing.tensor->element == ELEMENT_LONG && thing.tensor->host;
        for (int64_t i = 0; i < length; i++) {
            Thing one = rest;
            if (whole) one.tensor = arena_copy(self->arena, rest.tensor, sizeof *rest.tensor);
            if (whole)
                one.tensor->valued = true,
                one.tensor->value = number_unknown(&self->numbers, 0, __builtin_inf(), (Text){0});
            list_push(self->arena, made, one);
        }
        made.list->open = length < 0;
        made.list->rest = rest;
        if (thing.tensor->rank > 0) made.list->length = thing.tensor->dims[0];
        return made;
    }
    case THING_INSTANCE: {
        Thing given = size_method(self, scope, expr, thing, "__iter__", &none, &found);
        if (found && given.kind == THING_LIST) return given;
        CallArgs some = {.items = {thing_number(number_unknown(&self->numbers, 0, __builtin_inf(), (Text){0}))},
                         .count = 1};
        if (!found) made.list->rest = size_method(self, scope, expr, thing, "__getitem__", &some, &found);
        break;
    }
    default: break;
    }
    made.list->open = true;
    if (scope && scope->file && scope->context && expr && made.list->rest.kind == THING_UNKNOWN)
        made.list->rest = thing_unknown();
    return made;
}

Thing size_word(Sizes *self, Scope *scope, ExprId expr, uint32_t word, const CallArgs *args) {
    if ((args->more || args->starred) && word == SIZE_zip) return zipped_rows(self, scope, expr, args);
    if (args->more) return thing_unknown(); /* max(*values) of too many values */
    switch ((SizeWord)word) {
    case SIZE_len: return length_of(self, scope, expr, argument(args, 0));
    case SIZE_range: return range_of(self, args);
    case SIZE_int:
    case SIZE_float:
    case SIZE_bool:
    case SIZE_round:
    case SIZE_abs: return as_number(self, args, word);
    case SIZE_max: return best_of(self, scope, expr, args, NUMBER_MOST);
    case SIZE_min: return best_of(self, scope, expr, args, NUMBER_LEAST);
    case SIZE_sum: return sum_of(self, scope, expr, args);
    case SIZE_zip: return zipped(self, scope, expr, args, false);
    case SIZE_enumerate: return zipped(self, scope, expr, args, true);
    case SIZE_list:
    case SIZE_iter:
    case SIZE_sorted:
    case SIZE_set: return copied_list(self, scope, expr, args, false, false);
    case SIZE_tuple: return copied_list(self, scope, expr, args, true, false);
    case SIZE_reversed: return copied_list(self, scope, expr, args, false, true);
    case SIZE_dict: return new_dict(self, args);
    case SIZE_map: return mapped(self, scope, expr, args);
    case SIZE_isinstance: return is_instance(self, argument(args, 0), argument(args, 1), 0);
    case SIZE_getattr: return asked_attribute(self, scope, expr, args, false);
    case SIZE_hasattr: return asked_attribute(self, scope, expr, args, true);
    case SIZE_setattr:
        if (argument(args, 0).kind == THING_INSTANCE && argument(args, 1).kind == THING_TEXT)
            instance_put(self->arena, args->items[0].instance, args->items[1].text, argument(args, 2));
        return thing_none();
    case SIZE_vars: return argument(args, 0);
    case SIZE_next: {
        Thing list = size_iterated(self, scope, expr, argument(args, 0));
        return list.list->items.count ? list.list->items.items[0] : list.list->rest;
    }
    case SIZE_str: return argument(args, 0).kind == THING_TEXT ? args->items[0] : thing_some_text();
    default: return size_own_word(self, scope, expr, word, args);
    }
}

/* ---- methods of lists, dicts and texts ---- */

static bool list_method(Sizes *self, Thing list, Text name, const CallArgs *args, Thing *out) {
    *out = thing_none();
    if (python_is(PY_append, name) && args->count == 1) {
        size_append(self, list, args->items[0]);
        return true;
    }
    if (python_is(PY_extend, name) && args->count == 1) {
        Thing more = size_iterated(self, NULL, 0, args->items[0]);
        size_extend(self, list, more);
        return true;
    }
    if (python_is(PY_pop, name) || python_is(PY_insert, name) || python_is(PY_remove, name) ||
        python_is(PY_clear, name)) {
        bool last = python_is(PY_pop, name) && !args->count && list.list->items.count &&
                    size_changes_surely(self, list.list->made_under);
        *out = last ? list.list->items.items[list.list->items.count - 1] : thing_unknown();
        if (last)
            list.list->items.count--;
        else
            list.list->items.count = 0, list.list->open = true;
        return true;
    }
    return false;
}

static bool dict_method(Sizes *self, Thing dict, Text name, const CallArgs *args, Thing *out) {
    bool found, pairs = python_is(PY_items, name);
    if (python_is(PY_get, name) || python_is(PY_pop, name) || python_is(PY_setdefault, name)) {
        *out = dict_find(dict, argument(args, 0), &found);
        if (!found && !dict.dict->open) *out = args->count > 1 ? args->items[1] : thing_none();
        return true;
    }
    if (python_is(PY_update, name)) {
        fill_dict(self, dict, args);
        *out = thing_none();
        return true;
    }
    if (python_is(PY_copy, name)) {
        CallArgs from = {.items = {dict}, .count = 1};
        *out = new_dict(self, &from);
        return true;
    }
    if (!pairs && !python_is(PY_values, name) && !python_is(PY_keys, name)) return false;
    Thing made = thing_list(self->arena, false);
    for (uint32_t i = 0; i < dict.dict->keys.count; i++) {
        Thing pair = thing_list(self->arena, true);
        if (pairs)
            list_push(self->arena, pair, dict.dict->keys.items[i]),
                list_push(self->arena, pair, dict.dict->values.items[i]);
        list_push(self->arena, made,
                  pairs                      ? pair
                  : python_is(PY_keys, name) ? dict.dict->keys.items[i]
                                             : dict.dict->values.items[i]);
    }
    made.list->open = dict.dict->open;
    *out = made;
    return true;
}

static bool text_method(Sizes *self, Thing of, Text name, const CallArgs *args, Thing *out) {
    Text first = argument(args, 0).kind == THING_TEXT ? args->items[0].text : (Text){0};
    *out = of;
    if (python_is(PY_strip, name) && !args->count) return true;
    if (python_is(PY_startswith, name) && first.length)
        *out = thing_bool(text_starts(of.text, first));
    else if (python_is(PY_endswith, name) && first.length)
        *out = thing_bool(text_ends(of.text, first));
    else if (python_is(PY_lower, name) && !args->count) {
        char *bytes = arena_copy(self->arena, of.text.bytes, of.text.length);
        for (uint32_t i = 0; i < of.text.length; i++)
            if (bytes[i] >= 'A' && bytes[i] <= 'Z') bytes[i] = (char)(bytes[i] + 'a' - 'A');
        out->text.bytes = bytes;
    } else if (python_is(PY_split, name) && first.length && args->count == 1) {
        *out = thing_list(self->arena, false);
        uint32_t start = 0;
        for (uint32_t i = 0; i + first.length <= of.text.length; i++)
            if (i >= start && text_starts(text_slice(of.text, i, of.text.length), first)) {
                list_push(self->arena, *out, thing_text(text_slice(of.text, start, i)));
                start = i + first.length;
            }
        list_push(self->arena, *out, thing_text(text_slice(of.text, start, of.text.length)));
    } else
        return false;
    return true;
}

bool size_text_method(Sizes *self, Thing receiver, Text name, const CallArgs *args, Thing *out) {
    if (receiver.kind == THING_LIST) return list_method(self, receiver, name, args, out);
    if (receiver.kind == THING_TEXT) return text_method(self, receiver, name, args, out);
    if (receiver.kind == THING_DICT) return dict_method(self, receiver, name, args, out);
    return false;
}
