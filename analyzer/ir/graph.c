#include "graph_make.h"

/* Successor lists while the graph is built: the last edge added comes first. */
typedef struct Links {
    uint32_t *first; /* [block]: index + 1 */
    uint32_t *next;  /* [edge] */
} Links;

static Links links_of(const GraphMaking *self) {
    Links links = {arena_new(self->scratch, uint32_t, self->blocks.count),
                   arena_new(self->scratch, uint32_t, self->edges.count + 1)};
    for (uint32_t e = 0; e < self->edges.count; e++) {
        links.next[e] = links.first[self->edges.items[e].from];
        links.first[self->edges.items[e].from] = e + 1;
    }
    return links;
}

/* Numbers blocks in reverse postorder; 0 = unreachable. Successors are visited from the last to the first, so
   that the first one gets the smaller number, as in the text. */
static uint32_t postorder(const GraphMaking *self, BlockId *order) {
    Links links = links_of(self);
    BlockId *stack = arena_new(self->scratch, BlockId, self->blocks.count);
    bool *seen = arena_new(self->scratch, bool, self->blocks.count);
    uint32_t depth = 0, count = 0;
    stack[depth++] = MAKING_ENTRY;
    seen[MAKING_ENTRY] = true;
    while (depth) {
        uint32_t *edge = &links.first[stack[depth - 1]];
        if (!*edge) {
            order[count++] = stack[--depth];
            continue;
        }
        BlockId to = self->edges.items[*edge - 1].to;
        *edge = links.next[*edge - 1];
        if (seen[to]) continue;
        seen[to] = true;
        stack[depth++] = to;
    }
    return count;
}

static BlockId *number(const GraphMaking *self, FlowGraph *graph) {
    BlockId *order = arena_new(self->scratch, BlockId, self->blocks.count),
            *numbers = arena_new(self->scratch, BlockId, self->blocks.count);
    uint32_t reached = postorder(self, order), next = reached;
    for (uint32_t i = 0; i < reached; i++) numbers[order[i]] = reached - i;
    for (BlockId b = 1; b < self->blocks.count; b++)
        if (!numbers[b] &&
            (b == MAKING_EXIT || self->blocks.items[b].end_step || self->blocks.items[b].first_in))
            numbers[b] = ++next;
    graph->reached = reached + 1;
    graph->block_count = next + 1;
    return numbers;
}

/* Sorts edges by source block, stably; drops those of unreachable blocks. */
static void sort_edges(Arena *arena, const GraphMaking *self, const BlockId *numbers, FlowGraph *graph,
                       Block *blocks) {
    uint32_t *next = arena_new(self->scratch, uint32_t, graph->block_count + 1);
    for (uint32_t e = 0; e < self->edges.count; e++) next[numbers[self->edges.items[e].from]]++;
    for (BlockId b = 1; b <= graph->block_count; b++) {
        blocks[b].first_edge = graph->edge_count;
        graph->edge_count += b < graph->block_count ? next[b] : 0;
        next[b] = blocks[b].first_edge;
    }
    FlowEdge *edges = arena_new(arena, FlowEdge, graph->edge_count + 1);
    for (uint32_t e = 0; e < self->edges.count; e++) {
        const FlowEdge *edge = &self->edges.items[e];
        BlockId from = numbers[edge->from];
        if (from) edges[next[from]++] = (FlowEdge){from, numbers[edge->to], edge->kind};
    }
    graph->edges = edges;
}

static void sort_in(Arena *arena, const GraphMaking *self, FlowGraph *graph, Block *blocks) {
    uint32_t *next = arena_new(self->scratch, uint32_t, graph->block_count + 1), from = 0;
    uint32_t *in = arena_new(arena, uint32_t, graph->edge_count + 1);
    for (uint32_t e = 0; e < graph->edge_count; e++) next[graph->edges[e].to]++;
    for (BlockId b = 1; b <= graph->block_count; b++) {
        blocks[b].first_in = from;
        from += next[b];
        next[b] = blocks[b].first_in;
    }
    for (uint32_t e = 0; e < graph->edge_count; e++) in[next[graph->edges[e].to]++] = e;
    graph->in = in;
}

