#ifndef SYNCL_LIVE_H
#define SYNCL_LIVE_H
/* Liveness: which variables a turn of a loop may take from the turn before. Takes a graph, const; the result lives in the arena. */
#include "graph.h"

/* The slots in which a turn of a loop may read what the turn before left there. */
typedef struct Taken {
    VEC(uint32_t) slots; /* ascending */
} Taken;

/* The loop is one that control reaches. */
const Taken *taken_by_turns(Arena *arena, Arena *scratch, const FlowGraph *graph, LoopId loop);
bool is_taken(const Taken *taken, uint32_t slot);

#endif
