#ifndef SYNCL_LIVE_H
#define SYNCL_LIVE_H
/* Liveness: which variables a turn of a loop may take from the turn before. */
#include "evaluation.h"

/* One bit a slot: whether a turn of the loop may read what the turn before left in it. */
const uint64_t *taken_by_turns(Eval *eval, const Stmt *loop);

#endif
