#ifndef SYNCL_REPORT_LINES_H
#define SYNCL_REPORT_LINES_H
/* Shared by the text formats: the plan, a finding on a line, the end of a report. Takes a report; writes safe
   text. */
#include "columns.h"
#include "plan.h"
#include "source_names.h"

enum { ALIKE_COLUMNS = 200 }; /* width for lines_alike where lines have no limit */

uint32_t lines_width(const Output *output);

/* The first clause of the message: "`loss.item()` reads a value from the GPU into Python". */
Text lines_clause(Text message);
/* "Training step of `for ...` in f() (train.py:12)", cut to so many columns; 0 = not cut */
Text lines_loop_name(Arena *arena, const Report *report, HotLoopId loop, uint32_t columns);
Text lines_gain(Arena *arena, const Report *report, const PlanGroup *group); /* "gains 1 to 3 ms a training step (...), likely" */
/* "The same in 2 other places: a.py:3, b.py:5", cut to so many columns; empty where there is none. */
Text lines_alike(Arena *arena, const PlanGroup *group, uint32_t columns);
/* "host sets the pace by far ..."; empty where it does not. */
Text lines_pace(Arena *arena, const Report *report, const PlanLoop *loop);
/* A sentence that says how the plan is ordered. */
Text lines_order(void);
/* "a training step takes 3 to 34 ms (assumed); the plan gains ...", and the number that would decide unless the
   loop is `paced`: host-bound, which lines_pace said. */
Text lines_verdict(Arena *arena, const Report *report, const PlanLoop *loop, bool paced);

void lines_plan(Output *output, const Report *report); /* what to do first, or that there is nothing */
/* "train.py:3:5: SYN101": the place as a link, and a label in the colour of the level. */
void lines_head(Output *output, const Finding *finding, Text place, Text label);
/* "train.py:3:5: SYN101 host-read ...": one line, cut to the width. */
void lines_finding(Output *output, const Report *report, uint32_t index, uint32_t indent);
void lines_broken(Output *output, const Report *report); /* files that were read in part */
void lines_end(Output *output, const Report *report, bool loops); /* everything below the findings */

#endif
