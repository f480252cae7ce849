#ifndef SYNCL_REPORT_TRACE_H
#define SYNCL_REPORT_TRACE_H
/* What a trace shows, for people and as JSON: before and after, how busy host and GPU are, one step drawn, the
   waits that no finding explains. Takes a report whose analysis has a ledger. */
#include "json.h"
#include "report.h"

Saving report_trace_saving(const Report *report, bool avoidable_only); /* of the findings that are shown */
/* why no price comes from the trace; empty: there is none, or they do */
Text report_trace_oddity(Arena *arena, const Report *report);
void report_trace(Output *output, const Report *report);
Value *report_trace_value(const Json *json, const Report *report);

#endif
