#ifndef SYNCL_TRACED_RUN_H
#define SYNCL_TRACED_RUN_H
/* The steps of a trace that are replayed, call by call: what each call queued, what its thread did before it
   and, for a call that waits, what it waited for and how long. Takes a Trace and its Steps; owned by the arena.

   Threads that queue work on one stream take turns (the autograd thread runs the backward pass while the main
   thread stands still): together they are one chain of calls. A thread that queues only on streams of its own
   is a separate chain. A profiler does not say what a wait waited for; that is concluded from the times: a wait
   that ends with some work waited for that work. Likewise for streams that wait for events: the order that
   holds in all steps. */
#include "steps.h"

enum { RUN_STREAMS = 16, RUN_CHAINS = 8 };

typedef enum RunWait {
    RUN_NO_WAIT,
    RUN_WAIT_STREAM, /* stream */
    RUN_WAIT_DEVICE,
    RUN_WAIT_EVENT,  /* record: index of the call that recorded the event; stream */
} RunWait;

typedef struct RunCall {
    const TraceCall *call;
    uint32_t trace_index;
    uint32_t first_link, links; /* its work: trace_linked(first_link + i) */
    uint32_t step;
    uint16_t chain, stream; /* stream: of its work; or the one waited for, recorded on, held up */
    uint8_t wait;           /* RunWait */
    uint8_t thread_changed; /* here the chain continues on another thread */
    uint32_t record;        /* index of that RunCall + 1; 0 = none */
    uint32_t operators, pythons; /* spans that began in the gap before it: recording each took time */
    uint32_t marks;              /* steps that began in the gap, where no stack shows how long profiler.step() took */
    double profiler_us;          /* the part of the gap in which the profiler worked, by its own account or known
                                    otherwise */
    double gap_us;          /* from the end of the chain's previous call to its start */
    double start_us;        /* its start; for a call nested in another one, that one's end */
    double own_us;          /* time of the call when nothing delays it */
    double usual_gap_us, usual_own_us; /* averages of gap_us and own_us over the steps with the same calls */
    double clean_gap, clean_own; /* factors of those in clean steps; 0 = unknown (clean_host.h) */
    double late_us, cut_us;      /* another program had the GPU: before its work, and during it (shared_gpu.h) */
    double pending_us;      /* of a wait: how long the awaited work continued after the wait began; negative = it
                               was done before */
    double after_us;        /* of a wait: from the end of that work, or from its own start, to its return */
} RunCall;

typedef struct TracedRun {
    const Trace *trace;
    RunCall *calls;
    uint32_t count, steps, chains, streams;
    double from_us, to_us;
    const double *starts_us; /* [steps + 1] */
    double step_us;          /* as traced: the slower of host and GPU over the window */
    double latency_us;       /* from the end of a launch call to the start of its work on an idle stream */
    double blocked_us;       /* in waits, per step */
    double gpu_busy_us;      /* of the busiest stream, per step */
    double run_ahead_us;     /* lead of the host over the GPU, averaged over launches */
    double profiler_us;      /* per step, in which the profiler itself worked by its own account */
    double slowed;           /* median of the host's own time in steps with the same calls, over that of a fast one */
    double shared_us;        /* per step, in which another program had the GPU; 0 = none had */
    uint32_t stalls;         /* launches that blocked because the queue was full */
    double tail_us[RUN_CHAINS]; /* from a chain's last call to the end of the window */
    double clean_tail;          /* factor of the first one in clean steps; 0 = unknown */
} TracedRun;

TracedRun *run_cut(Arena *arena, const Trace *trace, const Steps *steps, Text *error);
/* The median time of a recorded launch in the window; 0 = there is none. */
double traced_launch_us(const TracedRun *run);

#endif
