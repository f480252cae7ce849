/* Makes the event list of one iteration of a hot loop, through calls. Calls without sites are summed up. */
#include "events.h"
#include "late_fence.h"
#include "calls_loop.h"
#include "tally.h"

/* Nested hot loops up to this depth have events of their own; deeper ones are summed up. */
enum { NEST_LIMIT = 3 };
enum {
    EVENT_LIMIT = 1000,
    GUESS_LIMIT = 150,
    EVENT_DEPTH = 20,
    ITEM_LIMIT = 60000,
    TURN_LIMIT = 24,
    USUAL_TURNS = 8,
    EXPANSIONS = 3
};

/* The share of something behind an option that is off: not part of an iteration, but its waits are priced one
   by one. */
static const double off_share = 1e-9;

typedef struct Builder {
    Arena *arena, *scratch; /* results go into `arena`; lists grow in scratch */
    const CallGraph *graph;
    EventList list;
    SiteOf *site_of;
    const void *self;
    double share;
    bool gathers; /* an iteration is one of several batches of a step */
    uint32_t depth, nest, items, number, limit;
    double turns;         /* product of the iterations of the loops around; beyond TURN_LIMIT inner loops are
                             counted once */
    const SizeNode *node; /* sizes of the current function; NULL = unknown */
} Builder;

/* Operations between two waits are merged: a price depends only on how many there are between waits. */
static bool joins(const Event *last, const Event *next) {
    return last->kind == EVENT_OPS && next->kind == EVENT_OPS && !last->site && !next->site &&
           last->share >= next->share && last->share <= next->share;
}

/* Each loop of a nest has its own ledger; without a limit, all of these would contain the innermost loop in
   full. */
static bool too_deep(const Builder *builder, EventKind kind) {
    return builder->nest > NEST_LIMIT && kind != EVENT_OPS && kind != EVENT_UNSEEN;
}

/* Where all work is known, counts follow from it: no stub counts the casts of autocast. */
static void count_work(Event *event, const Workload *work) {
    if (event->kind != EVENT_OPS || !work->part_count || work->open) return;
    event->count = work_launches(work);
    event->backward = work_backward(work);
}

/* Copies the event's work, if it has some; until keep_work it is in scratch, where it may be merged with the
   next. */
static void push_with(Builder *builder, Event event, const Workload *work) {
    if (builder->list.events.count >= builder->limit || too_deep(builder, event.kind)) return;
    event.share = builder->share;
    if (builder->nest > NEST_LIMIT) event.site = 0;
    Event *last =
        builder->list.events.count ? &builder->list.events.items[builder->list.events.count - 1] : NULL;
    if (last && joins(last, &event)) {
        last->count += event.count;
        last->backward += event.backward;
        last->matmuls += event.matmuls;
        if (!work) return;
        Workload joined = work_join(builder->scratch, event_work(last), work);
        last->work = arena_copy(builder->scratch, &joined, sizeof joined);
        return;
    }
    event.work = work ? arena_copy(builder->scratch, work, sizeof *work) : NULL;
    vec_push(builder->scratch, &builder->list.events, event);
}

static void push(Builder *builder, Event event) { push_with(builder, event, NULL); }

static const Workload *copy_work(Arena *arena, const Workload *work) {
    Workload *copy = arena_copy(arena, work, sizeof *work);
    if (work->part_count) copy->parts = arena_copy(arena, work->parts, sizeof *work->parts * work->part_count);
    if (work->unknown.length)
        copy->unknown.bytes = arena_copy(arena, work->unknown.bytes, work->unknown.length);
    return copy;
}

/* Moves work out of scratch; an event with the same work as the one before shares it. */
static void keep_work(Arena *arena, Event *events, uint32_t count) {
    const Workload *last = NULL, *kept = NULL;
    for (uint32_t i = 0; i < count; i++) {
        if (!events[i].work) continue;
        if (!last || memcmp(last, events[i].work, sizeof *last) != 0) {
            last = events[i].work;
            kept = copy_work(arena, last);
        }
        events[i].work = kept;
    }
}

/* An optimizer step that waits first asks whether it may run (GradScaler: are all gradients finite?): its
   operations come after. */
static bool take_step(Builder *builder, Span span, Event *step) {
    if (!builder->list.events.count) return false;
    *step = builder->list.events.items[builder->list.events.count - 1];
    bool same = step->span.start == span.start && step->span.end == span.end;
    if (step->kind != EVENT_OPTIMIZER || !same) return false;
    builder->list.events.count--;
    return true;
}

