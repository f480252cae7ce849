/* Walks all paths in execution order, and collects the faults that it meets. */
#include "order_faults.h"
#include "namesakes.h"

enum { WALK_DEPTH = 24, WALK_ITEMS = 150000, WALK_EXPANSIONS = 32, LONG_LOOP = 1000 };

/* Summary of a callee without time points. */
typedef struct Summary {
    bool asked, holds; /* it has points, uses or regions, through calls */
    bool done, busy;
    uint8_t work, tail;
    bool heavy, fenced, far;
    uint32_t root, expanded;
} Summary;

typedef struct OrderWalk {
    Arena *arena;
    const CallGraph *graph;
    const Inference *inference;
    OrderFaults *faults;
    Summary *summaries; /* [ContextId] */
    const Namesakes *namesakes;
    WantedPairs wanted;
    Order order;
    ObjectId stream;            /* the current stream */
    uint32_t capture, compiled; /* number of enclosing regions */
    uint32_t branches;          /* enclosing branches inside the capture */
    OrderPlace region;          /* innermost region: its `with`, or the call of the compiled function */
    uint32_t depth, items, root;
    uint32_t loops, first_turns, guards; /* enclosing ones, in this function; guards: inside its loops */
    uint32_t far_loops;                  /* enclosing loops over data or with training steps */
    bool quiet;                          /* making a summary: no faults are reported */
    /* the body that a generator's yield runs */
    struct Wrapped {
        ContextId context;
        uint32_t at, end;
        bool done;
    } * wrapped;
} OrderWalk;

static void walk_range(OrderWalk *walk, ContextId id, uint32_t at, uint32_t end);

static const Context *context_of(const OrderWalk *walk, ContextId id) {
    return walk->inference->contexts.items[id];
}

/* ---- reporting ---- */

static void say(OrderWalk *walk, OrderFault fault) {
    if (walk->quiet || walk->first_turns || !fault.place.file || !fault.confidence) return;
    for (uint32_t i = 0; i < walk->faults->items.count; i++) {
        OrderFault *old = &walk->faults->items.items[i];
        if (old->place.file != fault.place.file || old->place.expr != fault.place.expr ||
            old->finds != fault.finds)
            continue;
        if (fault.confidence > old->confidence) old->confidence = fault.confidence, old->other = fault.other;
        return;
    }
    vec_push(walk->arena, &walk->faults->items, fault);
}

/* Unknown calls may queue work or wait for it: no fault for clocks with only such calls between them. */
static void say_of_clock(OrderWalk *walk, OrderFault fault) {
    if (fault.confidence >= CONFIDENCE_LIKELY) say(walk, fault);
}

static OrderPlace place_of(const OrderWalk *walk, ObjectId point) {
    uint32_t id = point && point != SUBJECT_ALL ? infer_object(walk->inference, point)->point : 0;
    const TimePoint *found = &walk->inference->points.items[id];
    return id ? (OrderPlace){found->file, found->expr} : (OrderPlace){0};
}

/* ---- intervals between two clock readings ---- */

/* The later reading starts the next interval, so what one iteration misses the next one counts. */
static bool is_period(const OrderWalk *walk, const Context *context, const Use *use) {
    for (uint32_t i = 0; i < context->uses.count; i++) {
        const Use *other = &context->uses.items[i];
        if (other->expr != use->expr || other->of != use->of) continue;
        const Pair *back = order_pair(&walk->order, use->of, other->from);
        if (back && !back->since.work) return true;
    }
    return false;
}

/* Of several readings that the variable may hold, another one overwrote this. */
static bool is_overwritten(const OrderWalk *walk, const Context *context, const Use *use, const Pair *pair) {
    for (uint32_t i = 0; i < context->uses.count; i++) {
        const Use *other = &context->uses.items[i];
        if (other->expr != use->expr || other->of != use->of) continue;
        const Pair *later = order_pair(&walk->order, other->from, use->of);
        if (later && later->since.number > pair->since.number) return true;
    }
    return false;
}

