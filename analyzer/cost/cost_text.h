#ifndef SYNCL_COST_TEXT_H
#define SYNCL_COST_TEXT_H
/* Prices in words: two digits, a unit, a range, per what, and "about zero" where it is. */
#include "cost.h"

Text cost_text_us(Arena *result, double us);          /* "470 us", "12 ms", "1.5 s" */
Text cost_text_range(Arena *result, CostRange range); /* "60 to 470 us", "up to 12 us", "470 us to 1.2 ms", "44 us or more" */
Text cost_text_site(Arena *result, const Site *site, const SiteCost *cost);
/* the price alone, for one line: "12 to 980 us a training step", "about zero", "2 ms each time" */
Text cost_text_short(Arena *result, const Site *site, const SiteCost *cost);
/* "moving it to the end of the training step saves 100 of 138 us; ..."; empty when nothing is to be saved */
Text cost_text_remedies(Arena *result, const Site *site, const SiteCost *cost);
/* what a wait right beside it, with nothing queued in between, means for it; "" where there is none */
const char *cost_text_paid(const SiteCost *cost);
/* options: those that pin this loop's iteration; NULL = they pin another loop's */
Text cost_text_loop(Arena *result, const HotLoop *loop, const LoopCost *cost, const CostOptions *options);
Text cost_text_only(Arena *result, const Frequency *frequency); /* ", only with `--amp`"; empty = always */

#endif
