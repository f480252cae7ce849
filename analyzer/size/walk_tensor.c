/* Tensors: shapes of operators and indexing, and the work of an operation. */
#include "sizer.h"
#include "python.h"
#include <math.h>

enum { LAYER_DEPTH = 4 }; /* nesting of layers within the layer that is called */

Thing size_tensor(Sizes *self, const Number *dims, int rank, uint8_t element) {
    Tensor *made = arena_new(self->arena, Tensor, 1);
    made->rank = (int8_t)(rank <= RANK_MOST ? rank : RANK_UNKNOWN);
    made->element = element;
    double least = 1;
    for (int i = 0; i < made->rank; i++) {
        made->dims[i] = dims[i];
        Amount range = number_range(&self->numbers, dims[i]);
        least *= range.low > 0 ? range.low : 0;
        /* valid dimensions are not negative, whole, and together no larger than any memory */
        bool whole = range.low != range.high || range.low == floor(range.low);
        if (range.high < 0 || !whole || range.low > 1e13 || least > 1e13) made->rank = RANK_UNKNOWN;
    }
    return (Thing){.kind = THING_TENSOR, .tensor = made};
}

Thing size_tensor_unknown(Sizes *self) {
    Thing made = size_tensor(self, NULL, 0, ELEMENT_UNKNOWN);
    made.tensor->rank = RANK_UNKNOWN;
    return made;
}

Thing size_dims(Sizes *self, const Tensor *tensor) {
    Thing made = thing_list(self->arena, true);
    if (tensor->rank == RANK_UNKNOWN) {
        made.list->open = true;
        made.list->rest = thing_unknown();
    }
    for (int i = 0; i < tensor->rank; i++) list_push(self->arena, made, thing_number(tensor->dims[i]));
    return made;
}

Thing size_value(Thing thing) {
    return thing.kind == THING_TENSOR && thing.tensor->valued ? thing_number(thing.tensor->value) : thing;
}

/* ---- broadcasting ---- */

static bool broadcast_dim(Sizes *self, Number a, Number b, Number *out) {
    if (number_same(a, b))
        *out = a;
    else if (number_is_known(a) && a.times == 1)
        *out = b;
    else if (number_is_known(b) && b.times == 1)
        *out = a;
    else if (number_is_known(a) && number_is_known(b))
        return false;
    else
        *out = number_is_known(a)   ? a
               : number_is_known(b) ? b
                                    : number_computed(&self->numbers, NUMBER_MOST, a, b);
    return true;
}

static uint8_t wider(uint8_t a, uint8_t b) {
    if (a == ELEMENT_UNKNOWN || b == ELEMENT_UNKNOWN) return a > b ? a : b;
    return a > b ? a : b;
}

Thing size_broadcast(Sizes *self, Thing a, Thing b) {
    if (a.kind != THING_TENSOR) return b;
    if (b.kind != THING_TENSOR) return a;
    const Tensor *x = a.tensor, *y = b.tensor;
    Thing made = size_tensor_unknown(self);
    bool scalar_a = x->rank == 0 && y->rank > 0, scalar_b = y->rank == 0 && x->rank > 0;
    made.tensor->element = scalar_a ? y->element : scalar_b ? x->element : wider(x->element, y->element);
    if (x->rank == RANK_UNKNOWN || y->rank == RANK_UNKNOWN) return made;
    int rank = x->rank > y->rank ? x->rank : y->rank;
    made.tensor->rank = (int8_t)rank;
    for (int i = 1; i <= rank; i++) {
        Number one = number_of(1), p = i <= x->rank ? x->dims[x->rank - i] : one,
               q = i <= y->rank ? y->dims[y->rank - i] : one;
        if (broadcast_dim(self, p, q, &made.tensor->dims[rank - i])) continue;
        made.tensor->rank = RANK_UNKNOWN; /* shapes do not match: it would raise */
        return made;
    }
    return made;
}

/* ---- indexing ---- */

