#ifndef SYNCL_FLOW_H
#define SYNCL_FLOW_H
/* The flow of a context: what it does, in program order, with loops and guards as brackets. Takes an Inference,
   const; gives one Flow a context, owned by the arena. Frequency, sites and events are read off it. */
#include "infer.h"

typedef enum ItemKind {
    ITEM_EFFECT, /* effect: index into Context.effects */
    ITEM_CALL,   /* callee, rate */
    ITEM_UNSEEN, /* a call that was not followed */
    ITEM_DATA,   /* the next turn asks a loader for a batch */
    ITEM_LOOP,   /* loop, turns; until ITEM_END */
    ITEM_GUARD,  /* until ITEM_END */
    ITEM_WITH,   /* the body of a `with` over expr, which says that it runs apart; until ITEM_END */
    ITEM_USE,    /* effect: index into Context.uses */
    ITEM_YIELD,
    ITEM_END,
} ItemKind;

enum {
    GUARD_EVERY = 1, /* once in `every` turns; 0 = unknown */
    GUARD_RANK = 2,
    GUARD_RARE = 4,      /* an exception handler, a NaN alarm: possible at most */
    GUARD_OFF = 8,       /* behind an option that is off by default: see Item.only */
    GUARD_LEAVES = 16,   /* ends the program: at most once */
    GUARD_BREAKS = 32,   /* ends the loop: once a loop */
    GUARD_RETURNS = 64,  /* ends all loops of the function */
    GUARD_CHOICE = 128, /* an `if`: somebody may choose */
    GUARD_DOUBTED = 1, /* of a guard's rate: what is given here says that the branch is not taken, perhaps */
    GUARD_EITHER = 4, /* of a guard's rate: `every` is the item of the other branch of its `if`; neither says how often it runs */
    GUARD_HANDED = 8, /* of a guard's rate: behind what is None unless who calls from elsewhere gives it: see Item.only */
    GUARD_ANEW = 16, /* of a guard's rate: what counts its turns begins again at each call of the function */
    GUARD_PICKED = 32, /* of a guard's rate: with GUARD_HANDED, of several ways nobody in sight says which it is by default */
    GUARD_MADE = 64, /* of a guard's rate: around a method whose object is made only with that option */
    GUARD_WORDS = 128, /* of a guard's rate: `only` is a page's words, and no code */
    GUARD_WITHOUT = 2, /* of a guard's rate: what `only` says is not so, where it is taken */
    CALL_CAPTURED = 1, /* of a callable that is captured into a CUDA graph */
    CALL_COMPILED = 2, /* of one that is compiled for CUDA graphs */
    CALL_GUESSED = 4, /* of a method whose receiver only the method's name tells */
    CALL_ROUND = 8, /* as an earlier round of the loop's fixpoint had it: what it does, a later one's does with more */
    CALL_CONSUMED = 128, /* of a generator, by the loop around the call */
    DATA_IN_PROCESS = 1, /* of an ITEM_DATA: the batch is made by the process that trains */
    LOOP_YIELDS = 64,    /* a generator's loop: a turn of it is a turn of the loop that consumes it */
    LOOP_ONCE = 32,      /* its body always leaves it: no loop */
    LOOP_LISTENERS = 128, /* over hooks, callbacks, optimizers: what they do together is part of one turn around them */
};

/* What a guard's condition holds in: any turns, or one turn of the innermost loop, or of all loops of the function; or once
   in a run, as what is made when it is not there yet. */
typedef enum Pins { PINS_NOTHING, PINS_LOOP, PINS_FUNCTION, PINS_RUN } Pins;

/* 32 bytes, for there are millions of them. */
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
        double turns;     /* of a loop, 0 = unknown; of a call: so many alike, 0 = one */
        const char *only; /* of a guard with GUARD_OFF or GUARD_HANDED: what a user gives who wants it, `--amp` or a condition's source */
    };
    uint32_t end; /* index of the matching ITEM_END; of a call: its generator's yield runs the items up to there */
    uint32_t only_length;
} Item;

typedef struct Flow {
    VEC(Item) items;
    bool constructor; /* of a class in sight */
} Flow;

/* What a call gives a parameter; none of them: that is not in its text. */
typedef struct Given {
    ExprId expr;
    bool absent;
    bool spread; /* perhaps by **options */
} Given;
/* from: the model of the call; model, func: of what is called. */
Given call_gives(const FileModel *from, ExprId call, const FileModel *model, const Func *func, uint32_t param);

/* [ContextId]. threads: 0 = as many as team_cores says. */
Flow *flow_of_contexts(Arena *arena, const Inference *inference, uint32_t threads);

#endif
