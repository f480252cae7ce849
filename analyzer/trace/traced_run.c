#include "traced_run.h"
#include "median.h"
#include <math.h>

enum {
    STEPS_LIMIT = 48, /* more steps add no information */
    RECORDS_A_STEP = 4,
    RECORDS_BACK = 64, /* most records that are searched back for an event */
};

static const double slack_us = 1.0; /* agreement of the host's and the GPU's clocks */

/* The state of every stream while the calls are visited in order. */
typedef struct RunWalk {
    TracedRun *run;
    const Steps *steps;
    uint8_t chain_of[UINT8_MAX + 1];   /* [thread]; UINT8_MAX = left out */
    double stream_end_us[RUN_STREAMS]; /* end of the latest work queued there */
    uint16_t latest_stream[RUN_CHAINS];
    double chain_end_us[RUN_CHAINS];
    uint16_t chain_thread[RUN_CHAINS];
    struct Record {
        uint32_t call; /* index of the RunCall + 1 */
        double end_us[RUN_STREAMS];
        uint16_t stream;
    } records[RECORDS_BACK];
    uint32_t record_count;
} RunWalk;

/* ---- threads ---- */

/* Bit sets of the streams that each thread queues on. */
static void thread_streams(const Trace *trace, uint32_t *streams, uint32_t *launches) {
    for (uint32_t i = 0; i < trace->calls.count; i++) {
        const TraceCall *call = trace_call(trace, i);
        uint32_t links, first = trace_links(trace, call->correlation, &links);
        if (!links || call->thread > UINT8_MAX) continue;
        streams[call->thread] |= 1u << (trace_linked(trace, first)->stream % RUN_STREAMS);
        launches[call->thread]++;
    }
}

/* The main chain starts with the thread that launches most and takes in every thread that shares a stream with
   it. */
static void make_chains(RunWalk *walk) {
    const Trace *trace = walk->run->trace;
    uint32_t streams[UINT8_MAX + 1] = {0}, launches[UINT8_MAX + 1] = {0}, most = 0;
    thread_streams(trace, streams, launches);
    memset(walk->chain_of, UINT8_MAX, sizeof walk->chain_of);
    for (uint32_t i = 1; i <= UINT8_MAX; i++)
        if (launches[i] > launches[most]) most = i;
    uint32_t shared = streams[most];
    for (bool grew = true; grew;) {
        grew = false;
        for (uint32_t i = 0; i <= UINT8_MAX; i++)
            if (launches[i] && (streams[i] & shared) && (streams[i] | shared) != shared)
                shared |= streams[i], grew = true;
    }
    walk->run->chains = 1;
    for (uint32_t i = 0; i <= UINT8_MAX; i++) {
        if (!launches[i]) continue;
        bool main = streams[i] & shared;
        if (main) walk->chain_of[i] = 0;
        if (!main && walk->run->chains < RUN_CHAINS) walk->chain_of[i] = (uint8_t)walk->run->chains++;
    }
}

/* A thread that waits but launches nothing (e.g. a main thread that only reads) belongs to the main chain. */
static bool waits(CallKind kind) {
    return kind == CALL_WAIT_DEVICE || kind == CALL_WAIT_STREAM || kind == CALL_WAIT_EVENT;
}

/* ---- what a wait waits for ---- */

static uint16_t busiest_until(const RunWalk *walk, double end_us, double *pending_end_us) {
    uint16_t best = 0;
    *pending_end_us = -1;
    for (uint16_t stream = 0; stream < walk->run->streams; stream++)
        if (walk->stream_end_us[stream] <= end_us + slack_us && walk->stream_end_us[stream] > *pending_end_us)
            *pending_end_us = walk->stream_end_us[stream], best = stream;
    return best;
}

static void waits_for_stream(const RunWalk *walk, RunCall *call) {
    double end_us = call->call->end_us, pending_end_us, other_us;
    call->wait = RUN_WAIT_STREAM;
    call->stream = walk->latest_stream[call->chain];
    pending_end_us = walk->stream_end_us[call->stream];
    uint16_t other = busiest_until(walk, end_us, &other_us);
    bool impossible = pending_end_us > end_us + slack_us;
    bool unexplained = pending_end_us < call->start_us && other_us > call->start_us;
    if (impossible || unexplained) call->stream = other, pending_end_us = other_us;
    call->pending_us = pending_end_us - call->start_us;
}

