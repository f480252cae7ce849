#ifndef SYNCL_WORTH_H
#define SYNCL_WORTH_H
/* Ranks findings and the groups of a plan: the price, weighed by how likely a reader finds such a finding worth an
   edit (worth.def: counted by readers of real plans). By price alone, wide but unlikely findings would come before
   certain ones, and code that few runs reach before the training step. */
#include "report.h"

/* Gives [FileId]: the file lies beside the program, e.g. in `legacy/` or `examples/`. Folders that all given files
   share do not count, and if all given files lie beside, none does: they were named for their own sake. So does a
   notebook where other given files train without it. Takes a report with its findings. */
const bool *worth_sides(Arena *result, const Report *report);
/* The same of a file within its project, whatever else is named; a notebook as by worth_sides. */
bool worth_is_aside(const Report *report, FileId file);
/* Some finding is in a loop that trains. Code that no such loop reaches then ranks lower. */
bool worth_trains(const Report *report);
/* The chance that a reader finds the finding worth an edit, times the share of a run that such iterations are; more the
   more loops reach it. */
double worth_weight(const Report *report, const Finding *finding);
/* Rises with the share of the loop's iteration that is gained; at most 1. */
double worth_of_gain(const Report *report, HotLoopId loop, CostRange gain);
/* The worth of an edit at that many places, relative to one at a single place. */
double worth_of_places(double places);
/* worth_weight times worth_of_gain of what the fix gains in addition to the others' (the marginal gain). */
double worth_of_finding(const Report *report, const Finding *finding);

#endif