static void push_wait(Builder *builder, const Context *context, const EffectRecord *record, ExprId expr,
                      Event base) {
    Event step;
    bool asks = take_step(builder, base.span, &step);
    if (record->copies) {
        base.kind = EVENT_COPY, base.to_device = record->to_device, base.count = 1;
        base.bytes_low = 256, base.bytes_high = 1 << 24;
        Workload work = size_operation(builder->scratch, builder->node, builder->graph->inference->book, expr,
                                       record->entry);
        Workload copied = {.copied = work.copied.high > 0 ? work.copied : amount_unknown()};
        push_with(builder, base, &copied);
    }
    base.kind = EVENT_WAIT, base.count = record->cost->waits;
    if (late_fence_is(builder->graph->inference, context, record)) return;
    if (record->cost->waits > 0 || record->cost->backward_waits <= 0) push(builder, base);
    if (asks) push(builder, step);
}

/* `x.to(device)` of a certainly page-locked tensor. */
static bool copies_pinned(const Context *context, const FileModel *model, ExprId call) {
    const Expr *expr = &model->exprs.items[call];
    const Expr *callee = expr->kind == EXPR_CALL ? &model->exprs.items[expr->a] : NULL;
    const Value *of = callee && callee->kind == EXPR_ATTRIBUTE ? infer_fact(context, model, callee->a) : NULL;
    for (uint32_t i = 0; of && i < of->count; i++)
        if (of->alts[i].kind != KIND_TENSOR || of->alts[i].pinned != TRI_YES) return false;
    return of && of->count > 0;
}

/* Pushes the work if all of it is known. What the sizing pass knows for a whole call covers all loops in it. */
static bool push_sized(Builder *builder, const Context *context, Span span, Workload work) {
    Event event = {.kind = EVENT_OPS, .file = context->file, .span = span};
    if (!work.part_count || work.open) return false;
    count_work(&event, &work);
    for (uint32_t i = 0; i < work.part_count; i++)
        if (work.parts[i].kind != LOAD_MOVES) event.matmuls += work.parts[i].launches;
    push_with(builder, event, &work);
    return true;
}

/* The host's own work of a wait comes after it: a value is formatted once it has arrived, a mask's result
   allocated once its size is known. (calib/validate: a print or a mask index costs a GPU-bound loop all of it.) */
static void push_effect(Builder *builder, const Context *context, const Item *item) {
    const EffectRecord *record = &context->effects.items[item->effect];
    const FileModel *model = builder->graph->inference->program->files.items[context->file].model;
    Span span = model->exprs.items[item->expr].span;
    bool sure =
        record->hazard && effect_confidence(record) >= CONFIDENCE_LIKELY && !(record->says & SAYS_FOUND);
    SiteId site = sure ? builder->site_of(builder->self, context->file, item, record->hazard) : 0;
    Event base = {.site = site, .file = context->file, .span = span};
    Workload work = {0};
    if (record->optimizer_step || record->cost->launches > 0 || record->cost->host_count > 0)
        work = size_operation(builder->scratch, builder->node, builder->graph->inference->book, item->expr,
                              record->entry);
    if (record->optimizer_step) {
        base.kind = EVENT_OPTIMIZER, base.count = record->cost->launches;
        push_with(builder, base, &work);
    } else if (record->backward_pass) {
        base.kind = EVENT_BACKWARD;
        push_with(builder, base, record->cost->launches > 0 ? &work : NULL);
    } else if (record->cost->launches > 0 && !work.part_count &&
               push_sized(builder, context, span, size_called(builder->scratch, builder->node, item->expr))) {
        /* a model of which inference knows a base class, and the sizing pass whose forward runs */
    } else if (record->cost->launches > 0) {
        base.kind = EVENT_OPS, base.count = record->cost->launches,
        base.backward = record->cost->backward_launches;
        base.matmuls = effect_matmuls(record);
        count_work(&base, &work);
        work.open |= !work.part_count;
        push_with(builder, base, &work);
    }
    base = (Event){.site = site, .file = context->file, .span = span};
    base.pinned = record->to_device && copies_pinned(context, model, item->expr);
    if (site) push_wait(builder, context, record, item->expr, base);
    if (record->busies_host) push(builder, (Event){.kind = EVENT_HOST, .file = context->file, .span = span});
    if (record->cost->host_count <= 0) return;
    base.kind = EVENT_HOST, base.count = record->cost->host_count, base.quantity = record->cost->host_quantity;
    Workload walked = {.tensors = work.tensors};
    push_with(builder, base, walked.tensors.high > 0 ? &walked : NULL);
}

static GlobalFunc func_of_context(const Builder *builder, ContextId id) {
    const Context *context = builder->graph->inference->contexts.items[id];
    return global_func(builder->graph->inference, context->file, context->func);
}

