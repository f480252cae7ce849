#ifndef SYNCL_GRAPH_H
#define SYNCL_GRAPH_H
/* The control-flow graph of one function: basic blocks and edges, what each step reads and binds, dominators,
   post-dominators, and the conditions that guard each block. Takes a model and one of its functions; gives a
   graph owned by the arena, made once a function and never changed. Blocks are numbered in reverse postorder
   from the entry, so an edge to a block with no larger number is a back edge. Unreachable blocks come last and
   have no dominator.

   Exceptions: inside a `try`, each step is a block of its own, and an EDGE_RAISES leads from its beginning to
   the handlers or the `finally`. Elsewhere only a statement that certainly raises has such an edge, to the
   exit. A `with` is taken to suppress no exception. A `finally` block stands once in the graph and leads to
   every place that some way into it goes on to. Only the function's own text is seen: calls may change
   attributes. */
#include "model.h"

typedef uint32_t BlockId; /* 0 = none; 1 = the entry, where parameters are defined */
typedef uint32_t StepId;  /* 0 = none; in textual order */
typedef uint32_t AccessId;

enum { GRAPH_ENTRY = 1 };

typedef enum EdgeKind {
    EDGE_GOES,
    EDGE_TRUE, EDGE_FALSE, /* leave a block with a test: the condition holds, another iteration, this case, this
                              exception; or not */
    EDGE_RAISES,           /* the step raises: definitions as before the step */
} EdgeKind;

typedef struct FlowEdge {
    BlockId from, to;
    uint8_t kind;
} FlowEdge;

typedef enum StepKind {
    STEP_RUN,   /* a simple statement; the decorators and defaults of a def or class; the subject of a `match` */
    STEP_TEST,  /* the condition of an `if` or `while`; the class of a handler; the values in a case's pattern */
    STEP_GUARD, /* the guard of a case */
    STEP_ITER,  /* the iterable of a `for`, evaluated once */
    STEP_BIND,  /* the target of a `for`, each iteration; what a case captures; a handler's name */
    STEP_ENTER, /* one item of a `with` */
} StepKind;

typedef struct FlowStep {
    uint32_t stmt : 29; /* StmtId, which may be a STMT_WITH_ITEM, STMT_HANDLER or STMT_CASE */
    uint32_t kind : 3;  /* StepKind */
    BlockId block;
    AccessId first_access; /* its accesses end where those of the next step begin */
} FlowStep;

typedef enum AccessKind {
    ACCESS_USE,
    DEF_ASSIGN,  /* by an assignment of the whole value */
    DEF_PART,    /* by unpacking: one of several targets */
    DEF_AUGMENT,
    DEF_TURN, DEF_TURN_PART, /* by a `for` or comprehension: whole, or by unpacking */
    DEF_ENTER,   /* by a `with` */
    DEF_NAMED,   /* := */
    DEF_OTHER,   /* import, def, class, handler, case */
    DEF_DELETE,
} AccessKind;

/* One read or binding of a variable or path of the function. Accesses stand in the order of evaluation. */
typedef struct Access {
    uint32_t slot : 28, kind : 4; /* AccessKind */
    ExprId expr;   /* EXPR_NAME, or the attribute or subscript of a path */
    StepId step;
} Access;

/* The definitions or the uses of one slot, in textual order. */
typedef struct Accesses {
    const AccessId *first, *end;
} Accesses;

typedef struct Block {
    StepId first_step, end_step;
    uint32_t first_edge, first_in; /* first outgoing edge in `edges`, first incoming one in FlowGraph.in; they end
                                      where the next block's begin */
    BlockId idom, ipdom;           /* immediate dominator and post-dominator; 0 = none */
    uint32_t dom_first, dom_end, pdom_first, pdom_end; /* preorder ranges in the two trees: see graph_dominates */
    uint32_t guard;  /* the nearest test edge that every way to this block takes, + 1; 0 = none */
    LoopId loop;     /* innermost loop around it; the head of a loop counts as inside */
    StmtId test;     /* the if, while, for, case or handler that decides between its two exits; 0 = it has one exit */
    ExprId condition; /* the expression tested: by an if, a while, or a case's guard; 0 = none */
} Block;

/* The tree of paths: below slot a lie a.b and a["k"], below a.b lies a.b.c. */
typedef struct Paths {
    uint32_t *first, *next; /* [slot]: first child, next sibling; 0 = none */
} Paths;

