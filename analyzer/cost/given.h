#ifndef SYNCL_GIVEN_H
#define SYNCL_GIVEN_H
/* Private to cost: what a user tells (--step-time, --gpu-busy, --ops-per-step) narrows what is assumed. A price is that of
   everything told, within the prices of every smaller part of it: what was impossible before stays impossible, so no price
   gets wider by more knowledge. */
#include "cost.h"

/* Sets of what is told, one bit each: all subsets of given_all are priced, in this order. */
unsigned given_all(const CostOptions *options);
bool given_next(unsigned all, unsigned *part); /* the next larger subset; false behind the last */
CostOptions given_part(const CostOptions *options, unsigned part);

/* Makes the ranges of `costs` no wider than those of `before`, which knew less. */
void given_narrow(const Findings *findings, Costs *costs, const Costs *before);
void given_narrow_gain(CostJoint *joint, const CostJoint *before);

#endif
