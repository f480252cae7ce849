#ifndef SYNCL_VERDICT_H
#define SYNCL_VERDICT_H
/* The verdict on a loop whose shares are known: gain, none, or unknown with what would decide. Private to cost. */
#include "cost.h"

/* told: what the user tells of this loop, NULL = nothing; inset: how far within the range a verdict is given; least: a share of a turn. */
void verdict_give(Arena *result, const HotLoop *loop, LoopCost *cost, const CostOptions *told, double inset, double least);

#endif
