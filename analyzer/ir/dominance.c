/* Dominators and post-dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", and
   the guards that follow from them. Post-dominance ignores exceptions that a step merely may raise, and treats
   an endless loop as if it led to the exit. */
#include "graph_make.h"

/* One direction of the graph: blocks in reverse postorder from its root. */
typedef struct Tree {
    Arena *scratch;
    const FlowGraph *graph;
    const Block *blocks;
    BlockId *order;    /* [rank], from 1 on */
    uint32_t *ranks;   /* [block]: its position in the order; 0 = not reached */
    uint32_t *parents; /* [rank]: rank of the immediate dominator; 0 = not found yet */
    uint32_t count;    /* next rank to assign */
    bool *ends;        /* [block]: an extra edge leads to the root; NULL = forward direction */
} Tree;

static uint32_t predecessor_count(const Tree *tree, BlockId b) {
    const Block *block = &tree->blocks[b];
    return tree->ends ? block[1].first_edge - block->first_edge + tree->ends[b]
                      : block[1].first_in - block->first_in;
}

/* The rank of the i-th predecessor in the tree's direction; 0 = not reached, or an exception edge. */
static uint32_t predecessor_rank(const Tree *tree, BlockId b, uint32_t i) {
    const FlowGraph *graph = tree->graph;
    const Block *block = &tree->blocks[b];
    if (!tree->ends) return tree->ranks[graph->edges[graph->in[block->first_in + i]].from];
    if (i == block[1].first_edge - block->first_edge) return 1;
    const FlowEdge *edge = &graph->edges[block->first_edge + i];
    return edge->kind == EDGE_RAISES ? 0 : tree->ranks[edge->to];
}

/* The nearest common dominator of two ranks. */
static uint32_t intersect(const Tree *tree, uint32_t a, uint32_t b) {
    if (a == 1 || b == 1) return 1;
    while (a != b) {
        while (a > b) a = tree->parents[a];
        while (b > a) b = tree->parents[b];
    }
    return a;
}

/* Intersects the nearest predecessors first: of many exits out of a long sequence, each is then one block from
   the last result. */
static uint32_t parent_of(const Tree *tree, uint32_t rank) {
    BlockId block = tree->order[rank];
    uint32_t count = predecessor_count(tree, block), parent = 0;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t from = predecessor_rank(tree, block, i);
        if (from && tree->parents[from]) parent = parent ? intersect(tree, parent, from) : from;
    }
    return parent;
}

/* Forwards one pass suffices, because Python's control flow is reducible. */
static void find_parents(Tree *tree) {
    tree->parents = arena_new(tree->scratch, uint32_t, tree->count + 1);
    tree->parents[1] = 1;
    for (bool changed = true, first = true; changed && (first || tree->ends); first = false) {
        changed = false;
        for (uint32_t rank = 2; rank < tree->count; rank++) {
            uint32_t parent = parent_of(tree, rank);
            changed |= parent != tree->parents[rank];
            tree->parents[rank] = parent;
        }
    }
}

/* Numbers the dominator tree in preorder: the blocks that a block dominates form the range [first, first +
   size). */
static void find_ranges(const Tree *tree, uint32_t *first, uint32_t *size) {
    uint32_t *next = arena_new(tree->scratch, uint32_t, tree->count + 1);
    for (uint32_t r = tree->count; r-- > 1;) {
        size[r]++;
        if (r > 1) size[tree->parents[r]] += size[r];
    }
    next[1] = first[1] = 1;
    for (uint32_t r = 1; r < tree->count; r++) {
        uint32_t parent = tree->parents[r];
        if (r > 1) first[r] = next[parent], next[parent] += size[r];
        next[r] = first[r] + 1;
    }
}

/* ---- backwards ---- */

typedef struct Backwards {
    const Tree *tree;
    BlockId *stack;
    uint32_t *at; /* [block]: position in Block.in of its next predecessor */
    bool *seen;
    BlockId *post;
    uint32_t count;
} Backwards;

static void visit(Backwards *self, BlockId from) {
    const FlowGraph *graph = self->tree->graph;
    uint32_t depth = 0;
    self->stack[depth++] = from;
    self->seen[from] = true;
    while (depth) {
        BlockId b = self->stack[depth - 1];
        const Block *block = &self->tree->blocks[b];
        if (self->at[b] == block[1].first_in - block->first_in) {
            self->post[self->count++] = self->stack[--depth];
            continue;
        }
        const FlowEdge *edge = &graph->edges[graph->in[block->first_in + self->at[b]++]];
        if (edge->kind == EDGE_RAISES || self->seen[edge->from]) continue;
        self->seen[edge->from] = true;
        self->stack[depth++] = edge->from;
    }
}

/* Ranks blocks backwards from the exit; then, from the last block on, those that never reach the exit (endless
   loops). */
