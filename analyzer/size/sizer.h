#ifndef SYNCL_SIZER_H
#define SYNCL_SIZER_H
/* The state of the sizing pass, and what its files share. Private to this room. */
#include "said_shape.h"
#include "search.h"
#include "size.h"
#include "tally.h"
#include "thing.h"

enum {
    UNROLL_MOST = 64, /* iterations of a loop or comprehension that are run one by one; longer ones are widened */
    TENSORS_MOST = 512, /* the same of a loop over tensors, as the parameters of a model */
    NEST_MOST = 1024, /* iterations of a nest of such loops, where numbers or tensors are all that differs; inner ones are widened */
    LIST_MOST = 4096,
    DEPTH_MOST = 60,  /* of calls */
    UNSURE_MOST = 2, /* of calls of a function inside one another, where each may be the last */
    CALL_ARGUMENTS = 24,
    RULE_STEPS = 4, /* of the budget of steps, for what would take one of the other if the program did it */
};

typedef struct SizeWork {
    ExprId expr;
    EntryId entry;
    Tally tally;
    uint64_t turn; /* the last evaluation that it was part of */
} SizeWork;

typedef struct SizeLoop {
    LoopId loop;
    Amount turns; /* iterations, summed over all times that the loop was entered */
    double times; /* how often it was entered */
} SizeLoop;

typedef struct SizeCall {
    ExprId call;
    SizeNode *node;
} SizeCall;

/* Each in the order of expressions or loops, so that it is found by binary search; of equal ones the oldest first. */
struct SizeNode {
    GlobalFunc func;
    VEC(SizeCall) calls; /* of equal ones the newest first */
    VEC(SizeWork) works;
    VEC(SizeLoop) loops;
    Tally total;
};

typedef struct SizeTurn {
    FileId file;
    FuncId func;
    LoopId loop; /* 0 = the whole function is the loop's body */
    ContextId context;
    SizeNode *node;
    uint32_t next; /* of the same whole function; 0 = none */
    bool wanted;
} SizeTurn;

/* The operation being evaluated and the work it has declared so far. */
typedef struct Operation {
    struct Operation *outer;
    Tally work;
    Number moved; /* bytes of the call's arguments and result */
    double casts, backward_casts;
    double launches, backward_launches; /* as rules/sizes.py states; 0 = as the stub states */
    Number cast;  /* bytes that these casts move */
    double beside, backward_beside; /* launches that move next to nothing */
    Text unknown;
    Amount tensors, parameters, copied;
    bool any, all_host, device; /* it got tensors; all of them are on the CPU; it got `device=` */
    bool graded;
    bool untold;  /* rules/sizes.py does not describe it: its launches are counted, its work is unknown */
    bool says_graded; /* `graded` was stated for its result, whatever its arguments are */
    bool moves_host, to_host; /* it states itself where its result is */
    const Tensor *crossed; /* the last whose bytes are in `copied`: once, whichever branch of a rule says so */
} Operation;

/* A call of a function that is running now. */
typedef struct Activation {
    const struct Activation *outer;
    const Scope *scope;
    uint32_t unsure; /* number of enclosing branches and loop bodies that may not run */
} Activation;

typedef struct Autocast {
    uint32_t region; /* 0 = off */
    uint8_t element;
} Autocast;

