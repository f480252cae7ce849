/* Makes the flows of all contexts on several threads. */
#include "flow_pick.h"
#include "team.h"
#include <stdatomic.h>

/* Number of contexts that a thread takes at a time. */
enum { CONTEXTS_A_PIECE = 64, CONTEXTS_A_THREAD = 512 };

typedef struct Walkers {
    const Inference *inference;
    const AroundCalls *around_calls;
    Flow *flows;
    atomic_uint next;
} Walkers;

typedef struct Walker {
    Walkers *all;
    Arena arena;
    KeptUsuals *kept;
} Walker;

/* A flow grows in scratch and is copied out at its final size. */
static void keep_flow(Walker *self, Arena *scratch, ContextId id) {
    Flow flow = {0};
    flow_walk_context(scratch, self->all->inference, self->all->around_calls, id, self->kept, &flow);
    uint32_t count = flow.items.count;
    if (count) flow.items.items = arena_copy(&self->arena, flow.items.items, sizeof(Item) * count);
    flow.items.capacity = count;
    self->all->flows[id] = flow;
}

static void walk_some(void *member) {
    Walker *self = member;
    Arena scratch = {0}, longer = {0};
    uint32_t count = self->all->inference->contexts.count;
    self->kept = arena_new(&longer, KeptUsuals, 1);
    for (uint32_t first; (first = atomic_fetch_add(&self->all->next, CONTEXTS_A_PIECE)) < count;)
        for (ContextId id = first; id < count && id < first + CONTEXTS_A_PIECE; id++) {
            if (id) keep_flow(self, &scratch, id);
            arena_reset(&scratch);
        }
    arena_free(&scratch);
    arena_free(&self->kept->texts);
    arena_free(&longer);
}

Flow *flow_of_contexts(Arena *arena, const Inference *inference, uint32_t threads) {
    Arena scratch = {.supply = arena->supply};
    Walkers all = {.inference = inference,
                   .around_calls = flow_around_calls(&scratch, inference),
                   .flows = arena_new(arena, Flow, inference->contexts.count)};
    Walker walkers[TEAM_LIMIT] = {0};
    uint32_t useful = inference->contexts.count / CONTEXTS_A_THREAD + 1, count = 1;
    if (useful > 1) count = threads ? threads : team_cores("");
    if (count > useful) count = useful;
    if (count > TEAM_LIMIT) count = TEAM_LIMIT;
    atomic_init(&all.next, 0);
    for (uint32_t i = 0; i < count; i++) walkers[i].all = &all;
    team_run(walk_some, walkers, sizeof *walkers, count);
    for (uint32_t i = 0; i < count; i++) arena_adopt(arena, &walkers[i].arena);
    arena_free(&scratch);
    return all.flows;
}
