#ifndef SYNCL_COMPARE_H
#define SYNCL_COMPARE_H
/* --compare: analyses another revision with the same settings, and says what became of each finding and of each
   loop's total since. First the report of the other revision is made, then its findings are treated as known in
   today's report, then both reports are compared. */
#include "analyze.h"
#include "known.h"
#include "settings.h"

typedef struct CompareTask {
    const char *revision;
    AnalyzeOptions analyze; /* how today's sources are analysed and reported; the other revision likewise */
    ReportOptions report;
    Settings *settings;
    const Rulebook *rulebook;
} CompareTask;

/* NULL: see *error. A report with a NULL `analysis`: none of the named paths existed then. */
const Report *compare_before(Arena *result, const CompareTask *task, Text *error);
/* The findings of `before`, added to those of a baseline (NULL = none). */
const KnownList *compare_known(Arena *result, const Report *before, const KnownList *baseline);
/* `now` must have been made with that list. */
const Comparison *compare_reports(Arena *result, const Report *before, const Report *now, const char *revision,
                                  double max_growth_us);

#endif
