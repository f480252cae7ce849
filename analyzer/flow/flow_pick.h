/* What an option makes or picks: objects that only it makes, and one of several classes or functions by a name that has a
   default. All of it belongs to the walk (flow_walk.h), and nothing fails. */
#ifndef FLOW_PICK_H
#define FLOW_PICK_H

#include "flow_walk.h"

/* ---- flow_made.c ---- */
StmtId stmt_around(const Walk *walk, Span span); /* the innermost statement around an expression; 0 = none */
void flow_find_made(Arena *arena, Arena *scratch, const Inference *inference, AroundCalls *around);
/* Sets a guard around a call's effects if the object of the callee, or of that entry, is made only with an
   option. */
bool guard_made_callee(const Walk *walk, ExprId id, ContextId callee, Item *guard);
bool guard_made_effect(const Walk *walk, const EffectRecord *record, Item *guard);
/* the rule page states what it needs */
bool guard_said_effect(const Walk *walk, const EffectRecord *record, Item *guard);
/* Sets a guard around a method that nobody visible calls, if its class is instantiated, or it is called by its name,
   only with an option. */
bool guard_made_self(const Walk *walk, Item *guard);

/* ---- flow_names.c ---- */
enum { USUALS_MOST = 16 };

/* Names that are the defaults together, as those of the hooks that run. */
typedef struct Usuals {
    Text items[USUALS_MOST];
    uint32_t count;
    Text option;    /* what changes them; empty = that is not seen */
    uint32_t asked; /* places visited in the search for them */
} Usuals;

/* What the variable goes over where it is used: the iterable of the loop or comprehension around; 0 = it is none's.
   filtered: a condition leaves some out. */
ExprId usual_iterated(const Walk *walk, ExprId use, bool *filtered);
bool usual_names(const Walk *walk, ExprId use,
                 Usuals *usual); /* the names that such a variable has by default */

/* ---- flow_pick.c ---- */
/* `getattr(models, args.model)` or `MODELS[args.model]`, which picks one of several by a name that has a default. */
typedef struct Pick {
    ExprId picked, key, from;
    bool attribute; /* what is picked has that name: getattr, globals() */
    Usuals usual;
} Pick;

bool holds_alt(const Value *value, const Alt *alt); /* the same class, function or instance of a class */
bool find_pick(const Walk *walk, ExprId id, Pick *pick);
const Object *picked_from(const Walk *walk, const Pick *pick); /* the dict; NULL = it is not known */
/* The class or function is another one than the default's. */
bool is_other_pick(const Walk *walk, const Pick *pick, const Alt *alt);
Item guard_of_pick(const Walk *walk, const Pick *pick); /* "with another `--model`", or `self.kind` */
/* The expression, as `self.draw` after `self.draw = DRAWS[kind]`, is by default another one than that function, class or
   instance of a class. */
bool is_picked_off(const Walk *walk, ExprId id, const Alt *own, Item *guard);

#endif
