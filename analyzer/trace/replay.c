#include "replay.h"
#include "median.h"
#include <math.h>

struct Replay {
    const TracedRun *run; /* NULL = made from kept items */
    VEC(Item) items;
    uint32_t steps, *firsts; /* [steps + 1]: first item of each step */
    uint32_t *first_calls;   /* [steps + 1]: first call of each step */
    TimelineSetup setup;
    Timeline *timeline;
};

typedef struct Usual {
    double ready_us[CALL_STREAM_WAITS + 1]; /* [call kind]: time of a wait with nothing pending */
    double after_us[CALL_STREAM_WAITS +
                    1]; /* [call kind]: from the end of the awaited work to the wait's return */
    double pad_us;      /* pause between two works on a busy stream */
} Usual;

typedef struct Builder {
    Arena *arena;
    Replay *replay;
    const TracedRun *run;
    const Removal *removals;
    const Overhead *overhead;
    Usual usual;
    double stream_end_us[RUN_STREAMS]; /* traced end of the latest work */
    bool held[RUN_STREAMS];            /* the stream waits for an event */
    bool called[RUN_CHAINS];
    uint16_t main_thread; /* of the main chain */
    bool away;            /* in a backward pass, on another thread */
} Builder;

/* ---- typical times of this trace ---- */

static void usual_waits(Builder *builder, double *values) {
    for (uint32_t kind = 0; kind <= CALL_STREAM_WAITS; kind++) {
        uint32_t ready = 0, pending = 0;
        double *after = values + builder->run->count;
        for (uint32_t i = 0; i < builder->run->count; i++) {
            const RunCall *call = &builder->run->calls[i];
            if (call->call->kind != kind || !call->wait) continue;
            if (call->pending_us <= 0)
                values[ready++] = call->own_us;
            else
                after[pending++] = call->after_us;
        }
        builder->usual.ready_us[kind] = median_of(values, ready, 2.0);
        builder->usual.after_us[kind] = median_of(after, pending, builder->usual.ready_us[kind]);
    }
}

/* Typical pauses between the end of one work and the start of the next, queued long before. */
static void usual_pads(Builder *builder, double *values) {
    const TracedRun *run = builder->run;
    double end_us[RUN_STREAMS] = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        for (uint32_t k = 0; k < call->links; k++) {
            const TraceWork *work = trace_linked(run->trace, call->first_link + k);
            double pad_us = work->start_us - end_us[call->stream];
            if (call->call->end_us + 10 < end_us[call->stream] && pad_us >= 0 && pad_us < 10 &&
                count < 2 * run->count)
                values[count++] = pad_us;
            end_us[call->stream] = fmax(end_us[call->stream], work->end_us);
        }
    }
    builder->usual.pad_us = median_of(values, count, 1.0);
}

/* ---- items ---- */

static void add(Builder *builder, Item item) {
    if (item.repeat == 0) item.repeat = 1;
    vec_push(builder->arena, &builder->replay->items, item);
}

static void add_host(Builder *builder, const RunCall *call, uint32_t site, double host_us) {
    if (host_us > 0)
        add(builder,
            (Item){.kind = ITEM_HOST, .thread = (uint8_t)call->chain, .site = site, .host_us = host_us});
}

/* Counting events does not explain all of the overhead in a gap. The profiler's work at each CUDA call also
   evicts the program's data from the caches, which slows the program until it has read it again, but not long
   work of its own. */
double replay_gap_us(const Overhead *overhead, const RunCall *call) {
    static const double felt_us = 300;
    double profiler_us = overhead->call_us > 0 ? call->profiler_us : 0;
    double recording_us = overhead->call_us + overhead->operator_us * call->operators +
                          overhead->python_us * call->pythons + overhead->step_us * call->marks + profiler_us;
    double whole_us = overhead->usual ? call->usual_gap_us : call->gap_us;
    if (overhead->usual && call->clean_gap > 0) return call->clean_gap * whole_us / overhead->pace;
    double gap_us = fmax(whole_us - recording_us, 0.2 * whole_us);
    return gap_us - fmin(gap_us, felt_us) * (1 - 1 / overhead->slower);
}

