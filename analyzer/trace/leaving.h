#ifndef SYNCL_LEAVING_H
#define SYNCL_LEAVING_H
/* What a traced run loses when a wait is removed: its call, the copy before it, and the host's own work around
   both, as far as the trace shows it or the profile knows it. Takes the run with its waits and their sites;
   gives a Removal for each RunCall, owned by the arena. Times are microseconds as recorded. */
#include "join.h"
#include "profile.h"
#include "replay.h"

typedef struct LeavingInput {
    const TracedRun *run;
    const Waits *waits;
    const Join *join;
    const uint32_t *numbers; /* [wait]: number of its site in the replay */
    const Rulebook *book;
    const Findings *findings;
    const Profile *profile;
    const Overhead *recording; /* what recording added to the host's time */
} LeavingInput;

Removal *leaving_of(Arena *arena, const LeavingInput *input);

#endif
