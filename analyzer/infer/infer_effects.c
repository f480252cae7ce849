/* The records of what operations do, by expression and role. */
#include "interpret.h"

enum { FIRST_EFFECTS = 3, FIRST_HEADS = 4 };

static EffectHead *place(EffectHead *heads, uint32_t room, uint32_t of) {
    uint32_t at = of * 0x9E3779B1u >> 8 & (room - 1);
    while (heads[at].of && heads[at].of != of) at = (at + 1) & (room - 1);
    return &heads[at];
}

uint32_t effects_at(const Context *context, ExprId expr, EffectRole role) {
    if (!context->effect_count) return 0;
    return place(context->effect_heads, context->effect_room, expr * EFFECT_ROLES + role)->head;
}

void effects_clear(Eval *eval, ExprId expr, EffectRole role) {
    const Context *context = eval->context;
    if (!context->effect_count) return;
    place(context->effect_heads, context->effect_room, expr * EFFECT_ROLES + role)->head = 0;
}

void effects_reset(Context *context) {
    if (context->effect_count)
        memset(context->effect_heads, 0, sizeof *context->effect_heads * context->effect_room);
    context->effect_count = 0;
    if (context->effects.count) context->effects.count = 1;
}

static void widen(Arena *arena, Context *context) {
    uint32_t room = context->effect_room ? context->effect_room * 2 : FIRST_HEADS;
    EffectHead *heads = arena_new(arena, EffectHead, room);
    for (uint32_t i = 0; i < context->effect_room; i++)
        if (context->effect_heads[i].of)
            *place(heads, room, context->effect_heads[i].of) = context->effect_heads[i];
    context->effect_heads = heads;
    context->effect_room = room;
}

static EffectHead *head_of(Arena *arena, Context *context, ExprId expr, EffectRole role) {
    if (context->effect_count * 4 >= context->effect_room * 3) widen(arena, context);
    EffectHead *head = place(context->effect_heads, context->effect_room, expr * EFFECT_ROLES + role);
    context->effect_count += !head->of;
    head->of = expr * EFFECT_ROLES + role;
    return head;
}

/* Another alternative of the same receiver has said the same: the surer of the two stays. */
static void add_to(const Eval *eval, EffectRecord *old, const EffectRecord *record) {
    if (record->confidence > old->confidence)
        old->confidence = record->confidence, old->origin = record->origin, old->doubts = record->doubts;
    if (eval->pass && old->pass == eval->pass) /* another part of the same kind */
        old->launches += record->launches, old->backward_launches += record->backward_launches;
    if (!old->subject) old->subject = record->subject;
}

void effects_add(Eval *eval, EffectRole role, EffectRecord record) {
    Context *context = eval->context;
    Arena *arena = eval->inference->arena;
    if (eval->times > 1) record.launches *= eval->times, record.backward_launches *= eval->times;
    record.pass = eval->pass;
    if (record.expr < eval->func->first_expr || record.expr >= eval->func->end_expr) return;
    if (eval->muted && record.hazard) return;
    EffectHead *head = head_of(arena, context, record.expr, role);
    for (uint32_t at = head->head; at; at = context->effects.items[at].next) {
        EffectRecord *old = &context->effects.items[at];
        if (old->clause != record.clause || old->hazard != record.hazard)
            continue; /* told, and hardly: apart */
        add_to(eval, old, &record);
        return;
    }
    if (!context->effects.count) {
        context->effects.items = arena_new(arena, EffectRecord, FIRST_EFFECTS);
        context->effects.count = 1;
        context->effects.capacity = FIRST_EFFECTS;
    }
    record.next = head->head;
    head->head = context->effects.count;
    vec_push(arena, &context->effects, record);
}
