#ifndef SYNCL_GRAPH_H
#define SYNCL_GRAPH_H
/* The flow graph of one function: basic blocks with edges, what each step of them reads and binds, dominators, and the
   conditions that hold where a block runs. Takes a model and one of its functions, const; gives a graph that is owned by the
   arena and never changed. Made once a function. Blocks are numbered in reverse postorder from the entry, so an edge to
   a block of no larger number closes a loop; what nothing leads to comes last and has no dominator.

   Exceptions: within `try`, each step is a block of its own, from whose beginning an EDGE_RAISES leads to the handlers or the
   `finally`; elsewhere only what raises for sure has an edge, to the exit. A `with` swallows none. A `finally` stands once, and
   leads to all places to which those that enter it go. Calls may change attributes; only the function's own text is seen. */
#include "model.h"

typedef uint32_t BlockId; /* 0 = none; 1 = the entry, where parameters come from */
typedef uint32_t StepId;  /* 0 = none; in the order of the text */
typedef uint32_t AccessId;

enum { GRAPH_ENTRY = 1 };

typedef enum EdgeKind {
    EDGE_GOES,
    EDGE_TRUE, EDGE_FALSE, /* of a block with a test: its condition, another turn, this case, this exception */
    EDGE_RAISES,           /* with what its beginning has: the step raises */
} EdgeKind;

typedef struct FlowEdge {
    BlockId from, to;
    uint8_t kind;
} FlowEdge;

typedef enum StepKind {
    STEP_RUN,   /* a simple statement, a def or class with its decorators and defaults, the subject of a `match` */
    STEP_TEST,  /* the condition of `if` and `while`; a handler's class; the values of a case's pattern */
    STEP_GUARD, /* of a case */
    STEP_ITER,  /* the iterable of a `for`, once */
    STEP_BIND,  /* the target of a `for` at each turn; what a case captures; a handler's name */
    STEP_ENTER, /* one item of a `with` */
} StepKind;

typedef struct FlowStep {
    uint32_t stmt : 29; /* StmtId, also of a STMT_WITH_ITEM, STMT_HANDLER, STMT_CASE */
    uint32_t kind : 3;  /* StepKind */
    BlockId block;
    AccessId first_access; /* up to those of the next step */
} FlowStep;

typedef enum AccessKind {
    ACCESS_USE,
    DEF_ASSIGN,  /* by a target of its own */
    DEF_PART,    /* as one of several that the value is unpacked to */
    DEF_AUGMENT,
    DEF_TURN, DEF_TURN_PART, /* by a `for`, or a comprehension */
    DEF_ENTER,   /* by a `with` */
    DEF_NAMED,   /* := */
    DEF_OTHER,   /* import, def, class, handler, case */
    DEF_DELETE,
} AccessKind;

/* One reading or binding of a variable or path of the function, in the order of evaluation. */
typedef struct Access {
    uint32_t slot : 28, kind : 4; /* AccessKind */
    ExprId expr;   /* EXPR_NAME, or the attribute or subscript that a path is */
    StepId step;
} Access;

/* Definitions or uses of one slot, in the order of the text. */
typedef struct Accesses {
    const AccessId *first, *end;
} Accesses;

typedef struct Block {
    StepId first_step, end_step;
    uint32_t first_edge, first_in; /* of those that leave, of FlowGraph.in; up to those of the next block */
    BlockId idom, ipdom;           /* 0 = none */
    uint32_t dom_first, dom_end, pdom_first, pdom_end; /* ranges of the two trees: see graph_dominates */
    uint32_t guard;  /* the edge that all who come here take, nearest to it; + 1, 0 = none */
    LoopId loop;     /* the innermost around; a loop's head is in it */
    StmtId test;     /* which way it is left: if, while, for, case or handler; 0 = one way */
    ExprId condition; /* of the test: if, while, a case's guard; 0 = none that is an expression */
} Block;

/* What lies below each slot: the paths a.b and a["k"] below a, and a.b.c below a.b. */
typedef struct Paths {
    uint32_t *first, *next; /* [slot]; 0 = none */
} Paths;

