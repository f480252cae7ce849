#ifndef SYNCL_PRICING_H
#define SYNCL_PRICING_H
/* The state of pricing one loop, scenario after scenario. All durations are microseconds. Private to this room. */
#include "cost.h"
#include "scenario.h"

/* A site whose remedies are to be priced, and the iteration time without it. */
typedef struct Candidate {
    uint32_t site;
    double price_us, without_us;
} Candidate;

/* Bounds of gain and iteration time over the scenarios of one regime: within a regime, any gain may come with
   any time. */
typedef struct RegimeHull {
    CostRange gain, turn;
    bool seen;
} RegimeHull;

/* What leaving out sites saves. */
typedef struct Saved {
    double us;
    double outside_us; /* part of it that the replayed iteration does not contain */
} Saved;

typedef struct SavedBy {
    bool *left_out; /* [site_count] */
    bool known;
    Saved saved;
} SavedBy;

typedef struct Pricing {
    const Findings *findings;
    const Profile *profile;
    const bool *counted, *allowed;
    const Pins *pins;
    Confidence least;       /* lowest confidence of the sites that are priced */
    Timeline *timelines[2]; /* [Side] */
    TurnPlan *plan;
    const TurnSite *sites;
    uint32_t site_count;   /* with the unused 0 */
    Candidate *candidates; /* [site_count] */
    bool *removed;         /* [site_count] */
    bool *left_out;        /* [site_count]: the sites that one question removes */
    bool *away;            /* [site_count]: sites left out of the base replay */
    TimelineFreed *freed;  /* [site_count]: mended sites, likewise */
    bool *nonzero;         /* [site_count]: above zero in some scenario */
    double *alone_us; /* [site_count]: saved in this scenario by removing this site alone; NAN = not computed */
    double *price_us; /* [site_count]: its price in this scenario, for an iteration in which it runs */
    ItemTime *times;
    TimelineRange *ranges; /* [site_count]: a site's items with the inner loops around them; until 0 = none */
    TimelineSteady base;   /* the replay of an unchanged iteration */
    Item *changed;         /* [time_capacity]: the iteration with one site's items replaced */
    uint32_t time_capacity;
    Turn turn;
    Timeline *timeline;
    Side side;
    double turn_us;
    bool first;                             /* in the first scenario */
    RegimeHull hulls[REGIME_GPU_BOUND + 1]; /* of what can be mended, by regime */
    Turn counted_turns[2];                  /* [Side] */
    SiteCost *costs;                        /* [site_count] */
    HotLoopId loop_id;
    LoopCost *loop;
    const CostSet *sets; /* NULL: price each site; else price this loop's sets, into `joint` */
    const uint32_t *own_sets;
    uint32_t own_set_count;
    bool *asked;     /* [site_count]: sites not in the base whose prices the sets need */
    SavedBy last[2]; /* [given]: the last answers, since all sets of a loop often ask for the same sites */
    CostJoint *joint;
    Arena *drawn; /* arena of the drawings; NULL = none are wanted */
    const Cache *cache; /* prices of earlier runs; NULL = no cache */
    Digest profile_digest; /* with a cache */
} Pricing;

/* Prices everything asked of a loop, and gives the number of bytes added to the cache. own: the sites that it prices; local: as for
   turn_plan; costs: [SiteId], NULL with sets. */
uint64_t pricing_loop(Arena *scratch, Pricing pricing, const HotLoop *loop, const SiteId *own, uint32_t own_count,
                  uint32_t *local, SiteCost *costs);

/* Whether the loop prices the site: those of other loops are only replayed. */
bool pricing_owns(const Pricing *pricing, uint32_t index);
/* Rounds off the noise after the fifteenth digit. */
double pricing_settled(double us);
void pricing_widen(CostRange *range, double us, bool first);
void pricing_reset(Pricing *pricing); /* every site that runs each iteration is in, no other */

/* How much shorter an iteration gets when the sites marked in `removed` are toggled. */
double pricing_saved_us(Pricing *pricing);
/* The same without the sites marked in left_out[site_count]. Leaves the pricing unchanged. */
double joint_saved_us(Pricing *pricing, const bool *left_out);
/* Index of the iteration time nearest to the geometric middle of the shortest and the longest. */
uint32_t joint_middle(const double *turns_us, uint32_t count);
void joint_begin(Arena *scratch, Pricing *pricing); /* before the first scenario, where sets are priced */
void joint_draw(Arena *arena, Pricing *pricing);    /* draws the current scenario */
void joint_note(Pricing *pricing); /* records this scenario's answer for each set of the loop */

#endif
