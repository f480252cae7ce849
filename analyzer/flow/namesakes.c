#include "namesakes.h"
#include "class.h"

static bool is_wait(const EffectRecord *record) {
    if (record->says & SAYS_FENCE) return true;
    bool found = !record->hazard || (record->says & SAYS_FOUND);
    return !found && effect_confidence(record) >= CONFIDENCE_LIKELY &&
           (record->cost->waits > 0 || record->cost->backward_waits <= 0);
}

/* A caller of a context, not known to wait so far. */
typedef struct Caller {
    ContextId id;
    uint32_t next; /* next caller of the same callee; 0 = last */
} Caller;

typedef struct Spreading {
    Arena *arena;
    const CallGraph *graph;
    bool *waits;           /* [ContextId] */
    uint32_t *first;       /* [ContextId] of callers */
    VEC(Caller) callers;   /* items[0] unused */
    VEC(ContextId) to_say; /* worklist: contexts known to wait whose callers do not know yet */
} Spreading;

static void say(Spreading *self, ContextId id) {
    if (self->waits[id]) return;
    self->waits[id] = true;
    vec_push(self->arena, &self->to_say, id);
}

/* What each call does and whom it calls, outside of guards by a debug flag or an interval. */
static void ask(Spreading *self, ContextId id) {
    const Flow *flow = &self->graph->flows[id];
    const EffectRecord *effects = self->graph->inference->contexts.items[id]->effects.items;
    for (uint32_t i = 0; i < flow->items.count && !self->waits[id]; i++) {
        const Item *item = &flow->items.items[i];
        const uint8_t seldom = GUARD_OFF | GUARD_RARE | GUARD_EVERY | GUARD_LEAVES;
        if (item->kind == ITEM_GUARD && ((item->flags & seldom) || item->role == PINS_RUN)) {
            i = item->end;
        } else if (item->kind == ITEM_CALL && item->rate == RATE_CALL) {
            if (self->waits[item->callee]) say(self, id);
            vec_push(self->arena, &self->callers, ((Caller){id, self->first[item->callee]}));
            self->first[item->callee] = self->callers.count - 1;
        } else if (item->kind == ITEM_EFFECT && is_wait(&effects[item->effect])) {
            say(self, id);
        }
    }
}

/* [ContextId] */
static const bool *contexts_that_wait(Arena *arena, Arena *scratch, const CallGraph *graph) {
    uint32_t count = graph->inference->contexts.count;
    Spreading self = {.arena = scratch,
                      .graph = graph,
                      .waits = arena_new(arena, bool, count),
                      .first = arena_new(scratch, uint32_t, count)};
    vec_push(scratch, &self.callers, (Caller){0});
    for (ContextId id = count; --id > 0;) ask(&self, id);
    while (self.to_say.count) {
        ContextId id = self.to_say.items[--self.to_say.count];
        for (uint32_t at = self.first[id]; at; at = self.callers.items[at].next)
            say(&self, self.callers.items[at].id);
    }
    return self.waits;
}

static Sym name_of(const CallGraph *graph, const Context *context) {
    const SourceFile *file = &graph->inference->program->files.items[context->file];
    return file->syms[file->model->funcs.items[context->func].name];
}

/* A name waits if at least half of its functions do: one `forward` that waits says nothing about the others. */
static const bool *names_that_wait(Arena *arena, const CallGraph *graph, const bool *waits) {
    const Inference *inference = graph->inference;
    uint32_t names = inference->program->names.texts.count + 1, funcs = inference->program->func_count + 1;
    int32_t *votes = arena_new(arena, int32_t, names);
    bool *seen = arena_new(arena, bool, names), *asked = arena_new(arena, bool, funcs);
    for (ContextId id = 1; id < inference->contexts.count; id++) {
        const Context *context = inference->contexts.items[id];
        GlobalFunc func = global_func(inference, context->file, context->func);
        bool one = false;
        if (asked[func]) continue;
        asked[func] = true;
        for (ContextId other = inference->func_contexts[func]; other;
             other = inference->context_links.items[other].next)
            one |= waits[other];
        votes[name_of(graph, context)] += one ? 1 : -1;
        seen[name_of(graph, context)] |= one;
    }
    for (Sym name = 1; name < names; name++) seen[name] &= votes[name] >= 0;
    seen[0] = false;
    return seen;
}

Namesakes namesakes_find(Arena *arena, const CallGraph *graph) {
    Arena scratch = {0};
    const bool *waits = contexts_that_wait(arena, &scratch, graph);
    arena_free(&scratch);
    return (Namesakes){names_that_wait(arena, graph, waits)};
}

bool namesakes_may_wait(const Namesakes *namesakes, const CallGraph *graph, ContextId id, const Item *item) {
    const Inference *inference = graph->inference;
    if (!namesakes->waits) return false;
    if (item->kind == ITEM_CALL) {
        const Context *callee = inference->contexts.items[item->callee];
        const FileModel *model = inference->program->files.items[callee->file].model;
        return namesakes->waits[name_of(graph, callee)] &&
               left_to_subclasses(model, &model->funcs.items[callee->func]);
    }
    const SourceFile *file = &inference->program->files.items[inference->contexts.items[id]->file];
    const Expr *call = &file->model->exprs.items[item->expr];
    if (call->kind != EXPR_CALL) return false;
    const Expr *callee = &file->model->exprs.items[call->a];
    bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
    return named && callee->name && namesakes->waits[file->syms[callee->name]];
}
