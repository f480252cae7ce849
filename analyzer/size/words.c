/* The words of rules/sizes.py. */
#include "words.h"
#include <math.h>

static const char *const NAMES[] = {
    "",
#define BUILTIN(name) #name,
#define WORD(name, meaning) #name,
#include "words.def"
#undef BUILTIN
#undef WORD
};

bool size_is_word(Text name, uint32_t *word) {
    for (*word = 1; *word < SIZE_WORDS; ++*word)
        if (text_is(name, NAMES[*word])) return true;
    return false;
}

bool size_is_builtin(Sizes *self, EntryId entry, uint32_t *word) {
    const Entry *e = &self->book->entries[entry];
    return e->parent == self->inference->known->builtins &&
           size_is_word(rulebook_text(self->book, e->name), word) && *word < SIZE_tensor;
}

/* ---- words of rules/sizes.py only ---- */

static const char *const ELEMENTS[] = {
#define ELEMENT(name, word, bytes) word,
#include "elements.def"
};

static uint8_t element_named(Text name) {
    for (uint8_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; i++)
        if (text_is(name, ELEMENTS[i])) return i;
    return ELEMENT_UNKNOWN;
}

static uint8_t element_like(Thing like) {
    if (like.kind == THING_TENSOR) return like.tensor->element;
    return like.kind == THING_TEXT ? element_named(like.text) : ELEMENT_UNKNOWN;
}

static Thing element_text(uint8_t element) { return thing_text(text_of(ELEMENTS[element])); }

static Thing made_tensor(Sizes *self, const CallArgs *args) {
    Thing shape = argument(args, 0), made = size_tensor_unknown(self);
    made.tensor->element = element_like(argument(args, 1));
    Number dims[RANK_MOST];
    if (shape.kind != THING_LIST || shape.list->open || shape.list->items.count > RANK_MOST) return made;
    for (uint32_t i = 0; i < shape.list->items.count; i++)
        dims[i] = size_number(self, shape.list->items.items[i], (Text){0});
    return size_tensor(self, dims, (int)shape.list->items.count, made.tensor->element);
}

static Thing made_parameter(Sizes *self, const CallArgs *args) {
    CallArgs shape = {.items = {thing_list(self->arena, true), element_text(ELEMENT_FLOAT)}, .count = 2};
    for (uint32_t i = 0; i < args->count; i++) list_push(self->arena, shape.items[0], args->items[i]);
    shape.items[0].list->open = args->open;
    Thing made = made_tensor(self, &shape);
    made.tensor->parameter = made.tensor->graded = true;
    return made;
}

static void put_part(Sizes *self, WorkPart part) { tally_part(self->arena, &self->operation->work, part); }

static Thing product(Sizes *self, const CallArgs *args, uint32_t word) {
    Operation *operation = self->operation;
    if (!operation) return thing_none();
    uint32_t first = word == SIZE_recurrent;
    Numbers *numbers = &self->numbers;
    Number steps = first ? number_at(self, args, 0) : number_of(1);
    Number n = number_at(self, args, first), k = number_at(self, args, first + 1),
           m = number_at(self, args, first + 2);
    bool windows = word == SIZE_convolution && args->count > 3;
    Number more = !first && !windows && args->count > 3 ? number_at(self, args, 3) : steps;
    Number flops = number_multiply(numbers, number_multiply(numbers, n, k), number_multiply(numbers, m, more));
    flops.times *= 2;
    Number moved =
        number_add(numbers, windows ? number_at(self, args, 3) : number_multiply(numbers, n, k),
                   number_add(numbers, number_multiply(numbers, k, m), number_multiply(numbers, n, m)));
    moved = number_multiply(numbers, moved, more);
    WorkPart part = {.launches = 1, .kind = LOAD_GEMM};
    if (word == SIZE_convolution) part.kind = LOAD_CONVOLUTION, part.tf32 = true;
    if (word == SIZE_gemm) part.tf32 = self->tf32;
    if (word == SIZE_recurrent) part.kind = LOAD_RECURRENT, part.tf32 = true;
    bool half = self->autocast.region && self->autocast.element == ELEMENT_HALF;
    if (half) part.precision = PRECISION_HALF;
    moved.times *= half ? 2 : 4;
    part.flops = number_amount(numbers, flops), part.bytes = number_amount(numbers, moved);
    /* sequential: each step waits for the one before */
    if (first) part.launches = fmax(number_range(numbers, steps).low, 1);
    part.least = fmin(number_amount(numbers, n).low, number_amount(numbers, k).low);
    part.least = fmin(part.least, number_amount(numbers, m).low);
    if (!amount_is_known(part.flops) && !operation->unknown.length)
        operation->unknown = number_name(numbers, flops);
    put_part(self, part);
    return thing_none();
}

