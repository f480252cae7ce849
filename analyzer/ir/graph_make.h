#ifndef SYNCL_GRAPH_MAKE_H
#define SYNCL_GRAPH_MAKE_H
/* What the files that make a flow graph share. Not for other rooms. */
#include "graph.h"

typedef struct Frame Frame;

typedef struct GraphMaking {
    Arena *scratch;
    const FileModel *model;
    const Func *func;
    VEC(Block) blocks; /* numbered as they are begun; [1] = entry, [2] = exit */
    VEC(FlowEdge) edges;
    VEC(FlowStep) steps;
    VEC(Access) accesses;
    BlockId *stmt_blocks, *heads; /* see FlowGraph */
    BlockId current;              /* being filled; 0 = nothing leads here */
    Frame *frames;
    LoopId loop;
} GraphMaking;

enum { MAKING_ENTRY = 1, MAKING_EXIT = 2 };

void graph_blocks(GraphMaking *self);
/* FlowStep.first_access and the accesses themselves, of one step. */
void graph_accesses(GraphMaking *self, FlowStep *step);
/* The graph with its blocks in reverse postorder and its edges sorted. */
void graph_number(Arena *arena, GraphMaking *self, FlowGraph *graph);
/* Block.idom, ipdom, the ranges and guards. */
void graph_dominators(Arena *scratch, FlowGraph *graph, Block *blocks);

#endif
