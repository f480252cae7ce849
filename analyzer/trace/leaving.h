#ifndef SYNCL_LEAVING_H
#define SYNCL_LEAVING_H
/* What of a traced run leaves with each wait: its call, the copy before it, the host's own work around both, as far as the
   trace shows it or the profile knows it. Takes the run with its waits and what they belong to, const; gives a Removal a
   RunCall, owned by the arena. Times are microseconds as recorded. */
#include "join.h"
#include "profile.h"
#include "replay.h"

typedef struct LeavingInput {
    const TracedRun *run;
    const Waits *waits;
    const Join *join;
    const uint32_t *numbers; /* [wait] the replay's number of what it belongs to */
    const Rulebook *book;
    const Findings *findings;
    const Profile *profile;
    const Overhead *recording; /* what it took of the host */
} LeavingInput;

Removal *leaving_of(Arena *arena, const LeavingInput *input);

#endif
