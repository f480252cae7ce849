#ifndef SYNCL_REPLAY_H
#define SYNCL_REPLAY_H
/* A TracedRun played again by the replay engine (cost/timeline), with any of its parts taken out. Takes a TracedRun and what leaves
   with which site, const; gives microseconds a step. The window's steps are one turn, repeated until it is steady. */
#include "traced_run.h"
#include "timeline.h"

/* What leaves with a site, one a RunCall. */
typedef struct Removal {
    uint32_t site; /* 0 = nothing; below the count given to replay_new */
    bool call;     /* the call with what it queued; else only its wait */
    double gap_us; /* of the host's work before the call; all of it when larger */
    bool only_gap; /* neither the call nor its wait: nothing but host work */
} Removal;

/* What recording the trace added to the host's time, and whether the host takes what it usually takes. */
typedef struct Overhead {
    bool usual;                    /* each call and gap as on average over the steps, else as it was */
    double launch_us;              /* within a call that queues work */
    double call_us;                /* beside a CUDA call */
    double operator_us, python_us; /* for each span */
    double step_us;                /* for each profiler.step() that no stack shows */
    bool shared;                   /* another program has the GPU as often as it had */
    double pace;                   /* of the host, 1 = as it was */
    double slower;                 /* 1 = not: how many times as long the rest of the host's work takes */
} Overhead;

/* What the host takes before a call and in it, without what recording added: as clean steps say, where they do. */
double replay_gap_us(const Overhead *overhead, const RunCall *call);
double replay_own_us(const Overhead *overhead, const RunCall *call);

typedef struct Replay Replay;

Replay *replay_new(Arena *arena, const TracedRun *run, const Removal *removals, uint32_t sites, double queue_launches,
                   const Overhead *overhead);
void replay_draw(Replay *replay, const bool *removed, TimelineDrawing *drawing); /* all steps of the window */
TurnTime replay_step(Replay *replay, const bool *removed); /* [sites]; NULL = everything stays */

/* Items of one step, at first of a TracedRun: in them a host's item of no length marks where a backward pass begins and ends
   (its object). */
enum { REPLAY_BACKWARD = 1, REPLAY_BACKWARD_END };
typedef struct ReplayStep {
    const Item *items;
    uint32_t count;
} ReplayStep;
Replay *replay_of(Arena *arena, ReplayStep step, const TimelineSetup *setup); /* again, without a TracedRun */
uint32_t replay_steps(const Replay *replay);
ReplayStep replay_items(const Replay *replay, uint32_t step);
TimelineSetup replay_setup(const Replay *replay);
/* Where in its step an event is recorded: below replay_places, the same in steps that are alike. */
uint32_t replay_place(const Replay *replay, uint32_t event);
uint32_t replay_places(const Replay *replay);

#endif
