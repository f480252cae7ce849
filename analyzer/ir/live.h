#ifndef SYNCL_LIVE_H
#define SYNCL_LIVE_H
/* Liveness across the back edge of a loop: which variables an iteration may read as the previous one left them.
   Takes a graph; the result lives in the arena. */
#include "graph.h"

/* The slots live at the back edge: an iteration may read what the previous one left in them. */
typedef struct Taken {
    VEC(uint32_t) slots; /* ascending */
} Taken;

/* `loop` must be reachable. */
const Taken *taken_by_turns(Arena *arena, Arena *scratch, const FlowGraph *graph, LoopId loop);
bool is_taken(const Taken *taken, uint32_t slot);

#endif
