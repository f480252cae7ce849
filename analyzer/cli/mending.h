#ifndef SYNCL_MENDING_H
#define SYNCL_MENDING_H
/* --fix and --diff: applies the fixes of the findings that a report shows, in rounds. A round takes, in the
   order of the report, fixes that gain something (report/gains.h) and do not overlap. The edited sources are
   analysed again: every wait that should disappear must have, no other may appear, disappear or become more
   frequent, and no loop may get a higher price (report/regress.h). A fix that fails this is dropped, and the
   others are tried again. If one file may not be written, none is; each file is whole at every moment
   (base/rewrite.h).

   Takes a run with its options, and its analysis; gives the analysis of the edited files. NULL with run->error:
   nothing was written, or, as the error says, one of the files could not be written although it was allowed. */
#include "run.h"

typedef struct Mended {
    const Analysis *analysis;
    uint32_t findings, files; /* numbers of findings mended and files changed */
    uint32_t unsafe;          /* findings left because their fix is unsafe */
    uint32_t idle;            /* findings left because their fix would gain nothing */
    bool piped;               /* the mended source from standard input is the output, so no report goes there */
} Mended;

bool mending_wanted(const Options *options);
bool mending_run(Run *run, const AnalyzeOptions *how, const ReportOptions *wanted, const Analysis *analysis, Mended *mended);

#endif
