/* Effect records of a context, by expression and role. */
#include "evaluation.h"

enum { FIRST_EFFECTS = 3, FIRST_HEADS = 4, FIRST_COSTS = 256 };

/* Hash table with open addressing, in which each cost stands once. */
struct EffectCosts {
    const EffectCost **slots;
    uint32_t room, count;
};

static uint32_t hash_cost(const EffectCost *cost) {
    double numbers[] = {cost->waits, cost->backward_waits, cost->launches, cost->backward_launches,
                        cost->host_count};
    uint64_t hash = (uintptr_t)cost->host_quantity.bytes, bits;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        memcpy(&bits, &numbers[i], sizeof bits);
        hash = (hash ^ bits) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

static bool same_number(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool same_cost(const EffectCost *a, const EffectCost *b) {
    return same_number(a->waits, b->waits) && same_number(a->backward_waits, b->backward_waits) &&
           same_number(a->launches, b->launches) && same_number(a->backward_launches, b->backward_launches) &&
           same_number(a->host_count, b->host_count) && a->host_quantity.bytes == b->host_quantity.bytes &&
           a->host_quantity.length == b->host_quantity.length;
}

static const EffectCost **place_cost(const struct EffectCosts *costs, const EffectCost *cost) {
    uint32_t at = hash_cost(cost) & (costs->room - 1);
    while (costs->slots[at] && !same_cost(costs->slots[at], cost)) at = (at + 1) & (costs->room - 1);
    return &costs->slots[at];
}

static void widen_costs(Arena *arena, struct EffectCosts *costs) {
    struct EffectCosts old = *costs;
    costs->room = old.room ? old.room * 2 : FIRST_COSTS;
    costs->slots = (const EffectCost **)arena_new(arena, const EffectCost *, costs->room);
    for (uint32_t i = 0; i < old.room; i++)
        if (old.slots[i]) *place_cost(costs, old.slots[i]) = old.slots[i];
}

static const EffectCost *keep_cost(Inference *inference, EffectCost cost) {
    if (!inference->costs) inference->costs = arena_new(inference->working, struct EffectCosts, 1);
    struct EffectCosts *costs = inference->costs;
    if (costs->count * 2 >= costs->room) widen_costs(inference->working, costs);
    const EffectCost **kept = place_cost(costs, &cost);
    costs->count += !*kept;
    if (!*kept) *kept = arena_copy(inference->arena, &cost, sizeof cost);
    return *kept;
}

/* The slot of a head, or the free slot where it would go. */
static uint32_t place(const EffectHead *heads, uint32_t room, uint32_t of) {
    uint32_t at = of * 0x9E3779B1u >> 8 & (room - 1);
    while (heads[at].of && heads[at].of != of) at = (at + 1) & (room - 1);
    return at;
}

uint32_t effects_at(const Context *context, ExprId expr, EffectRole role) {
    if (!context->effect_count) return 0;
    return context->effect_heads[place(context->effect_heads, context->effect_room, expr * EFFECT_ROLES + role)]
        .head;
}

void effects_clear(Eval *eval, ExprId expr, EffectRole role) {
    const Context *context = eval->context;
    if (!context->effect_count) return;
    context->effect_heads[place(context->effect_heads, context->effect_room, expr * EFFECT_ROLES + role)].head =
        0;
}

void effects_reset(Context *context) {
    if (context->effect_count)
        memset(context->effect_heads, 0, sizeof *context->effect_heads * context->effect_room);
    context->effect_count = 0;
    if (context->effects.count) context->effects.count = 1;
}

static void widen(Inference *inference, Context *context) {
    uint32_t room = context->effect_room ? context->effect_room * 2 : FIRST_HEADS;
    EffectHead *heads = table_take(&inference->outgrown_heads, inference->arena, sizeof *heads * room);
    for (uint32_t i = 0; i < context->effect_room; i++)
        if (context->effect_heads[i].of)
            heads[place(heads, room, context->effect_heads[i].of)] = context->effect_heads[i];
    if (context->effect_room)
        table_give(&inference->outgrown_heads, context->effect_heads, sizeof *heads * context->effect_room);
    context->effect_heads = heads;
    context->effect_room = room;
}

static EffectHead *head_of(Inference *inference, Context *context, ExprId expr, EffectRole role) {
    if (context->effect_count * 4 >= context->effect_room * 3) widen(inference, context);
    EffectHead *head =
        &context->effect_heads[place(context->effect_heads, context->effect_room, expr * EFFECT_ROLES + role)];
    context->effect_count += !head->of;
    head->of = expr * EFFECT_ROLES + role;
    return head;
}

static bool has(const EffectRecord *record, Evidence any) { return (record->evidence & any) != 0; }

/* Two beliefs are a guess: what a convention, or the page, says of a receiver that may be something else. Asked as
   only tensors are, a guess is a belief; used where a number is expected, a belief is a guess. */
Confidence effect_confidence(const EffectRecord *record) {
    const Evidence guessed = evidence(SEEN_GUESSED) | evidence(SEEN_PRINTED) | evidence(SEEN_PAGE),
                   believed = evidence(SEEN_BELIEVED) | evidence(SEEN_MOSTLY);
    if (has(record, evidence(SEEN_NUMBER))) return CONFIDENCE_POSSIBLE;
    if (has(record, evidence(SEEN_ASKED) | evidence(SEEN_TRAINED))) return CONFIDENCE_LIKELY;
    if (has(record, guessed) || (record->doubted && has(record, believed))) return CONFIDENCE_POSSIBLE;
    bool less = record->doubted || has(record, believed | evidence(SEEN_UNSEEN));
    return less ? CONFIDENCE_LIKELY : CONFIDENCE_CERTAIN;
}

/* Merges a record with an equal one from another alternative of the receiver: the one that rests on less stays. */
static void add_to(const Eval *eval, EffectRecord *old, const EffectRecord *record) {
    if (effect_confidence(record) > effect_confidence(old))
        old->origin = record->origin, old->evidence = record->evidence, old->doubted = record->doubted;
    if (eval->pass && old->pass == eval->pass) { /* another equal part of one pass */
        EffectCost both = *old->cost;
        both.launches += record->cost->launches, both.backward_launches += record->cost->backward_launches;
        old->cost = keep_cost(eval->inference, both);
    }
    if (!old->subject) old->subject = record->subject;
}

/* The index of the free list with that capacity: FIRST_EFFECTS, doubled so many times. */
static uint32_t doublings(uint32_t capacity) {
    uint32_t bits = 0;
    while ((uint32_t)FIRST_EFFECTS << bits < capacity) bits++;
    return bits;
}

static void grow(Inference *inference, Context *context) {
    uint32_t count = context->effects.count, bits = count ? doublings(context->effects.capacity) + 1 : 0;
    EffectRecord *old = context->effects.items;
    context->effects.items = outgrown_take(&inference->outgrown_effects, bits, inference->store,
                                           sizeof(EffectRecord) * FIRST_EFFECTS << bits);
    context->effects.capacity = (uint32_t)FIRST_EFFECTS << bits;
    if (!count) {
        static const EffectCost none = {0};
        context->effects.items[context->effects.count++] = (EffectRecord){.cost = &none};
        return;
    }
    memcpy(context->effects.items, old, sizeof *old * count);
    outgrown_give(&inference->outgrown_effects, bits - 1, old);
}

void effects_settle(const Inference *inference) {
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        Context *context = inference->contexts.items[id];
        uint32_t count = context->effects.capacity = context->effects.count;
        if (count)
            context->effects.items =
                arena_copy(inference->arena, context->effects.items, sizeof(EffectRecord) * count);
    }
}

/* Gives the index of the record. */
static uint32_t put(Inference *inference, Context *context, EffectRecord record) {
    if (!context->effects.count || context->effects.count == context->effects.capacity)
        grow(inference, context);
    context->effects.items[context->effects.count] = record;
    return context->effects.count++;
}

void effects_add(Eval *eval, EffectRole role, EffectRecord record, EffectCost cost) {
    Context *context = eval->context;
    record.pass = eval->pass;
    if (record.expr < eval->func->first_expr || record.expr >= eval->func->end_expr) return;
    if (eval->muted && record.hazard) return;
    if (eval->times > 1) cost.launches *= eval->times, cost.backward_launches *= eval->times;
    record.cost = keep_cost(eval->inference, cost);
    EffectHead *head = head_of(eval->inference, context, record.expr, role);
    for (uint32_t at = head->head; at; at = context->effects.items[at].next) {
        EffectRecord *old = &context->effects.items[at];
        if (old->clause != record.clause || old->hazard != record.hazard)
            continue; /* told, and hardly: apart */
        add_to(eval, old, &record);
        return;
    }
    record.next = head->head;
    head->head = put(eval->inference, context, record);
}

void kept_open(Kept *self, Arena *scratch, const Context *context) {
    *self = (Kept){
        .effects = arena_copy(scratch, context->effects.items,
                              sizeof *context->effects.items * context->effects.count),
        .heads =
            arena_copy(scratch, context->effect_heads, sizeof *context->effect_heads * context->effect_room),
        .head_room = context->effect_room,
        .at = 1,
        .edges = arena_copy(scratch, context->edges.items, sizeof *context->edges.items * context->edges.count),
        .unseen =
            arena_copy(scratch, context->unseen.items, sizeof *context->unseen.items * context->unseen.count),
        .uses = arena_copy(scratch, context->uses.items, sizeof *context->uses.items * context->uses.count)};
}

void kept_pass(Kept *self, const StepCounts *counts) {
    if (!self->effects) return; /* it had none */
    self->at += counts->effects;
    self->edges += counts->edges;
    self->unseen += counts->unseen;
    self->uses += counts->uses;
}

/* Records of an expression are linked within its statement, so all of them move by the same offset. */
static void take_effects(Inference *inference, Context *context, const Kept *self, uint32_t count) {
    for (uint32_t at = self->at; at < self->at + count; at++) {
        uint32_t now = put(inference, context, self->effects[at]);
        EffectRecord *record = &context->effects.items[now];
        if (record->next) record->next += now - at;
        for (uint32_t role = 0; role < EFFECT_ROLES; role++) {
            uint32_t of = record->expr * EFFECT_ROLES + role;
            if (self->heads[place(self->heads, self->head_room, of)].head == at)
                head_of(inference, context, record->expr, (EffectRole)role)->head = now;
        }
    }
}

void kept_take(Inference *inference, Context *context, Kept *self, const StepCounts *counts) {
    take_effects(inference, context, self, counts->effects);
    for (uint32_t i = 0; i < counts->edges; i++) {
        Context *called = inference->contexts.items[self->edges[i].callee];
        vec_push(inference->store, &context->edges, self->edges[i]);
        called->callers++;
        if (called->dirty) inference->any_dirty = true;
    }
    for (uint32_t i = 0; i < counts->unseen; i++) vec_push(inference->arena, &context->unseen, self->unseen[i]);
    for (uint32_t i = 0; i < counts->uses; i++) vec_push(inference->arena, &context->uses, self->uses[i]);
    kept_pass(self, counts);
}
