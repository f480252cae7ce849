#ifndef SYNCL_NAMESAKES_H
#define SYNCL_NAMESAKES_H
/* Namesakes: whether some function of the program with the same name waits for the GPU, for a call of an
   unknown function or one that subclasses may override. Takes the call graph; the table lives in the arena. */
#include "calls.h"

typedef struct Namesakes {
    const bool *waits; /* [Sym]; NULL = not needed, and none does */
} Namesakes;

Namesakes namesakes_find(Arena *arena, const CallGraph *graph);
/* For an ITEM_CALL or ITEM_UNSEEN. */
bool namesakes_may_wait(const Namesakes *namesakes, const CallGraph *graph, ContextId id, const Item *item);

#endif