typedef struct FlowGraph {
    const FileModel *model;
    const Func *func;
    const Block *blocks; /* [1, block_count), then a sentinel */
    const FlowStep *steps; /* [1, step_count), then a sentinel */
    const FlowEdge *edges;
    const uint32_t *in; /* indices of edges, grouped by the block they lead to */
    const Access *accesses;
    const AccessId *by_slot; /* the definitions of all slots, then the uses of all slots */
    const uint32_t *first_def, *first_use; /* [slot]: indices in by_slot; a slot's end where the next slot's begin */
    const uint16_t *near_accesses; /* [expr - func.first_expr]: see graph_access; NULL = their ids need more room: */
    const AccessId *far_accesses;
    const BlockId *stmt_blocks; /* [stmt - func.first_stmt]: the block where it begins */
    const BlockId *heads, *loop_ends; /* [loop - func.first_loop]: a loop's blocks lie in [head, end); 0 = a
                                         comprehension */
    const Paths *paths;         /* NULL = no slot is a path */
    uint32_t block_count, edge_count, step_count, access_count, slots;
    uint32_t reached; /* blocks below this number are reachable */
    BlockId exit; /* reached by return, by an exception, and by the end of the body */
} FlowGraph;

/* A condition that holds whenever a block runs: the test of `stmt` had the outcome `truth`. */
typedef struct Guard {
    BlockId test; /* the block with the test; its own guard is the next one out */
    StmtId stmt;  /* if, while, for, case, handler */
    ExprId condition; /* 0 = the test is no expression */
    bool truth;
    bool controls; /* the block is control dependent on the test: the other outcome skips it */
} Guard;

const FlowGraph *graph_make(Arena *arena, Arena *scratch, const FileModel *model, const Func *func);

uint32_t slot_own(const Expr *expr); /* The slot of a name, attribute or subscript in its own function; 0 = it has
                                        none there. */
static inline bool graph_is_def(const Access *access) { return access->kind != ACCESS_USE; }

/* for (const AccessId *d = defs.first; d < defs.end; d++) */
static inline Accesses graph_defs(const FlowGraph *graph, uint32_t slot) {
    return (Accesses){graph->by_slot + graph->first_def[slot], graph->by_slot + graph->first_def[slot + 1]};
}
static inline Accesses graph_uses(const FlowGraph *graph, uint32_t slot) {
    return (Accesses){graph->by_slot + graph->first_use[slot], graph->by_slot + graph->first_use[slot + 1]};
}

BlockId graph_block(const FlowGraph *graph, StmtId stmt); /* where the statement begins; 0 = it is of another
                                                             function */
AccessId graph_access(const FlowGraph *graph, ExprId expr); /* of a name or path: its use, else its definition; 0 =
                                                               neither */
const Stmt *graph_stmt(const FlowGraph *graph, AccessId access);
BlockId graph_block_of(const FlowGraph *graph, AccessId access);
ExprId graph_value(const FlowGraph *graph, AccessId def); /* the value that an assignment binds whole or unpacks; 0
                                                             = no assignment */
static inline bool graph_reachable(const FlowGraph *graph, BlockId block) { return block < graph->reached; }
bool graph_dominates(const FlowGraph *graph, BlockId a, BlockId b); /* every block dominates itself */
bool graph_postdominates(const FlowGraph *graph, BlockId a, BlockId b);
/* The innermost guard of a block; false = it has none. The next one out is that of guard->test. */
bool graph_guard(const FlowGraph *graph, BlockId block, Guard *guard);

/* ---- loops ---- */
bool graph_in_loop(const FlowGraph *graph, BlockId block, LoopId loop);
bool graph_repeats(const FlowGraph *graph, LoopId loop); /* some iteration may be followed by another */

/* ---- reaching definitions (reach.c) ---- */

/* Definitions that may reach a use, where 0 stands for the value at entry; or uses that a definition may reach. */
typedef struct Reaching {
    VEC(AccessId) items;
    bool many; /* the search hit its limit of blocks: `items` is incomplete */
} Reaching;

void graph_reaching(const FlowGraph *graph, Arena *scratch, AccessId use, Reaching *reaching);
/* the one definition that reaches it; 0 = several, or the value at entry */
AccessId graph_only_def(const FlowGraph *graph, Arena *scratch, AccessId use);
void graph_reached(const FlowGraph *graph, Arena *scratch, AccessId def, Reaching *uses);
/* Whether some path between the two steps passes a definition of the slot, or of a prefix of its path. Also
   true where `from` does not dominate `to`. */
bool graph_written_between(const FlowGraph *graph, Arena *scratch, uint32_t slot, StepId from, StepId to);
bool graph_written_in(const FlowGraph *graph, uint32_t slot, LoopId loop);

#endif
