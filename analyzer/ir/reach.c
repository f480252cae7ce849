/* Reaching definitions, reached uses, and writes between two steps. Each question is answered on demand by a
   search over blocks. */
#include "graph.h"

enum { REACH_MOST = 1 << 7, SEEN_ROOM = 2 * REACH_MOST }; /* most blocks that one question visits */

typedef struct Search {
    const FlowGraph *graph;
    Arena *scratch;
    uint32_t slot;
    BlockId seen[SEEN_ROOM]; /* hash set of blocks whose beginning was visited; 0 = free */
    VEC(BlockId) stack;
    Reaching *found;
    uint32_t looked_at;
} Search;

static Search search_of(const FlowGraph *graph, Arena *scratch, uint32_t slot, Reaching *found) {
    *found = (Reaching){0};
    return (Search){.graph = graph, .scratch = scratch, .slot = slot, .found = found};
}

static void add(Search *self, AccessId access) {
    for (uint32_t i = 0; i < self->found->items.count; i++)
        if (self->found->items.items[i] == access) return;
    vec_push(self->scratch, &self->found->items, access);
}

/* True at the first visit of a block. */
static bool see(Search *self, BlockId block) {
    uint32_t at = block * 2654435761u % SEEN_ROOM;
    while (self->seen[at] && self->seen[at] != block) at = (at + 1) % SEEN_ROOM;
    if (self->seen[at]) return false;
    self->seen[at] = block;
    self->found->many |= ++self->looked_at == REACH_MOST;
    return true;
}

static void visit(Search *self, BlockId block) {
    if (self->found->many || !graph_reachable(self->graph, block) || !see(self, block)) return;
    vec_push(self->scratch, &self->stack, block);
}

static BlockId next(Search *self) {
    return self->stack.count && !self->found->many ? self->stack.items[--self->stack.count] : 0;
}

static AccessId first_access(const FlowGraph *graph, BlockId b) {
    const Block *block = &graph->blocks[b];
    return block->end_step ? graph->steps[block->first_step].first_access : 0;
}

static AccessId end_access(const FlowGraph *graph, BlockId b) {
    const Block *block = &graph->blocks[b];
    return block->end_step ? graph->steps[block->end_step].first_access : 0;
}

/* The first of them at or after an access. */
static const AccessId *from_access(Accesses all, AccessId at) {
    while (all.first < all.end) {
        const AccessId *middle = all.first + (all.end - all.first) / 2;
        if (*middle < at)
            all.first = middle + 1;
        else
            all.end = middle;
    }
    return all.first;
}

/* A slot is bound by its own definitions and those of its prefixes, as `a` of a.b and a["k"]: the next prefix;
   0 = none. */
static uint32_t above(const FlowGraph *graph, uint32_t slot) {
    return graph->model->locals.items[graph->func->first_local + slot - 1].above;
}

/* The last definition in a range of accesses; 0 = none. */
static AccessId last_def(const Search *self, AccessId first, AccessId end) {
    AccessId last = 0;
    for (uint32_t slot = self->slot; slot; slot = above(self->graph, slot)) {
        Accesses defs = graph_defs(self->graph, slot);
        const AccessId *behind = from_access(defs, end);
        if (behind > defs.first && behind[-1] >= first && behind[-1] > last) last = behind[-1];
    }
    return last;
}

/* ---- backwards ---- */

/* Visits the predecessors of a block. Along an exception edge flow the definitions from before the step that
   raises. */
static void visit_predecessors(Search *self, BlockId b) {
    const FlowGraph *graph = self->graph;
    const Block *block = &graph->blocks[b];
    if (b == GRAPH_ENTRY) add(self, 0);
    for (uint32_t i = block->first_in; i < block[1].first_in; i++) {
        const FlowEdge *edge = &graph->edges[graph->in[i]];
        bool whole = edge->kind != EDGE_RAISES && graph_reachable(graph, edge->from);
        AccessId def =
            whole ? last_def(self, first_access(graph, edge->from), end_access(graph, edge->from)) : 0;
        if (def)
            add(self, def);
        else
            visit(self, edge->from);
    }
}

/* The common case without a search: the slot has one definition, which dominates the use and cannot raise
   instead; or it has none. */
