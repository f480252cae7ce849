#ifndef SYNCL_REPORT_LINES_H
#define SYNCL_REPORT_LINES_H
/* What the text formats share: the plan, a finding in a line, the end of a report. Takes a report, const; writes clean text. */
#include "columns.h"
#include "plan.h"
#include "source_names.h"

enum { ALIKE_COLUMNS = 200 }; /* of lines_alike, where lines have no width */

uint32_t lines_width(const Output *output);

/* The message up to its first break: "`loss.item()` reads a value from the GPU into Python". */
Text lines_clause(Text message);
/* "Training step of `for ...` in f() (train.py:12)" in so many columns; 0 = whole */
Text lines_loop_name(Arena *arena, const Report *report, HotLoopId loop, uint32_t columns);
Text lines_share(Arena *arena, const CostJoint *joint);   /* "2 to 5 %", "up to 3 %" */
Text lines_gain(Arena *arena, const Report *report, const PlanGroup *group); /* "gains 1 to 3 ms a training step (...), likely" */
/* "The same in 2 other places: a.py:3, b.py:5": in so many columns; empty where it is in none. */
Text lines_alike(Arena *arena, const PlanGroup *group, uint32_t columns);
/* "host sets the pace by far ..."; empty: it is not so. */
Text lines_pace(Arena *arena, const Report *report, const PlanLoop *loop);
/* How the plan is ordered, in a sentence. */
Text lines_order(void);

void lines_plan(Output *output, const Report *report); /* what to do first, or that nothing is */
/* "train.py:3:5: SYN101 host-read ...", one line of at most so many columns. */
void lines_finding(Output *output, const Report *report, uint32_t index, uint32_t indent);
void lines_broken(Output *output, const Report *report); /* files that were read in part */
void lines_end(Output *output, const Report *report, bool loops); /* all below the findings */

#endif
