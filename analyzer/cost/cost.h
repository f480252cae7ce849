#ifndef SYNCL_COST_H
#define SYNCL_COST_H
/* Prices: replays each hot loop's events with two clocks under the scenarios that fit what is known, with and
   without each site. Takes findings and a profile, const; gives ranges in microseconds, owned by the arena.
   `low_us`/`high_us` of a site are per turn of its loop (a step, a batch, a token) if only this site is removed;
   `per_execution_*` when it runs. blocked_us is how long the host stands still there, which is not the price. */
#include "profile.h"
#include "site.h"

/* The number that `cost-model` pins. Add one whenever the same code and profile get other prices than before. */
enum { COST_MODEL = 1 };

typedef struct CostOptions {
    double step_time_us;   /* --step-time, 0 = not given */
    double gpu_busy;       /* --gpu-busy as a fraction 0..1, 0 = not given */
    double ops_per_step;   /* --ops-per-step, 0 = counted */
} CostOptions;

typedef struct CostRange { double low_us, high_us; } CostRange;

typedef struct SiteCost {
    CostRange per_execution;
    CostRange per_turn;        /* meaningless when !has_per_turn */
    bool has_per_turn;         /* false when N of "every N" is unknown: per_turn then uses profile.def's default N */
    CostRange blocked;         /* per execution */
    CostRange moved_to_end;    /* what remains of per_turn when the read is moved to the end of the turn */
    bool about_zero;
    Text text;                 /* "about 40..470 us per training step (GPU idle after the wait); blocks up to 12 ms" */
} SiteCost;

typedef struct LoopCost {
    CostRange turn;            /* time of one turn as assumed or given */
    CostRange host, gpu;       /* busy time of each in one turn */
    CostRange avoidable;       /* price of all avoidable sites together */
    CostRange all;             /* price of all sites together */
    double operations_low, operations_high;
    Text text;                 /* the regime in words, and what widened the range */
} LoopCost;

typedef struct Costs {
    SiteCost *sites;           /* [SiteId], as Findings.sites */
    LoopCost *loops;           /* [HotLoopId] */
} Costs;

Costs *cost_findings(Arena *result, const Findings *findings, const Profile *profile, const CostOptions *options);

#endif
