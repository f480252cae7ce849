#ifndef SYNCL_CALLS_H
#define SYNCL_CALLS_H
/* Calls: who calls whom, and how often a line runs. Takes flows; classifies loops (training step, evaluation,
   other hot loop, epoch) through the call graph, and visits every occurrence of an effect with its frequency. */
#include "flow.h"

/* What a region does, through calls. A region is the body of a loop, or that of a context outside of its loops. */
enum {
    DOES_SITE = 256, /* an effect with a hazard */
    DOES_GPU = 1,
    DOES_HEAVY = 2,
    DOES_STEP = 4,
    DOES_BACKWARD = 8,
    DOES_DATA = 16,
    HOLDS_STEP = 32,  /* some loop in it, through calls, is a training step */
    HOLDS_HOT = 64,   /* some loop in it is heavy */
    HOLDS_SITE = 128, /* some effect in it has a hazard */
    STEPS_EACH = 1024,   /* an optimizer step not guarded by a count of iterations */
    STEPS_SELDOM = 2048, /* an optimizer step guarded by a count of iterations: `if (i + 1) % n == 0:` */
    BACKS_EACH = 4096,   /* a backward pass not guarded by a count of iterations */
    HOLDS_TRAINING = 8192, /* some loop in it, through calls, goes backward and steps an optimizer */
    ASKED_STEP = 16384, /* a guard on what a call says, `if agent.is_ready():`, around all that trains: it runs in every
                           training step, however many iterations of the loop that takes */
    BY_HOOKS = 32768, /* a loop over hooks, asked by their names: each runs once a turn of what is around the loop */
    BY_LISTENERS = 512, /* a loop over hooks: a step in it belongs to the iteration of the loop around it */
};

/* Every iteration has a backward pass, but only some step the optimizer: gradients of several batches are
   accumulated. */
static inline bool does_gather(uint16_t does) {
    return (does & (STEPS_EACH | STEPS_SELDOM | BACKS_EACH)) == (STEPS_SELDOM | BACKS_EACH);
}

/* So many calls away from a hot loop, nothing about a place is certain any more. (A loop around epochs in a
   callee may as well be one over whole runs.) */
enum { CALLS_FAR = 4, CALLS_FAR_FROM_EPOCH = 2 };

/* GPU operations of forward code, of their backward pass, and long ones among the former; and whether there is
   host work of unknown length. */
typedef struct Work {
    double operations, backward, matmuls;
    bool busies_host;
} Work;

typedef struct Regions {
    uint16_t body;
    uint16_t *loops;                      /* [index of an ITEM_LOOP]; for an ITEM_GUARD on iterations, what it
                                             contains */
    Work work, per_turn; /* work: of everything inside; per_turn: inside loops of unknown length, for one iteration
                            of each */
    uint8_t unseen;
    bool setup; /* does start-up work itself, so what it does outside of hot loops happens once in a run */
    bool restores; /* loads weights into a model, which outside of any loop is start-up too */
    bool done, busy;
    uint32_t expanded_for; /* the event list for which the context was last expanded, and how often */
    uint32_t expanded;
} Regions;

typedef struct CallGraph {
    const Inference *inference;
    const Flow *flows;
    Regions *regions; /* [ContextId] */
} CallGraph;

CallGraph *calls_summarise(Arena *arena, const Inference *inference, uint32_t threads);

/* One step of the path from a loop to a line; the newest step is first. */
typedef struct Frame {
    const struct Frame *outer;
    ContextId context; /* with the call or loop */
    ExprId expr;       /* the call; 0 = a loop, or a call without an expression */
    StmtId stmt;       /* the statement with the call */
    FileId file;
    Span span;
    FuncId func; /* the function with the call or loop */
    bool is_loop;
    bool handed; /* a framework calls an argument of the call, at its own time */
} Frame;

/* How often the visited place runs. */
typedef struct Rate {
    Unit unit;
    FileId loop_file; /* the hot loop: a loop of the source or, for UNIT_CALL and framework methods, a function */
    Span loop_head;
    FuncId loop_func;
    ContextId context; /* the context with the hot loop */
    uint32_t item;     /* its ITEM_LOOP; UINT32_MAX = the whole context */
    double times;
    uint32_t every;
    uint32_t calls; /* number of calls from the hot loop to the place */
    bool rank;
    bool chosen; /* below an `if` of any kind */
    Evidence evidence;
    bool worker;
    bool other;    /* in a branch of an `if` whose other branch is priced: both never run in one iteration */
    bool steps;    /* UNIT_STEP: an iteration of the loop steps an optimizer; else it only has a backward pass */
    bool gathered; /* UNIT_STEP: `batches` iterations (0 = unknown number), each a UNIT_BATCH, make one step */
    uint32_t batches;
    bool supposed; /* a framework's call of something that visible callers call too, which then decide how often */
    Text only;     /* "`--amp`": options, off by default, that the place needs within the hot loop; empty = none */
    bool off;      /* ... one of them is off by default, and not merely up to a caller */
    bool made;     /* ... the object exists only with them, whoever's loop calls it */
    bool picked;   /* ... by default another function is called in place of this one: its loops are off too */
    bool whole;    /* UNIT_EPOCH: whole trainings, each of its own model, instead of epochs */
    bool consumed; /* the body of a generator: its loops iterate with the loop that consumes it */
    bool built;    /* in a constructor: a kind of set-up */
    bool weak;     /* a loop that queues or waits, but has no long operation that we know of; UNIT_EPOCH: no training */
    bool said;     /* a comment declares a statement of the function hot */
    bool setup;    /* below a function that does start-up work, outside of its hot loops: once in a run */
    ContractId sync_free; /* the contract that a wait here would break */
    bool guess;    /* nobody visible calls the function at the root, so the unit is a call of it */
    bool computes; /* ... but it takes a GPU tensor, as work for a batch or step does */
    bool works;    /* ... or its name says that it works on a batch, step or request: `predict` */
    bool asked;    /* ... or it is a method of an existing object whose name does not say that it runs once */
    bool aside;    /* ... and it takes arrays too, as a loader's function does, or is a hook at the start or end of
                      a run */
} Rate;

typedef struct Visitor {
    void *self;
    /* called for an ITEM_EFFECT or ITEM_USE */
    void (*effect)(void *self, ContextId context, const Item *item, const Rate *rate, const Frame *frames);
    void (*hot_loop)(void *self, const Rate *rate);
} Visitor;

static inline bool rate_is_far(const Rate *rate) {
    return rate->calls >= (rate->unit == UNIT_EPOCH ? CALLS_FAR_FROM_EPOCH : CALLS_FAR);
}

/* Runs once in a run and is not reported, unless it is reported anywhere or breaks a contract. */
static inline bool rate_is_once(const Rate *rate, const EffectRecord *record) {
    return rate->unit == UNIT_NONE && !rate->guess && !rate->sync_free && !(record->says & SAYS_ANYWHERE);
}

/* Visits every effect of every context reachable from the roots, once for each context and kind of rate. */
void calls_visit(Arena *scratch, const CallGraph *graph, const Visitor *visitor);

/* A file that pytest collects (test_*.py, *_test.py, conftest.py) runs once, and no run waits for it. */
bool calls_is_test(const Rulebook *book, const SourceFile *file);

/* Whether it is a generator's with a `yield` in a loop: a loop that consumes it runs one iteration of that loop in
   each of its own. */
bool calls_yields_in_loop(const Flow *flow);

double effect_matmuls(const EffectRecord *record); /* long operations among its launches */

#endif
