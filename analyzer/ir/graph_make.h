#ifndef SYNCL_GRAPH_MAKE_H
#define SYNCL_GRAPH_MAKE_H
/* Shared by the files that build a flow graph. Private to this room. */
#include "graph.h"

typedef struct Frame Frame;

typedef struct GraphMaking {
    Arena *scratch;
    const FileModel *model;
    const Func *func;
    VEC(Block) blocks; /* numbered in the order in which they are begun; [1] = entry, [2] = exit */
    VEC(FlowEdge) edges;
    VEC(FlowStep) steps;
    VEC(Access) accesses;
    BlockId *stmt_blocks, *heads; /* see FlowGraph */
    BlockId current;              /* the block being filled; 0 = this place is unreachable */
    Frame *frames;
    LoopId loop;
} GraphMaking;

enum { MAKING_ENTRY = 1, MAKING_EXIT = 2 };

void graph_blocks(GraphMaking *self);
/* Fills FlowStep.first_access of a step and appends its accesses. */
void graph_accesses(GraphMaking *self, FlowStep *step);
/* Fills Block.idom, ipdom, the dominator ranges and the guards. */
void graph_dominators(Arena *scratch, FlowGraph *graph, Block *blocks);

#endif
