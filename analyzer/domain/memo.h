#ifndef SYNCL_MEMO_H
#define SYNCL_MEMO_H
/* What the last evaluation of a context leaves for the next one: statements whose inputs are as they were are taken over
   and not run again. Owned by Inference.working, gone when inference rests. */
#include "evaluation.h"

typedef struct Replay Replay;

/* A statement of a function's body as it was evaluated last. */
typedef struct Step {
    EvaluationId reader; /* what its reads are listed under; 0 = it did not run */
    StepCounts counts;   /* what it added to the context */
    uint16_t changes;    /* variables that it changed */
    bool dirty : 1, goes_on : 1, bottom : 1, unknown : 1;
} Step;

typedef struct Memo {
    const Value **values; /* what the parameters were bound to, then what each step changed */
    uint16_t *slots;      /* of which variables */
    uint32_t room;        /* of both */
    uint32_t bound;       /* variables before the first step */
    GlobalClass *asked;   /* classes that steps depend on; too many = on any */
    uint16_t asked_count, asked_room;
    uint32_t clock;       /* Inference.classes_changed when it began */
    uint32_t next;        /* of an evaluation under way: the first step that has not begun */
    bool stale;           /* good for nothing */
    bool guessing, bottom_is_unknown, default_cuda; /* as Inference had them */
    Step steps[];
} Memo;

enum { LEAST_EXPRS = 16, LOCALS_MOST = 512, MENTIONS_MOST = 64, ASKED_MOST = 32, COUNT_MOST = UINT16_MAX };

typedef struct StepPlan {
    ExprId end;        /* its expressions begin where those of the step before end */
    uint32_t mentions; /* end of its variables and paths in Plan.mentions */
    bool crowded;      /* it mentions too many: it always runs */
} StepPlan;

/* What all contexts of a function have in common. */
struct Plan {
    uint32_t count; /* 0 = the function is not taken apart */
    StepPlan *steps;
    const uint16_t *mentions;
};

typedef struct Replay {
    Eval *eval;
    const struct Plan *plan;
    Memo *memo;
    bool guesses, bottom_resolved; /* now, and not in the last evaluation */
    Kept kept;             /* of the last evaluation, and where in it the next step begins */
    const Value **was;     /* [slot], at the same place in the last evaluation */
    const Value **before;  /* room for the variables of a step, unless it mentions too many */
    Env *all_before;
    const Value *const *values;
    const uint16_t *slots;
    VEC(GlobalClass) asked; /* in this evaluation and those before it, each once */
    VEC(const Value *) new_values;
    VEC(uint16_t) new_slots;
} Replay;

/* ---- memo.c ---- */
void memo_change(Replay *self, uint32_t slot, const Value *value);
void memo_skip_changes(Replay *self, uint32_t count);
uint32_t step_effects_end(const Context *context);
bool step_comes_alike(const Replay *self, uint32_t i);
void step_take(Replay *self, const Step *step);
void step_clear_facts(const Replay *self, uint32_t i);
void step_save(Replay *self, uint32_t i);
void step_note(Replay *self, uint32_t i);
uint16_t step_counted(Memo *memo, uint32_t count);
void memo_keep_asked(const Replay *self);
void memo_keep_changes(Replay *self);
void memo_end_unreached(Replay *self, uint32_t first);
Replay *memo_begin(Eval *eval); /* NULL = the function is not taken apart. Before results are reset. */
bool memo_again(const Replay *self); /* facts stay where they are: steps that run clear their own */

/* ---- reader.c ---- */
EvaluationId memo_reader(Inference *inference, ContextId context, uint32_t step);
bool memo_touch(const Inference *inference, EvaluationId reader); /* something that it read grew: whether it stands still */
void memo_ask(const Inference *inference, GlobalClass id); /* what runs depends on what that class is */

#endif
