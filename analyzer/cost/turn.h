#ifndef SYNCL_TURN_H
#define SYNCL_TURN_H
/* One turn of a hot loop as replay items: the loop's events (operations, waits, copies, host work) under given
   rates, that is, with a duration assumed for everything. Takes findings and profile const; a TurnPlan is made once a
   loop, a Turn is made anew in it for each set of rates and is valid until the next one. Times in microseconds. */
#include "profile.h"
#include "site.h"
#include "timeline.h"

typedef enum Side { SIDE_QUICK, SIDE_SLOW } Side; /* which end of every unknown: p10 or p90, fewest or most */

/* What is assumed. Host times are per operation queued. */
typedef struct Rates {
    Side side;
    double forward_us, backward_us, optimizer_us;
    double backward_start_us, backward_first_us, backward_end_us, optimizer_start_us, optimizer_tensor_us;
    double small_gpu_us, long_gpu_us; /* GPU time of a small operation and of a long one whose work is not known */
    double known_at, known_scale;     /* known work: where in its range, 0 = low end, 1 = high end; and how many times that */
    bool known_apart;                 /* the parts of an event one behind the other, and not mixed */
    double turn_start_us;             /* once a turn */
    double loader_us;                 /* host time of each EVENT_DATA */
    double front_us;         /* more, once a turn: in the loader, or in front where none is asked each turn */
    double operations_scale; /* 1 = as counted */
    double start_scale;      /* of what a cold host takes longer at first */
} Rates;

/* A site as the replay sees it. */
typedef struct TurnSite {
    SiteId id;
    bool in_base;   /* runs each turn for sure: part of every replay. Else replayed only to price it */
    bool amortised; /* does not run each turn; share says how often */
    bool shown;     /* by an event of a usual turn */
    bool apart;     /* runs instead of what is counted, or with an option alone: no part of a sum */
    bool share_known;
    double share;      /* turns with it, 0..1 */
    double executions; /* per turn in which it runs, of the latest turn_make */
    bool copies;       /* moves a tensor: its copy's time is the time of its wait */
    bool has_wait_event, has_copy_event;
} TurnSite;

typedef struct Turn {
    const Item *items;
    uint32_t item_count; /* Item.site = index into TurnPlan.sites */
    double small_operations,
        long_operations; /* of the loop itself, without its sites' own; inner loops multiplied; all whose work is not known */
    double known_operations, known_gpu_us; /* the others, and how long the GPU takes for them */
    double host_us;      /* time to queue those */
    double start_us;     /* of that, what passes add before their first operation and behind their last */
    bool has_loader;     /* an EVENT_DATA stands in it */
    bool hides;          /* host work of unknown length is seen in it: a busy GPU may hide much of that */
    Rates rates;         /* that it was made with */
} Turn;

typedef struct TurnPlan TurnPlan;

/* extra: sites of this loop that may lack events (an epoch's); they are put at the end of the turn. Ids repeat freely.
   local: zeros, one a site of the findings; zeros again on return. */
TurnPlan *turn_plan(Arena *arena, const Findings *findings, const HotLoop *loop, const SiteId *extra,
                    uint32_t extra_count, const Profile *profile, uint32_t *local);
const TurnSite *turn_sites(const TurnPlan *plan, uint32_t *count); /* sites[0] unused; count includes it */
Turn turn_make(TurnPlan *plan, const Rates *rates);

double turn_value(const Quantity *quantity, Side side);
/* Rates as the profile says for a side, with no GPU time. */
Rates turn_rates(const Profile *profile, Side side);

#endif
