#ifndef SYNCL_ENV_H
#define SYNCL_ENV_H
/* The environment of an evaluation: the abstract value of each slot of a function. NULL = unbound or, for a
   path, nothing known beyond the store. A persistent vector: copies share nodes until one of them is written,
   so copying costs the same for any number of variables, and comparing or joining visits only the parts that
   differ. Lives in env_new's arena. */
#include "value.h"

enum { ENV_BITS = 4, ENV_WIDTH = 1 << ENV_BITS };

typedef struct EnvNode {
    uint32_t owner; /* id of the environment that may write this node in place */
    union {
        const Value *values[ENV_WIDTH];
        struct EnvNode *below[ENV_WIDTH];
    };
} EnvNode;

typedef struct Env {
    EnvNode *root; /* NULL, here and below: no slot is bound in this part */
    uint32_t shift; /* number of slot bits decided below the root */
    uint32_t owner, *owners; /* owners: counter of ids given out */
    Arena *arena;
} Env;

Env *env_new(Arena *arena, uint32_t slots); /* room for slots below this number; all are unbound */
Env *env_copy(Env *env);
void env_assign(Env *to, Env *from); /* `to` becomes a copy of `from` */
void env_put(Env *env, uint32_t slot, const Value *value);
/* The next slot after `after` in which the two differ; 0 = there is none. */
uint32_t env_differs(const Env *a, const Env *b, uint32_t after);

static inline const Value *env_get(const Env *env, uint32_t slot) {
    const EnvNode *node = env->root;
    for (uint32_t shift = env->shift; node && shift; shift -= ENV_BITS)
        node = node->below[slot >> shift & (ENV_WIDTH - 1)];
    return node ? node->values[slot & (ENV_WIDTH - 1)] : NULL;
}

#endif
