#ifndef SYNCL_SITES_H
#define SYNCL_SITES_H
/* Sites: every effect that waits, once a source expression, with the frequency of its dearest loop and its reasons.
   Takes the inference, const; gives Findings in file and position order, in the arena. */
#include "calls.h"

const Findings *sites_find(Arena *arena, const Inference *inference, uint32_t threads);

#endif
