#ifndef SYNCL_GAINS_H
#define SYNCL_GAINS_H
/* Which fixes gain anything: those without which the loop's turn, with all the others of it made, would be longer by what is worth
   an edit (--min-gain). Where another wait stands beside that stays, one is not; several that stand beside each other are. What
   is seldom run, runs once an epoch, or stands in calls that nobody in sight makes and that queue nothing, gains nothing that is
   worth an edit. A fix that shares an edit with one that gains is made with it: a loader that pins, pins for all of its batch.
   Takes a report, const; gives the answers in the arena. What else has no price is taken to gain. */
#include "report.h"

/* [finding] asked: the fixes that may be made together. */
const bool *gains_of_fixes(Arena *arena, const Report *report, const bool *asked);
/* [finding] a safe one where the safe ones are made, an unsafe one where all are. */
const bool *gains_by_safety(Arena *arena, const Report *report);

#endif
