#ifndef SYNCL_PLAN_FOLD_H
#define SYNCL_PLAN_FOLD_H
/* The same remedy at several places, of one loop or of several, is one group, of the place where it is worth most. Takes a plan whose
   groups are in order of worth; leaves those that stand for all, worth the more the more places they have. */
#include "plan.h"

void plan_fold(Arena *arena, Plan *plan);

#endif