static Thing moved_elements(Sizes *self, const CallArgs *args) {
    if (!self->operation) return thing_none();
    Number bytes = number_at(self, args, 0);
    bytes.times *= self->autocast.region && self->autocast.element == ELEMENT_HALF ? 2 : 4;
    Amount launches = number_range(&self->numbers, number_at(self, args, 1));
    if (!(launches.low >= 1)) return thing_none();
    WorkPart part = {.kind = LOAD_MOVES, .launches = launches.low};
    part.bytes = number_amount(&self->numbers, bytes);
    put_part(self, part);
    return thing_none();
}

static Thing told_launches(Sizes *self, const CallArgs *args) {
    if (!self->operation) return thing_none();
    self->operation->launches = number_amount(&self->numbers, number_at(self, args, 0)).low;
    self->operation->backward_launches = number_amount(&self->numbers, number_at(self, args, 1)).low;
    return thing_none();
}

static bool runs_on_tensor_cores(const Sizes *self, Thing kind) {
    uint8_t element = element_like(kind);
    if (self->autocast.region && self->autocast.element == ELEMENT_HALF) element = ELEMENT_HALF;
    return element == ELEMENT_HALF || (element == ELEMENT_FLOAT && self->tf32);
}

static Thing queued_beside(Sizes *self, const CallArgs *args) {
    if (!self->operation) return thing_none();
    self->operation->beside += number_amount(&self->numbers, number_at(self, args, 0)).low;
    self->operation->backward_beside += number_amount(&self->numbers, number_at(self, args, 1)).low;
    return thing_none();
}

static Thing fused_attention(Sizes *self, const CallArgs *args) {
    Operation *operation = self->operation;
    if (!operation) return thing_none();
    Numbers *numbers = &self->numbers;
    Number heads = number_at(self, args, 0), q = number_at(self, args, 1), k = number_at(self, args, 2),
           d = number_at(self, args, 3);
    Number scores =
        number_multiply(numbers, number_multiply(numbers, heads, q), number_multiply(numbers, k, d));
    Thing causal = size_truth_of(self, argument(args, 4));
    scores.times *= causal.kind == THING_BOOL && causal.number.times != 0 ? 2 : 4;
    Number moved = number_multiply(numbers, number_multiply(numbers, heads, d), number_add(numbers, q, k));
    moved.times *= 4;
    put_part(self, (WorkPart){.kind = LOAD_ATTENTION,
                              .launches = 1,
                              .flops = number_amount(numbers, scores),
                              .bytes = number_amount(numbers, moved),
                              .least = number_amount(numbers, d).low});
    return thing_none();
}