/* A reading also subtracted from its own previous value: a time since then, not the duration of some work. */
static bool counts_itself(const Context *context, const Use *use) {
    for (uint32_t i = 0; i < context->uses.count; i++) {
        const Use *other = &context->uses.items[i];
        if (other->of == use->of && other->from == use->of) return true;
    }
    return false;
}

static Confidence lowered(uint8_t confidence) {
    return confidence > CONFIDENCE_POSSIBLE ? (Confidence)(confidence - 1) : (Confidence)confidence;
}

static void judge_end(OrderWalk *walk, const Pair *pair, bool period, bool itself, OrderFault fault) {
    const Since *since = &pair->since;
    fault.finds = FINDS_reading_unfenced;
    fault.confidence = (Confidence)since->tail;
    if (since->fenced || !since->heavy)
        fault.confidence = lowered(since->tail); /* little is left, or was queued */
    bool averaged = (period && (since->fenced || walk->far_loops)) || since->far || walk->guards ||
                    (since->fenced && since->queued);
    if (averaged || itself) return; /* what one iteration misses the next one counts */
    say_of_clock(walk, fault);
}

/* The number, or arithmetic on it, is an operand of a comparison. (Parents stand behind their children.) */
static bool is_compared(const FlowGraph *graph, ExprId id, StmtId stmt) {
    const FileModel *model = graph->model;
    uint32_t end = model->stmts.items[stmt].head.end;
    for (ExprId e = id + 1; e < graph->func->end_expr && model->exprs.items[e].span.start < end; e++) {
        const Expr *expr = &model->exprs.items[e];
        for (uint32_t i = 0; expr->kind == EXPR_COMPARE && i < expr->list.count; i++)
            if (model->links.items[expr->list.first + i] == id) return true;
        if (expr->kind == EXPR_BINARY && (expr->a == id || expr->b == id)) id = e;
    }
    return false;
}

/* `while time.time() - start < 60:`, also through a variable that nothing else reads: a limit, no measurement. */
static bool is_limit(const OrderWalk *walk, const Context *context, const Use *use, StmtId id) {
    const FlowGraph *graph =
        walk->inference->graphs[global_func(walk->inference, context->file, context->func)];
    if (!graph || !id) return false;
    const Stmt *stmt = &graph->model->stmts.items[id];
    if (stmt->kind != STMT_ASSIGN || stmt->b != use->expr || stmt->list.count != 1)
        return is_compared(graph, use->expr, id);
    const Expr *target = &graph->model->exprs.items[graph->model->links.items[stmt->list.first]];
    uint32_t slot = target->kind == EXPR_NAME && target->binding == BIND_LOCAL ? slot_own(target) : 0;
    Accesses uses = slot ? graph_uses(graph, slot) : (Accesses){0};
    for (const AccessId *u = uses.first; u < uses.end; u++) {
        const Access *access = &graph->accesses[*u];
        if (!is_compared(graph, access->expr, graph->steps[access->step].stmt)) return false;
    }
    return uses.first < uses.end;
}

static void judge_interval(OrderWalk *walk, const Context *context, const Use *use, StmtId stmt) {
    const Pair *pair = order_pair(&walk->order, use->from, use->of);
    if (!pair || !pair->since.work || is_overwritten(walk, context, use, pair)) return;
    if (is_limit(walk, context, use, stmt)) return;
    const Since *since = &pair->since;
    bool period = is_period(walk, context, use);
    OrderFault fault = {.place = place_of(walk, use->of), .stmt = stmt, .other = place_of(walk, use->from)};
    OrderFault fence = {.finds = FINDS_fence_for_timer, .confidence = CONFIDENCE_LIKELY, .stmt = stmt};
    fence.place = pair->fence, fence.other = fault.place;
    say(walk, fence);
    fence.place = since->fence, fence.other = fault.other;
    say(walk, fence);
    if (since->tail) {
        judge_end(walk, pair, period, counts_itself(context, use), fault);
        return;
    }
    if (since->far || period || !since->heavy) return;
    OrderFault start = {.place = fault.other, .stmt = stmt, .other = fault.place};
    if (since->queued) {
        start.finds = FINDS_start_unfenced;
        start.confidence = since->work < CONFIDENCE_LIKELY ? CONFIDENCE_POSSIBLE : CONFIDENCE_LIKELY;
        say_of_clock(walk, start);
    }
    if (since->cold && !walk->guards) {
        start.finds = FINDS_no_warmup;
        start.confidence = since->inside || !since->looped || since->work < CONFIDENCE_LIKELY
                               ? CONFIDENCE_POSSIBLE
                               : CONFIDENCE_LIKELY;
        say_of_clock(walk, start);
    }
}