double replay_own_us(const Overhead *overhead, const RunCall *call) {
    bool queues = call->call->kind == CALL_LAUNCH || call->call->kind == CALL_COPY;
    double own_us = overhead->usual ? call->usual_own_us : call->own_us;
    if (overhead->usual && call->clean_own > 0) return call->clean_own * own_us / overhead->pace;
    return queues ? fmax(own_us - overhead->launch_us, 0.3 * own_us) : own_us;
}

/* Adds the host work between two calls, part of which may belong to a site. A side chain continues when the
   main chain has come as far as it had in the trace. */
static void add_gap(Builder *builder, const RunCall *call, const Removal *removal) {
    static const double pause_us = 100;
    double gap_us = replay_gap_us(builder->overhead, call);
    double part = call->gap_us > 0 ? fmin(removal->gap_us / call->gap_us, 1) : 0;
    double leaves_us = removal->site ? gap_us * part : 0;
    if (call->chain > 0 && (gap_us > pause_us || !builder->called[call->chain])) {
        add(builder, (Item){.kind = ITEM_FOLLOWS, .thread = (uint8_t)call->chain, .object = 0});
        gap_us = leaves_us;
    }
    builder->called[call->chain] = true;
    add_host(builder, call, 0, gap_us - leaves_us);
    add_host(builder, call, removal->site, leaves_us);
}

static double work_us(Builder *builder, const RunCall *call, const TraceWork *work) {
    double end_us = builder->stream_end_us[call->stream], pad_us = work->start_us - end_us;
    bool queued = call->call->end_us + 10 < end_us && !builder->held[call->stream];
    if (!queued || pad_us < 0 || pad_us > 10 * builder->usual.pad_us + 5) pad_us = builder->usual.pad_us;
    builder->stream_end_us[call->stream] = fmax(end_us, work->end_us);
    builder->held[call->stream] = false;
    /* A copy from pageable memory runs while the call still fills its buffers: only what remains at its return
       counts. */
    bool within = call->call->kind == CALL_COPY && !call->wait && work->start_us < call->call->end_us;
    if (within) return fmax(work->end_us - call->call->end_us, 0) + pad_us;
    return work->end_us - work->start_us + pad_us;
}

/* Time until a blocking copy is queued. */
static double queueing_us(const Builder *builder, const RunCall *call) {
    if (!call->wait) return replay_own_us(builder->overhead, call);
    const TraceWork *first = trace_linked(builder->run->trace, call->first_link);
    double until_us = first->start_us - call->start_us - builder->run->latency_us - call->late_us;
    bool idle = builder->stream_end_us[call->stream] < call->start_us;
    return idle ? fmax(fmin(until_us, call->own_us), 0) : fmin(call->own_us, 4.0);
}

/* Part of a call that continues after its work has started: a CUDA graph runs while its later nodes are still
   submitted. */
static double behind_start_us(const Builder *builder, const RunCall *call, double host_us) {
    static const double least_us = 10;
    const TraceWork *first = trace_linked(builder->run->trace, call->first_link);
    double behind_us = call->call->end_us - first->start_us, took_us = call->call->end_us - call->start_us;
    if (call->wait || call->call->kind != CALL_LAUNCH || behind_us < least_us || took_us <= 0) return 0;
    return host_us * fmin(behind_us / took_us, 1);
}

/* Time during which another program had the GPU, before the call's work and within it. */
static double shared_us(const Builder *builder, const RunCall *call) {
    return builder->overhead->shared ? call->late_us : -call->cut_us;
}

static bool is_staged(const Builder *builder, const RunCall *call) {
    const TraceWork *copy = trace_linked(builder->run->trace, call->first_link);
    return call->call->kind == CALL_COPY && !call->wait && copy->pageable && copy->kind == WORK_TO_DEVICE &&
           copy->start_us < call->call->end_us;
}

/* A copy from pageable memory is staged piece by piece. Once the first piece is, the call keeps the pace of the
   copy itself, which waits for its stream; what remains when the call returns is queued. So behind a busy
   stream the call waits, and the GPU waits for the host's second piece. */
