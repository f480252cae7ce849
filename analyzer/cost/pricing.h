#ifndef SYNCL_PRICING_H
#define SYNCL_PRICING_H
/* Private to cost: one loop while it is priced, scenario after scenario. All durations are microseconds. */
#include "cost.h"
#include "scenario.h"

/* A site whose remedies are asked for, and the turn without it. */
typedef struct Candidate {
    uint32_t site;
    double price_us, without_us;
} Candidate;

/* Running minimum and maximum over scenarios; what one loop's pricing needs everywhere. */
/* Of the scenarios of one regime: a gain and a turn of two of them may come together. */
typedef struct RegimeHull {
    CostRange gain, turn;
    bool seen;
} RegimeHull;

typedef struct Pricing {
    const Findings *findings;
    const Profile *profile;
    const bool *counted, *allowed;
    const Pins *pins;
    Confidence least;       /* of the sites that are priced */
    Timeline *timelines[2]; /* [Side] */
    TurnPlan *plan;
    const TurnSite *sites;
    uint32_t site_count;   /* with the unused 0 */
    Candidate *candidates; /* [site_count] */
    bool *removed;         /* [site_count] */
    bool *left_out;        /* [site_count] what one question is about */
    bool *away;             /* [site_count] what the base is replayed without */
    TimelineFreed *freed;  /* [site_count] what is mended, likewise */
    bool *nonzero;         /* [site_count] not about zero in some scenario */
    double *
        alone_us; /* [site_count] of the scenario: what the turn saves without this site alone; NAN = not asked */
    double *price_us; /* [site_count] of the current scenario, in a turn in which it runs */
    ItemTime *times;
    TimelineRange
        *ranges; /* [site_count] the items of a site, with the inner loops around them; until 0 = none */
    TimelineSteady base; /* the turn as it is */
    Item *changed;       /* [time_capacity] the turn with one site's items exchanged */
    uint32_t time_capacity;
    Turn turn;
    Timeline *timeline;
    Side side;
    double turn_us;
    bool first;            /* scenario */
    RegimeHull hulls[REGIME_GPU_BOUND + 1]; /* what can be mended, by regime */
    Turn counted_turns[2]; /* [Side] */
    SiteCost *costs;       /* [site_count] */
    HotLoopId loop_id;
    LoopCost *loop;
    const CostSet *sets; /* NULL: each site is asked for; else these, in `joint` */
    uint32_t set_count;
    CostJoint *joint;
    Arena *drawn; /* NULL = no pictures */
} Pricing;

/* Prices all that is asked of a loop. own: the sites that it prices; local: as turn_plan wants it; costs: [SiteId]. */
void pricing_loop(Arena *scratch, Pricing pricing, const HotLoop *loop, const SiteId *own, uint32_t own_count,
                  uint32_t *local, SiteCost *costs);

/* Without the noise behind the fifteenth digit. */
double pricing_settled(double us);
void pricing_widen(CostRange *range, double us, bool first);
TurnTime pricing_replay(Pricing *pricing, uint32_t moved_site, ItemTime *times);
void pricing_reset(Pricing *pricing); /* all in that run each turn, nothing else */

/* How much shorter a turn gets by the sites that are toggled, as `removed` says. */
double pricing_saved_us(Pricing *pricing);
/* ... without the sites left_out[site_count]. The pricing is as before. */
double joint_saved_us(Pricing *pricing, const bool *left_out);
/* Which turn is nearest to the geometric middle of the shortest and the longest. */
uint32_t joint_middle(const double *turns_us, uint32_t count);
void joint_draw(Arena *arena, Pricing *pricing); /* the scenario as it stands */
void joint_note(Pricing *pricing); /* the scenario's answer for each set of this loop */

#endif