/* `x[::-2]`: of all of it every second one, from behind. With bounds beside the step it is some of them. */
static Number sliced_backwards(Numbers *numbers, Number whole, const ThingList *bounds, double step) {
    bool all = bounds->items.items[0].kind == THING_NONE && bounds->items.items[1].kind == THING_NONE;
    if (!all) return number_unknown(numbers, 0, number_range(numbers, whole).high, (Text){0});
    if (step == -1) return whole;
    return number_computed(numbers, NUMBER_FLOOR, number_add(numbers, whole, number_of(-step - 1)),
                           number_of(-step));
}

static Number sliced(Sizes *self, Number whole, const ThingList *bounds) {
    Numbers *numbers = &self->numbers;
    Thing step = size_value(bounds->items.items[2]);
    if (thing_is_number(step) && number_is_known(step.number) && step.number.times < 0)
        return sliced_backwards(numbers, whole, bounds, step.number.times);
    Number ends[3] = {number_of(0), whole, number_of(1)};
    for (uint32_t i = 0; i < 3; i++) {
        Thing bound = size_value(bounds->items.items[i]);
        if (bound.kind == THING_NONE) continue;
        if (!thing_is_number(bound))
            return number_unknown(numbers, 0, number_range(numbers, whole).high, (Text){0});
        Number value = bound.number;
        if (i < 2 && number_range(numbers, value).high < 0) value = number_add(numbers, whole, value);
        ends[i] = i < 2 ? number_computed(numbers, NUMBER_LEAST, value, whole) : value;
    }
    Number length = number_subtract(numbers, ends[1], ends[0]);
    bool both = bounds->items.items[0].kind != THING_NONE && bounds->items.items[1].kind != THING_NONE;
    if (both && !number_is_known(length)) { /* x[i:i + 64]: taken to lie within the dimension */
        Number apart = number_subtract(numbers, size_value(bounds->items.items[1]).number,
                                       size_value(bounds->items.items[0]).number);
        if (number_is_known(apart) && apart.times >= 0) length = apart;
    }
    if (number_is_known(length) && length.times < 0) return number_of(0);
    if (number_is_known(ends[2]) && ends[2].times == 1) return length;
    length = number_add(numbers, length, number_subtract(numbers, ends[2], number_of(1)));
    return number_computed(numbers, NUMBER_FLOOR, length, ends[2]);
}

typedef struct Indexing {
    Sizes *self;
    const Tensor *of;
    int at; /* the next dimension of `of` */
    Number dims[RANK_MOST * 2];
    int count, placed; /* placed: where the dimensions of index tensors go; -1 = not decided yet */
    Thing gathered;    /* broadcast of the index tensors */
    bool lost;
} Indexing;

static void index_tensor(Indexing *x, Thing index) {
    if (index.tensor->element == ELEMENT_BOOL || index.tensor->element == ELEMENT_BYTE) {
        int rank = index.tensor->rank;
        if (rank == RANK_UNKNOWN) {
            x->lost = true;
            return;
        }
        Number most = number_of(1);
        for (int i = 0; i < rank && x->at < x->of->rank; i++)
            most = number_multiply(&x->self->numbers, most, x->of->dims[x->at++]);
        Number some = number_unknown(&x->self->numbers, 0, number_range(&x->self->numbers, most).high,
                                     TEXT("how many a mask picks"));
        if (x->count < RANK_MOST) x->dims[x->count++] = some;
        return;
    }
    if (x->at < x->of->rank) x->at++;
    x->lost |= index.tensor->rank == RANK_UNKNOWN;
    if (x->placed < 0) x->placed = x->count;
    x->gathered = size_broadcast(x->self, x->gathered, index);
}