/* ---- uses of copies and of other streams' tensors ---- */

static void judge_read(OrderWalk *walk, OrderPlace place, const Use *use, StmtId stmt) {
    Since *since = order_since(&walk->order, use->of);
    OrderPlace copy = place_of(walk, use->of);
    bool itself =
        copy.file == place.file && copy.expr == place.expr; /* the next iteration's copy into the same buffer */
    if (!since || since->fenced || itself) return;
    since->fenced = true; /* reported once: at the first read */
    say(walk, (OrderFault){.finds = FINDS_stale_read,
                           .place = place,
                           .stmt = stmt,
                           .confidence = CONFIDENCE_LIKELY,
                           .other = place_of(walk, use->of)});
}

static void judge_stream(OrderWalk *walk, OrderPlace place, const Use *use, StmtId stmt) {
    StreamOrder *there = use->of == walk->stream ? NULL : order_stream(&walk->order, use->of);
    if (!there) return;
    OrderFault fault = {
        .place = place, .stmt = stmt, .confidence = CONFIDENCE_LIKELY, .other = place_of(walk, use->of)};
    fault.finds = FINDS_stream_unordered;
    if (there->unordered && !there->ordered) {
        say(walk, fault);
        there->unordered = false; /* reported once: at the first use */
        return;
    }
    fault.finds = FINDS_fence_for_stream;
    fault.other = place;
    fault.place = there->by;
    say(walk, fault);
    there->used = true;
    there->use = place;
}

/* The allocator may reuse the memory on the stream that it came from while the other stream still reads it. */
static void judge_freed(OrderWalk *walk, StmtId stmt) {
    StreamOrder *there = walk->stream ? order_stream(&walk->order, walk->stream) : NULL;
    if (!there || !there->used || there->kept || there->turns) return;
    say(walk, (OrderFault){.finds = FINDS_stream_freed,
                           .place = there->use,
                           .stmt = stmt,
                           .confidence = CONFIDENCE_LIKELY,
                           .other = place_of(walk, walk->stream)});
}

static void see_use(OrderWalk *walk, ContextId id, const Item *item) {
    const Context *context = context_of(walk, id);
    const Use *use = &context->uses.items[item->effect];
    OrderPlace place = {context->file, item->expr};
    switch ((PointKind)use->kind) {
    case POINT_CLOCK: judge_interval(walk, context, use, item->stmt); break;
    case POINT_STALE: judge_read(walk, place, use, item->stmt); break;
    case POINT_STREAM: judge_stream(walk, place, use, item->stmt); break;
    case POINT_KINDS: break;
    }
}

/* ---- effects ---- */

static bool waits(const EffectRecord *record) {
    if (!record->hazard || (record->says & SAYS_FOUND)) return false;
    return record->cost->waits > 0 || record->cost->backward_waits <= 0;
}

/* Some other page may say so about the same call. */
static bool survives(const Context *context, const Item *item) {
    uint32_t at = effects_at(context, item->expr, (EffectRole)item->role);
    for (; at; at = context->effects.items[at].next)
        if (context->effects.items[at].says & SAYS_SURVIVES) return true;
    return false;
}

/* A capture that meets a wait fails the first time that it runs: of a program that people keep, what stands behind a
   branch there is hardly met (`if lengths is None:`, of a caller that gives them). */
static void see_capture(OrderWalk *walk, const Context *context, const Item *item, const EffectRecord *record) {
    bool breaks = walk->capture ? waits(record) || (record->says & SAYS_BREAKS) : waits(record);
    if (!breaks || !(walk->capture || walk->compiled) || survives(context, item)) return;
    OrderPlace place = {context->file, item->expr};
    say(walk, (OrderFault){.finds = walk->capture ? FINDS_wait_in_capture : FINDS_wait_in_compiled,
                           .place = place,
                           .stmt = item->stmt,
                           .confidence = walk->branches ? CONFIDENCE_POSSIBLE : effect_confidence(record),
                           .other = walk->region});
}

