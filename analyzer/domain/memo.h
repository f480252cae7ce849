#ifndef SYNCL_MEMO_H
#define SYNCL_MEMO_H
/* Memoised evaluation: when a context is evaluated again, a statement whose inputs are unchanged is taken over
   from the last evaluation and not run. Owned by Inference.working; gone after the fixpoint. */
#include "evaluation.h"

typedef struct Replay Replay;

/* A top-level statement of a function's body, as it was last evaluated. */
typedef struct Step {
    EvaluationId reader; /* the reader of its slots; 0 = it did not run */
    StepCounts counts;   /* how many records it added to the context */
    uint16_t changes;    /* how many variables it changed */
    bool dirty : 1, goes_on : 1, bottom : 1, unknown : 1;
} Step;

typedef struct Memo {
    const Value **values; /* the values bound to the parameters, then those that each step changed */
    uint16_t *slots;      /* the slots of these values */
    uint32_t room;        /* capacity of both arrays */
    uint32_t bound;       /* number of bindings before the first step */
    GlobalClass *asked;   /* classes that steps depend on; more than ASKED_MOST = all classes */
    uint16_t asked_count, asked_room;
    uint32_t clock;       /* Inference.classes_changed at the evaluation's start */
    uint32_t next;        /* during an evaluation: the first step that has not begun */
    bool stale;           /* unusable: some count overflowed */
    bool guessing, bottom_is_unknown, default_cuda; /* these fields of Inference at that time */
    Step steps[];
} Memo;

enum { LEAST_EXPRS = 16, LOCALS_MOST = 512, MENTIONS_MOST = 64, ASKED_MOST = 32, COUNT_MOST = UINT16_MAX };

typedef struct StepPlan {
    ExprId end;        /* end of its expressions; they begin where those of the step before end */
    uint32_t mentions; /* end of its variables and paths in Plan.mentions */
    bool crowded;      /* it mentions more than MENTIONS_MOST variables: it always runs */
} StepPlan;

/* How a function is split into steps; shared by its contexts. */
struct Plan {
    uint32_t count; /* 0 = the function is not memoised */
    StepPlan *steps;
    const uint16_t *mentions;
};

typedef struct Replay {
    Eval *eval;
    const struct Plan *plan;
    Memo *memo;
    bool guesses, bottom_resolved; /* true now and false in the last evaluation */
    Kept kept;             /* cursor over the results of the last evaluation, at the next step */
    const Value **was;     /* [slot]: its value at the same place in the last evaluation */
    const Value **before;  /* values before a step of the variables that it mentions, unless they are too many */
    Env *all_before;
    const Value *const *values;
    const uint16_t *slots;
    VEC(GlobalClass) asked; /* classes asked about in this and earlier evaluations, once each */
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
Replay *memo_begin(Eval *eval); /* Call before results are reset. NULL = the function is not memoised. */
bool memo_again(const Replay *self); /* There is a last evaluation: facts are kept, and each step that runs clears
                                        its own. */

/* ---- reader.c ---- */
EvaluationId memo_reader(Inference *inference, ContextId context, uint32_t step);
/* Marks a reader dirty after something it read has grown. True: its context has to be evaluated again. */
bool memo_touch(const Inference *inference, EvaluationId reader);
/* Whether the reader is the latest evaluation of its context or step; else it is stale. */
bool memo_reads(const Inference *inference, EvaluationId reader);
void memo_ask(const Inference *inference, GlobalClass id); /* Records that the running step depends on this class. */

#endif
