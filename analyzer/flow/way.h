#ifndef SYNCL_WAY_H
#define SYNCL_WAY_H
/* The way from a hot loop to a place as reasons: `inside` the loop, `called by` each call below it. Takes how often the place runs and
   the steps that lead there, const; the result lives in the arena. */
#include "calls.h"
#include "site.h"

const Reason *way_reasons(Arena *arena, const Inference *inference, const Rate *rate, const Frame *frames,
                          uint32_t *count);

#endif
