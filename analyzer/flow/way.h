#ifndef SYNCL_WAY_H
#define SYNCL_WAY_H
/* The path from a hot loop to a place as reasons: `inside` the loop, `called by` each call on the way. Takes
   how often the place runs and the frames of the path; the result lives in the arena. */
#include "calls.h"
#include "site.h"

const Reason *way_reasons(Arena *arena, const Inference *inference, const Rate *rate, const Frame *frames,
                          uint32_t *count);

#endif
