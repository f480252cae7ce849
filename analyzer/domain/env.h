#ifndef SYNCL_ENV_H
#define SYNCL_ENV_H
/* The environment of an evaluation: what each slot of a function holds; NULL = unbound, or for a path: nothing known
   beyond the store. A persistent vector: a copy shares every node with its original until one of them is written to,
   so that a copy costs the same however many variables there are, and two that are compared or joined are looked at
   only where they differ. Lives in the arena of env_new. */
#include "value.h"

enum { ENV_BITS = 4, ENV_WIDTH = 1 << ENV_BITS };

typedef struct EnvNode {
    uint32_t owner; /* the environment that may write here */
    union {
        const Value *values[ENV_WIDTH];
        struct EnvNode *below[ENV_WIDTH];
    };
} EnvNode;

typedef struct Env {
    EnvNode *root; /* NULL, here and below: no slot is bound */
    uint32_t shift; /* bits of a slot that the levels below the root decide */
    uint32_t owner, *owners; /* the last that was given out */
    Arena *arena;
} Env;

Env *env_new(Arena *arena, uint32_t slots); /* slots below this number, all of them unbound */
Env *env_copy(Env *env);
void env_assign(Env *to, Env *from); /* what `to` held is gone */
void env_put(Env *env, uint32_t slot, const Value *value);
/* The next slot after this one in which the two differ; 0 = there is none. */
uint32_t env_differs(const Env *a, const Env *b, uint32_t after);

static inline const Value *env_get(const Env *env, uint32_t slot) {
    const EnvNode *node = env->root;
    for (uint32_t shift = env->shift; node && shift; shift -= ENV_BITS)
        node = node->below[slot >> shift & (ENV_WIDTH - 1)];
    return node ? node->values[slot & (ENV_WIDTH - 1)] : NULL;
}

#endif