static void see_orders(OrderWalk *walk, const EffectRecord *record) {
    Order *order = &walk->order;
    for (uint32_t i = 0; i < order->stream_count; i++) {
        StreamOrder *there = &order->streams[i];
        if (record->subject == SUBJECT_ALL || record->subject == there->stream)
            there->unordered = false, there->ordered = true;
        if (!record->subject) there->turns = true; /* side.wait_stream(current) */
    }
}

static void see_said(OrderWalk *walk, const EffectRecord *record) {
    walk->order.first_turn = walk->first_turns > 0;
    if (record->says & SAYS_CLOCK) order_reading(&walk->order, record->subject, walk->loops > 0, &walk->wanted);
    if (record->says & SAYS_STALE) order_start(&walk->order, record->subject, walk->stream, walk->loops > 0);
    if (record->says & SAYS_ORDERS) see_orders(walk, record);
    StreamOrder *kept =
        (record->says & SAYS_KEEPS) && record->subject ? order_stream(&walk->order, record->subject) : NULL;
    if (kept) kept->kept = true;
}

static void see_effect(OrderWalk *walk, ContextId id, const Item *item) {
    const Context *context = context_of(walk, id);
    const EffectRecord *record = &context->effects.items[item->effect];
    OrderPlace place = {context->file, item->expr};
    bool heavy = record->matmul || record->optimizer_step || record->backward_pass;
    see_capture(walk, context, item, record);
    if (heavy || record->cost->launches > 0) {
        judge_freed(walk, item->stmt);
        order_work(&walk->order, effect_confidence(record), heavy, walk->stream);
    }
    if (waits(record) || (record->says & (SAYS_FENCE | SAYS_PERHAPS)))
        order_fence(&walk->order, walk->stream, (record->says & SAYS_FENCE) != 0,
                    record->says & SAYS_ASIDE ? (OrderPlace){0} : place);
    if (record->says) see_said(walk, record);
}

/* What an unknown call queues is unknown. One without arguments, `backend.synchronize()`, may wait, as do
   others whose namesakes do. */
static void see_unseen(OrderWalk *walk, ContextId id, const Item *item) {
    const Context *context = context_of(walk, id);
    const Expr *call = &walk->inference->program->files.items[context->file].model->exprs.items[item->expr];
    order_work(&walk->order, CONFIDENCE_POSSIBLE, false, walk->stream);
    order_unseen(&walk->order);
    bool bare = call->kind == EXPR_CALL && !call->list.count;
    if (bare || namesakes_may_wait(walk->namesakes, walk->graph, id, item)) order_doubt(&walk->order);
}

/* ---- calls ---- */

static bool holds_item(const Context *context, const Item *item) {
    if (item->kind == ITEM_USE || item->kind == ITEM_WITH) return true;
    if (item->kind == ITEM_CALL) return item->flags & (CALL_CAPTURED | CALL_COMPILED);
    const uint16_t plain = SAYS_FENCE | SAYS_ASIDE | SAYS_FOUND | SAYS_ANYWHERE | SAYS_SURVIVES | SAYS_BREAKS |
                           SAYS_PERHAPS | SAYS_MARKS;
    return item->kind == ITEM_EFFECT && (context->effects.items[item->effect].says & ~plain);
}

/* A constructor fills parameters and tables (on the meta device not even that): no work that anybody times. */
static void as_of_making(Summary *summary) {
    if (summary->work > CONFIDENCE_POSSIBLE) summary->work = CONFIDENCE_POSSIBLE;
    if (summary->tail > CONFIDENCE_POSSIBLE) summary->tail = CONFIDENCE_POSSIBLE;
    summary->heavy = false;
}