static bool is_plain(const FlowGraph *graph, AccessId use, AccessId *def) {
    uint32_t slot = graph->accesses[use].slot;
    Accesses defs = graph_defs(graph, slot);
    *def = defs.first < defs.end ? *defs.first : 0;
    if (above(graph, slot) || defs.end - defs.first > 1) return false;
    if (!*def) return true;
    BlockId from = graph_block_of(graph, *def), to = graph_block_of(graph, use);
    if (from == to) return *def < use;
    for (uint32_t e = graph->blocks[from].first_edge; e < graph->blocks[from + 1].first_edge; e++)
        if (graph->edges[e].kind == EDGE_RAISES) return false;
    return graph_dominates(graph, from, to);
}

void graph_reaching(const FlowGraph *graph, Arena *scratch, AccessId use, Reaching *reaching) {
    const Access *access = &graph->accesses[use];
    AccessId plain;
    if (is_plain(graph, use, &plain)) {
        *reaching = (Reaching){0};
        vec_push(scratch, &reaching->items, plain);
        return;
    }
    Search self = search_of(graph, scratch, access->slot, reaching);
    BlockId at = graph->steps[access->step].block;
    AccessId def = last_def(&self, first_access(graph, at), use);
    if (def)
        add(&self, def);
    else
        visit_predecessors(&self, at);
    for (BlockId b; !def && (b = next(&self));) visit_predecessors(&self, b);
}

AccessId graph_only_def(const FlowGraph *graph, Arena *scratch, AccessId use) {
    Reaching reaching;
    graph_reaching(graph, scratch, use, &reaching);
    return reaching.items.count == 1 && !reaching.many ? reaching.items.items[0] : 0;
}

bool graph_written_between(const FlowGraph *graph, Arena *scratch, uint32_t slot, StepId from, StepId to) {
    const FlowStep *first = &graph->steps[from], *last = &graph->steps[to];
    Reaching found;
    Search self = search_of(graph, scratch, slot, &found);
    if (first->block == last->block)
        return from >= to || last_def(&self, first[1].first_access, last->first_access);
    if (!graph_dominates(graph, first->block, last->block)) return true;
    if (last_def(&self, first_access(graph, last->block), last->first_access)) return true;
    (void)see(&self, first->block);
    visit(&self, last->block);
    for (BlockId b; (b = next(&self));) {
        const Block *block = &graph->blocks[b];
        for (uint32_t i = block->first_in; i < block[1].first_in; i++) {
            const FlowEdge *edge = &graph->edges[graph->in[i]];
            bool whole = edge->kind != EDGE_RAISES && graph_reachable(graph, edge->from);
            AccessId begin =
                edge->from == first->block ? first[1].first_access : first_access(graph, edge->from);
            if (whole && last_def(&self, begin, end_access(graph, edge->from))) return true;
            visit(&self, edge->from);
        }
    }
    return found.many;
}

bool graph_written_in(const FlowGraph *graph, uint32_t slot, LoopId loop) {
    for (; slot; slot = above(graph, slot)) {
        Accesses defs = graph_defs(graph, slot);
        for (const AccessId *d = defs.first; d < defs.end; d++)
            if (graph_in_loop(graph, graph_block_of(graph, *d), loop)) return true;
    }
    return false;
}

/* ---- forwards ---- */

/* Adds the uses from an access on until the slot is bound anew. True: it is not bound in this range. */
static bool add_uses(Search *self, AccessId first, AccessId end) {
    AccessId bound = end;
    for (uint32_t slot = self->slot; slot; slot = above(self->graph, slot)) {
        Accesses defs = graph_defs(self->graph, slot);
        const AccessId *next_def = from_access(defs, first);
        if (next_def < defs.end && *next_def < bound) bound = *next_def;
    }
    Accesses uses = graph_uses(self->graph, self->slot);
    for (const AccessId *u = from_access(uses, first); u < uses.end && *u < bound; u++)
        vec_push(self->scratch, &self->found->items, *u);
    return bound == end;
}

static void go_on(Search *self, BlockId b, bool passed, bool raises) {
    const Block *block = &self->graph->blocks[b];
    for (uint32_t e = block->first_edge; e < block[1].first_edge; e++) {
        const FlowEdge *edge = &self->graph->edges[e];
        if (edge->kind == EDGE_RAISES ? raises : passed) visit(self, edge->to);
    }
}

void graph_reached(const FlowGraph *graph, Arena *scratch, AccessId def, Reaching *uses) {
    const Access *access = &graph->accesses[def];
    Search self = search_of(graph, scratch, access->slot, uses);
    BlockId at = graph->steps[access->step].block;
    go_on(&self, at, add_uses(&self, def + 1, end_access(graph, at)), false);
    for (BlockId b; (b = next(&self));)
        go_on(&self, b, add_uses(&self, first_access(graph, b), end_access(graph, b)), true);
}
