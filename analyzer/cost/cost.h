#ifndef SYNCL_COST_H
#define SYNCL_COST_H
/* Prices: replays each hot loop's events with two clocks under the scenarios that fit what is known, with and
   without each site. Takes findings and a profile, const; gives ranges in microseconds, owned by the arena.
   `low_us`/`high_us` of a site are per turn of its loop (a step, a batch, a token) if only this site is removed;
   `per_execution_*` when it runs. blocked_us is how long the host stands still there, which is not the price. */
#include "drawing.h"
#include "profile.h"
#include "site.h"

/* The number that `cost-model` pins. Add one whenever the same code and profile get other prices than before. */
enum { COST_MODEL = 7 };

typedef struct CostOptions {
    double step_time_us; /* --step-time, 0 = not given */
    double gpu_busy;     /* --gpu-busy as a fraction 0..1, 0 = not given */
    double ops_per_step; /* --ops-per-step, 0 = counted */
    double min_gain;     /* --min-gain as a fraction; 0 = not given, a hundredth */
    uint32_t threads;    /* 0 = as many as team_cores says; prices do not depend on it */
    Confidence
        least; /* sites of less confidence are in the replay as far as they belong there, but have no price, nor text */
    bool shown_only; /* loops without a site of that confidence stay unpriced: nobody prints them */
    const bool *allowed; /* [SiteId] stays, as a comment says: nothing is to be gained there; NULL = none */
    const bool
        *counted; /* [SiteId] whose prices a loop's totals hold; NULL = of all that are at least likely */
} CostOptions;

typedef struct CostRange {
    double low_us, high_us;
} CostRange;

/* What else than removing can be done about a wait whose value may come later. Of the scenario in which the wait is
   dearest; a turn's share, microseconds. */
typedef struct Remedies {
    double of_us;     /* its price there */
    double moved_us;  /* saved by moving it to the end of the turn; 0 = no use, or not offered */
    double merged_us; /* ... by reading the value together with the next read of the turn */
    double seldom_us; /* ... by reading it once in `every` turns */
    uint32_t every;
} Remedies;

/* Who else waits right there: nothing is queued in between, so that one of the two is nearly free. */
typedef enum Paid { PAID_BY_NONE, PAID_BEFORE, PAID_BEHIND } Paid;

typedef struct SiteCost {
    CostRange per_execution;
    CostRange per_turn; /* meaningless when !has_per_turn */
    CostRange marginal;    /* per turn: what it costs where all else that can be mended is; about zero beside a wait that cannot be */
    bool has_per_turn;  /* false when N of "every N" is unknown: per_turn then uses profile.def's default N */
    CostRange blocked;  /* per execution */
    CostRange
        moved_to_end; /* what remains of per_turn when moved to the turn's end; kept where the GPU hides host work */
    bool about_zero;
    Paid paid;
    bool held; /* by a wait that stays: it gains its own call and no more, whatever else is mended */
    Remedies remedies;
    Text remedy_text;  /* "moving it to the end of the training step saves 100 of 138 us"; may be empty */
    bool uncalibrated; /* the code runs on another accelerator: text says so, no number here means anything */
    bool traced;       /* measured: replayed from the user's own trace, not assumed */
    bool recorded;     /* and that by syncl record */
    Text text;         /* "about 40..470 us per training step (GPU idle after the wait); blocks up to 12 ms" */
} SiteCost;

/* Whether mending the waits of a loop is worth it: all that can be mended gains at least so much of a turn (--min-gain) most
   likely, less, or that depends on what is not known. */
typedef enum Verdict { VERDICT_UNKNOWN, VERDICT_GAIN, VERDICT_NONE } Verdict;

typedef struct LoopCost {
    CostRange turn;      /* time of one turn as assumed or given */
    CostRange host, gpu; /* busy time of each in one turn */
    CostRange avoidable; /* price of all avoidable sites together that are not allowed */
    CostRange all;       /* price of all sites together */
    CostRange mendable;  /* price of those together whose value the host is not known to need, and that are not allowed */
    double share_low, share_high; /* of a turn, that this is */
    Verdict verdict;
    Text deciding;       /* what would tell, where it is unknown: "how long `load()` takes: --step-time and --gpu-busy" */
    Text verdict_text;   /* "gain: 4 to 9 % of a training step" */
    double operations_low, operations_high;
    bool longer;       /* what is counted takes longer than the step time that is given */
    bool hides;        /* host work may be hidden under the GPU's, and prices hold that */
    bool uncalibrated; /* as of a site */
    Text text;         /* the regime in words, and what widened the range */
} LoopCost;

typedef struct Costs {
    SiteCost *sites; /* [SiteId], as Findings.sites */
    LoopCost *loops; /* [HotLoopId] */
} Costs;

enum {
    MENDED_LATER = 1,  /* what it copies is copied all the same, behind the loop */
    MENDED_JOINED = 2, /* it is read with what stands beside it: its own price is all that it gains */
};

/* Sites of one loop that are removed at once. */
typedef struct CostSet {
    HotLoopId loop;
    const SiteId *sites; /* ascending */
    uint32_t count;
    const SiteId *given; /* ascending: removed already, so that only what the set gains on top of them counts */
    uint32_t given_count;
    bool mended; /* not taken out, but mended beside those that run in the same turns: gains nothing where the host gets ahead of
                    the GPU by no more than two waits cost, as the next wait stands near */
    const uint8_t *manner; /* [SiteId] MENDED_ bits of mended ones; NULL = none */
    bool drawn; /* a turn as it is and one without them are wanted as pictures */
} CostSet;

/* What that gains: how much shorter a turn gets, and that as a share of the turn, each over all scenarios. */
typedef struct CostJoint {
    CostRange gain;
    struct {
        double low, high;
    } share;
    TimelineDrawing before, after; /* where drawn: in the scenario whose turn is nearest to the middle of all */
} CostJoint;

Costs *cost_findings(Arena *result, const Findings *findings, const Profile *profile,
                     const CostOptions *options);
/* [count] of each set; zeros where nothing is calibrated. Options as for cost_findings. */
CostJoint *cost_joint(Arena *result, const Findings *findings, const Profile *profile, const CostOptions *options,
                      const CostSet *sets, uint32_t count);
/* The one number that findings and plans are sorted by: the geometric middle of the range, the smaller the wider the
   range is, so that a sure gain stands before one that is only possible. */
double cost_robust_us(CostRange range);
double cost_least_gain(const CostOptions *options); /* of a turn: what gains less is not worth an edit */

#endif
