/* Environments are joined where control flow meets. */
#include "env_join.h"

/* A variable bound on only one of two paths keeps its value; a path (a.b) known on only one becomes unknown. */
static void join_slot(Eval *eval, Env *into, const Env *from, uint32_t slot) {
    const Value *a = env_get(into, slot), *b = env_get(from, slot);
    bool path = eval->model->locals.items[eval->func->first_local + slot - 1].root != 0;
    bool unknown = path && (!a || !b);
    env_put(into, slot, unknown ? NULL : value_join(&eval->inference->values, a, b));
}

void env_join(Eval *eval, Env *into, const Env *from) {
    for (uint32_t s = 0; (s = env_differs(into, from, s));) join_slot(eval, into, from, s);
}

void env_join_since(Eval *eval, Env *into, const Env *from, const Env *before) {
    for (uint32_t s = 0; (s = env_differs(from, before, s));) join_slot(eval, into, from, s);
}

/* Equal in the slots of `taken`. */
bool env_same(const Env *a, const Env *b, const Taken *taken) {
    for (uint32_t s = 0; (s = env_differs(a, b, s));)
        if (is_taken(taken, s) && !value_settled(env_get(a, s), env_get(b, s))) return false;
    return true;
}

void env_gather(Eval *eval, Env **into) {
    if (!*into)
        *into = env_copy(eval->env);
    else
        env_join(eval, *into, eval->env);
}

/* Joins the other branch's environment, if that branch reaches its end. */
void env_merge(Eval *eval, Env *other, bool other_reachable) {
    if (!other_reachable) return;
    if (eval->reachable)
        env_join(eval, eval->env, other);
    else
        env_assign(eval->env, other);
    eval->reachable = true;
}
