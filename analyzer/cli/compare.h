#ifndef SYNCL_COMPARE_H
#define SYNCL_COMPARE_H
/* --compare: the same analysis of another revision, and what became of each finding and of each loop's total since. First
   the other revision's report, then its findings as known ones for today's report, then the comparison of both. */
#include "analyze.h"
#include "known.h"
#include "settings.h"

typedef struct CompareTask {
    const char *revision;
    AnalyzeOptions analyze; /* how the sources of today are analysed and reported: the same settings hold for then */
    ReportOptions report;
    Settings *settings;
    const Rulebook *rulebook;
} CompareTask;

/* NULL: *error says why. An `analysis` of NULL: none of the named paths was there. */
const Report *compare_before(Arena *result, const CompareTask *task, Text *error);
/* The findings of `before` behind those of a baseline (NULL = none). */
const KnownList *compare_known(Arena *result, const Report *before, const KnownList *baseline);
/* `now` was made with that list. */
const Comparison *compare_reports(Arena *result, const Report *before, const Report *now, const char *revision,
                                  double max_growth_us);

#endif
