#ifndef SYNCL_FLOW_WALK_H
#define SYNCL_FLOW_WALK_H
/* What the files of the flow step share: the walk over one context. Not for other steps. */
#include "conventions.h"
#include "flow.h"
#include "python_names.h"

enum { LOOPS_KEPT = 8 };
enum { MARK_CALLS = 1, MARK_OWN = 2, MARK_USE = 4, MARK_USES = 8, MARK_UNSEEN = 16 };

/* A call of a class body, which no expression makes. */
typedef struct ClassBody {
    FuncId func;
    uint32_t edge;
} ClassBody;

typedef struct Walk {
    Arena *arena;
    const Inference *inference;
    const Context *context;
    const SourceFile *file;
    const FileModel *model;
    const Func *func;
    Flow *flow;
    const FlowGraph *graph; /* of the function */
    const uint8_t *marks; /* by expression: what is found of it in the context; most have nothing */
    const uint32_t *edge_heads, *edge_next; /* edges by expression; heads of those alone that are marked */
    StmtId stmt;
    VEC(uint32_t) open_loops; /* items; the innermost last */
    VEC(ClassBody) bodies; /* that run in this context, by function */
    uint32_t loops;       /* around the statement, in this function */
    StmtId around[LOOPS_KEPT]; /* the outermost of them first */
    bool iterable;        /* inside the iterable of a loop: generators called there run with the loop */
    VEC(Item) generators; /* calls put off until the loop is open */
    bool managing;        /* inside the expression of a `with` */
    VEC(Item) exits;      /* calls of __exit__, put off until its body is done */
} Walk;

uint32_t first_edge(const Walk *walk, ExprId id); /* of a call: edge_next gives the others; index + 1, 0 = none */
/* The whole number that an expression is, 0 when that is not known. */
double literal_number(const Walk *walk, ExprId id);
/* How a branch runs that is taken when the condition has this truth: adds to the guard's flags. */
void guard_condition(const Walk *walk, ExprId id, bool truth, Item *guard);
/* Which loops the conditions of an `if` leave one turn of. */
Pins guard_pins(const Walk *walk, ExprId id, bool truth);
Pins guard_first(const Walk *walk, const Stmt *branch); /* of one that fills what was None before the loops */
bool raises_exit(const Walk *walk, const Stmt *stmt); /* SystemExit, with what main() says */
void guard_ending(const Walk *walk, List block, Item *guard);
/* What one assignment of this function, above its use, makes the name; 0 = not that. */
ExprId assigned_once(const Walk *walk, const Expr *expr);
/* `for hook in self.hooks:`: the target is an object of the program that is no model, an optimizer, a function. */
bool goes_over_listeners(const Walk *walk, ExprId target);
/* A branch that makes what its condition misses: once in a run, or now and then. */
void guard_lazy_init(const Walk *walk, const Stmt *stmt, Item *guard);
/* The same of the rest of a block, after the i-th statement has returned what is there already. */
bool guard_rest(const Walk *walk, List block, uint32_t i, Item *guard);
/* A decorator compiles the function: no line of it runs in Python. */
bool flow_compiled(const Walk *walk);
void flow_find_bodies(Walk *walk); /* Walk.bodies */
uint32_t flow_first_body(const Walk *walk, FuncId func); /* of Walk.bodies: the first of that function or behind it */
/* Its body is kept for its arguments, or for its object: flags of a guard around it; 0 = it is not. */
uint8_t flow_memoised(const Walk *walk);

#endif
