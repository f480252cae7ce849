#include "env.h"

Env *env_new(Arena *arena, uint32_t slots) {
    Env *env = arena_new(arena, Env, 1);
    *env = (Env){.arena = arena, .owners = arena_new(arena, uint32_t, 1)};
    while ((uint64_t)ENV_WIDTH << env->shift < slots) env->shift += ENV_BITS;
    env->owner = ++*env->owners;
    return env;
}

void env_assign(Env *to, Env *from) {
    if (to == from) return;
    *to = *from;
    to->owner = ++*from->owners;
    from->owner = ++*from->owners;
}

Env *env_copy(Env *env) {
    Env *copy = arena_raw(env->arena, sizeof *copy);
    env_assign(copy, env);
    return copy;
}

/* A node that this environment alone owns: copied if it is shared. */
static EnvNode *own(const Env *env, EnvNode **node) {
    if (*node && (*node)->owner == env->owner) return *node;
    *node = *node ? arena_copy(env->arena, *node, sizeof **node) : arena_new(env->arena, EnvNode, 1);
    (*node)->owner = env->owner;
    return *node;
}

void env_put(Env *env, uint32_t slot, const Value *value) {
    if (env_get(env, slot) == value) return;
    EnvNode **at = &env->root;
    for (uint32_t shift = env->shift; shift; shift -= ENV_BITS)
        at = &own(env, at)->below[slot >> shift & (ENV_WIDTH - 1)];
    own(env, at)->values[slot & (ENV_WIDTH - 1)] = value;
}

static const EnvNode *child(const EnvNode *node, uint32_t index) { return node ? node->below[index] : NULL; }

static const Value *held(const EnvNode *leaf, uint64_t slot) {
    return leaf ? leaf->values[slot & (ENV_WIDTH - 1)] : NULL;
}

uint32_t env_differs(const Env *a, const Env *b, uint32_t after) {
    uint64_t slot = (uint64_t)after + 1;
    while (slot >> a->shift < ENV_WIDTH) {
        const EnvNode *x = a->root, *y = b->root;
        uint32_t shift = a->shift;
        for (; shift && x != y; shift -= ENV_BITS) {
            uint32_t index = slot >> shift & (ENV_WIDTH - 1);
            x = child(x, index), y = child(y, index);
        }
        /* end of the slots that this node covers */
        uint64_t end = ((slot >> shift >> ENV_BITS) + 1) << shift << ENV_BITS;
        for (; x != y && slot < end; slot++)
            if (held(x, slot) != held(y, slot)) return (uint32_t)slot;
        slot = end;
    }
    return 0;
}