static void waits_for_device(const RunWalk *walk, RunCall *call) {
    double pending_end_us;
    (void)busiest_until(walk, call->call->end_us, &pending_end_us);
    call->wait = RUN_WAIT_DEVICE;
    call->pending_us = pending_end_us - call->start_us;
}

/* Of the records whose work was done when the wait returned, takes the latest that explains the wait's
   duration. A wait that did not block tells nothing; then takes the record done longest ago, which constrains a
   faster run least. */
static void waits_for_event(const RunWalk *walk, RunCall *call) {
    const struct Record *best = NULL;
    double best_us = 0, end_us = call->call->end_us;
    for (uint32_t back = 1; back <= walk->record_count && back <= RECORDS_BACK; back++) {
        const struct Record *record = &walk->records[(walk->record_count - back) % RECORDS_BACK];
        double done_us = record->end_us[record->stream];
        bool explains = done_us > call->start_us, explained = best && best_us > call->start_us;
        if (done_us > end_us + slack_us || (!explains && (explained || back > RECORDS_A_STEP))) continue;
        bool better = !best || (explains && !explained) || (explains ? done_us > best_us : done_us < best_us);
        if (better) best = record, best_us = done_us;
    }
    call->wait = RUN_WAIT_EVENT;
    call->record = best ? best->call : 0;
    call->stream = best ? best->stream : walk->latest_stream[call->chain];
    call->pending_us = (best ? best_us : 0) - call->start_us;
}

/* ---- one call ---- */

static void queue_works(RunWalk *walk, RunCall *call) {
    const Trace *trace = walk->run->trace;
    double end_us = 0;
    for (uint32_t i = 0; i < call->links; i++) {
        const TraceWork *work = trace_linked(trace, call->first_link + i);
        call->stream = work->stream % RUN_STREAMS;
        if (walk->stream_end_us[call->stream] < work->end_us) walk->stream_end_us[call->stream] = work->end_us;
        if (end_us < work->end_us) end_us = work->end_us;
    }
    walk->latest_stream[call->chain] = call->stream;
    const TraceWork *first = trace_linked(trace, call->first_link);
    bool over = end_us <= call->call->end_us + 0.01 && first->kind != WORK_KERNEL;
    if (call->call->kind == CALL_COPY && (call->call->blocks || over)) {
        call->wait = RUN_WAIT_STREAM;
        call->pending_us = end_us - call->start_us;
    }
}

/* The stream of a record is first taken to be the one where the chain queued last; a wait for it may show
   another one. */
static void note_record(RunWalk *walk, RunCall *call, uint32_t index) {
    struct Record *record = &walk->records[walk->record_count++ % RECORDS_BACK];
    call->stream = record->stream = walk->latest_stream[call->chain];
    record->call = index + 1;
    memcpy(record->end_us, walk->stream_end_us, sizeof record->end_us);
}

static void look_at(RunWalk *walk, RunCall *call, uint32_t index) {
    switch ((CallKind)call->call->kind) {
    case CALL_WAIT_STREAM: waits_for_stream(walk, call); break;
    case CALL_WAIT_DEVICE:
    case CALL_FREE: waits_for_device(walk, call); break;
    case CALL_WAIT_EVENT: waits_for_event(walk, call); break;
    case CALL_RECORD: note_record(walk, call, index); break;
    case CALL_LAUNCH:
    case CALL_COPY:
    case CALL_ALLOCATE:
    case CALL_STREAM_WAITS:
    case CALL_OTHER: break;
    }
    if (call->links) queue_works(walk, call);
    double took_us = fmax(call->call->end_us - call->start_us, 0);
    call->after_us = call->wait ? fmin(took_us, took_us - call->pending_us) : 0;
    call->own_us = took_us;
}

/* An upper bound of the number of calls in the window, which are all that is kept. */
static uint32_t room_for(const Trace *trace, double from_us, double to_us) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < trace->calls.count; i++) {
        const TraceCall *call = trace_call(trace, i);
        count += call->start_us >= from_us && call->start_us < to_us;
    }
    return count + 1;
}