static void index_one(Indexing *x, Thing index, int behind) {
    Sizes *self = x->self;
    switch ((ThingKind)index.kind) {
    case THING_ELLIPSIS:
        while (x->at + behind < x->of->rank && x->count < RANK_MOST) x->dims[x->count++] = x->of->dims[x->at++];
        break;
    case THING_NONE:
        if (x->count < RANK_MOST) x->dims[x->count++] = number_of(1);
        break;
    case THING_NUMBER:
    case THING_BOOL: x->at++; break;
    case THING_SLICE:
        x->lost |= x->at >= x->of->rank || x->count >= RANK_MOST;
        if (!x->lost) x->dims[x->count++] = sliced(self, x->of->dims[x->at++], index.list);
        break;
    case THING_TENSOR: index_tensor(x, index); break;
    case THING_LIST: {
        Number length = number_of(index.list->items.count);
        x->lost |= index.list->open;
        index_tensor(x, size_tensor(self, &length, 1, ELEMENT_LONG));
        break;
    }
    default: x->lost = true; break;
    }
}

static int takes_dimension(Thing index) { return index.kind != THING_NONE && index.kind != THING_ELLIPSIS; }

Thing size_index(Sizes *self, Thing tensor, Thing index) {
    Thing made = size_tensor_unknown(self);
    made.tensor->element = tensor.tensor->element;
    if (tensor.tensor->rank == RANK_UNKNOWN) return made;
    Indexing x = {.self = self, .of = tensor.tensor, .placed = -1};
    bool several = index.kind == THING_LIST && index.list->tuple;
    uint32_t count = several ? index.list->items.count : 1;
    int behind = 0;
    for (uint32_t i = 0; i < count; i++)
        behind += takes_dimension(several ? index.list->items.items[i] : index);
    x.lost = count > RANK_MOST || (several && index.list->open);
    for (uint32_t i = 0; i < count && !x.lost; i++) {
        Thing one = several ? index.list->items.items[i] : index;
        behind -= takes_dimension(one);
        index_one(&x, one, behind);
    }
    while (!x.lost && x.at < x.of->rank && x.count < RANK_MOST) x.dims[x.count++] = x.of->dims[x.at++];
    if (x.lost || x.at > x.of->rank) return made;
    if (x.placed >= 0) {
        int more = x.gathered.tensor->rank;
        if (more < 0 || x.count + more > RANK_MOST) return made;
        memmove(x.dims + x.placed + more, x.dims + x.placed, sizeof *x.dims * (size_t)(x.count - x.placed));
        memcpy(x.dims + x.placed, x.gathered.tensor->dims, sizeof *x.dims * (size_t)more);
        x.count += more;
    }
    return size_tensor(self, x.dims, x.count, tensor.tensor->element);
}

/* ---- operators ---- */

Thing size_operator(Sizes *self, Scope *scope, ExprId expr, Operator op, Thing a, Thing b) {
    const char *method = operator_method(op);
    if (!method) return thing_unknown();
    EntryId entry = rulebook_member(self->book, self->inference->known->tensor, text_of(method));
    CallArgs args = {.items = {b}, .count = b.kind != THING_NONE};
    Operation operation;
    size_begin(self, &operation, &args, a);
    Thing rule = entry ? size_rule(self, entry) : thing_none(), made;
    if (rule.kind == THING_FUNCTION) {
        CallArgs both = {.items = {a, b}, .count = 2};
        made = size_run_function(self, scope, expr, rule.function, thing_unknown(), &both);
    } else {
        made = size_broadcast(self, a, b);
        if (made.kind == THING_TENSOR) made.tensor = arena_copy(self->arena, made.tensor, sizeof *made.tensor);
    }
    if (made.kind == THING_TENSOR && op >= OP_LT && op <= OP_NE) made.tensor->element = ELEMENT_BOOL;
    if (made.kind == THING_TENSOR && op == OP_DIV && made.tensor->element < ELEMENT_HALF)
        made.tensor->element = ELEMENT_FLOAT;
    if (made.kind == THING_UNKNOWN) made = size_tensor_unknown(self);
    Thing x = size_value(a), y = size_value(b);
    bool valued = made.kind == THING_TENSOR && thing_is_number(x) && thing_is_number(y) && op <= OP_POW;
    if (valued)
        made.tensor->valued = true, made.tensor->value = size_compute(self, op, x.number, y.number).number;
    size_end(self, scope, expr, entry, &made);
    return made;
}

