#ifndef SYNCL_SITES_H
#define SYNCL_SITES_H
/* Sites: every effect that waits, once a source expression, with the frequency of its dearest loop and its reasons.
   Takes the inference, const; gives Findings in file and position order, in the arena. */
#include "size.h"

/* threads: 0 = as many as team_cores says. What happens in a loop (its events, its unseen calls) is told where some site
   that counts in it is at least so sure; CONFIDENCE_NONE: of every loop.
   sizes: what the user tells of shapes; NULL = nothing. */
const Findings *sites_find(Arena *arena, const Inference *inference, uint32_t threads, Confidence told, const SizeOptions *sizes);

#endif
