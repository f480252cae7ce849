#ifndef SYNCL_PLAN_H
#define SYNCL_PLAN_H
/* What to do first: groups of findings that are mended at one place, each with what all of it gains in its loop's turn.
   Takes a report whose findings are in order, const; gives groups in the arena, what is worth most first. A group is what
   one loop has of the same advice, and of the same loader or index where the advice names one. Where removing groups of a
   loop one by one gains clearly less than all at once, as each wait then only moves to the next, they are one; one that alone
   gains nothing, since others of its loop wait in its stead, stands with what it adds to them.
   What cannot gain a hundredth of its turn is in no group. Sorted by a sure gain before one that is only possible
   (cost_robust_us), less for findings that are less sure, for values that the host needs, and outside of training. */
#include "mend.h"

typedef struct PlanWrite {
    Text text;
    Text brief;  /* the same with one of the places named */
    Text remedy; /* before any name of the code stands in it */
    const Finding *first;
} PlanWrite;

typedef struct PlanGroup {
    HotLoopId loop;
    VEC(const Finding *) findings; /* in the order of the report */
    const PlanWrite *writes; /* [write_count] what to write, an edit each */
    uint32_t write_count;
    const SourceFile *file; /* of `where` */
    Text where;       /* "train.py:12": what makes the loader or index, else the first finding */
    CostJoint joint;  /* all of it in `loop` removed */
    VEC(const Finding *) alike; /* elsewhere, with the same remedy: told in a line, and listed with the other findings */
    VEC(HotLoopId) also;        /* the loops of those */
    bool together;    /* of several remedies, which only gain together */
    bool on_top;      /* alone it gains nothing: `joint` is what it adds once all other groups of the loop are mended */
    bool measured;    /* replayed from the user's own run */
    Confidence confidence; /* of the least sure */
    double worth;     /* that the order goes by, see worth.h */
} PlanGroup;

/* Of a loop with a finding that has a price. */
typedef struct PlanLoop {
    HotLoopId loop;
    uint32_t findings, groups; /* shown of each */
    CostJoint joint;  /* all shown findings removed */
    CostJoint planned; /* all groups of the plan removed */
    bool host_paces;  /* by far: the GPU idles half of a turn and more, whatever is mended */
    bool leave;       /* nothing of it gains a hundredth of a turn */
} PlanLoop;

typedef struct Plan {
    VEC(PlanGroup) groups; /* all that are worth it */
    uint32_t shown;        /* of those, --top */
    VEC(PlanLoop) loops;   /* in the order of the findings' loops */
    uint32_t *loop_at;     /* [HotLoopId] index + 1 in loops */
    uint32_t *group_of;    /* [finding] index + 1 of its group among those shown; 0 = none */
} Plan;

const Plan *plan_make(Arena *result, const Report *report, uint32_t top);
const PlanLoop *plan_loop(const Plan *plan, HotLoopId loop); /* NULL = none */

#endif