struct Sizes {
    Arena *arena;
    Arena scratch_;
    const CallGraph *graph;
    const Inference *inference;
    const Rulebook *book;
    const SizeRules *rules;
    SizeOptions options;
    Numbers numbers;
    VEC(SizeTurn) turns;
    uint32_t **first_turns;   /* [FileId][LoopId, or the number of loops + FuncId]: its first wanted turn; 0 = none */
    uint32_t waiting;         /* wanted turns that have not been run yet */
    Scope **modules;          /* [FileId]: variables of the module */
    uint8_t *module_runs;     /* [FileId] */
    ClassThing **classes;     /* [GlobalClass] */
    ClassThing **rule_classes; /* [ClassId] in rules/sizes.py */
    Instance **instances;     /* [GlobalClass]: the last instance made, or one assumed to exist */
    Tensor ***shapes;         /* [FileId][ExprId]: for dumps; NULL = not asked for */
    uint16_t *entry_rows;     /* [EntryId]: index of its row in `rules` + 2; 1 = no row, 0 = not looked up yet */
    Scope *rule_scope;
    FileId script; /* the main program now running; 0 = none */
    int64_t fuel;  /* budget of the program's calls, iterations and elements; statements without effect are free */
    int64_t steps; /* budget of statements and expressions, which bounds the time where bodies are long */
    uint64_t evaluations; /* counter of evaluated API calls of the program */
    uint32_t depth, unknowns, reached;
    uint32_t maybe;   /* number of enclosing branches and loop bodies that may not run */
    const Activation *active; /* innermost call */
    uint32_t turning; /* number of widened loops (one iteration stands for all) being executed */
    uint32_t unrolled; /* product of the iterations of the program's unrolled loops being executed, in the hot loop's iteration if any */
    Number iterations; /* iterations of the innermost such loop; 0 without an unknown = not known */
    bool in_rules; /* a function of rules/sizes.py is running */
    bool recording, no_grad;
    uint32_t regions;
    Autocast autocast;
    bool tf32; /* matrix products use TF32; convolutions do unless told not to */
    Operation *operation;
};

typedef struct CallArgs {
    Thing items[CALL_ARGUMENTS];
    uint32_t count;
    ThingList *more; /* positional arguments beyond CALL_ARGUMENTS, as in `nn.Sequential(*layers)` of a hundred
                        layers; NULL = none */
    Text names[CALL_ARGUMENTS];
    Thing named[CALL_ARGUMENTS];
    uint32_t named_count;
    bool open; /* it has a *args or **kwargs of unknown contents */
    const ThingList *starred; /* the open list that a star passes, `f(*rows)`; NULL = none */
} CallArgs;

/* No arguments; the room for them is not cleared. */
static inline void call_args_clear(CallArgs *args) {
    args->count = args->named_count = 0;
    args->more = NULL, args->starred = NULL, args->open = false;
}

static inline void call_args_name(CallArgs *args, const CallArgs *as) {
    args->named_count = as->named_count;
    memcpy(args->names, as->names, sizeof *args->names * as->named_count);
    memcpy(args->named, as->named, sizeof *args->named * as->named_count);
}

enum { LEFT_NO, LEFT_BREAK, LEFT_CONTINUE, LEFT_RETURN, LEFT_RAISE };

/* ---- size.c ---- */
bool size_same_entry(const Rulebook *book, EntryId a, EntryId b);

/* ---- walk_expr.c ---- */
/* Takes calls, iterations or elements off the budget. What rules/sizes.py does for a call of the program takes steps alone: its loops
   are over what the program made, and how much of the budget a program takes follows from the program. */
static inline void size_spend(Sizes *self, int64_t units) {
    if (self->in_rules)
        self->steps -= units * RULE_STEPS;
    else
        self->fuel -= units;
    if (self->steps <= 0) self->fuel = 0;
}

/* Takes one step off the budget. True: the budget is used up. */
static inline bool size_stopped(Sizes *self) {
    if (self->steps-- <= 0) self->fuel = 0;
    return self->fuel <= 0;
}

/* A change of a list or instance is certain if it was made under as many branches that may not run as now enclose the
   change; else the old contents stay possible. `if c: xs = []; xs.append(1)`: one element, and `xs = []`, then
   `if c: xs.append(1)`: none or one. */
static inline bool size_changes_surely(const Sizes *self, uint32_t made_under) { return self->maybe <= made_under; }

Thing size_eval(Sizes *self, Scope *scope, ExprId id);
Thing size_truth_of(Sizes *self, Thing thing); /* a bool, or unknown */
/* what iterating over `thing` gives, as a list */
Thing size_iterated(Sizes *self, Scope *scope, ExprId expr, Thing thing);
Thing size_compute(Sizes *self, Operator op, Number a, Number b);
Number size_number(Sizes *self, Thing thing, Text name); /* of something that should be a number; `name` names the
                                                            unknown where it is none */
