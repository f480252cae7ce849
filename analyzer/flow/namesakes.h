#ifndef SYNCL_NAMESAKES_H
#define SYNCL_NAMESAKES_H
/* Namesakes: of a call that is not followed, or that leads to what subclasses override, whether some function of the
   program that bears its name waits for the GPU. Takes the call graph, const; the table lies in the arena. */
#include "calls.h"

typedef struct Namesakes {
    const bool *waits; /* [Sym]; NULL = nobody asks, and none does */
} Namesakes;

Namesakes namesakes_find(Arena *arena, const CallGraph *graph);
/* Of an ITEM_CALL or ITEM_UNSEEN. */
bool namesakes_may_wait(const Namesakes *namesakes, const CallGraph *graph, ContextId id, const Item *item);

#endif