static void add_staged(Builder *builder, const RunCall *call, uint32_t site) {
    static const double stood_us = 10; /* else the first piece may have been staged meanwhile */
    const TraceWork *copy = trace_linked(builder->run->trace, call->first_link);
    double latency_us = builder->run->latency_us,
           since_us = copy->start_us - builder->stream_end_us[call->stream];
    double pace = call->own_us > 0 ? replay_own_us(builder->overhead, call) / call->own_us : 1;
    double first_us =
        since_us > latency_us + stood_us ? fmax(copy->start_us - call->start_us - latency_us, 0) : 0;
    Item item = {.kind = ITEM_LAUNCH, .thread = (uint8_t)call->chain, .stream = call->stream, .site = site};
    item.host_us = pace * first_us, item.gpu_us = pace * (call->call->end_us - copy->start_us);
    add(builder, item);
    item.kind = ITEM_WAIT_STREAM, item.host_us = item.gpu_us = 0;
    add(builder, item);
    item.kind = ITEM_LAUNCH, item.gpu_us = work_us(builder, call, copy);
    add(builder, item);
}

static void add_works(Builder *builder, const RunCall *call, uint32_t site) {
    double host_us = queueing_us(builder, call), behind_us = behind_start_us(builder, call, host_us);
    for (uint32_t k = 0; k < call->links; k++) {
        const TraceWork *work = trace_linked(builder->run->trace, call->first_link + k);
        add(builder,
            (Item){.kind = ITEM_LAUNCH,
                   .thread = (uint8_t)call->chain,
                   .stream = call->stream,
                   .site = site,
                   .host_us = k ? 0 : host_us - behind_us,
                   .gpu_us = fmax(work_us(builder, call, work) + (k ? 0 : shared_us(builder, call)), 0)});
    }
    add_host(builder, call, site, behind_us);
}

static void add_wait(Builder *builder, const RunCall *call, uint32_t site) {
    static const uint8_t kinds[] = {[RUN_WAIT_STREAM] = ITEM_WAIT_STREAM,
                                    [RUN_WAIT_DEVICE] = ITEM_WAIT_DEVICE,
                                    [RUN_WAIT_EVENT] = ITEM_WAIT_EVENT};
    uint8_t kind = call->call->kind;
    bool pending = call->pending_us > 0, free = kind == CALL_FREE;
    double ready_us = pending ? fmin(builder->usual.ready_us[kind], call->own_us) : call->own_us;
    double after_us = pending ? fmax(call->after_us, 0) : builder->usual.after_us[kind];
    if (free) ready_us = after_us = pending ? call->after_us : call->own_us;
    if (call->links) ready_us = 0, after_us = pending ? call->after_us : 0;
    uint8_t how = call->wait == RUN_WAIT_EVENT && !call->record ? ITEM_HOST : kinds[call->wait];
    add(builder, (Item){.kind = how,
                        .thread = (uint8_t)call->chain,
                        .stream = call->stream,
                        .object = call->record,
                        .site = site,
                        .host_us = ready_us,
                        .wake_us = after_us});
}

static void add_call(Builder *builder, const RunCall *call, const Removal *removal, uint32_t index) {
    uint32_t of_call = removal->call ? removal->site : 0;
    Item item = {.thread = (uint8_t)call->chain,
                 .stream = call->stream,
                 .site = of_call,
                 .host_us = replay_own_us(builder->overhead, call)};
    bool away = call->call->thread != builder->main_thread, changed = call->chain == 0 && away != builder->away;
    if (changed && !away) add(builder, (Item){.kind = ITEM_HOST, .object = REPLAY_BACKWARD_END});
    add_gap(builder, call, removal);
    if (changed && away) add(builder, (Item){.kind = ITEM_HOST, .object = REPLAY_BACKWARD});
    if (changed) builder->away = away;
    if (call->links && is_staged(builder, call))
        add_staged(builder, call, of_call);
    else if (call->links)
        add_works(builder, call, of_call);
    if (call->wait) {
        add_wait(builder, call, removal->only_gap ? 0 : removal->site);
    } else if (call->call->kind == CALL_RECORD) {
        item.kind = ITEM_RECORD, item.object = index + 1;
        add(builder, item);
    } else if (call->call->kind == CALL_STREAM_WAITS && call->record && call->stream < RUN_STREAMS) {
        item.kind = ITEM_STREAM_WAITS, item.object = call->record;
        builder->held[call->stream] = true;
        add(builder, item);
    } else if (!call->links) {
        add_host(builder, call, of_call, replay_own_us(builder->overhead, call));
    }
}

