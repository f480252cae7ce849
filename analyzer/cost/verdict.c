#include "verdict.h"
#include "cost_text.h"
#include <math.h>

static const double zero_share = 0.001; /* of an iteration: counts as zero */

double cost_least_gain(const CostOptions *options) { return options->min_gain > 0 ? options->min_gain : 0.01; }

/* A named unknown that the work of some event depends on, of the first such event. */
static Text unknown_size(const HotLoop *loop) {
    for (uint32_t i = 0; i < loop->event_count; i++)
        if (event_work(&loop->events[i])->unknown.length) return event_work(&loop->events[i])->unknown;
    return (Text){0};
}

/* What widens the share most, as far as that can be told. */
static Text deciding(Arena *arena, const HotLoop *loop, const LoopCost *cost, const CostOptions *told) {
    Text size = unknown_size(loop);
    if (told && told->step_time_us <= 0 && cost->hides)
        return TEXT("how long the loop's own loading or NumPy work takes (--step-time and --gpu-busy)");
    if (size.length)
        return text_format(arena, "`%.*s` (--shape=NAME=SIZES, or a comment # syncl: shape=(SIZES))",
                           SHOWN(size));
    if (loop->unseen && loop->unseen_text.length)
        return text_format(arena, "how much `%.*s` does, which could not be followed (syncl record)",
                           SHOWN(loop->unseen_text));
    if (told && told->step_time_us <= 0)
        return TEXT("how long a step takes, and the GPU's share (--step-time, --gpu-busy)");
    if (told && told->gpu_busy <= 0) return TEXT("the GPU's share of a step (--gpu-busy)");
    return TEXT("a recording of a run (syncl record)");
}

static Text percents(Arena *arena, const LoopCost *cost) {
    double low = round(1000 * cost->share_low) / 10, high = ceil(1000 * cost->share_high) / 10;
    if (low < 0.1) return text_format(arena, "at most %.3g %%", high);
    return low < high ? text_format(arena, "%.3g to %.3g %%", low, high) : text_format(arena, "%.3g %%", high);
}

/* The ends of the share are where all unknowns are at their worst at once, which hardly happens, so a verdict
   is given as soon as the inner part of the range is on one side. Shares below zero_share count as zero. */
static Verdict verdict_of(const LoopCost *cost, double inset, double least) {
    double low = fmax(cost->share_low, zero_share), high = fmax(cost->share_high, zero_share);
    double part = pow(high / low, inset);
    if (cost->share_low >= zero_share && low * part >= least) return VERDICT_GAIN;
    return high / part < least ? VERDICT_NONE : VERDICT_UNKNOWN;
}

static const char *decided(const LoopCost *cost, double least) {
    bool gains = cost->verdict == VERDICT_GAIN,
         sure = gains ? cost->share_low >= least : cost->share_high < least;
    if (gains) return sure ? "gain" : "gain, most likely";
    return sure ? "no gain" : "no gain, most likely";
}

void verdict_give(Arena *result, const HotLoop *loop, LoopCost *cost, const CostOptions *told, double inset,
                  double least) {
    cost->verdict = verdict_of(cost, inset, least);
    const char *share = percents(result, cost).bytes, *unit = unit_a(loop->unit);
    cost->deciding = (Text){0};
    if (cost->mendable.high_us <= 0) {
        cost->verdict_text = TEXT("no gain: no wait that could be mended");
    } else if (cost->verdict == VERDICT_UNKNOWN) {
        cost->deciding = deciding(result, loop, cost, told);
        cost->verdict_text = text_format(result, "cannot tell: mending gains %s of %s; it depends on %.*s",
                                         share, unit, SHOWN(cost->deciding));
    } else {
        cost->verdict_text = text_format(result, "%s: %s of %s", decided(cost, least), share, unit);
    }
}