typedef struct FlowGraph {
    const FileModel *model;
    const Func *func;
    const Block *blocks; /* [1, block_count), and one that ends them */
    const FlowStep *steps; /* [1, step_count), and one that ends them */
    const FlowEdge *edges;
    const uint32_t *in; /* edges by where they lead */
    const Access *accesses;
    const AccessId *by_slot; /* definitions of all slots, then uses of all */
    const uint32_t *first_def, *first_use; /* [slot], of by_slot; up to those of the next slot */
    const AccessId *expr_accesses; /* [expr - func.first_expr], see graph_access */
    const BlockId *stmt_blocks; /* [stmt - func.first_stmt]: where it begins */
    const BlockId *heads, *loop_ends; /* [loop - func.first_loop]: its blocks lie between; 0 = a comprehension */
    const Paths *paths;         /* NULL = no slot is a path */
    uint32_t block_count, edge_count, step_count, access_count, slots;
    uint32_t reached; /* blocks below it may run */
    BlockId exit; /* by return, by an exception, or by the end of the body */
} FlowGraph;

/* A condition that holds wherever the block runs: `stmt` was left by that way. */
typedef struct Guard {
    BlockId test; /* the block that asks; its own guards come next */
    StmtId stmt;  /* if, while, for, case, handler */
    ExprId condition; /* 0 = none that is an expression */
    bool truth;
    bool controls; /* the block does not run whenever the test does: it is control dependent on it */
} Guard;

const FlowGraph *graph_make(Arena *arena, Arena *scratch, const FileModel *model, const Func *func);

uint32_t slot_own(const Expr *expr); /* of a name, attribute or item that is a slot of its function; else 0 */
static inline bool graph_is_def(const Access *access) { return access->kind != ACCESS_USE; }

/* for (const AccessId *d = defs.first; d < defs.end; d++) */
static inline Accesses graph_defs(const FlowGraph *graph, uint32_t slot) {
    return (Accesses){graph->by_slot + graph->first_def[slot], graph->by_slot + graph->first_def[slot + 1]};
}
static inline Accesses graph_uses(const FlowGraph *graph, uint32_t slot) {
    return (Accesses){graph->by_slot + graph->first_use[slot], graph->by_slot + graph->first_use[slot + 1]};
}

BlockId graph_block(const FlowGraph *graph, StmtId stmt); /* where the statement begins; 0 = not of this function */
AccessId graph_access(const FlowGraph *graph, ExprId expr); /* of a name or path: where it is read, else bound; 0 = none */
const Stmt *graph_stmt(const FlowGraph *graph, AccessId access);
BlockId graph_block_of(const FlowGraph *graph, AccessId access);
ExprId graph_value(const FlowGraph *graph, AccessId def); /* of what an assignment names as a whole or unpacks; 0 = no such */
static inline bool graph_reachable(const FlowGraph *graph, BlockId block) { return block < graph->reached; }
bool graph_dominates(const FlowGraph *graph, BlockId a, BlockId b); /* each block dominates itself */
bool graph_postdominates(const FlowGraph *graph, BlockId a, BlockId b);
/* The innermost guard of a block; false = there is none. The next one out is that of guard.test. */
bool graph_guard(const FlowGraph *graph, BlockId block, Guard *guard);
/* No way leads from one to the other within one turn of the loops around both. */
bool graph_excludes(const FlowGraph *graph, Arena *scratch, BlockId a, BlockId b);

/* ---- loops ---- */
bool graph_in_loop(const FlowGraph *graph, BlockId block, LoopId loop);
bool graph_repeats(const FlowGraph *graph, LoopId loop); /* some turn may be followed by another */

/* ---- definitions and uses (reach.c) ---- */

/* Definitions that may reach a use, 0 = what the function began with; or uses that a definition may reach. */
typedef struct Reaching {
    VEC(AccessId) items;
    bool many; /* more ways than are looked at: not all of them are there */
} Reaching;

void graph_reaching(const FlowGraph *graph, Arena *scratch, AccessId use, Reaching *reaching);
AccessId graph_only_def(const FlowGraph *graph, Arena *scratch, AccessId use); /* 0 = several, or the function's caller */
void graph_reached(const FlowGraph *graph, Arena *scratch, AccessId def, Reaching *uses);
/* Some way from one step to another passes a definition of the slot, or of what it lies below; true where the first does
   not dominate the second. */
bool graph_written_between(const FlowGraph *graph, Arena *scratch, uint32_t slot, StepId from, StepId to);
bool graph_written_in(const FlowGraph *graph, uint32_t slot, LoopId loop);

#endif
