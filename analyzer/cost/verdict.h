#ifndef SYNCL_VERDICT_H
#define SYNCL_VERDICT_H
/* The verdict on a loop whose shares are known: gain, none, or unknown with the number that would decide.
   Private to this room. */
#include "cost.h"

/* told: what the user gave for this loop, NULL = nothing; inset: how much of each end of the range is ignored;
   least: the smallest share of an iteration that counts as a gain. */
void verdict_give(Arena *result, const HotLoop *loop, LoopCost *cost, const CostOptions *told, double inset, double least);

#endif