static void number_blocks(Arena *arena, GraphMaking *self, FlowGraph *graph) {
    const BlockId *numbers = number(self, graph);
    Block *blocks = arena_new(arena, Block, graph->block_count + 1);
    for (BlockId b = 1; b < self->blocks.count; b++)
        if (numbers[b]) blocks[numbers[b]] = self->blocks.items[b];
    for (StepId s = 1; s + 1 < self->steps.count; s++)
        self->steps.items[s].block = numbers[self->steps.items[s].block];
    sort_edges(arena, self, numbers, graph, blocks);
    sort_in(arena, self, graph, blocks);
    graph->exit = numbers[MAKING_EXIT];
    graph_dominators(self->scratch, graph, blocks);
    uint32_t stmts = self->func->end_stmt - self->func->first_stmt,
             loops = self->func->end_loop - self->func->first_loop;
    for (uint32_t s = 0; s < stmts; s++) self->stmt_blocks[s] = numbers[self->stmt_blocks[s]];
    for (uint32_t l = 0; l < loops; l++) self->heads[l] = numbers[self->heads[l]];
    graph->blocks = blocks;
}

/* Sorts definitions and uses by slot, each in textual order. */
static void sort_accesses(Arena *arena, FlowGraph *graph) {
    uint32_t slots = graph->slots, *first = arena_new(arena, uint32_t, 2 * slots + 2);
    AccessId *sorted = arena_new(arena, AccessId, graph->access_count);
    for (AccessId a = 1; a < graph->access_count; a++)
        first[graph->accesses[a].slot + (graph_is_def(&graph->accesses[a]) ? 0 : slots) + 1]++;
    for (uint32_t i = 1; i <= 2 * slots; i++) first[i] += first[i - 1];
    for (AccessId a = graph->access_count; a-- > 1;) {
        uint32_t *end = &first[graph->accesses[a].slot + (graph_is_def(&graph->accesses[a]) ? 0 : slots) + 1];
        sorted[--*end] = a;
    }
    first[2 * slots + 1] = graph->access_count - 1;
    graph->by_slot = sorted;
    graph->first_def = first + 1;
    graph->first_use = first + slots + 1;
}

static const BlockId *find_loop_ends(Arena *arena, const FlowGraph *graph) {
    const Func *func = graph->func;
    BlockId *ends = arena_new(arena, BlockId, func->end_loop - func->first_loop + 1);
    for (BlockId b = 1; b < graph->reached; b++)
        for (LoopId loop = graph->blocks[b].loop; loop; loop = graph->model->loops.items[loop].outer)
            ends[loop - func->first_loop] = b + 1;
    return ends;
}

static const Paths *find_paths(Arena *arena, const FileModel *model, const Func *func) {
    const Local *locals = &model->locals.items[func->first_local];
    uint32_t first = 1;
    while (first <= func->local_count && !locals[first - 1].root) first++;
    if (first > func->local_count) return NULL;
    Paths *paths = arena_new(arena, Paths, 1);
    paths->first = arena_new(arena, uint32_t, func->local_count + 1);
    paths->next = arena_new(arena, uint32_t, func->local_count + 1);
    for (uint32_t s = func->local_count; s >= first; s--) {
        paths->next[s] = paths->first[locals[s - 1].above];
        paths->first[locals[s - 1].above] = s;
    }
    return paths;
}

/* The access of each expression. `x += 1` both reads and binds x: the use wins. */
static AccessId *find_exprs(Arena *arena, const FlowGraph *graph) {
    const Func *func = graph->func;
    AccessId *found = arena_new(arena, AccessId, func->end_expr - func->first_expr + 1);
    for (AccessId a = 1; a < graph->access_count; a++) {
        const Access *access = &graph->accesses[a];
        if (access->expr < func->first_expr || access->expr >= func->end_expr) continue;
        AccessId *of = &found[access->expr - func->first_expr];
        if (!*of || graph->accesses[*of].step != access->step || !graph_is_def(access)) *of = a;
    }
    return found;
}

