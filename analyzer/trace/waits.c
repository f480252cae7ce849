#include "waits.h"

enum { SCALAR_BYTES = 16, COPY_BACK = 6, OPEN_SPANS = 512 };

const char *waits_words(WaitKind kind) {
    static const char *const words[WAIT_KINDS] = {
        [WAITED_READ] = "a read of a scalar",       [WAITED_TO_HOST] = "a copy to the host",
        [WAITED_TO_DEVICE] = "a copy to the GPU",   [WAITED_DEVICE] = "a wait for the whole GPU",
        [WAITED_STREAM] = "a wait for a stream",    [WAITED_EVENT] = "a wait for an event",
        [WAITED_MEMORY] = "the allocator's memory",
    };
    return words[kind];
}

static const TraceWork *work_of(const TracedRun *run, const RunCall *call) {
    return call->links ? trace_linked(run->trace, call->first_link) : NULL;
}

/* The copy that a wait for a stream follows, with nothing queued in between. */
static uint32_t copy_before(const TracedRun *run, uint32_t index) {
    const RunCall *wait = &run->calls[index];
    for (uint32_t back = 1; back <= COPY_BACK && back <= index; back++) {
        const RunCall *call = &run->calls[index - back];
        if (call->chain != wait->chain) continue;
        if (call->call->thread != wait->call->thread || (call->wait && !call->links)) return 0;
        if (call->links) return call->call->kind == CALL_COPY ? index - back + 1 : 0;
    }
    return 0;
}

static WaitKind copied(const TraceWork *work) {
    if (work->kind == WORK_TO_DEVICE) return WAITED_TO_DEVICE;
    if (work->kind != WORK_TO_HOST) return WAITED_STREAM;
    return work->bytes <= SCALAR_BYTES ? WAITED_READ : WAITED_TO_HOST;
}

static TracedWait wait_of(const TracedRun *run, uint32_t index) {
    const RunCall *call = &run->calls[index];
    TracedWait wait = {.call = index};
    if (call->wait == RUN_WAIT_STREAM && !call->links) wait.copy = copy_before(run, index);
    const TraceWork *copy = work_of(run, wait.copy ? &run->calls[wait.copy - 1] : call);
    static const WaitKind kinds[] = {[RUN_NO_WAIT] = WAITED_MEMORY,
                                     [RUN_WAIT_STREAM] = WAITED_STREAM,
                                     [RUN_WAIT_DEVICE] = WAITED_DEVICE,
                                     [RUN_WAIT_EVENT] = WAITED_EVENT};
    wait.kind = copy ? copied(copy) : kinds[call->wait];
    wait.bytes = copy ? copy->bytes : 0;
    if (call->call->kind == CALL_FREE || call->call->kind == CALL_ALLOCATE) wait.kind = WAITED_MEMORY;
    return wait;
}

/* ---- enclosing spans ---- */

/* The spans that are open on each thread, as time advances. */
typedef struct Open {
    const TraceSpan *spans[OPEN_SPANS];
    uint32_t count;
} Open;

static void drop_ended(Open *open, double now_us) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < open->count; i++)
        if (open->spans[i]->end_us >= now_us) open->spans[kept++] = open->spans[i];
    open->count = kept;
}

static void describe(Arena *arena, const Open *open, double end_us, TracedWait *wait) {
    Sym frames[WAIT_FRAMES];
    double frame_us[WAIT_FRAMES][2];
    uint32_t operators = 0;
    for (uint32_t i = open->count; i-- > 0;) {
        const TraceSpan *span = open->spans[i];
        if (span->end_us < end_us) continue;
        if (span->kind == SPAN_OPERATOR && operators < WAIT_OPERATORS) {
            wait->operator_us[operators][0] = span->start_us, wait->operator_us[operators][1] = span->end_us;
            wait->operators[operators++] = span->name;
        }
        if (span->kind == SPAN_PYTHON && wait->frame_count < WAIT_FRAMES) {
            frame_us[wait->frame_count][0] = span->start_us, frame_us[wait->frame_count][1] = span->end_us;
            frames[wait->frame_count++] = span->name;
        }
    }
    wait->frames = arena_copy(arena, frames, sizeof *frames * wait->frame_count);
    wait->frame_us = arena_copy(arena, frame_us, sizeof *frame_us * wait->frame_count);
}

static void add_spans(Arena *arena, const TracedRun *run, Waits *waits) {
    Arena scratch = {0};
    const Trace *trace = run->trace;
    Open *open = arena_new(&scratch, Open, trace->threads + 1);
    uint32_t next = 0;
    for (uint32_t i = 0; i < waits->items.count; i++) {
        TracedWait *wait = &waits->items.items[i];
        const TraceCall *call = run->calls[wait->call].call;
        for (; next < trace->spans.count && trace_span(trace, next)->start_us <= call->start_us; next++) {
            const TraceSpan *span = trace_span(trace, next);
            Open *thread = &open[span->thread];
            if (span->kind > SPAN_PYTHON) continue;
            if (thread->count == OPEN_SPANS) drop_ended(thread, span->start_us);
            if (thread->count < OPEN_SPANS) thread->spans[thread->count++] = span;
        }
        drop_ended(&open[call->thread], call->start_us);
        describe(arena, &open[call->thread], call->end_us, wait);
    }
    arena_free(&scratch);
}

_Static_assert(TRACE_event - TRACE_read == WAITED_EVENT - WAITED_READ, "a page's words are the kinds of waits");

/* All kinds, for a page without `Trace:`. */
uint32_t waits_kinds(const Hazard *hazard) {
    uint32_t kinds = (uint32_t)(hazard->trace & ~TRACE_BIT(mixed)) << WAITED_READ;
    return kinds ? kinds : UINT32_MAX;
}

Waits *waits_of(Arena *arena, const TracedRun *run) {
    Waits *waits = arena_new(arena, Waits, 1);
    for (uint32_t i = 0; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        bool own_copy =
            call->links && call->wait; /* and a wait for the stream behind it, which is then the wait */
        bool again = own_copy && i + 1 < run->count && run->calls[i + 1].call->kind == CALL_WAIT_STREAM;
        bool memory = call->call->kind == CALL_ALLOCATE;
        if ((call->wait && !again) || memory) vec_push(arena, &waits->items, wait_of(run, i));
    }
    if (run->trace->has_operators || run->trace->has_python) add_spans(arena, run, waits);
    return waits;
}