static bool holds(OrderWalk *walk, ContextId id) {
    Summary *summary = &walk->summaries[id];
    if (summary->asked) return summary->holds;
    summary->asked = true;
    const Flow *flow = &walk->graph->flows[id];
    for (uint32_t i = 0; i < flow->items.count && !summary->holds; i++) {
        const Item *item = &flow->items.items[i];
        summary->holds =
            holds_item(context_of(walk, id), item) || (item->kind == ITEM_CALL && holds(walk, item->callee));
    }
    return summary->holds;
}

/* Made on demand, as the walk reaches few of all contexts. */
static Summary *summary_of(OrderWalk *walk, ContextId id) {
    Summary *summary = &walk->summaries[id];
    if (summary->done || summary->busy) return summary;
    summary->busy = true;
    OrderWalk inner = {.graph = walk->graph,
                       .inference = walk->inference,
                       .summaries = walk->summaries,
                       .namesakes = walk->namesakes,
                       .arena = walk->arena,
                       .quiet = true};
    order_start(&inner.order, SUBJECT_ALL, 0, false);
    if (!holds(walk, id)) walk_range(&inner, id, 0, walk->graph->flows[id].items.count);
    const Since *since = order_since(&inner.order, SUBJECT_ALL);
    summary->work = since->work, summary->tail = since->tail;
    summary->heavy = since->heavy, summary->fenced = since->fenced, summary->far = since->far;
    if (walk->graph->flows[id].constructor) as_of_making(summary);
    summary->busy = false;
    summary->done = true;
    return summary;
}

static void apply_summary(OrderWalk *walk, const Summary *summary, StmtId stmt) {
    if (summary->work) {
        judge_freed(walk, stmt);
        order_work(&walk->order, (Confidence)summary->work, summary->heavy, walk->stream);
    }
    if (summary->fenced) order_fence(&walk->order, walk->stream, false, (OrderPlace){0});
    if (summary->fenced && summary->tail)
        order_work(&walk->order, (Confidence)summary->tail, summary->heavy, walk->stream);
    for (uint32_t i = 0; i < walk->order.live_count; i++) walk->order.live[i].far |= summary->far;
}

static void walk_callee(OrderWalk *walk, ContextId callee) {
    uint32_t loops = walk->loops, guards = walk->guards;
    walk->depth++;
    walk->guards = 0;
    walk_range(walk, callee, 0, walk->graph->flows[callee].items.count);
    walk->depth--;
    walk->loops = loops;
    walk->guards = guards;
}

/* `with timer(name):` runs the generator up to its yield, then the body, then the rest. */
static void walk_around(OrderWalk *walk, ContextId id, uint32_t at, const Item *item) {
    struct Wrapped body = {.context = id, .at = at + 1, .end = item->end}, *outer = walk->wrapped;
    walk->wrapped = &body;
    walk_callee(walk, item->callee);
    walk->wrapped = outer;
    if (!body.done) walk_range(walk, id, body.at, body.end);
}

static void see_yield(OrderWalk *walk) {
    struct Wrapped *body = walk->wrapped;
    if (!body || body->done) return;
    body->done = true;
    walk->wrapped = NULL;
    walk_range(walk, body->context, body->at, body->end);
    walk->wrapped = body;
}

static void see_call(OrderWalk *walk, ContextId id, const Item *item) {
    Summary *summary = summary_of(walk, item->callee);
    if (namesakes_may_wait(walk->namesakes, walk->graph, id, item)) order_doubt(&walk->order);
    bool graphs = item->flags & (CALL_CAPTURED | CALL_COMPILED);
    bool inside = summary->holds || graphs || walk->capture || walk->compiled;
    if (summary->root != walk->root) summary->root = walk->root, summary->expanded = 0;
    bool again = summary->busy || walk->depth >= WALK_DEPTH || summary->expanded >= WALK_EXPANSIONS;
    if (!inside || again || walk->quiet) {
        apply_summary(walk, summary, item->stmt);
        return;
    }
    summary->expanded++;
    walk->capture += (item->flags & CALL_CAPTURED) != 0;
    walk->compiled += (item->flags & CALL_COMPILED) != 0;
    bool later = item->rate != RATE_CALL; /* a framework runs it at another time */
    Order before;
    if (later) order_copy(&before, &walk->order);
    OrderPlace around = walk->region;
    if (graphs) walk->region = (OrderPlace){context_of(walk, id)->file, item->expr};
    walk_callee(walk, item->callee);
    walk->region = around;
    if (later) order_copy(&walk->order, &before);
    walk->capture -= (item->flags & CALL_CAPTURED) != 0;
    walk->compiled -= (item->flags & CALL_COMPILED) != 0;
}