static Thing cast_arguments(Sizes *self, const CallArgs *args) {
    Operation *operation = self->operation;
    uint8_t wanted = element_like(argument(args, 0));
    if (!self->autocast.region || !operation) return thing_none();
    if (wanted == ELEMENT_HALF) wanted = self->autocast.element;
    for (uint32_t i = 1; i < args->count; i++) {
        if (args->items[i].kind != THING_TENSOR) continue;
        Tensor *tensor = args->items[i].tensor;
        bool floats = tensor->element >= ELEMENT_HALF || tensor->element == ELEMENT_UNKNOWN;
        bool kept = tensor->parameter && tensor->cast_in == self->autocast.region;
        uint8_t is = tensor->element == ELEMENT_UNKNOWN ? ELEMENT_FLOAT : tensor->element;
        if (!floats || kept || is == wanted) continue;
        if (tensor->parameter) tensor->cast_in = self->autocast.region;
        Number bytes = tensor_elements(&self->numbers, tensor);
        bytes.times *= 6;
        operation->casts++;
        operation->backward_casts += tensor->graded && !self->no_grad;
        operation->cast = number_add(&self->numbers, operation->cast, bytes);
    }
    return element_text(wanted);
}

static void gather_parameters(Sizes *self, Thing thing, Thing into, uint32_t depth) {
    if (depth > 12 || self->fuel <= 0 || into.list->items.count > LIST_MOST) return;
    size_spend(self, 1);
    if (thing.kind == THING_TENSOR && thing.tensor->parameter) {
        for (uint32_t i = 0; i < into.list->items.count; i++)
            if (into.list->items.items[i].tensor == thing.tensor)
                return; /* a tied parameter, counted already */
        list_push(self->arena, into, thing);
    }
    if (thing.kind == THING_LIST)
        for (uint32_t i = 0; i < thing.list->items.count; i++)
            gather_parameters(self, thing.list->items.items[i], into, depth + 1);
    if (thing.kind == THING_DICT)
        for (uint32_t i = 0; i < thing.dict->values.count; i++)
            gather_parameters(self, thing.dict->values.items[i], into, depth + 1);
    if (thing.kind == THING_LIST) into.list->open |= thing.list->open;
    if (thing.kind != THING_INSTANCE) return;
    Instance *instance = thing.instance;
    into.list->open |= instance->open && (!instance->class_ || !instance->class_->file);
    bool holder = instance->class_ && !instance->class_->file;
    for (uint32_t i = 0; i < instance->values.count; i++) {
        Thing part = instance->values.items[i];
        bool module = part.kind == THING_INSTANCE &&
                      (!part.instance->entry ||
                       rulebook_inherits(self->book, part.instance->entry, self->inference->known->module));
        if (part.kind == THING_TENSOR || module || (holder && part.kind != THING_INSTANCE))
            gather_parameters(self, part, into, depth + 1);
    }
}

static void spread(Sizes *self, Thing thing, Text name, Thing value, uint32_t depth) {
    if (depth > 12 || self->fuel <= 0) return;
    size_spend(self, 1);
    if (thing.kind == THING_LIST)
        for (uint32_t i = 0; i < thing.list->items.count; i++)
            spread(self, thing.list->items.items[i], name, value, depth + 1);
    if (thing.kind == THING_DICT)
        for (uint32_t i = 0; i < thing.dict->values.count; i++)
            spread(self, thing.dict->values.items[i], name, value, depth + 1);
    if (thing.kind != THING_INSTANCE) return;
    EntryId entry = thing.instance->entry;
    if (entry && !rulebook_inherits(self->book, entry, self->inference->known->module)) return;
    uint32_t count = thing.instance->values.count;
    for (uint32_t i = 0; i < count; i++) spread(self, thing.instance->values.items[i], name, value, depth + 1);
    instance_put(self->arena, thing.instance, name, value);
}

