#ifndef SYNCL_EVENTS_H
#define SYNCL_EVENTS_H
/* Events: one iteration of a hot loop as a list in program order, through calls. Takes the call graph and the
   sites found; gives the events of the loop that a Rate names, in the arena. */
#include "calls.h"
#include "size.h"

typedef struct EventList {
    VEC(Event) events;
    uint32_t unseen;
    Text unseen_text;
} EventList;

/* The site of an effect; 0 when it is none. */
typedef SiteId SiteOf(const void *self, FileId file, const Item *item, HazardId hazard);

/* `list`: the number, from 1, of this list among those made from one graph, which is also the loop's number in
   `sizes`. */
EventList events_of_loop(Arena *arena, const CallGraph *graph, const Sizes *sizes, const Rate *rate, uint32_t list,
                         SiteOf *site_of, const void *self);

#endif