/* ---- the work of an operation ---- */

/* Counts a parameter of a layer or, recursively, of the layers that it holds: an encoder holds its layer, which
   holds an attention. */
static void count_parameter(Sizes *self, Operation *operation, Thing part, uint32_t depth) {
    if (part.kind == THING_LIST && part.list->items.count) part = part.list->items.items[0];
    bool layer = part.kind == THING_INSTANCE && part.instance->class_ && !part.instance->class_->file;
    if (layer && depth < LAYER_DEPTH && part.instance->values.count)
        for (uint32_t i = 0; i < part.instance->values.count && !operation->graded; i++)
            count_parameter(self, operation, part.instance->values.items[i], depth + 1);
    if (part.kind != THING_TENSOR || !part.tensor->parameter) return;
    operation->graded |= part.tensor->graded && !self->no_grad;
    operation->any = true, operation->all_host = false;
}

static void count_tensors(Sizes *self, Operation *operation, Thing thing, uint32_t depth) {
    if (thing.kind == THING_TENSOR) {
        const Tensor *tensor = thing.tensor;
        Number bytes = tensor_elements(&self->numbers, tensor);
        bytes.times *= element_bytes(tensor->element);
        operation->moved = number_add(&self->numbers, operation->moved, bytes);
        operation->graded |= tensor->graded && !self->no_grad;
        operation->all_host &= tensor->host;
        operation->any = true;
    }
    bool layer =
        thing.kind == THING_INSTANCE && thing.instance->class_ && !thing.instance->class_->file && !depth;
    bool model = thing.kind == THING_INSTANCE && thing.instance->open && !depth;
    if (model) operation->graded |= !self->no_grad, operation->any = true, operation->all_host = false;
    for (uint32_t i = 0; layer && i < thing.instance->values.count; i++)
        count_parameter(self, operation, thing.instance->values.items[i], 0);
    bool holds = thing.kind == THING_LIST && depth < 2;
    for (uint32_t i = 0; holds && i < thing.list->items.count && i < 32; i++)
        count_tensors(self, operation, thing.list->items.items[i], depth + 1);
}

void size_begin(Sizes *self, Operation *operation, const CallArgs *args, Thing receiver) {
    *operation = (Operation){.outer = self->operation, .all_host = true};
    self->operation = operation;
    count_tensors(self, operation, receiver, 0);
    for (uint32_t i = 0; i < args->count; i++) count_tensors(self, operation, args->items[i], 0);
    for (uint32_t i = 0; i < args->named_count; i++) {
        count_tensors(self, operation, args->named[i], 0);
        operation->device |= text_is(args->names[i], "device") && args->named[i].kind != THING_NONE;
    }
}

/* The effect that inference recorded for the operation. */
static const EffectRecord *record_of(const Rulebook *book, const Scope *scope, ExprId expr, EntryId entry) {
    if (!scope->context || !expr) return NULL;
    for (int role = 0; role < EFFECT_ROLES; role++)
        for (uint32_t at = effects_at(scope->context, expr, (EffectRole)role); at;
             at = scope->context->effects.items[at].next) {
            const EffectRecord *record = &scope->context->effects.items[at];
            bool same = size_same_entry(book, record->entry, entry);
            if (same && (record->cost->launches > 0 || record->optimizer_step)) return record;
        }
    return NULL;
}

/* Launches that a clause states as plain numbers; other terms are taken from inference's record. */
static bool stated(const Sizes *self, const Clause *clause, double *launches, double *backward) {
    const Rulebook *book = self->book;
    for (uint32_t i = 0; i < clause->effect_count; i++) {
        const RuleEffect *effect = &book->effects[clause->first_effect + i];
        if (effect->word != EFF_launches) continue;
        const Term *first = &book->terms[book->term_links[effect->first]];
        if (first->kind != TERM_INT) return false;
        *launches = *backward = first->value;
        if (effect->count < 2) return true;
        const Term *second = &book->terms[book->term_links[effect->first + 1]];
        if (second->kind == TERM_NAMED) second = &book->terms[book->term_links[second->first]];
        if (second->kind == TERM_INT) *backward = second->value;
        return true;
    }
    return false;
}

