#ifndef SYNCL_COST_H
#define SYNCL_COST_H
/* Prices: replays each hot loop's events with two clocks (host and GPU), under every scenario that fits what is
   known, with and without each site. Takes findings and a profile; gives ranges in microseconds, owned by the
   arena. A site's range is per iteration of its loop (a step, a batch, a token) if only this site is removed;
   `per_execution` is per execution of the line. `blocked` is how long the host stands still there, which is not
   the price. */
#include "cache.h"
#include "drawing.h"
#include "profile.h"
#include "site.h"

/* The number that the key `cost-model` pins. Raise it whenever the same code and profile get other prices than
   before. */
enum { COST_MODEL = 7 };

typedef struct CostOptions {
    double step_time_us; /* --step-time, 0 = not given */
    double gpu_busy;     /* --gpu-busy as a fraction 0..1, 0 = not given */
    double ops_per_step; /* --ops-per-step, 0 = as counted */
    double min_gain;     /* --min-gain as a fraction; 0 = not given, so 1 % */
    const Cache *cache;  /* prices of earlier runs; NULL = no cache */
    uint32_t threads;    /* 0 = as many as team_cores says; prices do not depend on it */
    Confidence least; /* sites below it take part in the replay where they belong there, but get no price and no text */
    bool shown_only; /* loops without a site of that confidence are not priced, as nobody prints them */
    const bool *allowed; /* [SiteId]: a comment allows it, so nothing is to be gained there; NULL = none */
    const bool *counted; /* [SiteId]: part of its loop's totals; NULL = every site that is at least likely */
} CostOptions;

typedef struct CostRange {
    double low_us, high_us;
} CostRange;

/* What to do about a wait other than remove it, where its value may come later. Microseconds per iteration, in
   the scenario in which the wait costs most. */
typedef struct Remedies {
    double of_us;     /* price of the wait in that scenario */
    double moved_us;  /* saved by moving it to the end of the iteration; 0 = no use, or not offered */
    double merged_us; /* saved by reading the value together with the next read of the iteration */
    double seldom_us; /* saved by reading it once in `every` iterations */
    uint32_t every;
} Remedies;

/* Another wait right before or after, with nothing queued in between: then one of the two is nearly free. */
typedef enum Paid { PAID_BY_NONE, PAID_BEFORE, PAID_BEHIND } Paid;

typedef struct SiteCost {
    CostRange per_execution;
    CostRange per_turn; /* meaningless when !has_per_turn */
    CostRange marginal;    /* per iteration: what it costs when everything else that can be mended is gone; about
                              zero next to a wait that cannot */
    bool has_per_turn;  /* false when N of "every N" is unknown: per_turn then assumes profile.def's N */
    CostRange blocked;  /* per execution */
    CostRange moved_to_end; /* what remains of per_turn when it is moved to the end of the iteration, where the GPU
                               hides host work */
    bool about_zero;
    Paid paid;
    bool held; /* next to a wait that stays: removing it gains its own call and no more, whatever else is mended */
    Remedies remedies;
    Text remedy_text;  /* "moving it to the end of the training step saves 100 of 138 us"; may be empty */
    bool uncalibrated; /* the code runs on another accelerator: `text` says so, and no number here is meaningful */
    bool traced;       /* replayed from a trace of the user's run, not from assumptions */
    bool recorded;     /* the trace was made by syncl record */
    Text text;         /* "about 40..470 us per training step (GPU idle after the wait); blocks up to 12 ms" */
} SiteCost;

/* Whether mending the waits of a loop pays: mending all that can be mended most likely gains at least
   --min-gain of an iteration; most likely less; or that depends on something unknown. */
typedef enum Verdict { VERDICT_UNKNOWN, VERDICT_GAIN, VERDICT_NONE } Verdict;

typedef struct LoopCost {
    CostRange turn;      /* time of one iteration, as assumed or given */
    CostRange host, gpu; /* busy time of host and GPU in one iteration */
    CostRange avoidable; /* price of all avoidable sites together, without those that a comment allows */
    CostRange all;       /* price of all sites together */
    CostRange mendable;  /* price of the avoidable sites together whose value the host is not known to need; without
                            the allowed ones */
    double share_low, share_high; /* `mendable` as a share of an iteration */
    Verdict verdict;
    Text deciding;       /* what would decide an unknown verdict: "how long `load()` takes: --step-time and
                            --gpu-busy" */
    Text verdict_text;   /* "gain: 4 to 9 % of a training step" */
    double operations_low, operations_high;
    bool longer;       /* the events counted take longer than the step time that was given */
    bool hides;        /* the GPU may be hiding host work, and the prices include that */
    bool uncalibrated; /* as of a site */
    Text text;         /* the regime in words, and what widened the range */
} LoopCost;

typedef struct Costs {
    SiteCost *sites; /* [SiteId], as Findings.sites */
    LoopCost *loops; /* [HotLoopId] */
} Costs;

enum {
    MENDED_LATER = 1,  /* its copy still happens, but after the loop */
    MENDED_JOINED = 2, /* its value is read together with a neighbour's, so its own price is the whole gain */
};

/* Sites of one loop that are removed or mended at once. */
typedef struct CostSet {
    HotLoopId loop;
    const SiteId *sites; /* ascending */
    uint32_t count;
    const SiteId *given; /* ascending: sites that are removed anyway; the gain is counted on top of theirs */
    uint32_t given_count;
    bool mended; /* mended instead of removed, together with the sites that run in the same iterations; no gain
                    where the host then gets ahead of the GPU by less than two waits cost, because the next wait is
                    near */
    const uint8_t *manner; /* [SiteId]: MENDED_ bits of each mended site; NULL = none */
    bool drawn; /* draw an iteration as it is, and one without the sites */
} CostSet;

/* The gain of a set: how much shorter an iteration gets, also as a share of the iteration; each over all
   scenarios. */
typedef struct CostJoint {
    CostRange gain;
    struct {
        double low, high;
    } share;
    TimelineDrawing before, after; /* where `drawn`: in the scenario whose iteration time is nearest to the middle */
} CostJoint;

Costs *cost_findings(Arena *result, const Findings *findings, const Profile *profile,
                     const CostOptions *options);
/* The joint gain of each of `count` sets; zeros where nothing is calibrated. Options as for cost_findings. */
CostJoint *cost_joint(Arena *result, const Findings *findings, const Profile *profile, const CostOptions *options,
                      const CostSet *sets, uint32_t count);
/* The one number that findings and plans are sorted by: the geometric middle of the range, reduced the wider
   the range is, so that a sure gain comes before a merely possible one. */
double cost_robust_us(CostRange range);
double cost_least_gain(const CostOptions *options); /* per iteration: a smaller gain is not worth an edit */

#endif