static Thing loop_over_parameters(Sizes *self, Scope *scope, ExprId expr, const CallArgs *args, bool grouped) {
    Operation *operation = self->operation;
    Thing list = size_iterated(self, scope, expr, argument(args, 0));
    if (!operation) return thing_none();
    Number elements = number_of(0);
    double count = 0;
    bool open = list.list->open;
    for (uint32_t i = 0; i < list.list->items.count; i++) {
        Thing one = list.list->items.items[i];
        if (one.kind == THING_DICT && !grouped) { /* a parameter group: {"params": ..., "lr": ...} */
            bool found;
            CallArgs group = {.items = {dict_find(one, thing_text(TEXT("params")), &found)}, .count = 1};
            Operation inner = {0}, *outer = self->operation;
            self->operation = &inner;
            if (found) (void)loop_over_parameters(self, scope, expr, &group, true);
            self->operation = outer;
            open |= !found || !amount_is_known(inner.tensors);
            count += inner.tensors.low;
            elements = number_add(&self->numbers, elements, number_of(inner.parameters.low));
            continue;
        }
        if (one.kind == THING_LIST && one.list->tuple && one.list->items.count == 2)
            one = one.list->items.items[1]; /* a named parameter: (name, parameter) */
        if (one.kind == THING_TENSOR && one.tensor->fixed) continue;
        open |= one.kind != THING_TENSOR;
        if (one.kind != THING_TENSOR) continue;
        count++;
        elements = number_add(&self->numbers, elements, tensor_elements(&self->numbers, one.tensor));
    }
    operation->tensors = (Amount){count, open ? __builtin_inf() : count};
    operation->parameters = number_amount(&self->numbers, elements);
    if (open) operation->parameters.high = __builtin_inf();
    return thing_none();
}

static Thing collate(Sizes *self, Thing row, Number count, uint32_t depth) {
    Thing made = row;
    switch ((ThingKind)row.kind) {
    case THING_TENSOR: {
        if (row.tensor->rank == RANK_UNKNOWN || row.tensor->rank == RANK_MOST) return size_tensor_unknown(self);
        Number dims[RANK_MOST] = {count};
        memcpy(dims + 1, row.tensor->dims, sizeof *dims * (size_t)row.tensor->rank);
        made = size_tensor(self, dims, row.tensor->rank + 1, row.tensor->element);
        made.tensor->host = true;
        return made;
    }
    case THING_NUMBER:
    case THING_BOOL:
        made = size_tensor(self, &count, 1, row.kind == THING_NUMBER ? ELEMENT_LONG : ELEMENT_BOOL);
        made.tensor->host = true;
        return made;
    case THING_LIST:
        made = thing_list(self->arena, true);
        for (uint32_t i = 0; depth < 4 && i < row.list->items.count; i++)
            list_push(self->arena, made, collate(self, row.list->items.items[i], count, depth + 1));
        made.list->open = row.list->open;
        return made;
    case THING_DICT:
        made = thing_dict(self->arena);
        for (uint32_t i = 0; depth < 4 && i < row.dict->keys.count; i++)
            dict_put(self->arena, made, row.dict->keys.items[i],
                     collate(self, row.dict->values.items[i], count, depth + 1));
        return made;
    default: return thing_unknown();
    }
}

static Thing batches_of(Sizes *self, const CallArgs *args) {
    Thing made = thing_list(self->arena, false), count = argument(args, 1);
    made.list->open = true;
    made.list->rest = argument(args, 0);
    if (thing_is_number(count)) made.list->length = count.number;
    return made;
}

static Thing copied_tensor(Sizes *self, const CallArgs *args) {
    Thing from = argument(args, 0), host = size_truth_of(self, argument(args, 1)), made = argument(args, 2);
    Operation *operation = self->operation;
    if (made.kind != THING_TENSOR) made = from;
    if (from.kind != THING_TENSOR || !operation) return made;
    if (host.kind != THING_BOOL)
        host = thing_bool(false); /* unknown devices count as the GPU, where the run is priced */
    operation->moves_host = true, operation->to_host = host.number.times != 0;
    if (from.tensor->host == operation->to_host) return made;
    Number bytes = tensor_elements(&self->numbers, made.tensor);
    bytes.times *= element_bytes(made.tensor->element);
    if (operation->crossed != from.tensor)
        operation->copied = amount_add(operation->copied, number_amount(&self->numbers, bytes));
    operation->crossed = from.tensor;
    made.tensor = arena_copy(self->arena, made.tensor, sizeof *made.tensor);
    made.tensor->host = operation->to_host;
    return made;
}