static void push_work(Builder *builder, const Context *context, Span span, Work work, double times) {
    if (work.busies_host) push(builder, (Event){.kind = EVENT_HOST, .file = context->file, .span = span});
    if (work.operations <= 0) return;
    push(builder, (Event){.kind = EVENT_OPS,
                          .count = work.operations * times,
                          .backward = work.backward * times,
                          .matmuls = work.matmuls * times,
                          .file = context->file,
                          .span = span});
}

static void push_summary(Builder *builder, const Context *context, const Item *item, const Regions *callee) {
    const FileModel *model = builder->graph->inference->program->files.items[context->file].model;
    Span span = item->expr ? model->exprs.items[item->expr].span : model->funcs.items[context->func].span;
    double times = item->turns > 1 ? item->turns : 1;
    bool turning = callee->per_turn.operations > 0 && builder->turns * USUAL_TURNS <= TURN_LIMIT;
    const SizeNode *node = size_call(builder->node, item->expr, func_of_context(builder, item->callee));
    Workload whole = size_whole(builder->scratch, node);
    if (whole.part_count) whole = work_times(builder->scratch, &whole, times);
    if (push_sized(builder, context, span, whole)) return;
    push_work(builder, context, span, callee->work, times);
    if (turning) push(builder, (Event){.kind = EVENT_LOOP_BEGIN, .file = context->file, .span = span});
    push_work(builder, context, span, callee->per_turn, times);
    if (turning) push(builder, (Event){.kind = EVENT_LOOP_END, .file = context->file, .span = span});
    if (callee->unseen) push(builder, (Event){.kind = EVENT_UNSEEN, .file = context->file, .span = span});
}

static void build_range(Builder *builder, ContextId id, uint32_t at, uint32_t end);

/* Of a generator that a loop consumes, an iteration has what its loops with a `yield` do. */
static void build_callee(Builder *builder, const Item *call) {
    const Flow *flow = &builder->graph->flows[call->callee];
    if (!(call->flags & CALL_CONSUMED) || !calls_yields_in_loop(flow)) {
        build_range(builder, call->callee, 0, flow->items.count);
        return;
    }
    for (uint32_t at = 0; at < flow->items.count; at++) {
        const Item *item = &flow->items.items[at];
        if (item->kind != ITEM_LOOP || !(item->flags & LOOP_YIELDS)) continue;
        build_range(builder, call->callee, at + 1, item->end);
        at = item->end;
    }
}

static void push_call(Builder *builder, const Context *context, const Item *item) {
    Regions *callee = &builder->graph->regions[item->callee];
    bool plain = !(callee->body & (HOLDS_SITE | DOES_STEP | DOES_BACKWARD | HOLDS_STEP));
    if (item->rate != RATE_CALL || item->flags & CALL_ROUND) return;
    if (plain || builder->depth >= EVENT_DEPTH) {
        push_summary(builder, context, item, callee);
        return;
    }
    if (callee->expanded_for != builder->number) callee->expanded_for = builder->number, callee->expanded = 0;
    if (callee->expanded++ >= EXPANSIONS) { /* expanded before: its sites are in the list */
        push_summary(builder, context, item, callee);
        return;
    }
    bool turning = item->turns > 1 && builder->turns * item->turns <= TURN_LIMIT;
    Event loop = {.kind = EVENT_LOOP_BEGIN, .count = item->turns, .file = context->file};
    if (turning) push(builder, loop), builder->turns *= item->turns;
    const SizeNode *node = builder->node;
    builder->node = size_call(node, item->expr, func_of_context(builder, item->callee));
    builder->depth++;
    build_callee(builder, item);
    builder->depth--;
    builder->node = node;
    if (!turning) return;
    loop.kind = EVENT_LOOP_END;
    push(builder, loop), builder->turns /= item->turns;
}

static void push_unseen(Builder *builder, const Context *context, const Item *item) {
    const SourceFile *file = &builder->graph->inference->program->files.items[context->file];
    Span span = file->model->exprs.items[item->expr].span;
    if (push_sized(builder, context, span, size_followed(builder->scratch, builder->node, item->expr))) return;
    if (!builder->list.unseen++) builder->list.unseen_text = infer_source(builder->arena, file, span);
    push(builder, (Event){.kind = EVENT_UNSEEN, .file = context->file, .span = span});
}

