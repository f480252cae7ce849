#ifndef SYNCL_GAINS_H
#define SYNCL_GAINS_H
/* Which fixes gain anything: those without which an iteration of the loop, with all other fixes made, would be
   longer by at least --min-gain. A fix gains nothing where the wait right beside it stays; several fixes beside
   each other may gain together. No gain is counted for code that rarely runs, runs once an epoch, or is in
   calls that nobody visible makes and that queue no GPU work. A fix that shares an edit with one that gains (a
   loader pins for the whole batch), or is the same remedy in its statement, is made with it. Any other finding
   without a price counts as a gain. Takes a report; gives the answers in the arena. */
#include "report.h"

/* [finding]: the fix gains something. asked: [finding]: fixes that may be made together. */
const bool *gains_of_fixes(Arena *arena, const Report *report, const bool *asked);
/* [finding]: a safe fix is judged among the safe ones, an unsafe one among all. */
const bool *gains_by_safety(Arena *arena, const Report *report);

#endif