static Thing set_autocast(Sizes *self, const CallArgs *args) {
    Thing on = size_truth_of(self, argument(args, 0));
    uint8_t element = element_like(argument(args, 1));
    bool off = on.kind == THING_BOOL && on.number.times == 0;
    self->autocast = (Autocast){off ? 0 : ++self->regions, element ? element : ELEMENT_HALF};
    return thing_none();
}

static Thing set_graded(Sizes *self, const CallArgs *args) {
    Thing from = argument(args, 0), on = size_truth_of(self, argument(args, 1));
    if (from.kind != THING_TENSOR) return from;
    if (self->operation) self->operation->says_graded = true;
    bool graded = on.kind != THING_BOOL || on.number.times != 0;
    if (from.tensor->parameter) {
        from.tensor->fixed = !graded, from.tensor->graded = graded; /* in place: other references see it too */
        return from;
    }
    Thing made = from;
    made.tensor = arena_copy(self->arena, from.tensor, sizeof *from.tensor);
    made.tensor->graded = graded;
    return made;
}

static Thing option_name(Sizes *self, Thing names) {
    Text best = {0};
    for (uint32_t i = 0; names.kind == THING_LIST && i < names.list->items.count; i++) {
        Thing name = names.list->items.items[i];
        bool longer = name.kind == THING_TEXT && name.text.length > 2 &&
                      (!best.length || text_starts(name.text, TEXT("--")));
        if (longer && !text_starts(best, TEXT("--"))) best = name.text;
    }
    char *bytes = arena_new(self->arena, char, best.length + 1);
    uint32_t length = 0;
    for (uint32_t i = 0; i < best.length; i++)
        if (best.bytes[i] != '-' || length) bytes[length++] = best.bytes[i] == '-' ? '_' : best.bytes[i];
    return length ? thing_text((Text){bytes, length}) : thing_unknown();
}

static Thing namespace_of(Sizes *self, Thing from) {
    Thing made = {.kind = THING_INSTANCE, .instance = arena_new(self->arena, Instance, 1)};
    made.instance->open = true;
    for (uint32_t i = 0; from.kind == THING_DICT && i < from.dict->keys.count; i++)
        if (from.dict->keys.items[i].kind == THING_TEXT)
            instance_put(self->arena, made.instance, from.dict->keys.items[i].text, from.dict->values.items[i]);
    return made;
}

/* Works in place, as `module.to(dtype)` does. */
static Thing set_element(const CallArgs *args) {
    Thing list = argument(args, 0);
    uint8_t element = element_like(argument(args, 1));
    if (list.kind != THING_LIST || element < ELEMENT_HALF) return thing_none();
    for (uint32_t i = 0; i < list.list->items.count; i++) {
        Thing of = list.list->items.items[i];
        if (of.kind == THING_TENSOR && of.tensor->parameter && of.tensor->element >= ELEMENT_HALF)
            of.tensor->element = element;
    }
    return thing_none();
}

static Thing set_switch(Sizes *self, const CallArgs *args, uint32_t word) {
    Thing on = size_truth_of(self, argument(args, 0));
    bool is_on = on.kind != THING_BOOL || on.number.times != 0;
    if (word == SIZE_gradients) self->no_grad = !is_on;
    if (word == SIZE_tf32) self->tf32 = is_on;
    return thing_none();
}

static Thing named_api(Sizes *self, const CallArgs *args) {
    Thing name = argument(args, 0);
    EntryId entry = 0;
    for (uint32_t i = 1; !entry && name.kind == THING_TEXT && i < args->count; i++) {
        EntryId module = args->items[i].kind == THING_TEXT ? rulebook_find(self->book, args->items[i].text) : 0;
        if (module) entry = rulebook_child(self->book, module, name.text);
    }
    return entry ? (Thing){.kind = THING_API, .id = entry} : thing_unknown();
}