static void build_turn(Builder *builder, ContextId id, uint32_t at) {
    const Item *item = &builder->graph->flows[id].items.items[at];
    const Context *context = builder->graph->inference->contexts.items[id];
    const FileModel *model = builder->graph->inference->program->files.items[context->file].model;
    Span span = item->loop ? model->loops.items[item->loop].head : model->exprs.items[item->expr].span;
    if (item->flags & LOOP_YIELDS) {
        build_range(builder, id, at + 1, item->end);
        return;
    }
    Event begin = {.kind = EVENT_LOOP_BEGIN, .count = item->turns, .file = context->file, .span = span};
    Workload work = {.turns = item->loop ? size_turns(builder->node, item->loop) : amount_unknown()};
    if (begin.count <= 0 && work.turns.low >= work.turns.high) begin.count = work.turns.low;
    double turns = begin.count > 0 ? begin.count : USUAL_TURNS;
    if (builder->turns * turns > TURN_LIMIT) {
        build_range(builder, id, at + 1, item->end);
        return;
    }
    builder->turns *= turns;
    push_with(builder, begin, &work);
    build_range(builder, id, at + 1, item->end);
    push(builder, (Event){.kind = EVENT_LOOP_END, .file = context->file, .span = span});
    builder->turns /= turns;
}

/* An inner loop that is itself a hot loop has its own ledger. */
static void build_loop(Builder *builder, ContextId id, uint32_t at) {
    uint16_t does = builder->graph->regions[id].loops[at];
    bool has_ledger = (does & (DOES_HEAVY | DOES_STEP | DOES_BACKWARD | DOES_DATA)) != 0;
    if (!(does & (DOES_GPU | DOES_STEP | DOES_BACKWARD | HOLDS_SITE | HOLDS_HOT))) return;
    builder->nest += has_ledger;
    build_turn(builder, id, at);
    builder->nest -= has_ledger;
}

static void build_guard(Builder *builder, ContextId id, uint32_t at) {
    const Item *item = &builder->graph->flows[id].items.items[at];
    double before = builder->share;
    bool off = item->flags & GUARD_OFF;
    if ((item->flags & (GUARD_LEAVES | GUARD_RARE)) || item->role == PINS_RUN) return;
    if (off && (!item->only_length || builder->nest)) return;
    bool steps = builder->gathers && (builder->graph->regions[id].loops[at] & DOES_STEP);
    if (off || branch_is_other(builder->graph, id, at))
        builder->share *= off_share;
    else if (item->flags & GUARD_EVERY)
        builder->share *= item->every ? 1.0 / item->every : steps ? 1.0 / USUAL_TURNS : 0.01;
    else if (item->flags & GUARD_BREAKS)
        builder->share *= 0.01;
    build_range(builder, id, at + 1, item->end);
    builder->share = before;
}

static void build_range(Builder *builder, ContextId id, uint32_t at, uint32_t end) {
    const Context *context = builder->graph->inference->contexts.items[id];
    const Flow *flow = &builder->graph->flows[id];
    while (at < end && builder->list.events.count < builder->limit && builder->items++ < ITEM_LIMIT) {
        const Item *item = &flow->items.items[at];
        switch ((ItemKind)item->kind) {
        case ITEM_EFFECT: push_effect(builder, context, item); break;
        case ITEM_CALL: push_call(builder, context, item); break;
        case ITEM_UNSEEN: push_unseen(builder, context, item); break;
        case ITEM_DATA:
            push(builder, (Event){.kind = EVENT_DATA,
                                  .in_process = (item->flags & DATA_IN_PROCESS) != 0,
                                  .file = context->file});
            break;
        case ITEM_LOOP:
            build_loop(builder, id, at);
            at = item->end;
            break;
        case ITEM_GUARD:
            build_guard(builder, id, at);
            at = item->end;
            break;
        case ITEM_WITH:
        case ITEM_USE:
        case ITEM_YIELD:
        case ITEM_END: break;
        }
        at++;
    }
}

EventList events_of_loop(Arena *arena, const CallGraph *graph, const Sizes *sizes, const Rate *rate,
                         uint32_t list, SiteOf *site_of, const void *self) {
    Arena scratch = {0};
    Builder builder = {.arena = arena,
                       .scratch = &scratch,
                       .graph = graph,
                       .site_of = site_of,
                       .self = self,
                       .share = 1,
                       .gathers = rate->unit == UNIT_BATCH,
                       .turns = 1,
                       .number = list,
                       .node = size_turn(sizes, list),
                       .limit = rate->guess ? GUESS_LIMIT : EVENT_LIMIT};
    const Flow *flow = &graph->flows[rate->context];
    if (rate->item == UINT32_MAX)
        build_range(&builder, rate->context, 0, flow->items.count);
    else
        build_range(&builder, rate->context, rate->item + 1, flow->items.items[rate->item].end);
    EventList made = builder.list;
    made.events.items = arena_copy(arena, made.events.items, sizeof(Event) * made.events.count);
    keep_work(arena, made.events.items, made.events.count);
    made.events.capacity = made.events.count;
    arena_free(&scratch);
    return made;
}
