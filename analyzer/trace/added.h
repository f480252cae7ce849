#ifndef SYNCL_ADDED_H
#define SYNCL_ADDED_H
/* Waits that came into a loop after it was recorded, put into the step that was kept of it. Where each stands is told by
   what stands before and behind it in the source and in the step, the loop's other waits and its backward pass, and
   between two of those by how much is queued until there. What it does itself is what the profile says of it. Takes the
   findings and the profile const; owned by the arena. */
#include "kept_turn.h"
#include "profile.h"
#include "site.h"

typedef struct AddedInput {
    const Findings *findings;
    const Profile *profile;
    HotLoopId loop;
    const bool *fresh; /* [SiteId] was not in the source when it was recorded */
    uint32_t number;   /* the first that may be given to one of them */
} AddedInput;

typedef struct AddedSite {
    SiteId site;
    uint32_t number; /* in the items */
    double times;    /* waits a step */
    double share;    /* of the steps have it */
    double off_us;   /* what it does itself may be so much more or less */
} AddedSite;

typedef VEC(AddedSite) AddedSites;

/* locals: [SiteId] the number of each site in the turn's items, 0 = none; those of the added ones are filled in. */
AddedSites added_put(Arena *arena, const AddedInput *input, KeptTurn *turn, uint32_t *locals);

#endif
