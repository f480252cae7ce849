#ifndef SYNCL_ANALYZE_H
#define SYNCL_ANALYZE_H
/* The whole pipeline in its order: project, lower, infer, calls, sites, cost, trace. The only file that knows
   it. */
#include "given_shape.h"
#include "project.h"
#include "recordings.h"
#include "suppress.h"
#include "traced_cost.h"

typedef struct AnalyzeOptions {
    const char *const *paths; size_t path_count;
    ProjectLimits limits;        /* what is walked, and where imports are looked for */
    CostOptions cost;
    SizeOptions sizes;           /* shapes that the user states */
    const Profile *profile;      /* NULL = built-in */
    const Rulebook *rulebook;    /* NULL = built-in */
    bool progress;               /* show progress on standard error in long runs */
    const char *const *traces; uint32_t trace_count; /* recordings of the run */
    uint32_t trace_steps;        /* steps in each of them; 0 = found out */
    const char *dump;            /* model | calls | facts | sites | events, printed to stdout instead; NULL = none */
} AnalyzeOptions;

typedef struct Analysis {
    const Program *program;
    const Rulebook *rulebook;
    const Profile *profile;
    const Findings *findings;    /* of any confidence and rule: the report selects */
    const Suppressions *suppressions;
    const Costs *costs;
    const Ledger *ledger;        /* what the trace says; NULL without one */
} Analysis;

/* NULL when it could not run, with one clear line in *error. Everything lives in `result`. */
const Analysis *analyze(Arena *result, const AnalyzeOptions *options, Text *error);

#endif
