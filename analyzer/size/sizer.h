#ifndef SYNCL_SIZER_H
#define SYNCL_SIZER_H
/* The state of the sizing pass while it runs, and what its files ask of one another. Private to the room. */
#include "said_shape.h"
#include "size.h"
#include "tally.h"
#include "thing.h"

enum {
    UNROLL_MOST = 64, /* turns of a loop, or elements of a comprehension, that are gone through one by one */
    LIST_MOST = 4096,
    DEPTH_MOST = 60,  /* of calls */
    CALL_ARGUMENTS = 24,
};

typedef struct SizeWork {
    ExprId expr;
    EntryId entry;
    Tally tally;
    uint64_t turn; /* the last evaluation that it was part of */
} SizeWork;

typedef struct SizeLoop {
    LoopId loop;
    Amount turns; /* of all times that it was come to */
    double times;
} SizeLoop;

struct SizeNode {
    ExprId call;
    GlobalFunc func;
    SizeNode *children, *next;
    VEC(SizeWork) works;
    VEC(SizeLoop) loops;
    Tally total;
};

typedef struct SizeTurn {
    FileId file;
    FuncId func;
    LoopId loop; /* 0 = the whole function */
    ContextId context;
    SizeNode *node;
    bool wanted;
} SizeTurn;

/* What the operation under way has said of its work. */
typedef struct Operation {
    struct Operation *outer;
    Tally work;
    Number moved; /* bytes that the call was given, and gives */
    double casts, backward_casts;
    double launches, backward_launches; /* as rules/sizes.py says; 0 = as the stub does */
    Number cast;  /* bytes that those move */
    Text unknown;
    Amount tensors, parameters, copied;
    bool any, all_host, device; /* tensors were given; all of them on the CPU; `device` was named */
    bool graded;
    bool untold;  /* rules/sizes.py says nothing of it: its launches are counted, and no more is known */
    bool says_graded; /* of its result, whatever it was given */
    bool moves_host, to_host; /* it says itself where its result is */
} Operation;

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
    Scope **modules;          /* [FileId] */
    uint8_t *module_runs;     /* [FileId] */
    ClassThing **classes;     /* [GlobalClass] */
    ClassThing **rule_classes; /* [ClassId] of the sizes' own file */
    Instance **instances;     /* [GlobalClass]: the last one that was made, or is taken to be there */
    Tensor ***shapes;         /* [FileId][ExprId]: what dumps show; NULL = not asked for */
    uint16_t *entry_rows;     /* [EntryId] index of its row in rules + 2; 1 = none, 0 = not asked for */
    Scope *rule_scope;
    FileId script; /* that runs as the main program; 0 = none */
    int64_t fuel;  /* calls, turns and elements that may still be gone through: what means nothing takes none */
    int64_t steps; /* statements and expressions, which bound the time where bodies are long */
    uint64_t evaluations; /* of calls of APIs, as the program has them */
    uint32_t depth, maybe, unknowns, reached;
    bool recording, no_grad;
    uint32_t regions;
    Autocast autocast;
    bool tf32; /* of matrix products; convolutions take it unless told not to */
    Operation *operation;
};

typedef struct CallArgs {
    Thing items[CALL_ARGUMENTS];
    uint32_t count;
    ThingList *more; /* those behind: `nn.Sequential(*layers)` of a hundred layers; NULL = none */
    Text names[CALL_ARGUMENTS];
    Thing named[CALL_ARGUMENTS];
    uint32_t named_count;
    bool open; /* *args or **kwargs of which nothing is known */
} CallArgs;

enum { LEFT_NO, LEFT_BREAK, LEFT_CONTINUE, LEFT_RETURN, LEFT_RAISE };

/* ---- size.c ---- */
bool size_same_entry(const Rulebook *book, EntryId a, EntryId b);

/* ---- walk_expr.c ---- */
/* Counts a step. */
static inline bool size_stopped(Sizes *self) {
    if (self->steps-- <= 0) self->fuel = 0;
    return self->fuel <= 0;
}

Thing size_eval(Sizes *self, Scope *scope, ExprId id);
Thing size_truth_of(Sizes *self, Thing thing); /* a bool, or unknown */
Thing size_iterated(Sizes *self, Scope *scope, ExprId expr, Thing thing); /* a list */
Thing size_compute(Sizes *self, Operator op, Number a, Number b);
Number size_number(Sizes *self, Thing thing, Text name); /* of what should be a number */
Text size_source(const Sizes *self, const Scope *scope, ExprId expr);

/* ---- walk_item.c ---- */
bool size_is_of(const Scope *scope, ExprId id); /* an expression of the scope's own function */
Thing size_eval_parts(Sizes *self, Scope *scope, ExprId id); /* displays, comprehensions, items */
void size_assign(Sizes *self, Scope *scope, ExprId target, Thing value);
/* Or with the shape that a comment says of what is bound there, or --shape of the name. */
Thing size_as_given(Sizes *self, const Scope *scope, BoundKind kind, uint32_t id, Text name, Thing value);

/* ---- walk_stmt.c ---- */
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
/* How many of the turns that are asked for are not known yet. */
uint32_t size_waiting(const Sizes *self);

Scope *size_module(Sizes *self, FileId file);
Thing size_taken(Sizes *self, const Value *value); /* as inference has it */
Thing size_rule(Sizes *self, EntryId entry); /* a function or class of rules/sizes.py; THING_NONE = it says nothing */
Thing size_bound(Sizes *self, Thing receiver, Thing callee);

/* ---- walk_tensor.c ---- */
Thing size_tensor(Sizes *self, const Number *dims, int rank, uint8_t element);
Thing size_tensor_unknown(Sizes *self);
Thing size_index(Sizes *self, Thing tensor, Thing index);
Thing size_value(Thing thing); /* of a tensor that holds one number, that number */
Thing size_broadcast(Sizes *self, Thing a, Thing b);
Thing size_dims(Sizes *self, const Tensor *tensor);
Thing size_operator(Sizes *self, Scope *scope, ExprId expr, Operator op, Thing a, Thing b);
void size_begin(Sizes *self, Operation *operation, const CallArgs *args, Thing receiver);
/* The operation is done: what it queues at that place. */
void size_end(Sizes *self, Scope *scope, ExprId expr, EntryId entry, Thing *result);

#endif