static void find_launches(const Sizes *self, const EffectRecord *record, EntryId entry, double *launches,
                          double *backward) {
    *launches = *backward = 0;
    if (record && record->clause && stated(self, &self->book->clauses[record->clause], launches, backward))
        return;
    if (record) {
        *launches = record->cost->launches, *backward = record->cost->backward_launches;
        return;
    }
    const Entry *e = &self->book->entries[entry];
    for (uint32_t i = 0; i < e->clause_count; i++)
        if (stated(self, &self->book->clauses[e->first_clause + i], launches, backward)) return;
}

static uint8_t precision_of(uint8_t element) {
    switch ((Element)element) {
    case ELEMENT_HALF: return PRECISION_HALF;
    case ELEMENT_FLOAT:
    case ELEMENT_UNKNOWN: return PRECISION_FLOAT;
    case ELEMENT_DOUBLE: return PRECISION_DOUBLE;
    default: return PRECISION_OTHER;
    }
}

static Amount times(Amount a, double by) {
    return by <= 0 ? (Amount){0, 0} : (Amount){a.low * by, a.high * by};
}

static SizeWork *work_at(Sizes *self, SizeNode *node, ExprId expr, EntryId entry) {
    uint32_t at = FIRST_FROM(node->works.items, node->works.count, expr, expr);
    for (; at < node->works.count && node->works.items[at].expr == expr; at++)
        if (node->works.items[at].entry == entry) return &node->works.items[at];
    vec_insert(self->arena, &node->works, at, ((SizeWork){.expr = expr, .entry = entry}));
    return &node->works.items[at];
}

typedef struct Emission {
    Sizes *self;
    Tally tally;
    const Operation *operation;
    double launches, backward; /* launches not yet attributed to work */
    uint8_t precision;
    Amount moved;
} Emission;

/* A product of the rule is one of the launches. Its backward pass is two products; that of an operation that only moves
   bytes is one of the same size. */
static WorkPart take_product(Emission *e, WorkPart part) {
    if (part.precision == PRECISION_UNKNOWN) part.precision = e->precision;
    if (e->backward > 0) {
        double ways = part.kind == LOAD_MOVES ? 1 : 2;
        double more = e->backward < ways * part.launches ? e->backward : ways * part.launches;
        part.backward_launches = more;
        part.backward_flops = times(part.flops, 2), part.backward_bytes = times(part.bytes, 2);
        e->backward -= more;
    }
    e->launches -= part.launches;
    return part;
}

/* The launches that are no products: those of a whole model stand evenly among its products. */
static WorkPart rest_of(const Emission *e, uint32_t products) {
    WorkPart part = {.kind = LOAD_MOVES, .precision = e->precision};
    part.launches = e->launches > 0 ? e->launches / products : 0;
    part.backward_launches = e->backward > 0 ? e->backward / products : 0;
    part.bytes = times(e->moved, part.launches);
    part.backward_bytes = times(e->moved, part.backward_launches);
    return part;
}

/* Beside a product of unknown size their work is unknown too: as known ones they would say how long unknown work takes. */
static void emit_beside(Emission *e) {
    const Operation *operation = e->operation;
    if (operation->beside <= 0) return;
    WorkPart part = {.kind = LOAD_MOVES, .precision = e->precision, .launches = operation->beside};
    if (operation->graded) part.backward_launches = operation->backward_beside;
    if (operation->work.count && operation->work.parts[0].flops.high == __builtin_inf())
        part.bytes = part.backward_bytes = operation->work.parts[0].bytes;
    tally_part(e->self->arena, &e->tally, part);
}

