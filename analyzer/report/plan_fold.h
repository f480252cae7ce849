#ifndef SYNCL_PLAN_FOLD_H
#define SYNCL_PLAN_FOLD_H
/* Merges groups with the same remedy at several places, in one loop or several, into the one that is worth
   most. Takes a plan whose groups are sorted by worth; a merged group is worth more the more places it has. */
#include "plan.h"

void plan_fold(Arena *arena, Plan *plan);

#endif
