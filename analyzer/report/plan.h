#ifndef SYNCL_PLAN_H
#define SYNCL_PLAN_H
/* The plan: groups of findings that are mended at one place, each with its joint gain per iteration of its
   loop. Takes a report whose findings are sorted; gives groups in the arena, the most worthwhile first. A group
   has the findings of one loop with the same advice and, where the advice names a loader or index, the same
   one. Groups of a loop whose separate removal gains clearly less than their joint removal, because the wait
   just moves to the next one, are merged. A group that alone gains nothing, because other waits of its loop
   take its place, is listed with what it adds to the others. A group that cannot gain 1 % of an iteration is
   not listed. Order: sure gains before merely possible ones (cost_robust_us); lower for less confident
   findings, for values that the host needs, and outside of training. */
#include "mend.h"

typedef struct PlanWrite {
    Text text;
    Text brief;  /* the same, naming only one place */
    Text remedy; /* the advice before names are filled in */
    const Finding *first;
} PlanWrite;

typedef struct PlanGroup {
    HotLoopId loop;
    VEC(const Finding *) findings; /* in the order of the report */
    const PlanWrite *writes; /* [write_count]: what to write, one for each edit */
    uint32_t write_count;
    const SourceFile *file; /* of `where` */
    Text where;       /* "train.py:12": where the loader or index is defined, else the first finding */
    CostJoint joint;  /* with all of it removed from `loop` */
    VEC(const Finding *) alike; /* findings elsewhere with the same remedy: told in one line, and listed with the
                                   other findings */
    VEC(HotLoopId) also;        /* the loops of those */
    bool together;    /* several remedies, which gain only together */
    bool on_top;      /* alone it gains nothing: `joint` is what it adds when all other groups of the loop are mended */
    bool measured;    /* replayed from a recording of the user's run */
    Confidence confidence; /* the lowest among its findings */
    double worth;     /* the sort key, see worth.h */
} PlanGroup;

/* A loop that has a finding with a price. */
typedef struct PlanLoop {
    HotLoopId loop;
    uint32_t findings, groups; /* numbers that are shown */
    CostJoint joint;  /* with all shown findings removed */
    CostJoint planned; /* with all groups of the plan removed */
    bool host_paces;  /* clearly host-bound: the GPU idles half of an iteration or more, whatever is mended */
    bool leave;       /* nothing in it gains 1 % of an iteration */
} PlanLoop;

typedef struct Plan {
    VEC(PlanGroup) groups; /* all that are worthwhile */
    uint32_t shown;        /* how many of them are shown: --top */
    VEC(PlanLoop) loops;   /* in the order of the findings' loops */
    uint32_t *loop_at;     /* [HotLoopId] index + 1 in loops */
    uint32_t *group_of;    /* [finding]: index + 1 of its group among those shown; 0 = none */
} Plan;

const Plan *plan_make(Arena *result, const Report *report, uint32_t top);
const PlanLoop *plan_loop(const Plan *plan, HotLoopId loop); /* NULL = none */

#endif
