#ifndef SYNCL_SITES_H
#define SYNCL_SITES_H
/* Sites: every effect that waits, one for each source expression, with the frequency in its dearest loop and
   its reasons. Takes the inference; gives Findings in file and position order, in the arena. */
#include "size.h"

/* Frees Inference.store once flows are made and ordered, where it is not the inference's own arena.
   threads: 0 = as many as team_cores says. told: a loop's events and unseen calls are given only if it has a
   counted site of at least this confidence; CONFIDENCE_NONE = for every loop. sizes: shapes that the user
   states; NULL = none. */
const Findings *sites_find(Arena *arena, const Inference *inference, uint32_t threads, Confidence told, const SizeOptions *sizes);

#endif
