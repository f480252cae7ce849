#ifndef SYNCL_FLOW_WALK_H
#define SYNCL_FLOW_WALK_H
/* What the files of the flow step share: the walk over one context. Not for other steps. */
#include "conventions.h"
#include "flow.h"
#include "flow_defaults.h"
#include "python_names.h"

enum { LOOPS_KEPT = 8 };
enum { MARK_CALLS = 1, MARK_OWN = 2, MARK_USE = 4, MARK_USES = 8, MARK_UNSEEN = 16 };

/* A call of a class body, which no expression makes. */
typedef struct ClassBody {
    FuncId func;
    uint32_t edge;
} ClassBody;

typedef struct Caller {
    ContextId context;
    uint32_t edge;
} Caller;

/* Calls by whom they call: those of a context are items[first[id]] up to those of the next one. */
typedef struct Callers {
    uint32_t *first;
    Caller *items;
} Callers;

typedef struct CallersOf {
    const Caller *first;
    uint32_t count;
    bool many; /* more than are asked, of which none is given */
} CallersOf;

/* By what option something is made. */
typedef struct MadeBy {
    const char *only; /* as in Item; NULL = it is made nowhere in sight, or without an option */
    uint32_t only_length;
    uint8_t rate;
    bool always; /* somewhere without an option */
    bool itself; /* an argument of its maker says so: it is there, but does nothing */
} MadeBy;

/* What is known of a program beside its contexts: who calls them, and what the command line gives where it is not asked. */
typedef struct AroundCalls {
    Callers callers;
    Options options;
    Options fields; /* what bodies of classes bind */
    MadeBy *made_entries, *made_classes; /* [EntryId], [GlobalClass] */
} AroundCalls;

typedef struct Walk {
    Arena *arena;
    const Inference *inference;
    const AroundCalls *around_calls;
    ContextId id;
    uint32_t calls_up; /* asked from so many calls below */
    uint32_t *asked;   /* of a search for what something is by default: places that it has looked at */
    const Context *context;
    const SourceFile *file;
    const FileModel *model;
    const Func *func;
    Flow *flow;
    const FlowGraph *graph; /* of the function */
    const uint8_t *marks; /* by expression: what is found of it in the context; most have nothing. NULL: of a caller that is asked */
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

void flow_walk_context(Arena *scratch, const Inference *inference, const AroundCalls *around_calls, ContextId id,
                       Flow *flow);
uint32_t first_edge(const Walk *walk, ExprId id); /* of a call: edge_next gives the others; index + 1, 0 = none */
/* The whole number that an expression is, 0 when that is not known. */
double literal_number(const Walk *walk, ExprId id);
/* How a branch runs that is taken when the condition has this truth: adds to the guard's flags. */
void guard_condition(const Walk *walk, ExprId id, bool truth, Item *guard);
/* One way of several that go by the length of what comes: `if len(batch) == 2: ... elif len(batch) == 3: ...`. */
void guard_length(const Walk *walk, const Stmt *stmt, Item *guard);
/* Which loops the conditions of an `if` leave one turn of. */
Pins guard_pins(const Walk *walk, ExprId id, bool truth);
Pins guard_first(const Walk *walk, const Stmt *branch); /* of one that fills what was None before the loops */
bool raises_exit(const Walk *walk, const Stmt *stmt); /* SystemExit, with what main() says */
void guard_ending(const Walk *walk, List block, Item *guard);
Text last_name(const Walk *walk, ExprId id); /* of a name, an attribute, or what is called; else empty */
/* `for i in range(n)`, `for i, batch in enumerate(loader)`, also through a progress bar, or a variable. */
bool loop_counts(const Walk *walk, const Stmt *stmt, uint32_t slot);
ExprId flag_made_of(const Walk *walk, const Expr *expr); /* `last = step == total - 1` of `last`; 0 = no condition */

/* ---- flow_given.c ---- */
enum { NO_PARAMETER = -1u };
const AroundCalls *flow_around_calls(Arena *arena, const Inference *inference);
Walk walk_of(const Walk *walk, ContextId id); /* of another context, to ask what its expressions say */
ContextId context_of(const Walk *walk, FuncId func); /* some context of a function of this file; 0 = none */
/* The parameter that a name is where it stands, not bound anew before; NO_PARAMETER = it is none. */
uint32_t parameter_of(const Walk *walk, const Expr *expr);
CallersOf callers_of(const Walk *walk); /* none: nobody in sight calls it, or too many do */
ExprId call_names(const FileModel *from, ExprId id, Text name); /* what a call gives by that keyword; 0 = nothing */
/* `Codebook(**options)`: what that call says of that name by what is spread in it; 0 = it may say anything. */
ExprId spread_gives(const Walk *caller, ExprId call, Text name);
Given given_by(const Walk *walk, const Caller *from, uint32_t param, Walk *caller);
/* Adds what the arguments of all calls in sight say where the condition is a parameter. */
void guard_given(const Walk *walk, const Expr *expr, bool truth, Item *guard, uint32_t *left);

/* ---- flow_made.c ---- */
void flow_find_made(Arena *arena, Arena *scratch, const Inference *inference, AroundCalls *around);
/* A guard around what a call does: the object of that callee, or of what that entry is of, is made only with an option. */
bool guard_made_callee(const Walk *walk, ExprId id, ContextId callee, Item *guard);
bool guard_made_effect(const Walk *walk, const EffectRecord *record, Item *guard);
bool guard_said_effect(const Walk *walk, const EffectRecord *record, Item *guard); /* its page says what it needs */
/* A guard around the body of a method that nobody in sight calls: its class is made only with an option. */
bool guard_made_self(const Walk *walk, Item *guard);

/* ---- flow_guard.c ---- */
/* guard_condition, of a part of a condition; left: so many parts may still be asked. */
void guard_parts(const Walk *walk, ExprId id, bool truth, Item *guard, uint32_t *left);
/* What one assignment of this function, above its use, makes the name; 0 = not that. */
ExprId assigned_once(const Walk *walk, const Expr *expr);
/* `for hook in self.hooks:`: the target is an object of the program that is no model, an optimizer, a function. */
bool goes_over_listeners(const Walk *walk, ExprId target);
/* A branch that makes what its condition misses: once in a run, or now and then. */
void guard_lazy_init(const Walk *walk, const Stmt *stmt, Item *guard);
/* What must hold behind the i-th statement of a block, as otherwise it has left: `if step % 50: continue`, or what was made there
   has been returned. Gives how many guards, innermost first. */
uint32_t guard_behind(const Walk *walk, List block, uint32_t i, Item *guards, uint32_t room);
/* A decorator compiles the function: no line of it runs in Python. */
bool flow_compiled(const Walk *walk);
void flow_find_bodies(Walk *walk); /* Walk.bodies */
uint32_t flow_first_body(const Walk *walk, FuncId func); /* of Walk.bodies: the first of that function or behind it */
/* Its body is kept for its arguments, or for its object: flags of a guard around it; 0 = it is not. */
uint8_t flow_memoised(const Walk *walk);

#endif
