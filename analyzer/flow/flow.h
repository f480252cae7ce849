#ifndef SYNCL_FLOW_H
#define SYNCL_FLOW_H
/* The flow of a context: what it does, in program order, with loops and guards as brackets. Takes an Inference;
   gives one Flow for each context, owned by the arena. Frequency, sites and events are computed from it. */
#include "infer.h"

typedef enum ItemKind {
    ITEM_EFFECT, /* effect: index into Context.effects */
    ITEM_CALL,   /* callee, rate */
    ITEM_UNSEEN, /* a call of an unknown function */
    ITEM_DATA,   /* the next iteration takes a batch from a loader */
    ITEM_LOOP,   /* loop, turns; up to its ITEM_END */
    ITEM_GUARD,  /* up to its ITEM_END */
    ITEM_WITH,   /* the body of a `with` whose expression has a region effect (stream, capture ...); up to its
                    ITEM_END */
    ITEM_USE,    /* effect: index into Context.uses */
    ITEM_YIELD,
    ITEM_END,
} ItemKind;

enum {
    GUARD_EVERY = 1, /* runs once in `every` iterations; 0 = unknown number */
    GUARD_RANK = 2,
    GUARD_RARE = 4,      /* an exception handler, a NaN alarm: at most possible */
    GUARD_OFF = 8,       /* needs an option that is off by default: see Item.only */
    GUARD_LEAVES = 16,   /* ends the program, so it runs at most once */
    GUARD_BREAKS = 32,   /* ends the loop, so it runs once a loop */
    GUARD_RETURNS = 64,  /* ends all loops of the function */
    GUARD_CHOICE = 128, /* an `if`: the user may decide */
    GUARD_DOUBTED = 1, /* in `rate` of a guard: the arguments seen here suggest that the branch is not taken */
    GUARD_EITHER = 4, /* in `rate` of a guard: `every` is the item of the other branch of its `if`, and neither says
                         how often it runs */
    GUARD_HANDED = 8, /* in `rate` of a guard: needs an argument that is None unless an unseen caller gives it: see
                         Item.only */
    GUARD_ANEW = 16, /* in `rate` of a guard: its counter restarts at each call of the function */
    GUARD_PICKED = 32, /* in `rate` of a guard, with GUARD_HANDED: one of several alternatives, of which no visible
                          code sets the default */
    GUARD_MADE = 64, /* in `rate` of a guard: around a method whose object is made only with that option */
    GUARD_WORDS = 128, /* in `rate` of a guard: `only` is text of a rule page, not code */
    GUARD_WITHOUT = 2, /* in `rate` of a guard: taken where what `only` says does not hold */
    GUARD_ANOTHER = GUARD_WORDS | GUARD_WITHOUT, /* in `rate` of a guard: `only` has another value than its default */
    CALL_CAPTURED = 1, /* the callee is captured into a CUDA graph */
    CALL_COMPILED = 2, /* the callee is compiled for CUDA graphs */
    CALL_GUESSED = 4, /* the callee was chosen by the method's name alone */
    CALL_ROUND = 8, /* from an earlier iteration of a loop's fixpoint; a later one's call covers it */
    CALL_CONSUMED = 128, /* a generator, consumed by the loop around the call */
    DATA_IN_PROCESS = 1, /* in flags of an ITEM_DATA: the batch is made in the training process */
    LOOP_YIELDS = 64,    /* the innermost loop around a `yield`: its iterations are those of the loop that consumes
                            the generator */
    LOOP_ONCE = 32,      /* its body always leaves it, so it is no loop */
    LOOP_LISTENERS = 128, /* over hooks, callbacks, optimizers: together they are part of one iteration of the loop
                             around */
};

/* For how long a guard's condition, once true, stays true: not at all; for one iteration of the innermost loop;
   for one of all loops of the function; or, as for something created when missing, it is true once in a run. */
typedef enum Pins { PINS_NOTHING, PINS_LOOP, PINS_FUNCTION, PINS_RUN } Pins;

/* There are millions of them, so they have 32 bytes. */
typedef struct Item {
    uint8_t kind, flags, rate;
    uint8_t role; /* EffectRole of an effect; Pins of a guard */
    StmtId stmt;
    ExprId expr;
    union {
        uint32_t effect; /* of an effect, a use */
        ContextId callee;
        LoopId loop;
        uint32_t every; /* of a guard */
    };
    union {
        double turns;     /* iterations of a loop, 0 = unknown; of a call: number of equal calls, 0 = one */
        const char *only; /* of a guard with GUARD_OFF or GUARD_HANDED: the option, `--amp`, or the source of the
                             condition */
    };
    uint32_t end; /* index of the matching ITEM_END; of a generator's call: its yields run the items up to there */
    uint32_t only_length;
} Item;

typedef struct Flow {
    VEC(Item) items;
    bool constructor; /* of a class of the program */
} Flow;

/* The argument of a call for a parameter. All zero: the call's text does not tell. */
typedef struct Given {
    ExprId expr;
    bool absent;
    bool spread; /* it may be given by **options */
} Given;
/* from: the model with the call; model, func: the callee. */
Given call_gives(const FileModel *from, ExprId call, const FileModel *model, const Func *func, uint32_t param);

/* [ContextId]. threads: 0 = as many as team_cores says. */
Flow *flow_of_contexts(Arena *arena, const Inference *inference, uint32_t threads);

#endif