static void add_call(RunWalk *walk, uint32_t trace_index, uint32_t step, uint8_t chain) {
    TracedRun *run = walk->run;
    const TraceCall *from = trace_call(run->trace, trace_index);
    RunCall *call = &run->calls[run->count];
    *call = (RunCall){.call = from, .trace_index = trace_index, .step = step, .chain = chain};
    call->first_link = trace_links(run->trace, from->correlation, &call->links);
    double before_us = walk->chain_end_us[chain];
    call->start_us = fmax(from->start_us, before_us);
    call->gap_us = fmax(from->start_us - fmax(before_us, run->from_us), 0);
    call->thread_changed = walk->chain_thread[chain] != from->thread;
    walk->chain_end_us[chain] = fmax(from->end_us, before_us);
    walk->chain_thread[chain] = from->thread;
    look_at(walk, call, run->count);
}

/* Calls before the window only advance the clocks. */
static void walk_calls(RunWalk *walk, uint32_t first_step, uint32_t end_step) {
    TracedRun *run = walk->run;
    const double *starts = walk->steps->starts_us;
    uint32_t step = 0;
    run->from_us = starts[first_step], run->to_us = starts[end_step];
    for (uint32_t i = 0; i < run->trace->calls.count; i++) {
        const TraceCall *call = trace_call(run->trace, i);
        if (call->start_us >= run->to_us) break;
        while (step < end_step && call->start_us >= starts[step + 1]) step++;
        uint8_t chain = call->thread <= UINT8_MAX ? walk->chain_of[call->thread] : UINT8_MAX;
        if (chain == UINT8_MAX && waits((CallKind)call->kind) && run->chains == 1) chain = 0;
        if (chain == UINT8_MAX) continue;
        add_call(walk, i, step < first_step ? 0 : step - first_step, chain);
        if (call->start_us < run->from_us)
            walk->record_count = 0; /* earlier records are not in the replay */
        else
            run->count++;
    }
}

static void measure_tails(RunWalk *walk) {
    for (uint32_t chain = 0; chain < walk->run->chains; chain++)
        walk->run->tail_us[chain] = fmax(walk->run->to_us - walk->chain_end_us[chain], 0);
}

/* ---- measures of the window ---- */

/* From a launch to the start of its work on a stream known to be idle. (The window's first work on a stream may
   be queued behind others.) Copies serve where there is no kernel. */
static void measure_latency(TracedRun *run) {
    Arena scratch = {0};
    double *latencies[2] = {arena_new(&scratch, double, run->count + 1),
                            arena_new(&scratch, double, run->count + 1)};
    double end_us[RUN_STREAMS];
    uint32_t counts[2] = {0};
    for (uint32_t i = 0; i < RUN_STREAMS; i++) end_us[i] = INFINITY;
    for (uint32_t i = 0; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        for (uint32_t k = 0; k < call->links; k++) {
            const TraceWork *work = trace_linked(run->trace, call->first_link + k);
            bool is_kernel = work->kind == WORK_KERNEL;
            if (end_us[call->stream] < call->start_us && k == 0 && !call->wait)
                latencies[is_kernel][counts[is_kernel]++] = work->start_us - call->call->end_us;
            if (end_us[call->stream] == INFINITY || end_us[call->stream] < work->end_us)
                end_us[call->stream] = work->end_us;
        }
    }
    bool kernels = counts[true] > 0;
    run->latency_us = median_of(latencies[kernels], counts[kernels], 0);
    arena_free(&scratch);
}

/* The host's lead over the GPU, and the GPU's busy time. */
static void measure_launches(TracedRun *run) {
    double busy_us[RUN_STREAMS] = {0}, ahead_us = 0;
    uint32_t launches = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        for (uint32_t k = 0; k < call->links; k++) {
            const TraceWork *work = trace_linked(run->trace, call->first_link + k);
            double lead_us = work->start_us - call->call->end_us;
            busy_us[call->stream] += work->end_us - work->start_us;
            ahead_us += fmax(lead_us, 0), launches++;
        }
    }
    run->run_ahead_us = launches ? fmax(ahead_us / launches - fmax(run->latency_us, 0), 0) : 0;
    for (uint32_t stream = 0; stream < RUN_STREAMS; stream++)
        run->gpu_busy_us = fmax(run->gpu_busy_us, busy_us[stream] / run->steps);
}

/* A host that waits in each step keeps the GPU's pace. One that never waits may run ahead of the GPU; then a
   step is measured between ends of the GPU's work. */
