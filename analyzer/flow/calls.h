#ifndef SYNCL_CALLS_H
#define SYNCL_CALLS_H
/* Calls: who calls whom and how often a line runs. Takes flows, const; classifies loops (training step, evaluation,
   other hot loop, epoch) through the call graph and visits every occurrence of an effect with its frequency. */
#include "flow.h"

/* What a region (a loop's own body, or a context's body outside its loops) does, through calls. */
enum {
    DOES_SITE = 256, /* an effect with a hazard */
    DOES_GPU = 1,
    DOES_HEAVY = 2,
    DOES_STEP = 4,
    DOES_BACKWARD = 8,
    DOES_DATA = 16,
    HOLDS_STEP = 32,  /* some loop inside, through calls, is a training step */
    HOLDS_HOT = 64,   /* some loop inside is heavy */
    HOLDS_SITE = 128, /* some effect inside has a hazard */
    STEPS_EACH = 1024,   /* an optimizer's step that no guard of turns is around */
    STEPS_SELDOM = 2048, /* one that a guard of turns is around: `if (i + 1) % n == 0:` */
    BACKS_EACH = 4096,   /* a backward pass that no guard of turns is around */
    BY_LISTENERS = 512, /* of a loop over hooks: what steps in it is part of the turn of the loop around it */
};

/* Each turn goes backward, and only some step the optimizer: the gradients of several batches add up. */
static inline bool does_gather(uint16_t does) {
    return (does & (STEPS_EACH | STEPS_SELDOM | BACKS_EACH)) == (STEPS_SELDOM | BACKS_EACH);
}

/* So many calls from a hot loop what is said of a place is no longer certain; a loop around epochs in what it calls may
   as well be one over whole runs. */
enum { CALLS_FAR = 4, CALLS_FAR_FROM_EPOCH = 2 };

/* GPU operations: of forward code, of their backward pass, and long ones among the first. Host work
   of unknown length. */
typedef struct Work {
    double operations, backward, matmuls;
    bool busies_host;
} Work;

typedef struct Regions {
    uint16_t body;
    uint16_t *loops;                      /* [item index of ITEM_LOOP; of an ITEM_GUARD of turns what it holds] */
    Work work, per_turn; /* of everything inside; per_turn: inside loops of unknown length, for one turn of each */
    uint8_t unseen;
    bool setup; /* does start-up work itself: what it does outside hot loops is done once in a run */
    bool restores; /* gives a model weights, which outside of any loop is start-up as well */
    bool done, busy;
    uint32_t expanded_for; /* the event list being built that last went through this context, and how often */
    uint32_t expanded;
} Regions;

typedef struct CallGraph {
    const Inference *inference;
    const Flow *flows;
    Regions *regions; /* [ContextId] */
} CallGraph;

CallGraph *calls_summarise(Arena *arena, const Inference *inference, uint32_t threads);

/* One step of the way from a loop to a line: newest first. */
typedef struct Frame {
    const struct Frame *outer;
    ContextId context; /* of the call or loop */
    ExprId expr;       /* the call; 0 = a loop, or what no expression calls */
    StmtId stmt;       /* that the call stands in */
    FileId file;
    Span span;
    FuncId func; /* of the call's or loop's function */
    bool is_loop;
    bool handed; /* a framework calls what the call was given, at a time of its own */
} Frame;

/* How often the place that is visited runs. */
typedef struct Rate {
    Unit unit;
    FileId loop_file; /* the hot loop: a source loop, or a function for UNIT_CALL and framework methods */
    Span loop_head;
    FuncId loop_func;
    ContextId context; /* where the hot loop stands */
    uint32_t item;     /* its ITEM_LOOP, or UINT32_MAX: the whole context */
    double times;
    uint32_t every;
    uint32_t calls; /* from the hot loop to the place */
    bool rank;
    bool chosen; /* under an `if` of any kind */
    Evidence evidence;
    bool worker;
    bool other;    /* in the branch of an `if` of which another one is priced: both never run in one turn */
    bool steps;    /* of UNIT_STEP: the loop's own turn steps an optimizer; else it only goes backward */
    bool gathered; /* of UNIT_STEP: several turns of the loop, each a UNIT_BATCH, make one; `batches` of them, 0 = unknown */
    uint32_t batches;
    bool supposed; /* a framework's call of what callers in sight call as well: they know better how often */
    Text only;     /* "`--amp`": within the hot loop, behind options that are off by default; empty = no such */
    bool off;      /* ... one of them is off, and not only left for a caller to give */
    bool made;     /* ... of what is there only with them: whoever's loop asks it */
    bool whole;    /* of epochs: not they, but whole trainings, each of a model of its own */
    bool consumed; /* the body of a generator that a loop consumes: its loops turn with that one */
    bool built;    /* by a constructor: a kind of set-up */
    bool weak;     /* a loop that queues or waits, but holds no long operation that we see; of epochs: no training */
    bool said;     /* a comment calls a statement of the function hot */
    bool setup;    /* under a function that does start-up work, outside its hot loops: once in a run */
    ContractId sync_free; /* the contract that a wait here breaks */
    bool guess;    /* nobody in sight calls the function at the root, so its unit is each call */
    bool computes; /* ... but it takes a GPU tensor, as what a batch or a step does takes one */
    bool works;    /* ... or its name says that it does a batch's, a step's or a request's work: `predict` */
    bool asked;    /* ... or it is a method of an object at hand, of which the name does not say that it is done once */
    bool aside;    /* ... and it takes arrays as well, as a loader's does, or is a hook at the ends of a run */
} Rate;

typedef struct Visitor {
    void *self;
    /* an ITEM_EFFECT or ITEM_USE */
    void (*effect)(void *self, ContextId context, const Item *item, const Rate *rate, const Frame *frames);
    void (*hot_loop)(void *self, const Rate *rate);
} Visitor;

static inline bool rate_is_far(const Rate *rate) {
    return rate->calls >= (rate->unit == UNIT_EPOCH ? CALLS_FAR_FROM_EPOCH : CALLS_FAR);
}

/* Once in a run, which nobody is told of: but what is found anywhere, and what breaks a contract. */
static inline bool rate_is_once(const Rate *rate, const EffectRecord *record) {
    return rate->unit == UNIT_NONE && !rate->guess && !rate->sync_free && !(record->says & SAYS_ANYWHERE);
}

/* Visits every effect of every context reached from the roots, once a context and kind of rate. */
void calls_visit(Arena *scratch, const CallGraph *graph, const Visitor *visitor);

/* What pytest collects runs once, and no run waits for it: test_*.py, *_test.py, conftest.py. */
bool calls_is_test(const Rulebook *book, const SourceFile *file);

double effect_matmuls(const EffectRecord *record); /* long operations among its launches */

#endif
