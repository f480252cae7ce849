#ifndef SYNCL_MENDING_H
#define SYNCL_MENDING_H
/* --fix and --diff: the fixes of the findings that a report shows, round by round. A round takes those that gain something (report/gains.h) and do
   not overlap, in the order of the report; what it makes is analysed before it is believed: the waits that were to go are gone, no other came, grew or
   went, and the loops' prices did not grow. A fix that breaks that is left, with the others tried again. Nothing is written where
   one file may not be; each file is whole at every moment (base/rewrite.h).

   Takes a run with what it asked for, and its analysis; gives that of the files as they are to be. NULL with the run's error:
   nothing was written, or (it says so) a file could not be although it may. */
#include "run.h"

typedef struct Mended {
    const Analysis *analysis;
    uint32_t findings, files; /* mended */
    uint32_t unsafe;          /* left: what would mend them is unsafe */
    uint32_t idle;            /* left: that would gain nothing */
    bool piped;               /* the output is the source from standard input, mended: no report goes there */
} Mended;

bool mending_wanted(const Options *options);
bool mending_run(Run *run, const AnalyzeOptions *how, const ReportOptions *wanted, const Analysis *analysis, Mended *mended);

#endif
