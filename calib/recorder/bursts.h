#ifndef SYNCL_BURSTS_H
#define SYNCL_BURSTS_H
/* When to record how much: first only the calls that can wait, until some of one line recur evenly (its stack is the anchor,
   and from one recurrence to the next is a step, or a few); then clean steps, after them a burst of the GPU's work alone, and
   detailed bursts, with pauses between: CUPTI is never as light again as before the first of them. Pure: takes what was seen and the time, gives the
   phase that should be on. Not locked. */
#include "record_format.h"
#include <stdbool.h>

enum { BURSTS_STACKS = 4096, BURSTS_TIMES = 64, BURSTS_DETAILS = 3 };

typedef struct BurstsStack {
    uint32_t seen;                  /* how often */
    uint64_t first_ns, times_ns[BURSTS_TIMES]; /* the latest: times_ns[seen % BURSTS_TIMES] is the next one's place */
} BurstsStack;

typedef struct Bursts {
    RecordPhaseKind phase;
    uint32_t steps, skip;     /* asked for: detailed steps in all; recurrences before the first clean step, 0 = as needed */
    uint32_t anchor, details; /* stack, 0 = none; detailed bursts so far */
    uint64_t period_ns;       /* of the anchor */
    uint64_t from_ns, window_ns; /* of the phase; as long is looked for an anchor, then afresh */
    uint64_t begun_ns, looked_ns, found_ns; /* the search's; when a first anchor was found */
    uint64_t called_ns;                     /* the latest call that can wait */
    bool works_told;                        /* the burst of the GPU's work alone was */
    BurstsStack stacks[BURSTS_STACKS];     /* by the stack's id, while an anchor is looked for */
} Bursts;

void bursts_begin(Bursts *bursts, uint32_t steps, uint32_t skip, uint64_t now_ns);
void bursts_saw(Bursts *bursts, uint32_t stack, uint64_t now_ns);
/* Moves on when it is time: true = phase is another one now. full: a detailed burst has as much as is wanted of it. */
bool bursts_turn(Bursts *bursts, uint64_t now_ns, bool full);

#endif
