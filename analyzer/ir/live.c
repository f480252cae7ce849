/* Liveness across the back edge of a loop: which variables an iteration may read as the previous one left them.
   Iterated to a fixpoint, as a variable that is bound before it is read is not live and must not keep others
   live. */
#include "live.h"
#include "search.h"
#include <assert.h>
#include <stdlib.h>

typedef uint64_t Bits;

typedef struct Live {
    const FlowGraph *graph;
    LoopId loop;
    BlockId head, end; /* the loop's blocks lie in [head, end) */
    uint32_t *bits;    /* [slot]: its bit, from 1; 0 = the loop does not mention the slot */
    uint32_t words;
    Bits *in;            /* variables read before they are bound, from the block to the iteration's end */
    VEC(uint32_t) slots; /* [bit] */
} Live;

static void name_slot(Live *live, Arena *scratch, uint32_t slot) {
    if (live->bits[slot]) return;
    live->bits[slot] = live->slots.count;
    vec_push(scratch, &live->slots, slot);
    const Paths *paths = live->graph->paths;
    for (uint32_t s = paths ? paths->first[slot] : 0; s; s = paths->next[s]) name_slot(live, scratch, s);
}

static bool is_inside(const Live *live, BlockId b) {
    return b >= live->head && b < live->end && graph_in_loop(live->graph, b, live->loop);
}

/* Gives a bit to each slot that the loop mentions, and to the paths below it. */
static void name_slots(Live *live, Arena *scratch) {
    const FlowGraph *graph = live->graph;
    live->bits = arena_new(scratch, uint32_t, graph->slots);
    vec_push(scratch, &live->slots, 0);
    for (BlockId b = live->head; b < live->end; b++) {
        const Block *block = &graph->blocks[b];
        if (!block->end_step || !is_inside(live, b)) continue;
        AccessId end = graph->steps[block->end_step].first_access;
        for (AccessId a = graph->steps[block->first_step].first_access; a < end; a++)
            name_slot(live, scratch, graph->accesses[a].slot);
    }
}

static Bits *in_of(const Live *live, BlockId b) { return &live->in[(size_t)(b - live->head) * live->words]; }

static void add_live(const Live *live, Bits *into, const Bits *other) {
    for (uint32_t w = 0; w < live->words; w++) into[w] |= other ? other[w] : ~(Bits)0;
}

/* An edge that leaves the loop other than by its normal end or the function's (a `break`): every variable not
   bound on the way counts as live, because code after the loop may read it. */
static void leave_early(const Live *live, Bits *out, const FlowEdge *edge) {
    const FlowGraph *graph = live->graph;
    const Block *from = &graph->blocks[edge->from];
    bool returns =
        from->end_step && graph->model->stmts.items[graph->steps[from->end_step - 1].stmt].kind == STMT_RETURN;
    if (edge->from != live->head && edge->to != graph->exit && !returns) add_live(live, out, NULL);
}

static void unbind(const Live *live, Bits *set, uint32_t slot) {
    uint32_t bit = live->bits[slot];
    set[bit / 64] &= ~(1ull << bit % 64);
    const Paths *paths = live->graph->paths;
    for (uint32_t s = paths ? paths->first[slot] : 0; s; s = paths->next[s]) unbind(live, set, s);
}

static void pass_accesses(const Live *live, const Block *block, Bits *set) {
    const FlowGraph *graph = live->graph;
    if (!block->end_step) return;
    AccessId first = graph->steps[block->first_step].first_access;
    for (AccessId a = graph->steps[block->end_step].first_access; a-- > first;) {
        const Access *access = &graph->accesses[a];
        uint32_t bit = live->bits[access->slot];
        if (graph_is_def(access))
            unbind(live, set, access->slot);
        else
            set[bit / 64] |= 1ull << bit % 64;
    }
}

/* Transfer function of one block, applied from the last block to the first. One pass suffices for inner loops:
   a path that reads before it binds does so without going around a cycle. */
static void pass_block(const Live *live, BlockId b) {
    const FlowGraph *graph = live->graph;
    const Block *block = &graph->blocks[b];
    Bits *set = in_of(live, b);
    for (uint32_t e = block->first_edge; e < block[1].first_edge; e++) {
        const FlowEdge *edge = &graph->edges[e];
        if (edge->kind == EDGE_RAISES) continue;
        if (!is_inside(live, edge->to))
            leave_early(live, set, edge);
        else if (edge->to > b)
            add_live(live, set, in_of(live, edge->to));
    }
    pass_accesses(live, block, set);
    for (uint32_t e = block->first_edge; e < block[1].first_edge; e++)
        if (graph->edges[e].kind == EDGE_RAISES && graph->edges[e].to > b &&
            is_inside(live, graph->edges[e].to))
            add_live(live, set, in_of(live, graph->edges[e].to));
}

const Taken *taken_by_turns(Arena *arena, Arena *scratch, const FlowGraph *graph, LoopId loop) {
    uint32_t at = loop - graph->func->first_loop;
    Live live = {.graph = graph, .loop = loop, .head = graph->heads[at], .end = graph->loop_ends[at]};
    assert(live.head < live.end && "a loop that is reached");
    Taken *taken = arena_new(arena, Taken, 1);
    name_slots(&live, scratch);
    live.words = live.slots.count / 64 + 1;
    live.in = arena_new(scratch, Bits, (size_t)(live.end - live.head) * live.words + 1);
    for (BlockId b = live.end; b-- > live.head;)
        if (is_inside(&live, b)) pass_block(&live, b);
    const Bits *first = in_of(&live, live.head);
    for (uint32_t bit = 1; bit < live.slots.count; bit++)
        if (first[bit / 64] >> bit % 64 & 1) vec_push(arena, &taken->slots, live.slots.items[bit]);
    if (taken->slots.count)
        qsort(taken->slots.items, taken->slots.count, sizeof *taken->slots.items, number_order);
    return taken;
}

bool is_taken(const Taken *taken, uint32_t slot) {
    return taken->slots.count &&
           bsearch(&slot, taken->slots.items, taken->slots.count, sizeof slot, number_order) != NULL;
}
