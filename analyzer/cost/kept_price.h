#ifndef SYNCL_KEPT_PRICE_H
#define SYNCL_KEPT_PRICE_H
/* The fourth level of the cache: the prices of a hot loop, and the joint gains of its sets, by everything that they
   depend on: the loop's events and sites without their places, what is asked about them, and the profile. So an
   edit has only those loops priced again of which it changes an event, wherever they stand. Loops of few events are
   priced faster than they are found. Private to this room. */
#include "pricing.h"

enum { KEPT_PRICE_EVENTS = 64 };

Digest kept_price_profile(Arena *scratch, const Profile *profile);
/* After the plan is made. local: as for turn_plan. */
Digest kept_price_key(Arena *scratch, const Pricing *pricing, const HotLoop *loop, uint32_t *local);
/* Into what `pricing` has for the results: `joint` of its sets, or `loop` and the `costs` of its own sites. False: a miss;
   they have any values then. */
bool kept_price_find(Arena *scratch, Pricing *pricing, Digest key);
/* Gives the number of bytes added. */
uint64_t kept_price_keep(Arena *scratch, Pricing *pricing, Digest key);

#endif