Text size_source(const Sizes *self, const Scope *scope, ExprId expr);

/* ---- walk_item.c ---- */
bool size_is_of(const Scope *scope, ExprId id); /* the expression belongs to the scope's own function */
Thing size_eval_parts(Sizes *self, Scope *scope, ExprId id); /* displays, comprehensions, subscripts */
void size_assign(Sizes *self, Scope *scope, ExprId target, Thing value);
/* `value`, or with the shape that a comment or --shape states for what is bound. */
Thing size_as_given(Sizes *self, const Scope *scope, BoundKind kind, uint32_t id, Text name, Thing value);

/* ---- walk_stmt.c ---- */
void size_note_turns(Sizes *self, const Scope *scope, LoopId loop, Thing over); /* over: the iterable this time */
void size_exec_block(Sizes *self, Scope *scope, List block);

/* ---- walk_call.c ---- */
Thing size_call_thing(Sizes *self, Scope *scope, ExprId expr, Thing callee, const CallArgs *args);
Thing size_eval_call(Sizes *self, Scope *scope, ExprId expr);
Thing size_run_function(Sizes *self, Scope *caller, ExprId expr, const Function *function, Thing receiver, const CallArgs *args);
Scope *size_scope(Sizes *self, FileId file, FuncId func);
Thing size_method(Sizes *self, Scope *scope, ExprId expr, Thing receiver, const char *name, const CallArgs *args, bool *found);

/* ---- walk_class.c ---- */
ClassThing *size_class(Sizes *self, FileId file, ClassId id, Scope *around);
ClassThing *size_rule_class(Sizes *self, EntryId entry);
bool size_class_member(Sizes *self, ClassThing *class_, Text name, Thing *out, ClassThing **owner);
bool size_member_behind(Sizes *self, ClassThing *class_, ClassThing *behind, Text name, Thing *out);
Thing size_attribute(Sizes *self, Scope *scope, ExprId expr, Thing object, Text name);
Thing size_make(Sizes *self, Scope *scope, ExprId expr, ClassThing *class_, const CallArgs *args);
Thing size_make_api(Sizes *self, Scope *scope, ExprId expr, EntryId entry, const CallArgs *args);
/* The first wanted turn of a loop; of a whole function (loop 0), the first that has not been run; NULL = none. */
SizeTurn *size_wanted(const Sizes *self, FileId file, FuncId func, LoopId loop);
/* From here on the scope's operations are recorded as the turn's. */
void size_begin_turn(Sizes *self, Scope *scope, SizeTurn *turn);

Scope *size_module(Sizes *self, FileId file);
Thing size_taken(Sizes *self, const Value *value); /* what inference knows of a value */
Thing size_rule(Sizes *self, EntryId entry); /* the function or class of rules/sizes.py for the entry; THING_NONE =
                                                there is none */
Thing size_bound(Sizes *self, Thing receiver, Thing callee);

/* ---- walk_tensor.c ---- */
Thing size_tensor(Sizes *self, const Number *dims, int rank, uint8_t element);
Thing size_tensor_unknown(Sizes *self);
Thing size_index(Sizes *self, Thing tensor, Thing index);
Thing size_value(Thing thing); /* the number inside a tensor that holds a single one */
Thing size_broadcast(Sizes *self, Thing a, Thing b);
Thing size_dims(Sizes *self, const Tensor *tensor);
Thing size_operator(Sizes *self, Scope *scope, ExprId expr, Operator op, Thing a, Thing b);
void size_begin(Sizes *self, Operation *operation, const CallArgs *args, Thing receiver);
/* Ends the operation: records the work that it queues at that place. */
void size_end(Sizes *self, Scope *scope, ExprId expr, EntryId entry, Thing *result);

#endif