static void emit_casts(Emission *e) {
    if (e->operation->casts <= 0) return;
    WorkPart part = {.kind = LOAD_MOVES, .precision = e->precision};
    part.launches = e->operation->casts, part.backward_launches = e->operation->backward_casts;
    part.bytes = number_amount(&e->self->numbers, e->operation->cast);
    part.backward_bytes = part.backward_launches > 0 ? part.bytes : (Amount){0, 0};
    tally_part(e->self->arena, &e->tally, part);
}

static void emit_work(Emission *e) {
    const Tally *work = &e->operation->work;
    WorkPart products[TALLY_MOST];
    for (uint32_t i = 0; i < work->count; i++) products[i] = take_product(e, work->parts[i]);
    WorkPart rest = rest_of(e, work->count ? work->count : 1);
    for (uint32_t i = 0; i < work->count; i++) {
        tally_part(e->self->arena, &e->tally, products[i]);
        tally_part(e->self->arena, &e->tally, rest);
    }
    if (!work->count) tally_part(e->self->arena, &e->tally, rest);
    emit_beside(e);
    emit_casts(e);
}

/* Bytes of an optimizer's step: parameters, gradients and optimizer state are read, and most of it written,
   over all its launches together. */
static Amount through_parameters(const Operation *operation, double launches) {
    return times(operation->parameters, 16 / launches);
}

static void put_work(Sizes *self, Scope *scope, ExprId expr, EntryId entry, const Tally *tally) {
    SizeWork *work = work_at(self, scope->node, expr, entry);
    tally_add(self->arena, &work->tally, tally, (Amount){1, 1});
    uint64_t turn =
        scope->file ? ++self->evaluations : scope->turn; /* all layers of a Sequential are one event */
    work->tally.times += work->turn != turn;
    work->turn = turn;
    tally_add(self->arena, &scope->node->total, tally, (Amount){1, 1});
}

/* What no GPU holds or does in one operation is a mistake of the program, or of ours: `nn.Linear(2**62, 2**62)`, 10**9 layers. Its
   launches are those of the stub then, and its work is unknown. */
static bool is_possible(const Emission *e) {
    const Tally *work = &e->operation->work;
    bool possible = e->launches <= 1e6 && e->backward <= 1e6 && e->moved.low <= 1e14;
    for (uint32_t i = 0; i < work->count; i++) {
        const WorkPart *part = &work->parts[i];
        possible &= part->launches <= 1e6 && part->flops.low <= 1e18 && part->bytes.low <= 1e14;
    }
    return possible;
}

/* False: it queues nothing of its own. */
static bool emit(Sizes *self, Scope *scope, ExprId expr, EntryId entry, const EffectRecord *record,
                 const Tensor *result) {
    const Operation *operation = self->operation;
    Emission e = {.self = self, .operation = operation};
    find_launches(self, record, entry, &e.launches, &e.backward);
    if (operation->launches > 0) e.launches = operation->launches, e.backward = operation->backward_launches;
    bool nothing = e.launches <= 0 && !operation->work.count && operation->tensors.high <= 0;
    if (nothing || !scope->node) return false;
    Number moved = operation->moved;
    if (result) {
        Number bytes = tensor_elements(&self->numbers, result);
        bytes.times *= element_bytes(result->element);
        /* in a model counted as one operation, further operations do not read its arguments, e.g. a mask */
        moved = number_add(&self->numbers, operation->launches > 0 ? bytes : moved, bytes);
    }
    e.moved = number_amount(&self->numbers, moved);
    e.precision = precision_of(result ? result->element : ELEMENT_UNKNOWN);
    if (!operation->graded || operation->tensors.high > 0) e.backward = 0;
    if (operation->tensors.high > 0 && e.launches > 0) e.moved = through_parameters(operation, e.launches);
    bool possible = is_possible(&e);
    e.tally.open = operation->untold || !possible;
    if (!e.tally.open && (e.launches > 0 || operation->work.count)) emit_work(&e);
    e.tally.unknown = e.moved.high < __builtin_inf() ? (Text){0} : number_name(&self->numbers, moved);
    e.tally.tensors = operation->tensors;
    e.tally.parameters = possible ? operation->parameters : amount_unknown();
    e.tally.copied = operation->copied;
    put_work(self, scope, expr, entry, &e.tally);
    return true;
}

