#include "given.h"
#include <math.h>

enum { GIVEN_STEP = 1, GIVEN_BUSY = 2, GIVEN_OPERATIONS = 4 };

unsigned given_all(const CostOptions *options) {
    return (options->step_time_us > 0 ? GIVEN_STEP : 0u) | (options->gpu_busy > 0 ? GIVEN_BUSY : 0u) |
           (options->ops_per_step > 0 ? GIVEN_OPERATIONS : 0u);
}

bool given_next(unsigned all, unsigned *part) {
    *part = ((*part | ~all) + 1) & all;
    return *part != 0;
}

CostOptions given_part(const CostOptions *options, unsigned part) {
    CostOptions some = *options;
    if (!(part & GIVEN_STEP)) some.step_time_us = 0;
    if (!(part & GIVEN_BUSY)) some.gpu_busy = 0;
    if (!(part & GIVEN_OPERATIONS)) some.ops_per_step = 0;
    return some;
}

/* Intersects two ranges. If they are disjoint, the assumptions did not fit what is given: takes the nearest end
   of the former range. */
static void narrow(double *low, double *high, double low_before, double high_before) {
    *low = fmin(fmax(*low, low_before), high_before);
    *high = fmax(fmin(*high, high_before), low_before);
}

static void narrow_range(CostRange *range, CostRange before) {
    narrow(&range->low_us, &range->high_us, before.low_us, before.high_us);
}

/* The same for times and counts that follow from what is given: if disjoint, what is given wins. */
static void narrow_derived(double *low, double *high, double low_before, double high_before) {
    if (*low <= high_before && *high >= low_before) narrow(low, high, low_before, high_before);
}

static void narrow_clock(CostRange *clock, CostRange before) {
    narrow_derived(&clock->low_us, &clock->high_us, before.low_us, before.high_us);
}

static void narrow_site(SiteCost *cost, const SiteCost *before) {
    narrow_range(&cost->per_execution, before->per_execution);
    narrow_range(&cost->per_turn, before->per_turn);
    narrow_range(&cost->marginal, before->marginal);
    narrow_range(&cost->blocked, before->blocked);
    cost->about_zero |= before->about_zero;
}

/* A share follows from the gain, so it is scaled with it. */
static double scaled_share(double share, double us, double narrowed_us) {
    return us > 0 ? share * narrowed_us / us : share;
}

static void narrow_loop(LoopCost *cost, const LoopCost *before) {
    CostRange mendable = cost->mendable;
    narrow_range(&cost->mendable, before->mendable);
    cost->share_high = scaled_share(cost->share_high, mendable.high_us, cost->mendable.high_us);
    cost->share_low =
        fmin(scaled_share(cost->share_low, mendable.low_us, cost->mendable.low_us), cost->share_high);
    narrow_clock(&cost->turn, before->turn);
    narrow_clock(&cost->host, before->host);
    narrow_clock(&cost->gpu, before->gpu);
    narrow_range(&cost->avoidable, before->avoidable);
    narrow_range(&cost->all, before->all);
    narrow_derived(&cost->operations_low, &cost->operations_high, before->operations_low,
                   before->operations_high);
}

void given_narrow(const Findings *findings, Costs *costs, const Costs *before) {
    for (SiteId id = 1; id < findings->sites.count; id++) narrow_site(&costs->sites[id], &before->sites[id]);
    for (HotLoopId id = 1; id < findings->loops.count; id++) narrow_loop(&costs->loops[id], &before->loops[id]);
}

void given_narrow_gain(CostJoint *joint, const CostJoint *before) {
    CostRange gain = joint->gain;
    narrow_range(&joint->gain, before->gain);
    joint->share.high = scaled_share(joint->share.high, gain.high_us, joint->gain.high_us);
    joint->share.low = fmin(scaled_share(joint->share.low, gain.low_us, joint->gain.low_us), joint->share.high);
}