/* The thread that waits most. (Values are read there; a step may also be cut where the backward pass begins.) */
static uint16_t main_thread(const TracedRun *run) {
    uint32_t waits[UINT8_MAX + 1] = {0}, main = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        if (call->chain == 0 && call->wait) waits[call->call->thread & UINT8_MAX]++;
    }
    for (uint32_t thread = 1; thread <= UINT8_MAX; thread++)
        if (waits[thread] > waits[main]) main = thread;
    return (uint16_t)main;
}

Replay *replay_new(Arena *arena, const TracedRun *run, const Removal *removals, uint32_t sites,
                   double queue_launches, const Overhead *overhead) {
    Arena scratch = {0};
    Replay *replay = arena_new(arena, Replay, 1);
    Builder builder = {
        .arena = arena, .replay = replay, .run = run, .removals = removals, .overhead = overhead};
    double *values = arena_new(&scratch, double, 2 * run->count + 2);
    usual_waits(&builder, values);
    usual_pads(&builder, values);
    arena_free(&scratch);
    replay->run = run, replay->steps = run->steps;
    replay->firsts = arena_new(arena, uint32_t, run->steps + 1);
    replay->first_calls = arena_new(arena, uint32_t, run->steps + 1);
    builder.main_thread = main_thread(run);
    builder.away = run->count && run->calls[0].call->thread != builder.main_thread;
    for (uint32_t i = 0, step = 0; i <= run->count; i++) {
        for (; step <= run->steps && (i == run->count || step <= run->calls[i].step); step++)
            replay->firsts[step] = replay->items.count, replay->first_calls[step] = i;
        if (i < run->count) add_call(&builder, &run->calls[i], &removals[i], i);
    }
    replay->firsts[run->steps] = replay->items.count;
    double tail_us = run->tail_us[0] * (overhead->usual && run->clean_tail > 0 ? run->clean_tail : 1);
    add(&builder, (Item){.kind = ITEM_HOST, .host_us = tail_us});
    replay->setup = (TimelineSetup){.launch_latency_us = run->latency_us,
                                    .queue_launches = queue_launches,
                                    .threads = run->chains,
                                    .streams = run->streams ? run->streams : 1,
                                    .events = run->count + 1,
                                    .sites = sites};
    replay->timeline = timeline_new(arena, &replay->setup);
    return replay;
}

Replay *replay_of(Arena *arena, ReplayStep step, const TimelineSetup *setup) {
    Replay *replay = arena_new(arena, Replay, 1);
    *replay = (Replay){.steps = 1, .setup = *setup, .firsts = arena_new(arena, uint32_t, 2)};
    for (uint32_t i = 0; i < step.count; i++) vec_push(arena, &replay->items, step.items[i]);
    replay->firsts[1] = step.count;
    replay->timeline = timeline_new(arena, setup);
    return replay;
}

uint32_t replay_steps(const Replay *replay) { return replay->steps; }

ReplayStep replay_items(const Replay *replay, uint32_t step) {
    const uint32_t *firsts = replay->firsts + step;
    return (ReplayStep){replay->items.items + firsts[0], firsts[1] - firsts[0]};
}

TimelineSetup replay_setup(const Replay *replay) { return replay->setup; }

uint32_t replay_place(const Replay *replay, uint32_t event) {
    if (!replay->run) return event < replay->setup.events ? event : 0;
    return event ? event - 1 - replay->first_calls[replay->run->calls[event - 1].step] : replay_places(replay);
}

uint32_t replay_places(const Replay *replay) { return replay->run ? replay->run->count : replay->setup.events; }

TurnTime replay_step(Replay *replay, const bool *removed) {
    TurnTime turn = timeline_replay(replay->timeline, replay->items.items, replay->items.count,
                                    (TimelineChange){.removed = removed}, NULL);
    double steps = replay->steps;
    return (TurnTime){turn.turn_us / steps, turn.host_busy_us / steps, turn.gpu_busy_us / steps};
}

void replay_draw(Replay *replay, const bool *removed, TimelineDrawing *drawing) {
    timeline_draw(replay->timeline, replay->items.items, replay->items.count,
                  (TimelineChange){.removed = removed}, drawing);
}
