#ifndef SYNCL_REPLAY_H
#define SYNCL_REPLAY_H
/* Replays a TracedRun by the replay engine (cost/timeline.h), with any of its parts taken out. Takes a
   TracedRun and what is removed with which site; gives microseconds a step. The steps of the window form one
   iteration, repeated until it is steady. */
#include "traced_run.h"
#include "timeline.h"

/* What is removed with a site; one for each RunCall. */
typedef struct Removal {
    uint32_t site; /* 0 = nothing; else less than the `sites` given to replay_new */
    bool call;     /* the call with what it queued; else only its waiting */
    double gap_us; /* host work before the call that is removed too, at most all of it */
    bool only_gap; /* neither the call nor its waiting, only that host work */
} Removal;

/* What recording the trace added to the host's time, and how the host is to be replayed. */
typedef struct Overhead {
    bool usual;                    /* each call and gap takes its average over the steps; else as recorded */
    double launch_us;              /* added to a call that queues work */
    double call_us;                /* added beside each CUDA call */
    double operator_us, python_us; /* added for each span */
    double step_us;                /* added for each profiler.step() that no stack shows */
    bool shared;                   /* another program uses the GPU as it did */
    double pace;                   /* factor of the host's times; 1 = as recorded */
    double slower;                 /* factor of the remaining host work; 1 = none */
} Overhead;

/* Host time before a call and within it, without what recording added: by clean steps where they show it. */
double replay_gap_us(const Overhead *overhead, const RunCall *call);
double replay_own_us(const Overhead *overhead, const RunCall *call);

typedef struct Replay Replay;

Replay *replay_new(Arena *arena, const TracedRun *run, const Removal *removals, uint32_t sites, double queue_launches,
                   const Overhead *overhead);
void replay_draw(Replay *replay, const bool *removed, TimelineDrawing *drawing); /* every step of the window */
TurnTime replay_step(Replay *replay, const bool *removed); /* removed: [sites]; NULL = nothing is */

/* Items of one step. Host items of no length mark where a backward pass begins and ends (their `object`). */
enum { REPLAY_BACKWARD = 1, REPLAY_BACKWARD_END };
typedef struct ReplayStep {
    const Item *items;
    uint32_t count;
} ReplayStep;
/* a replay of given items, without a TracedRun */
Replay *replay_of(Arena *arena, ReplayStep step, const TimelineSetup *setup);
uint32_t replay_steps(const Replay *replay);
ReplayStep replay_items(const Replay *replay, uint32_t step);
TimelineSetup replay_setup(const Replay *replay);
/* The place in its step where an event is recorded: less than replay_places, and equal in steps that are alike. */
uint32_t replay_place(const Replay *replay, uint32_t event);
uint32_t replay_places(const Replay *replay);

#endif
