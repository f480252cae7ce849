#include "namesakes.h"
#include "interpret.h"

static bool is_wait(const EffectRecord *record) {
    if (record->says & SAYS_FENCE) return true;
    bool found = !record->hazard || (record->says & SAYS_FOUND);
    return !found && record->confidence >= CONFIDENCE_LIKELY &&
           (record->waits > 0 || record->backward_waits <= 0);
}

/* Outside of what a debug flag or an interval guards: what each call does. */
static bool waits_itself(const CallGraph *graph, ContextId id, const bool *waits) {
    const Flow *flow = &graph->flows[id];
    for (uint32_t i = 0; i < flow->items.count; i++) {
        const Item *item = &flow->items.items[i];
        if (item->kind == ITEM_GUARD && (item->flags & (GUARD_OFF | GUARD_RARE | GUARD_EVERY | GUARD_LEAVES)))
            i = item->end;
        else if (item->kind == ITEM_CALL && item->rate == RATE_CALL && waits[item->callee])
            return true;
        else if (item->kind == ITEM_EFFECT &&
                 is_wait(&graph->inference->contexts.items[id]->effects.items[item->effect]))
            return true;
    }
    return false;
}

static Sym name_of(const CallGraph *graph, const Context *context) {
    const SourceFile *file = &graph->inference->program->files.items[context->file];
    return file->syms[file->model->funcs.items[context->func].name];
}

/* At least half of the functions of a name: one `forward` that waits says nothing of the others. */
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

/* Passes until none adds a context: calls are seldom deep. */
Namesakes namesakes_find(Arena *arena, const CallGraph *graph) {
    const Inference *inference = graph->inference;
    bool *waits = arena_new(arena, bool, inference->contexts.count);
    for (bool changed = true; changed;) {
        changed = false;
        for (ContextId id = inference->contexts.count; --id > 0;)
            if (!waits[id] && waits_itself(graph, id, waits)) waits[id] = changed = true;
    }
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