/* ---- blocks ---- */

/* A loop over data or around training steps takes so long that a launch queue's depth is negligible in a time
   measured over it. */
static bool is_far(const OrderWalk *walk, ContextId id, uint32_t at) {
    uint16_t does = walk->graph->regions[id].loops[at];
    return (does & (DOES_DATA | DOES_STEP | HOLDS_STEP)) ||
           walk->graph->flows[id].items.items[at].turns >= LONG_LOOP;
}

/* If an iteration waits, what remains queued at its end is little compared to all iterations. A fence inside
   the loop belongs to no clock after it. */
static void pass_loop(OrderWalk *walk, ContextId id, uint32_t at, uint32_t fences) {
    bool heavy = walk->graph->regions[id].loops[at] & (DOES_HEAVY | DOES_STEP | DOES_BACKWARD);
    for (uint32_t i = 0; i < walk->order.live_count; i++) {
        walk->order.live[i].far |= is_far(walk, id, at) || walk->order.fences > fences;
        walk->order.live[i].looped |= heavy;
    }
    walk->order.fence = (OrderPlace){0};
}

static void walk_loop(OrderWalk *walk, ContextId id, uint32_t at) {
    uint32_t end = walk->graph->flows[id].items.items[at].end, guards = walk->guards;
    uint32_t fences = walk->order.fences;
    walk->guards = 0;
    walk->loops++;
    walk->far_loops += is_far(walk, id, at);
    walk->first_turns++;
    if (!walk->quiet) walk_range(walk, id, at + 1, end);
    walk->first_turns--;
    walk_range(walk, id, at + 1, end);
    walk->loops--;
    walk->far_loops -= is_far(walk, id, at);
    walk->guards = guards;
    pass_loop(walk, id, at, fences);
}

static void walk_guard(OrderWalk *walk, ContextId id, uint32_t at) {
    const Item *item = &walk->graph->flows[id].items.items[at];
    if (item->flags & (GUARD_LEAVES | GUARD_RARE | GUARD_OFF)) return;
    Order before;
    order_copy(&before, &walk->order);
    walk->guards += walk->loops > 0;
    walk->branches += walk->capture > 0;
    walk_range(walk, id, at + 1, item->end);
    walk->branches -= walk->capture > 0;
    walk->guards -= walk->loops > 0;
    order_join(&before, &walk->order, !(item->flags & GUARD_EVERY));
    order_copy(&walk->order, &before);
}

/* A loop that is left after a few iterations is what one profiles. */
static bool holds_break(const Flow *flow, uint32_t at, uint32_t end) {
    for (; at < end; at++)
        if (flow->items.items[at].kind == ITEM_GUARD && (flow->items.items[at].flags & GUARD_BREAKS))
            return true;
    return false;
}

static bool holds_long_loop(const OrderWalk *walk, ContextId id, uint32_t at, uint32_t end) {
    const Flow *flow = &walk->graph->flows[id];
    for (; at < end; at++) {
        const Item *item = &flow->items.items[at];
        bool few = item->turns > 0 && item->turns < LONG_LOOP;
        if (item->kind == ITEM_LOOP && !few && is_far(walk, id, at) && !holds_break(flow, at, item->end))
            return true;
        if (item->kind == ITEM_CALL && (walk->graph->regions[item->callee].body & HOLDS_STEP)) return true;
    }
    return false;
}

