#ifndef SYNCL_WORTH_H
#define SYNCL_WORTH_H
/* What findings and the groups of a plan are ordered by: the price, weighed by how many such findings
   a reader found worth an edit (worth.def). A price alone puts the wide before the sure, and what few runs reach before the training step. */
#include "report.h"

/* [FileId] of those that lie beside the program that is given, in `legacy/` or `examples/`; none where all that is given does:
   then it was named for its own sake. The folders that all given files share say nothing of one. */
const bool *worth_sides(Arena *result, const Program *program, const Rulebook *book);
/* Something is found in a loop that trains: what no such loop reaches is then behind it. */
bool worth_trains(const Report *report);
/* How likely a reader finds this worth an edit, times the part of a run that such turns are: 0..1. */
double worth_weight(const Report *report, const Finding *finding);
/* What rises with the part of its loop's turn that is gained. */
double worth_of_gain(const Report *report, HotLoopId loop, CostRange gain);
/* How many times the worth of one place an edit has that is the same at so many. */
double worth_of_places(double places);
/* The first two together, of what it adds to the others. */
double worth_of_finding(const Report *report, const Finding *finding);

#endif