/* Nothing but bytes that cross the bus: `x.cpu()`, `x.cuda()`. */
static void emit_copy(Sizes *self, Scope *scope, ExprId expr, EntryId entry) {
    Tally tally = {.copied = self->operation->copied};
    put_work(self, scope, expr, entry, &tally);
}

static void mark_one(Sizes *self, const Operation *operation, Thing *thing) {
    if (thing->tensor->parameter) return;
    Tensor *tensor = thing->tensor = arena_copy(self->arena, thing->tensor, sizeof *thing->tensor);
    bool floats = tensor->element == ELEMENT_UNKNOWN || tensor->element >= ELEMENT_HALF;
    if (!operation->says_graded) tensor->graded = (operation->graded || tensor->graded) && floats;
    if (operation->any)
        tensor->host = operation->moves_host ? operation->to_host : operation->all_host;
    else
        tensor->host = !operation->device;
}

static void mark_all(Sizes *self, const Operation *operation, Thing *things, uint32_t count) {
    for (uint32_t i = 0; i < count && i < 32; i++)
        if (things[i].kind == THING_TENSOR) mark_one(self, operation, &things[i]);
}

/* Marks the result, one tensor or several: whether it requires a gradient, and that it is where its arguments
   are. */
static void mark(Sizes *self, const Operation *operation, Thing *thing) {
    if (thing->kind == THING_TENSOR) mark_one(self, operation, thing);
    if (thing->kind == THING_LIST && thing->list->tuple)
        mark_all(self, operation, thing->list->items.items, thing->list->items.count);
    bool holder = thing->kind == THING_INSTANCE && thing->instance->class_ && !thing->instance->class_->file;
    if (!holder || thing->instance->entry) return;
    mark_all(self, operation, thing->instance->values.items, thing->instance->values.count);
    for (uint32_t i = 0; i < thing->instance->values.count; i++) {
        Thing part = thing->instance->values.items[i];
        if (part.kind == THING_LIST) mark_all(self, operation, part.list->items.items, part.list->items.count);
        if (part.kind == THING_DICT)
            mark_all(self, operation, part.dict->values.items, part.dict->values.count);
    }
}

static void place_as_inferred(const Scope *scope, ExprId expr, Tensor *tensor) {
    if (!scope || !scope->file || !scope->context || !expr) return;
    const Value *fact = infer_fact(scope->context, scope->model, expr);
    if (!fact || fact->count != 1 || fact->alts[0].kind != KIND_TENSOR) return;
    if (fact->alts[0].device == DEVICE_CUDA) tensor->host = false;
    if (fact->alts[0].device == DEVICE_CPU) tensor->host = true;
}

/* The tensor that tells the precision of the computation: the result, or the first of several. */
static const Tensor *precision_source(const Thing *result) {
    if (result->kind == THING_TENSOR) return result->tensor;
    bool several = result->kind == THING_LIST && result->list->tuple && result->list->items.count;
    return several && result->list->items.items[0].kind == THING_TENSOR ? result->list->items.items[0].tensor
                                                                        : NULL;
}

void size_end(Sizes *self, Scope *scope, ExprId expr, EntryId entry, Thing *result) {
    Operation *operation = self->operation;
    ExprId at = scope && scope->file ? expr : scope ? scope->at : 0;
    mark(self, operation, result);
    bool tensor = result->kind == THING_TENSOR;
    if (tensor) place_as_inferred(scope, expr, result->tensor);
    bool host = tensor                  ? result->tensor->host
                : operation->moves_host ? operation->to_host
                                        : operation->any && operation->all_host;
    bool records = self->recording && scope && scope->node && entry;
    bool emitted =
        records && !host &&
        emit(self, scope, at, entry, record_of(self->book, scope, at, entry), precision_source(result));
    if (records && !emitted && operation->copied.high > 0) emit_copy(self, scope, at, entry);
    self->operation = operation->outer;
}
