#ifndef SYNCL_FLOW_WALK_H
#define SYNCL_FLOW_WALK_H
/* The walk over one context, shared by the files that make flows. Private to them. */
#include "conventions.h"
#include "flow.h"
#include "flow_defaults.h"
#include "python_names.h"

enum { LOOPS_KEPT = 8 };
enum { MARK_CALLS = 1, MARK_OWN = 2, MARK_USE = 4, MARK_USES = 8, MARK_UNSEEN = 16 };

/* A class body, which runs without a call expression. */
typedef struct ClassBody {
    FuncId func;
    uint32_t edge;
} ClassBody;

typedef struct Caller {
    ContextId context;
    uint32_t edge;
} Caller;

/* Call edges by callee, from contexts that some root leads to: those of context `id` are items[first[id]] up to
   items[first[id + 1]]. */
typedef struct Callers {
    uint32_t *first;
    Caller *items;
} Callers;

typedef struct CallersOf {
    const Caller *first;
    uint32_t count;
    bool many; /* there are too many, and none is given */
} CallersOf;

/* The option that decides whether something is made. */
typedef struct MadeBy {
    const char *only; /* as in Item; NULL = it is made nowhere visible, or without an option */
    uint32_t only_length;
    uint8_t rate;
    bool always; /* it is also made without an option somewhere */
    bool itself; /* the option is an argument of its constructor: the object exists but does nothing */
} MadeBy;

/* Facts of a program outside of single contexts: who calls them, and what the command line's defaults are. */
typedef struct AroundCalls {
    Callers callers;
    Options options;
    Options fields; /* names bound in class bodies */
    MadeBy *made_entries, *made_classes; /* [EntryId], [GlobalClass] */
    Outside *outside; /* [Sym] */
    bool *environment; /* [Sym]: variables of the environment that the program sets */
    bool *filled;                        /* [Sym]: names of what the program puts elements into */
    bool *tests;      /* [FileId]: files of tests */
    MadeBy *asked; /* [Sym]: methods of that name are called only with an option */
} AroundCalls;

typedef struct Walk {
    Arena *arena;
    const Inference *inference;
    const AroundCalls *around_calls;
    ContextId id;
    uint32_t calls_up; /* number of calls followed upwards to get here */
    uint32_t *asked;   /* in a search for a default: places visited */
    KeptUsuals *kept;  /* NULL = none are kept */
    const Context *context;
    const SourceFile *file;
    const FileModel *model;
    const Func *func;
    Flow *flow;
    const FlowGraph *graph; /* of the function */
    const uint8_t *marks; /* [expression]: MARK_ bits of what the context has for it. NULL: the walk is over a caller */
    const uint32_t *edge_heads, *edge_next; /* call edges by expression; valid for marked expressions only */
    StmtId stmt;
    VEC(uint32_t) open_loops; /* item indices, the innermost last */
    VEC(ClassBody) bodies; /* class bodies that run in this context, by function */
    uint32_t loops;       /* number of loops around the statement, in this function */
    StmtId around[LOOPS_KEPT]; /* those loops, the outermost first */
    bool iterable;        /* in a loop's iterable: generators called there run with the loop */
    VEC(Item) generators; /* such calls, deferred until the loop is open */
    bool managing;        /* in the expression of a `with` */
    VEC(Item) exits;      /* calls of __exit__, deferred until its body is done */
} Walk;

void flow_walk_context(Arena *scratch, const Inference *inference, const AroundCalls *around_calls,
                       ContextId id, KeptUsuals *kept, Flow *flow);
/* Adds to the guard's flags how often the branch runs that is taken when the condition is `truth`. */
void guard_condition(const Walk *walk, ExprId id, bool truth, Item *guard);
/* One of several branches that depend on a length: `if len(batch) == 2: ... elif len(batch) == 3: ...`. */
void guard_length(const Walk *walk, const Stmt *stmt, Item *guard);
/* Which loops the condition, once true, leaves a single iteration of. */
Pins guard_pins(const Walk *walk, ExprId id, bool truth);
/* of a branch, in a statement that fills what was None before the loops */
Pins guard_first(const Walk *walk, ExprId condition, bool truth, const Stmt *branch);
Item guard_seldom(Text said); /* runs "only with an exception" */
/* Below a condition, a statement that warns: `if loss.item() < 0: log.warning(f"negative: {loss}")`. */
bool warns_if(const Walk *walk, const Stmt *stmt);
bool raises_exit(const Walk *walk, const Stmt *stmt); /* raises SystemExit, perhaps with the result of main() */
void guard_ending(const Walk *walk, List block, Item *guard);
/* The variable counts iterations: `for i in range(n)`, `for i, batch in enumerate(loader)`, also through a
   progress bar or a variable. */
