#ifndef SYNCL_TRACE_H
#define SYNCL_TRACE_H
/* A run as torch.profiler recorded it: host calls by thread, GPU work by stream, and what Python and PyTorch
   were executing around them. trace_read makes it from a Chrome trace; sorted by start, const afterwards;
   everything lives in the arena. Times are microseconds since the first event. Threads and streams are numbered
   in order of appearance. */
#include "rows.h"
#include "text.h"

typedef enum CallKind {
    CALL_OTHER,         /* takes its time and has no other effect */
    CALL_LAUNCH,        /* queues work: kernels, copies, fills */
    CALL_WAIT_DEVICE,   /* cudaDeviceSynchronize */
    CALL_WAIT_STREAM,   /* cudaStreamSynchronize */
    CALL_WAIT_EVENT,    /* cudaEventSynchronize */
    CALL_COPY,          /* queues a copy; blocks if `blocks` is set (cudaMemcpy) or the copy is done when it returns */
    CALL_ALLOCATE,      /* cudaMalloc, cudaHostAlloc */
    CALL_FREE,          /* cudaFree, cudaFreeHost: waits for the device */
    CALL_RECORD,        /* cudaEventRecord */
    CALL_STREAM_WAITS,  /* cudaStreamWaitEvent */
} CallKind;

/* One call of the CUDA runtime or driver. */
typedef struct TraceCall {
    double start_us, end_us;
    uint32_t correlation; /* 0 = none */
    Sym name;
    uint16_t thread;
    uint8_t kind;
    bool blocks; /* by its name, it waits */
    bool watched; /* clean steps of the recording show it too */
    uint32_t stack; /* index in TraceStacks; 0 = unknown */
} TraceCall;

typedef enum WorkKind { WORK_KERNEL, WORK_FILL, WORK_TO_DEVICE, WORK_TO_HOST, WORK_ON_DEVICE, WORK_COPY } WorkKind;

/* One piece of GPU work. */
typedef struct TraceWork {
    double start_us, end_us;
    uint32_t correlation;
    Sym name;
    uint32_t bytes; /* of a copy; at most UINT32_MAX */
    uint16_t stream;
    uint8_t kind;
    bool pageable;
} TraceWork;

typedef enum SpanKind { SPAN_OPERATOR, SPAN_PYTHON, SPAN_STEP, SPAN_REGION, SPAN_PROFILER } SpanKind;

/* What the host was executing: a PyTorch operator, a Python function, a step, a named region, the profiler
   itself. */
typedef struct TraceSpan {
    double start_us, end_us;
    Sym name;
    uint16_t thread;
    uint8_t kind;
} TraceSpan;

typedef struct TraceLink {
    uint32_t correlation, work;
} TraceLink;

/* A Python function on a recorded call's stack, and the line that it was executing. */
typedef struct TraceFrame {
    Text file, name;
    uint32_t line;
    bool gone; /* the line is no longer in the source; it was after `line` */
} TraceFrame;

typedef struct TraceStack {
    uint32_t first, count; /* frames, innermost first */
} TraceStack;

typedef struct TraceStacks {
    VEC(TraceFrame) frames;
    VEC(TraceStack) stacks; /* items[0] unused */
} TraceStacks;

typedef struct Trace {
    Rows calls, works, spans; /* TraceCall, TraceWork, TraceSpan, each sorted by start */
    Rows links;               /* TraceLink, sorted: the work that each call queued */
    Names names;
    const TraceStacks *stacks; /* of a recording of syncl record; NULL for a Chrome trace */
    uint32_t threads, streams, devices;
    bool has_operators, has_python, has_steps, distributed;
    uint32_t rank; /* 0 unless distributed */
    uint64_t bytes, events, kept;
    uint32_t broken;    /* events dropped: fields of the wrong type, negative times */
} Trace;

/* NULL: *error says in one line what the file is instead of a trace. */
Trace *trace_read(Arena *arena, const char *path, Text *error);

void trace_name_call(TraceCall *call, Text name); /* sets the kind by the CUDA function's name */
void trace_finish(Arena *arena, Trace *trace);    /* sorts what was added in any order, and links calls to work */

static inline const TraceCall *trace_call(const Trace *trace, uint32_t index) { return rows_at(&trace->calls, index); }
static inline const TraceWork *trace_work(const Trace *trace, uint32_t index) { return rows_at(&trace->works, index); }
static inline const TraceSpan *trace_span(const Trace *trace, uint32_t index) { return rows_at(&trace->spans, index); }

/* Index in `links` of the first work that a call queued, by start; *count is their number. */
uint32_t trace_links(const Trace *trace, uint32_t correlation, uint32_t *count);
static inline const TraceWork *trace_linked(const Trace *trace, uint32_t link) {
    return trace_work(trace, ((const TraceLink *)rows_at(&trace->links, link))->work);
}

#endif
