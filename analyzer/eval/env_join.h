#ifndef SYNCL_ENV_JOIN_H
#define SYNCL_ENV_JOIN_H
/* Joins of environments. Takes environments of the function under evaluation; changes the one that is joined
   into, which lives in its own arena. Cannot fail. */
#include "evaluation.h"

void env_join(Eval *eval, Env *into, const Env *from);
/* The same where `into` has been joined with `before`, and `from` was derived from that: compares only what
   differs. */
void env_join_since(Eval *eval, Env *into, const Env *from, const Env *before);
bool env_same(const Env *a, const Env *b, const Taken *taken);
void env_gather(Eval *eval, Env **into); /* joins the evaluation's environment into *into; NULL = copies it */
void env_merge(Eval *eval, Env *other, bool other_reachable);

#endif
