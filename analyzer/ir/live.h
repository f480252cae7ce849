#ifndef SYNCL_LIVE_H
#define SYNCL_LIVE_H
/* Liveness: which variables a turn of a loop may take from the turn before. */
#include "evaluation.h"

/* The slots in which a turn of a loop may read what the turn before left there. */
typedef struct Taken {
    VEC(uint32_t) slots; /* ascending */
} Taken;

const Taken *taken_by_turns(Eval *eval, const Stmt *loop);
bool is_taken(const Taken *taken, uint32_t slot);
const SlotDefs *slot_defs_of(const Eval *eval); /* Eval.slot_defs */

#endif
