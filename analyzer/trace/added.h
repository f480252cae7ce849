#ifndef SYNCL_ADDED_H
#define SYNCL_ADDED_H
/* Waits that were added to a loop after it was recorded: placed into the recorded step, so that its replay
   prices them. The place is found from what surrounds the wait both in the source and in the step (the loop's
   other waits, its backward pass) and, between two of those, from the number of operations queued before it.
   Its own cost comes from the profile. Takes findings and profile; owned by the arena. */
#include "kept_turn.h"
#include "profile.h"
#include "site.h"

typedef struct AddedInput {
    const Findings *findings;
    const Profile *profile;
    HotLoopId loop;
    const bool *fresh; /* [SiteId]: was not in the source at the time of the recording */
    uint32_t number;   /* first free site number in the turn's items */
} AddedInput;

typedef struct AddedSite {
    SiteId site;
    uint32_t number; /* its number in the turn's items */
    double times;    /* waits a step */
    double share;    /* fraction of the steps that have it */
    double off_us;   /* uncertainty of its own cost, either way */
} AddedSite;

typedef VEC(AddedSite) AddedSites;

/* locals: [SiteId]: each site's number in the turn's items, 0 = none; filled in for the added ones. */
AddedSites added_put(Arena *arena, const AddedInput *input, KeptTurn *turn, uint32_t *locals);

#endif