static void rank_backwards(Tree *tree) {
    uint32_t n = tree->graph->block_count;
    Backwards self = {.tree = tree,
                      .stack = arena_new(tree->scratch, BlockId, n),
                      .at = arena_new(tree->scratch, uint32_t, n),
                      .seen = arena_new(tree->scratch, bool, n),
                      .post = arena_new(tree->scratch, BlockId, n)};
    BlockId exit = tree->graph->exit;
    self.seen[exit] = true; /* the root comes first, whatever edges are added */
    for (uint32_t i = tree->blocks[exit].first_in; i < tree->blocks[exit + 1].first_in; i++) {
        const FlowEdge *edge = &tree->graph->edges[tree->graph->in[i]];
        if (edge->kind != EDGE_RAISES && !self.seen[edge->from]) visit(&self, edge->from);
    }
    for (BlockId b = n; b-- > 1;) {
        if (self.seen[b]) continue;
        tree->ends[b] = true;
        visit(&self, b);
    }
    tree->order[1] = exit;
    tree->ranks[exit] = 1;
    for (uint32_t i = 0; i < self.count; i++) {
        tree->order[i + 2] = self.post[self.count - 1 - i];
        tree->ranks[tree->order[i + 2]] = i + 2;
    }
    tree->count = self.count + 2;
}

static Tree tree_of(Arena *scratch, const FlowGraph *graph, const Block *blocks) {
    return (Tree){.scratch = scratch,
                  .graph = graph,
                  .blocks = blocks,
                  .order = arena_new(scratch, BlockId, graph->block_count + 2),
                  .ranks = arena_new(scratch, uint32_t, graph->block_count)};
}

static void find_dominators(Arena *scratch, FlowGraph *graph, Block *blocks) {
    uint32_t reached = graph->reached;
    Tree tree = tree_of(scratch, graph, blocks);
    tree.count = reached;
    for (BlockId b = 1; b < reached; b++) tree.order[b] = tree.ranks[b] = b;
    find_parents(&tree);
    uint32_t *first = arena_new(scratch, uint32_t, tree.count + 1),
             *size = arena_new(scratch, uint32_t, tree.count + 1);
    find_ranges(&tree, first, size);
    for (BlockId b = 1; b < reached; b++) {
        blocks[b].idom = b == GRAPH_ENTRY ? 0 : tree.parents[b];
        blocks[b].dom_first = first[b];
        blocks[b].dom_end = first[b] + size[b];
    }
}

static void find_postdominators(Arena *scratch, FlowGraph *graph, Block *blocks) {
    Tree tree = tree_of(scratch, graph, blocks);
    tree.ends = arena_new(scratch, bool, graph->block_count);
    rank_backwards(&tree);
    find_parents(&tree);
    uint32_t *first = arena_new(scratch, uint32_t, tree.count + 1),
             *size = arena_new(scratch, uint32_t, tree.count + 1);
    find_ranges(&tree, first, size);
    for (uint32_t r = 1; r < tree.count; r++) {
        Block *block = &blocks[tree.order[r]];
        block->ipdom = r == 1 ? 0 : tree.order[tree.parents[r]];
        block->pdom_first = first[r];
        block->pdom_end = first[r] + size[r];
    }
}

/* ---- guards ---- */

static bool has(const Block *a, const Block *b) {
    return a->dom_first <= b->dom_first && b->dom_first < a->dom_end;
}

/* A block with a single incoming edge, back edges aside, is guarded by that edge where it leaves a test; the
   guard then holds in every block that it dominates. */
static uint32_t own_guard(const FlowGraph *graph, const Block *blocks, BlockId b) {
    uint32_t only = 0;
    for (uint32_t i = blocks[b].first_in; i < blocks[b + 1].first_in; i++) {
        const FlowEdge *edge = &graph->edges[graph->in[i]];
        const Block *from = &blocks[edge->from];
        if (!graph_reachable(graph, edge->from) || has(&blocks[b], from)) continue;
        if (only) return 0;
        only = graph->in[i] + 1;
    }
    uint8_t kind = only ? graph->edges[only - 1].kind : EDGE_GOES;
    return kind == EDGE_TRUE || kind == EDGE_FALSE ? only : 0;
}

void graph_dominators(Arena *scratch, FlowGraph *graph, Block *blocks) {
    uint32_t reached = graph->reached;
    find_dominators(scratch, graph, blocks);
    find_postdominators(scratch, graph, blocks);
    for (BlockId b = 1; b < reached; b++) {
        blocks[b].guard = own_guard(graph, blocks, b);
        if (!blocks[b].guard && blocks[b].idom) blocks[b].guard = blocks[blocks[b].idom].guard;
    }
}

bool graph_dominates(const FlowGraph *graph, BlockId a, BlockId b) {
    return graph_reachable(graph, a) && graph_reachable(graph, b) && has(&graph->blocks[a], &graph->blocks[b]);
}

bool graph_postdominates(const FlowGraph *graph, BlockId a, BlockId b) {
    const Block *outer = &graph->blocks[a], *inner = &graph->blocks[b];
    return outer->pdom_first <= inner->pdom_first && inner->pdom_first < outer->pdom_end;
}

bool graph_guard(const FlowGraph *graph, BlockId block, Guard *guard) {
    uint32_t at = graph->blocks[block].guard;
    if (!at) return false;
    const FlowEdge *edge = &graph->edges[at - 1];
    const Block *test = &graph->blocks[edge->from];
    *guard = (Guard){.test = edge->from,
                     .stmt = test->test,
                     .condition = test->condition,
                     .truth = edge->kind == EDGE_TRUE,
                     .controls = !graph_postdominates(graph, block, edge->from)};
    return true;
}