static void measure_step(TracedRun *run) {
    double end_us[STEPS_LIMIT] = {0}, blocked_us = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        if (call->wait) blocked_us += call->own_us / run->steps;
        for (uint32_t k = 0; k < call->links; k++)
            end_us[call->step] =
                fmax(end_us[call->step], trace_linked(run->trace, call->first_link + k)->end_us);
    }
    double host_us = (run->to_us - run->from_us) / run->steps;
    double gpu_us = run->steps > 1 ? (end_us[run->steps - 1] - end_us[0]) / (run->steps - 1) : 0;
    run->step_us = blocked_us > 0.05 * host_us ? host_us : fmax(host_us, gpu_us);
}

static void measure_rest(TracedRun *run) {
    for (uint32_t i = 0; i < run->count; i++)
        if (run->calls[i].wait) run->blocked_us += run->calls[i].own_us / run->steps;
    for (uint32_t i = 0; i < run->trace->spans.count; i++) {
        const TraceSpan *span = trace_span(run->trace, i);
        bool within = span->start_us >= run->from_us && span->start_us < run->to_us;
        if (span->kind == SPAN_PROFILER && within)
            run->profiler_us += (span->end_us - span->start_us) / run->steps;
    }
}

/* profiler.step() itself, which a trace with stacks shows. */
static bool is_profiler_step(const Trace *trace, const TraceSpan *span) {
    Text name = names_text(&trace->names, span->name);
    return span->kind == SPAN_PYTHON && text_ends(name, TEXT(": step")) &&
           text_starts(name, TEXT("torch/profiler/profiler.py("));
}

/* Counts the recorded spans in the gap before each call of the main chain. */
static void count_spans(const RunWalk *walk) {
    TracedRun *run = walk->run;
    const Trace *trace = run->trace;
    uint32_t at = 0;
    for (uint32_t i = 0; i < trace->spans.count; i++) {
        const TraceSpan *span = trace_span(trace, i);
        if (span->start_us < run->from_us || span->thread > UINT8_MAX || walk->chain_of[span->thread] != 0)
            continue;
        while (at < run->count && (run->calls[at].chain != 0 || run->calls[at].start_us < span->start_us)) at++;
        if (at == run->count) break;
        RunCall *call = &run->calls[at];
        call->operators += span->kind == SPAN_OPERATOR || span->kind == SPAN_REGION;
        call->pythons += span->kind == SPAN_PYTHON;
        if (span->kind == SPAN_PROFILER || is_profiler_step(trace, span))
            call->profiler_us += span->end_us - span->start_us;
        else if (span->kind == SPAN_STEP && !trace->has_python)
            call->marks++;
    }
}

double traced_launch_us(const TracedRun *run) {
    Arena scratch = {0};
    double *took = arena_new(&scratch, double, run->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->count; i++)
        if (run->calls[i].call->kind == CALL_LAUNCH) took[count++] = run->calls[i].own_us;
    double usual_us = median_of(took, count, 0);
    arena_free(&scratch);
    return usual_us;
}

/* A launch into a full queue blocks until there is room: its own time is replaced by that of the other
   launches. */
static void take_off_stalls(TracedRun *run) {
    double usual_us = traced_launch_us(run);
    for (uint32_t i = 0; i < run->count; i++) {
        RunCall *call = &run->calls[i];
        if (call->call->kind != CALL_LAUNCH || call->own_us < 50 + 8 * usual_us || !call->links) continue;
        double ahead_us = trace_linked(run->trace, call->first_link)->start_us - call->start_us;
        if (ahead_us < 5 * call->own_us) continue; /* the work began soon after, so the call itself was slow */
        call->own_us = usual_us;
        run->stalls++;
    }
}

static bool called_alike(const RunCall *a, const RunCall *b, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (a[i].call->name != b[i].call->name || a[i].chain != b[i].chain) return false;
    return true;
}

/* The steps that make the same calls in the same order as the given one. */
static uint32_t steps_like(const TracedRun *run, const uint32_t *firsts, uint32_t step, uint32_t *alike) {
    uint32_t count = firsts[step + 1] - firsts[step], found = 0;
    for (uint32_t other = 0; other < run->steps; other++)
        if (firsts[other + 1] - firsts[other] == count &&
            called_alike(&run->calls[firsts[step]], &run->calls[firsts[other]], count))
            alike[found++] = other;
    return found;
}