Thing size_own_word(Sizes *self, Scope *scope, ExprId expr, uint32_t word, const CallArgs *args) {
    Thing first = argument(args, 0);
    switch ((SizeWord)word) {
    case SIZE_tensor: return made_tensor(self, args);
    case SIZE_parameter: return made_parameter(self, args);
    case SIZE_shape: return first.kind == THING_TENSOR ? size_dims(self, first.tensor) : thing_unknown();
    case SIZE_element:
        return first.kind == THING_TENSOR ? element_text(first.tensor->element) : thing_unknown();
    case SIZE_broadcast: return size_broadcast(self, first, argument(args, 1));
    case SIZE_index:
        return first.kind == THING_TENSOR ? size_index(self, first, argument(args, 1)) : thing_unknown();
    case SIZE_is_tensor: return first.kind == THING_UNKNOWN ? first : thing_bool(first.kind == THING_TENSOR);
    case SIZE_is_list: return first.kind == THING_UNKNOWN ? first : thing_bool(first.kind == THING_LIST);
    case SIZE_is_number: return first.kind == THING_UNKNOWN ? first : thing_bool(thing_is_number(first));
    case SIZE_is_known:
        return thing_bool(thing_is_number(first) ? number_is_known(first.number) : first.kind != THING_UNKNOWN);
    case SIZE_is_text:
        if (first.kind == THING_UNKNOWN && !first.id) return first;
        return thing_bool(first.kind == THING_TEXT || first.kind == THING_UNKNOWN);
    case SIZE_gemm:
    case SIZE_convolution:
    case SIZE_recurrent: return product(self, args, word);
    case SIZE_moves: return moved_elements(self, args);
    case SIZE_launches: return told_launches(self, args);
    case SIZE_on_tensor_cores: return thing_bool(runs_on_tensor_cores(self, first));
    case SIZE_beside: return queued_beside(self, args);
    case SIZE_attention: return fused_attention(self, args);
    case SIZE_untold:
        if (self->operation) self->operation->untold = true;
        return thing_unknown();
    case SIZE_cast: return cast_arguments(self, args);
    case SIZE_gradients:
    case SIZE_tf32: return set_switch(self, args, word);
    case SIZE_retyped: return set_element(args);
    case SIZE_autocast: return set_autocast(self, args);
    case SIZE_parameters: {
        Thing list = thing_list(self->arena, false);
        gather_parameters(self, first, list, 0);
        return list;
    }
    case SIZE_axes: return size_axes(self, args);
    case SIZE_option_name: return option_name(self, first);
    case SIZE_namespace: return namespace_of(self, first);
    case SIZE_spread:
        if (argument(args, 1).kind == THING_TEXT)
            spread(self, first, args->items[1].text, argument(args, 2), 0);
        return first;
    case SIZE_graded: return set_graded(self, args);
    case SIZE_goes_through: return loop_over_parameters(self, scope, expr, args, false);
    case SIZE_copied: return copied_tensor(self, args);
    case SIZE_collated: return collate(self, first, number_at(self, args, 1), 0);
    case SIZE_batches: return batches_of(self, args);
    case SIZE_api: return named_api(self, args);
    case SIZE_make: {
        CallArgs rest = *args;
        if (rest.count) rest.count--, memmove(rest.items, rest.items + 1, sizeof *rest.items * rest.count);
        return size_call_thing(self, scope, expr, first, &rest);
    }
    case SIZE_between: {
        Thing name = argument(args, 2);
        Thing ends[] = {argument(args, 0), argument(args, 1)};
        double low = thing_is_number(ends[0]) ? ends[0].number.times : -__builtin_inf();
        double high = thing_is_number(ends[1]) ? ends[1].number.times : __builtin_inf();
        return thing_number(
            number_unknown(&self->numbers, low, high, name.kind == THING_TEXT ? name.text : (Text){0}));
    }
    default: return thing_unknown();
    }
}
