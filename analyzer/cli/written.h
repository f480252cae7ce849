#ifndef SYNCL_WRITTEN_H
#define SYNCL_WRITTEN_H
/* Writes the report, and what is asked for instead of it or beside it; gives the exit status. */
#include "run.h"

int report_written(Run *run, const Analysis *analysis, const ReportOptions *wanted, const Report *before);

#endif
