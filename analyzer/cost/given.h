#ifndef SYNCL_GIVEN_H
#define SYNCL_GIVEN_H
/* How numbers given by the user (--step-time, --gpu-busy, --ops-per-step) narrow what is assumed. A loop is
   priced for each subset of them, from the empty one up, and each result is cut to the range of the smaller
   subsets: what was impossible before stays impossible, so knowing more never widens a price. Private to this
   room. */
#include "cost.h"

/* A set of given numbers is a bit set; given_all is the full one. All its subsets are priced, in this order. */
unsigned given_all(const CostOptions *options);
bool given_next(unsigned all, unsigned *part); /* moves on to the next larger subset; false after the last */
CostOptions given_part(const CostOptions *options, unsigned part);

/* Cuts the ranges of `costs` to those of `before`, which knew less. */
void given_narrow(const Findings *findings, Costs *costs, const Costs *before);
void given_narrow_gain(CostJoint *joint, const CostJoint *before);

#endif