static void keep_exprs(Arena *arena, Arena *scratch, FlowGraph *graph) {
    uint32_t count = graph->func->end_expr - graph->func->first_expr + 1;
    if (graph->access_count > UINT16_MAX) {
        graph->far_accesses = find_exprs(arena, graph);
        return;
    }
    const AccessId *found = find_exprs(scratch, graph);
    uint16_t *near = arena_raw(arena, sizeof *near * count);
    for (uint32_t i = 0; i < count; i++) near[i] = (uint16_t)found[i];
    graph->near_accesses = near;
}

const FlowGraph *graph_make(Arena *arena, Arena *scratch, const FileModel *model, const Func *func) {
    FlowGraph *graph = arena_new(arena, FlowGraph, 1);
    GraphMaking making = {.scratch = scratch, .model = model, .func = func};
    making.stmt_blocks = arena_new(arena, BlockId, func->end_stmt - func->first_stmt + 1);
    making.heads = arena_new(arena, BlockId, func->end_loop - func->first_loop + 1);
    graph_blocks(&making);
    *graph = (FlowGraph){.model = model,
                         .func = func,
                         .stmt_blocks = making.stmt_blocks,
                         .heads = making.heads,
                         .paths = find_paths(arena, model, func),
                         .step_count = making.steps.count - 1,
                         .access_count = making.accesses.count,
                         .slots = func->local_count + 1};
    number_blocks(arena, &making, graph);
    graph->loop_ends = find_loop_ends(arena, graph);
    graph->steps = arena_copy(arena, making.steps.items, sizeof *graph->steps * making.steps.count);
    graph->accesses = arena_copy(arena, making.accesses.items, sizeof *graph->accesses * making.accesses.count);
    keep_exprs(arena, scratch, graph);
    sort_accesses(arena, graph);
    return graph;
}

BlockId graph_block(const FlowGraph *graph, StmtId stmt) {
    const Func *func = graph->func;
    return stmt >= func->first_stmt && stmt < func->end_stmt ? graph->stmt_blocks[stmt - func->first_stmt] : 0;
}

AccessId graph_access(const FlowGraph *graph, ExprId expr) {
    const Func *func = graph->func;
    if (expr < func->first_expr || expr >= func->end_expr) return 0;
    uint32_t at = expr - func->first_expr;
    return graph->near_accesses ? graph->near_accesses[at] : graph->far_accesses[at];
}

const Stmt *graph_stmt(const FlowGraph *graph, AccessId access) {
    return &graph->model->stmts.items[graph->steps[graph->accesses[access].step].stmt];
}

BlockId graph_block_of(const FlowGraph *graph, AccessId access) {
    return graph->steps[graph->accesses[access].step].block;
}

ExprId graph_value(const FlowGraph *graph, AccessId def) {
    uint8_t kind = graph->accesses[def].kind;
    return kind == DEF_ASSIGN || kind == DEF_PART ? graph_stmt(graph, def)->b : 0;
}

bool graph_in_loop(const FlowGraph *graph, BlockId block, LoopId loop) {
    LoopId around = block ? graph->blocks[block].loop : 0;
    while (around && around != loop) around = graph->model->loops.items[around].outer;
    return around != 0;
}

bool graph_repeats(const FlowGraph *graph, LoopId loop) {
    BlockId head = graph->heads[loop - graph->func->first_loop];
    const Block *block = &graph->blocks[head];
    bool repeats = !graph_reachable(graph, head);
    for (uint32_t i = block->first_in; i < block[1].first_in && !repeats; i++)
        repeats = graph_dominates(graph, head, graph->edges[graph->in[i]].from);
    return repeats;
}
