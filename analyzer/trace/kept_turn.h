#ifndef SYNCL_KEPT_TURN_H
#define SYNCL_KEPT_TURN_H
/* One typical step of a replayed recording, small enough to be stored as text and replayed later: neighbouring
   items on a stream that belong to the same site, or to none, are merged. Owned by the arena. An item is a line
   such as "L 0 7 0 3 12 5.1 33 0": kind, thread, stream, object, site, repeat, microseconds of host, GPU and
   wake-up. */
#include "replay.h"

enum { KEPT_ITEMS = 1024 };

typedef struct KeptTurn {
    VEC(Item) items;
    TimelineSetup setup; /* `sites` is not set */
} KeptTurn;

/* names: [number of a site in the replay]: its number in the items. */
KeptTurn kept_turn_of(Arena *arena, const Replay *replay, const uint32_t *names);
Text kept_turn_line(Arena *arena, const Item *item);
/* Parses a line and appends the item. False: it is malformed, or impossible in a step. Site numbers are at most
   `sites`. */
bool kept_turn_take(Arena *arena, KeptTurn *turn, Text line, uint32_t sites);

#endif
