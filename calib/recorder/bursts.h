#ifndef SYNCL_BURSTS_H
#define SYNCL_BURSTS_H
/* Decides when to record how much. First only calls that can wait are watched, until calls of one line recur
   evenly: that stack is the anchor, and a recurrence of it is a step, or a few. Then come clean steps, a burst
   of the GPU's work alone, and detailed bursts with pauses between. (After the first burst CUPTI never becomes
   as light again as before.) Takes what was seen and the time; gives the phase that should be on. No I/O, no
   locking. */
#include "record_format.h"
#include <stdbool.h>

enum { BURSTS_STACKS = 4096, BURSTS_TIMES = 64, BURSTS_DETAILS = 3 };

typedef struct BurstsStack {
    uint32_t seen, ever;            /* number of times: since the search restarted, and since it began */
    uint64_t first_ns, times_ns[BURSTS_TIMES]; /* ring of the latest times; times_ns[seen % BURSTS_TIMES] is the
                                                  next to be written */
} BurstsStack;

typedef struct Bursts {
    RecordPhaseKind phase;
    uint32_t steps, skip;     /* as asked for: detailed steps in all; recurrences before the first clean step, 0 =
                                 as needed */
    uint32_t anchor, details; /* its stack, 0 = none; detailed bursts so far */
    uint64_t period_ns;       /* time between recurrences of the anchor */
    uint64_t from_ns, window_ns; /* of the phase; an anchor is searched for that long, then the search restarts */
    uint64_t begun_ns, looked_ns, found_ns; /* start of the search, last look, and when a first anchor was found */
    uint64_t called_ns;                     /* the latest call that can wait */
    bool works_told;                        /* the burst of the GPU's work alone is done */
    uint32_t stacks_end;                    /* those from here on were never seen */
    BurstsStack stacks[BURSTS_STACKS];      /* by stack id, during the search for an anchor */
} Bursts;

void bursts_begin(Bursts *bursts, uint32_t steps, uint32_t skip, uint64_t now_ns);
void bursts_saw(Bursts *bursts, uint32_t stack, uint64_t now_ns);
/* Switches the phase when it is time; true = it has changed. full: a detailed burst has recorded enough. */
bool bursts_turn(Bursts *bursts, uint64_t now_ns, bool full);

#endif
