#ifndef SYNCL_KEPT_TURN_H
#define SYNCL_KEPT_TURN_H
/* One usual step of a replayed recording, small enough to be kept as text and replayed where there is none: neighbours on a
   stream that belong to the same site, or to none, are one item. Takes the replay const; owned by the arena. An item is a
   line, "L 0 7 0 3 12 5.1 33 0": kind, thread, stream, object, site, repeat, microseconds of host, GPU and waking up. */
#include "replay.h"

enum { KEPT_ITEMS = 1024 };

typedef struct KeptTurn {
    VEC(Item) items;
    TimelineSetup setup; /* without the number of sites */
} KeptTurn;

/* names: [the replay's number of a site] what it is called in the items. */
KeptTurn kept_turn_of(Arena *arena, const Replay *replay, const uint32_t *names);
Text kept_turn_line(Arena *arena, const Item *item);
/* false: the line is none, or says what no step does. Sites are at most `sites`. */
bool kept_turn_take(Arena *arena, KeptTurn *turn, Text line, uint32_t sites);

#endif
