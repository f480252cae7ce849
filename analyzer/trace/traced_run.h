#ifndef SYNCL_TRACED_RUN_H
#define SYNCL_TRACED_RUN_H
/* The steps of a trace that are replayed, call by call: what each call queued, what its thread did before it, and, of a
   call that waits, for what it waited and how long. Takes a Trace and its Steps, const; owned by the arena.

   Threads that queue work on one stream take turns (the autograd thread runs the backward pass while the main thread
   stands): together they are one chain of calls. A thread that only queues on streams of its own is a chain beside it.
   A profiler says of no wait for what it waits. That is found from the times: a wait that ends with the end of some
   work waited for that work. Streams that wait for events likewise: the order that all steps keep. */
#include "steps.h"

enum { RUN_STREAMS = 16, RUN_CHAINS = 8 };

typedef enum RunWait {
    RUN_NO_WAIT,
    RUN_WAIT_STREAM, /* stream */
    RUN_WAIT_DEVICE,
    RUN_WAIT_EVENT,  /* record: index of the call that recorded it; stream */
} RunWait;

typedef struct RunCall {
    const TraceCall *call;
    uint32_t trace_index;
    uint32_t first_link, links; /* its works: trace_linked(first_link + i) */
    uint32_t step;
    uint16_t chain, stream; /* stream: of its works, or the one waited for, recorded on, held up */
    uint8_t wait;           /* RunWait */
    uint8_t thread_changed; /* the chain goes on in another thread here */
    uint32_t record;        /* RunCall index + 1; 0 = none */
    uint32_t operators, pythons; /* spans that began in the gap: each was recorded, which took time */
    uint32_t marks;              /* steps that began in the gap, where no stack shows what that took */
    double profiler_us;          /* of the gap, in which the profiler said or is known to have worked for itself */
    double gap_us;          /* between the chain's call before and this one */
    double start_us;        /* of the call; of a call inside another one, where the other ends */
    double own_us;          /* what the call takes when nothing holds it up */
    double usual_gap_us, usual_own_us; /* the same, on average over the steps that call alike */
    double clean_gap, clean_own; /* shares of them in clean steps; 0 = not known (clean_host.h) */
    double late_us, cut_us;      /* another program had the GPU: before its works, and within them (shared_gpu.h) */
    double pending_us;      /* a wait: how long the work waited for went on after the wait began; below 0 = it was over */
    double after_us;        /* a wait: from then, or from its start, to its return */
} RunCall;

typedef struct TracedRun {
    const Trace *trace;
    RunCall *calls;
    uint32_t count, steps, chains, streams;
    double from_us, to_us;
    const double *starts_us; /* [steps + 1] */
    double step_us;          /* traced: the slower of host and GPU over the window */
    double latency_us;       /* from the end of a launch call to the start of its work on an idle stream */
    double blocked_us;       /* in waits, a step */
    double gpu_busy_us;      /* of the busiest stream, a step */
    double run_ahead_us;     /* how far the host is ahead of the GPU, on average over launches */
    double profiler_us;      /* a step, in which the profiler itself worked, as it says */
    double slowed;           /* the host's own time in the middle of the steps over one of the quickest that call alike */
    double shared_us;        /* a step, in which another program had the GPU; 0 = none had */
    uint32_t stalls;         /* launches that stood because the queue was full */
    double tail_us[RUN_CHAINS]; /* from a chain's last call to the end of the window */
    double clean_tail;          /* the first one's share in clean steps; 0 = not known */
} TracedRun;

TracedRun *run_cut(Arena *arena, const Trace *trace, const Steps *steps, Text *error);
/* What a launch takes, as recorded: the middle of all in the window; 0 = it has none. */
double traced_launch_us(const TracedRun *run);

#endif