bool loop_counts(const Walk *walk, const Stmt *stmt, uint32_t slot);

/* ---- flow_look.c ---- */
Text last_name(const Walk *walk,
               ExprId id); /* last component of a name, an attribute, or a callee; else empty */
uint32_t first_edge(const Walk *walk,
                    ExprId id); /* the first edge of a call, index + 1, 0 = none; edge_next has
                                                     the others */
/* The value of a whole number; 0 when unknown. */
double literal_number(const Walk *walk, ExprId id);
/* The value of the only assignment to the name in this function, if it precedes the use; 0 = not so. */
ExprId assigned_once(const Walk *walk, const Expr *expr);
ExprId flag_made_of(const Walk *walk, const Expr *expr); /* the condition `step == total - 1` for `last`, after
                                                            `last = step == total - 1`; 0 = none */

/* ---- flow_around.c ---- */
const AroundCalls *flow_around_calls(Arena *arena, const Inference *inference);

/* ---- flow_given.c ---- */
enum { NO_PARAMETER = -1u };
void flow_find_callers(Arena *arena, const Inference *inference, Callers *callers);
Walk walk_of(const Walk *walk, ContextId id); /* a walk over another context, to evaluate its expressions */
ContextId context_of(const Walk *walk, FuncId func); /* some context of a function of this file; 0 = none */
/* The parameter that a name refers to, not rebound before; NO_PARAMETER = none. */
uint32_t parameter_of(const Walk *walk, const Expr *expr);
CallersOf callers_of(const Walk *walk); /* none: nobody visible calls it, or too many do */
ExprId call_names(const FileModel *from, ExprId id, Text name); /* the argument of a call for that keyword; 0 = none */
/* In `Codebook(**options)`, the value that the spread mapping gives the name; 0 = unknown. */
ExprId spread_gives(const Walk *caller, ExprId call, Text name);
Given given_by(const Walk *walk, const Caller *from, uint32_t param, Walk *caller);
/* Where the condition is a parameter, adds what the arguments of all visible calls say. */
void guard_given(const Walk *walk, const Expr *expr, bool truth, Item *guard, uint32_t *left);

/* ---- flow_clock.c ---- */
/* The condition is `truth` only when so much time has passed: `time.time() - last > 60`. depth: 0. */
bool guard_by_clock(const Walk *walk, ExprId id, bool truth, int depth);

/* ---- flow_empty.c ---- */
/* Sets a guard around a loop that has no turns by default, as what it goes over is empty. */
bool guard_no_turns(const Walk *walk, ExprId iterable, Item *guard);

/* ---- flow_loads.c ---- */
/* Whether iterating yields batches of a loader, made by this process or by workers. */
typedef enum Loads { LOADS_NOTHING, LOADS_BATCHES, LOADS_HERE } Loads;
enum { LOADS_DEEP = 2 }; /* containers: the pair of enumerate(), and what a collate function makes */
Loads loads_of(const Walk *walk, ExprId iterable);
Loads loads_inside(const Walk *walk, const Value *value, int depth); /* of one iteration's value */

/* ---- flow_guard.c ---- */
/* guard_condition for a part of a condition; left: how many parts may still be examined. */
void guard_parts(const Walk *walk, ExprId id, bool truth, Item *guard, uint32_t *left);
/* The branch is not taken by default. Said by the condition that decides it elsewhere, where there is one. */
void guard_usual(const Walk *walk, const Expr *expr, bool truth, const Literal *usual, Item *guard);
/* `for hook in self.hooks:` where the target is an optimizer, a function, or an object of the program that is
   no model. */
bool goes_over_listeners(const Walk *walk, ExprId target);
/* Sets a guard for a branch that creates what its condition finds missing: it runs once in a run, or rarely. */
void guard_lazy_init(const Walk *walk, const Stmt *stmt, Item *guard);
/* Guards that hold after the i-th statement of a block, since otherwise control has left: `if step % 50:
   continue`, or a value cached there was returned. Gives their number, innermost first. */
uint32_t guard_behind(const Walk *walk, List block, uint32_t i, Item *guards, uint32_t room);
/* A decorator compiles the function, so none of its lines runs in Python. */
bool flow_compiled(const Walk *walk);
void flow_find_bodies(Walk *walk); /* fills Walk.bodies */
uint32_t flow_first_body(const Walk *walk, FuncId func); /* index in Walk.bodies of the first of that function or a
                                                            later one */
/* Sets a guard around a function whose result is cached for its arguments or its object. */
bool guard_memoised(const Walk *walk, Item *guard);

#endif