/* The host's own time in a step. */
static double host_us(const TracedRun *run, uint32_t first, uint32_t end) {
    double sum_us = 0;
    for (uint32_t i = first; i < end; i++)
        sum_us += run->calls[i].gap_us + (run->calls[i].wait ? 0 : run->calls[i].own_us);
    return sum_us;
}

/* The median step over a fast one, where nothing delayed the host: the fastest eighth. */
static double slowed(const TracedRun *run, const uint32_t *firsts, const uint32_t *alike, uint32_t count) {
    double took_us[STEPS_LIMIT];
    for (uint32_t k = 0; k < count; k++) took_us[k] = host_us(run, firsts[alike[k]], firsts[alike[k] + 1]);
    double usual_us = median_of(took_us, count, 0);
    double quick_us = count ? took_us[(count - 1) / 8] : 0;
    return quick_us > 0 ? usual_us / quick_us : 1;
}

/* Of steps with the same calls, those in which the host took not much longer than usual: a long delay in one of
   them does not recur. */
static uint32_t undisturbed(const TracedRun *run, const uint32_t *firsts, uint32_t *alike, uint32_t count) {
    static const double most = 1.5;
    double took_us[STEPS_LIMIT], sorted[STEPS_LIMIT];
    uint32_t kept = 0;
    for (uint32_t k = 0; k < count; k++)
        took_us[k] = sorted[k] = host_us(run, firsts[alike[k]], firsts[alike[k] + 1]);
    double usual_us = median_of(sorted, count, 0);
    for (uint32_t k = 0; k < count; k++)
        if (took_us[k] <= most * usual_us) alike[kept++] = alike[k];
    return kept ? kept : count;
}

/* Averages each gap over the steps. (Medians would not do: single calls are slow now and then, so the sum of
   the medians is less than the median step.) */
static void find_usual(TracedRun *run) {
    uint32_t firsts[STEPS_LIMIT + 1] = {0}, alike[STEPS_LIMIT];
    for (uint32_t i = 0; i < run->count; i++) firsts[run->calls[i].step + 1] = i + 1;
    for (uint32_t step = 1; step <= run->steps; step++)
        if (firsts[step] < firsts[step - 1]) firsts[step] = firsts[step - 1];
    for (uint32_t step = 0; step < run->steps; step++) {
        uint32_t found = steps_like(run, firsts, step, alike);
        run->slowed = fmax(run->slowed, slowed(run, firsts, alike, found));
        found = undisturbed(run, firsts, alike, found);
        for (uint32_t i = firsts[step]; i < firsts[step + 1]; i++) {
            double gaps_us = 0, owns_us = 0;
            for (uint32_t k = 0; k < found; k++) {
                const RunCall *call = &run->calls[firsts[alike[k]] + i - firsts[step]];
                gaps_us += call->gap_us, owns_us += call->own_us;
            }
            run->calls[i].usual_gap_us = gaps_us / found;
            run->calls[i].usual_own_us = run->calls[i].wait ? run->calls[i].own_us : owns_us / found;
        }
    }
}

TracedRun *run_cut(Arena *arena, const Trace *trace, const Steps *steps, Text *error) {
    /* the first step is still affected by the profiler's start */
    uint32_t first = steps->count > 2,
             end = steps->count < first + STEPS_LIMIT ? steps->count : first + STEPS_LIMIT;
    TracedRun *run = arena_new(arena, TracedRun, 1);
    RunWalk *walk = arena_new(arena, RunWalk, 1);
    run->trace = trace, run->steps = end - first;
    run->starts_us = steps->starts_us + first;
    run->streams = trace->streams < RUN_STREAMS ? trace->streams : RUN_STREAMS;
    run->calls = arena_new(arena, RunCall, room_for(trace, steps->starts_us[first], steps->starts_us[end]));
    walk->run = run, walk->steps = steps;
    make_chains(walk);
    walk_calls(walk, first, end);
    if (run->count == 0) {
        *error = TEXT("no CUDA call lies within the steps of the trace");
        return NULL;
    }
    measure_tails(walk);
    count_spans(walk);
    take_off_stalls(run);
    find_usual(run);
    measure_latency(run);
    measure_launches(run);
    measure_step(run);
    measure_rest(run);
    return run;
}