static void walk_with(OrderWalk *walk, ContextId id, uint32_t at) {
    const Context *context = context_of(walk, id);
    const Item *item = &walk->graph->flows[id].items.items[at];
    uint32_t effect = effects_at(context, item->expr, EFFECT_OWN);
    ObjectId outer = walk->stream;
    bool captures = false, profiled = false;
    for (; effect; effect = context->effects.items[effect].next) {
        const EffectRecord *record = &context->effects.items[effect];
        if (record->says & SAYS_STREAM) walk->stream = record->subject;
        captures |= (record->says & SAYS_CAPTURE) != 0;
        profiled |= (record->says & SAYS_PROFILED) != 0;
    }
    if (profiled && holds_long_loop(walk, id, at + 1, item->end))
        say(walk, (OrderFault){.finds = FINDS_profiled_loop,
                               .place = {context->file, item->expr},
                               .stmt = item->stmt,
                               .confidence = CONFIDENCE_LIKELY});
    OrderPlace around = walk->region;
    if (captures) walk->region = (OrderPlace){context->file, item->expr};
    walk->capture += captures;
    walk_range(walk, id, at + 1, item->end);
    walk->capture -= captures;
    walk->region = around;
    walk->stream = outer;
}

static void walk_range(OrderWalk *walk, ContextId id, uint32_t at, uint32_t end) {
    const Flow *flow = &walk->graph->flows[id];
    for (; at < end && walk->items++ < WALK_ITEMS; at++) {
        const Item *item = &flow->items.items[at];
        switch ((ItemKind)item->kind) {
        case ITEM_EFFECT: see_effect(walk, id, item); break;
        case ITEM_USE: see_use(walk, id, item); break;
        case ITEM_UNSEEN: see_unseen(walk, id, item); break;
        case ITEM_YIELD: see_yield(walk); break;
        case ITEM_CALL:
            if (item->end && !walk->quiet) {
                walk_around(walk, id, at, item);
                at = item->end;
            } else {
                see_call(walk, id, item);
            }
            break;
        case ITEM_LOOP: walk_loop(walk, id, at), at = item->end; break;
        case ITEM_GUARD: walk_guard(walk, id, at), at = item->end; break;
        case ITEM_WITH: walk_with(walk, id, at), at = item->end; break;
        case ITEM_DATA:
        case ITEM_END: break;
        }
    }
}

/* ---- roots ---- */

/* A script starts cold; unseen callers of a function may have warmed up. */
static void walk_root(OrderWalk *walk, ContextId id) {
    walk->order = (Order){.warm = context_of(walk, id)->root != 1 + RATE_ONCE};
    walk->stream = 0;
    walk->items = walk->depth = walk->loops = walk->first_turns = walk->guards = 0;
    walk->capture = walk->compiled = 0;
    walk->root = id;
    if (holds(walk, id)) walk_range(walk, id, 0, walk->graph->flows[id].items.count);
}

/* Collects the pairs of readings that a context subtracts, and the gaps from the end of one interval to the
   next start. */
static void want_pairs(OrderWalk *walk, const Context *context) {
    for (uint32_t i = 0; i < context->uses.count; i++) {
        const Use *use = &context->uses.items[i];
        if (use->kind != POINT_CLOCK) continue;
        vec_push(walk->arena, &walk->wanted.items, ((Wanted){use->from, use->of}));
        vec_push(walk->arena, &walk->wanted.items, ((Wanted){use->of, use->from}));
    }
}

OrderFaults order_faults_find(Arena *arena, const CallGraph *graph) {
    OrderFaults faults = {0};
    Arena scratch = {0};
    Namesakes namesakes = {0};
    OrderWalk walk = {
        .arena = &scratch, .graph = graph, .inference = graph->inference, .namesakes = &namesakes};
    OrderFaults found = {0};
    walk.faults = &found;
    walk.summaries = arena_new(&scratch, Summary, graph->inference->contexts.count);
    for (ContextId id = 1; id < graph->inference->contexts.count; id++)
        want_pairs(&walk, graph->inference->contexts.items[id]);
    if (walk.wanted.items.count) namesakes = namesakes_find(&scratch, graph); /* only needed for clocks */
    for (ContextId id = 1; id < graph->inference->contexts.count; id++)
        if (graph->inference->contexts.items[id]->root) walk_root(&walk, id);
    for (uint32_t i = 0; i < found.items.count; i++) vec_push(arena, &faults.items, found.items.items[i]);
    arena_free(&scratch);
    return faults;
}
