#ifndef SYNCL_TURN_H
#define SYNCL_TURN_H
/* One iteration of a hot loop as replay items: its events (operations, waits, copies, host work) under given
   rates, that is with a duration assumed for everything. A TurnPlan is made once a loop; a Turn is made in it
   for each set of rates and is valid until the next one. Times in microseconds. */
#include "profile.h"
#include "site.h"
#include "timeline.h"

typedef enum Side { SIDE_QUICK, SIDE_SLOW } Side; /* which end of every unknown: p10 or p90, fewest or most */

/* Assumed durations. Host times are per operation queued. */
typedef struct Rates {
    Side side;
    double forward_us, backward_us, optimizer_us;
    double optimizer_each_us; /* further, for each parameter tensor beyond few */
    double backward_start_us, backward_first_us, backward_end_us, optimizer_start_us, optimizer_tensor_us;
    double small_gpu_us, long_gpu_us; /* GPU time of a small and of a long operation whose work is unknown */
    double known_at, known_scale;     /* for operations of known work: the point in their range (0 = low end, 1 =
                                         high end), and a factor */
    bool known_apart;                 /* the parts of an event run one after the other instead of mixed */
    double turn_start_us;             /* once an iteration */
    double loader_us;                 /* host time of each EVENT_DATA */
    double front_us;         /* further host time once an iteration: in the loader, or at the front where no loader
                                is asked each iteration */
    double operations_scale; /* factor of the number of operations; 1 = as counted */
    double start_scale;      /* factor of the extra time of a host with cold caches */
} Rates;

/* A site as the replay uses it. */
typedef struct TurnSite {
    SiteId id;
    bool in_base;   /* certainly runs each iteration: in every replay. Others are replayed only to be priced */
    bool amortised; /* does not run each iteration; `share` says how often */
    bool shown;     /* some event of a usual iteration shows it */
    bool apart;     /* runs instead of something that is counted, or only with an option: part of no sum */
    bool share_known;
    double share;      /* fraction of the iterations in which it runs */
    double executions; /* in an iteration in which it runs, of the latest turn_make */
    bool copies;       /* moves a tensor: the time of its wait is that of its copy */
    bool has_wait_event, has_copy_event;
} TurnSite;

typedef struct Turn {
    const Item *items;
    uint32_t item_count; /* Item.site = index into TurnPlan.sites */
    /* operations of unknown work, of the loop itself without its sites' own; those of inner loops multiplied */
    double small_operations, long_operations;
    double known_operations, known_gpu_us; /* operations of known work, and their GPU time */
    double host_us;      /* time to queue all of these */
    double start_us;     /* part of host_us: what passes add before their first operation and after their last */
    bool has_loader;     /* it has an EVENT_DATA */
    bool hides;          /* it has host work of unknown length, which a busy GPU may hide */
    Rates rates;         /* the rates it was made with */
} Turn;

typedef struct TurnPlan TurnPlan;

/* extra: sites of this loop that may have no events (e.g. once an epoch); they go to the end of the iteration.
   Ids may repeat. local: one zero for each site of the findings; all zero again on return. */
TurnPlan *turn_plan(Arena *arena, const Findings *findings, const HotLoop *loop, const SiteId *extra,
                    uint32_t extra_count, const Profile *profile, uint32_t *local);
const TurnSite *turn_sites(const TurnPlan *plan, uint32_t *count); /* sites[0] is unused; *count includes it */
Turn turn_make(TurnPlan *plan, const Rates *rates);

static inline double turn_value(const Quantity *quantity, Side side) {
    return side == SIDE_QUICK ? quantity->p10 : quantity->p90;
}
/* The profile's rates for a side, without GPU times. */
Rates turn_rates(const Profile *profile, Side side);

#endif
