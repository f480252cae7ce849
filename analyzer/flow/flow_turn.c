/* For how many iterations a condition holds: `i == len(loader) - 1` holds in a single iteration of the loop
   that counts i. */
#include "flow_walk.h"

/* Limits: variables followed from a flag or iterable, definitions of each, and terms of a sum. */
enum { NAMES_DEEP = 4, DEFS_ASKED = 4, TERMS_DEEP = 4 };

static bool is_slot(const Walk *walk, ExprId id, uint32_t slot) {
    const Expr *expr = &walk->model->exprs.items[id];
    return id && slot && (expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE) && expr->slot == slot;
}

static bool numbers_turns(const Walk *walk, ExprId iterable, bool first, int depth);

/* A definition that reaches the name is `batches = enumerate(loader)`, perhaps wrapped later: `batches =
   tqdm(batches)`. */
static bool is_kept_enumeration(const Walk *walk, ExprId name, bool first, int depth) {
    AccessId use = graph_access(walk->graph, name);
    Reaching reaching = {0};
    if (use) graph_reaching(walk->graph, walk->arena, use, &reaching);
    for (uint32_t i = 0; i < reaching.items.count && i < DEFS_ASKED; i++) {
        AccessId def = reaching.items.items[i];
        bool whole = def && walk->graph->accesses[def].kind == DEF_ASSIGN;
        if (whole && numbers_turns(walk, graph_value(walk->graph, def), first, depth + 1)) return true;
    }
    return false;
}

/* range(n) or, with `first`, enumerate(loader), whose first element is the number; also through a progress bar
   and a variable. */
static bool numbers_turns(const Walk *walk, ExprId iterable, bool first, int depth) {
    const Expr *expr = &walk->model->exprs.items[iterable];
    if (!iterable || depth >= NAMES_DEEP) return false;
    if (expr->kind == EXPR_NAME) return is_kept_enumeration(walk, iterable, first, depth);
    if (expr->kind != EXPR_CALL) return false;
    if (python_is(first ? PY_enumerate : PY_range, last_name(walk, expr->a))) return true;
    return expr->list.count &&
           numbers_turns(walk, walk->model->links.items[expr->list.first], first, depth + 1);
}

bool loop_counts(const Walk *walk, const Stmt *stmt, uint32_t slot) {
    const Expr *target = &walk->model->exprs.items[stmt->a];
    bool first = target->kind == EXPR_TUPLE && target->list.count &&
                 is_slot(walk, walk->model->links.items[target->list.first], slot);
    return (first || is_slot(walk, stmt->a, slot)) && numbers_turns(walk, stmt->b, first, 0);
}

static bool is_inside(const Stmt *stmt, const Stmt *loop) {
    return stmt->span.start >= loop->span.start && stmt->span.end <= loop->span.end;
}

/* Constant in the loop: `3`, `len(loader) - 1`, a name or attribute that the loop does not bind. */
static bool stays(const Walk *walk, ExprId id, const Stmt *loop) {
    const Expr *expr = &walk->model->exprs.items[id];
    if (expr->kind == EXPR_INT) return true;
    if (expr->kind == EXPR_BINARY) return stays(walk, expr->a, loop) && stays(walk, expr->b, loop);
    if (expr->kind == EXPR_CALL)
        return expr->list.count == 1 && python_is(PY_len, last_name(walk, expr->a)) &&
               stays(walk, walk->model->links.items[expr->list.first], loop);
    uint32_t slot = slot_own(expr);
    if (slot && graph_written_in(walk->graph, slot, loop->loop)) return false;
    return expr->kind == EXPR_NAME || (expr->kind == EXPR_ATTRIBUTE && stays(walk, expr->a, loop));
}

static const Stmt *loop_around(const Walk *walk, uint32_t depth) {
    return &walk->model->stmts.items[walk->around[depth]];
}

static LoopId loop_of(const FlowGraph *graph, AccessId def) {
    return graph->blocks[graph_block_of(graph, def)].loop;
}

/* Bit set of the loops whose iterations are counted by a variable that each iteration of the innermost one
   increments: those that do not reset it. */
static uint32_t counted_by_adding(const Walk *walk, uint32_t slot) {
    uint32_t from = walk->loops;
    const FlowGraph *graph = walk->graph;
    Accesses defs = graph_defs(graph, slot);
    for (const AccessId *d = defs.first; d < defs.end; d++) {
        const Access *def = &graph->accesses[*d];
        bool adds = def->kind == DEF_AUGMENT && graph_stmt(graph, *d)->op == OP_ADD;
        if (adds && loop_of(graph, *d) == loop_around(walk, walk->loops - 1)->loop)
            from = 0;
        else if (def->kind != DEF_ASSIGN && def->kind != DEF_PART)
            return 0;
    }
    for (const AccessId *d = defs.first; d < defs.end; d++) {
        BlockId block = graph_block_of(graph, *d);
        bool sets = graph->accesses[*d].kind != DEF_AUGMENT;
        while (sets && from < walk->loops && graph_in_loop(graph, block, loop_around(walk, from)->loop)) from++;
    }
    return ((1u << walk->loops) - 1) & ~((1u << from) - 1);
}

/* The loops in which a counter equals the other, constant side in a single iteration. */
static uint32_t pinned_by_counter(const Walk *walk, ExprId counter, ExprId other, int depth) {
    const Expr *expr = &walk->model->exprs.items[counter];
    if (expr->kind == EXPR_BINARY && (expr->op == OP_ADD || expr->op == OP_SUB) &&
        depth < TERMS_DEEP) { /* i + 1 */
        bool moved = stays(walk, expr->b, loop_around(walk, walk->loops - 1));
        return moved ? pinned_by_counter(walk, expr->a, other, depth + 1) : 0;
    }
    if (expr->kind != EXPR_NAME || !slot_own(expr)) return 0;
    uint32_t pinned = 0;
    for (uint32_t d = 0; d < walk->loops; d++) {
        const Stmt *loop = loop_around(walk, d);
        if (loop->kind == STMT_FOR && loop_counts(walk, loop, expr->slot) && stays(walk, other, loop))
            pinned = 1u << d;
    }
    if (pinned) return pinned;
    pinned = counted_by_adding(walk, expr->slot);
    for (uint32_t d = 0; d < walk->loops; d++)
        if ((pinned >> d & 1) && !stays(walk, other, loop_around(walk, d))) pinned &= ~(1u << d);
    return pinned;
}

/* The loops in which `i == 3` or `len(loader) == i + 1` holds in a single iteration. */
static uint32_t pinned_by(const Walk *walk, const Expr *compare) {
    ExprId left = walk->model->links.items[compare->list.first],
           right = walk->model->links.items[compare->list.first + 1];
    uint32_t pinned = pinned_by_counter(walk, left, right, 0);
    return pinned ? pinned : pinned_by_counter(walk, right, left, 0);
}

static uint32_t pinned_loops(const Walk *walk, ExprId id, bool truth, int depth) {
    const Expr *expr = &walk->model->exprs.items[id];
    uint32_t pinned = 0;
    if (expr->kind == EXPR_NOT) return pinned_loops(walk, expr->a, !truth, depth);
    if (expr->kind == EXPR_COMPARE && expr->list.count == 2 && expr->op == (truth ? OP_EQ : OP_NE))
        return pinned_by(walk, expr);
    ExprId made = depth < NAMES_DEEP ? flag_made_of(walk, expr) : 0; /* last = i == len(loader) - 1 */
    if (made) return pinned_loops(walk, made, truth, depth + 1);
    if (expr->kind != (truth ? EXPR_AND : EXPR_OR)) return 0;
    for (uint32_t i = 0; i < expr->list.count; i++)
        pinned |= pinned_loops(walk, walk->model->links.items[expr->list.first + i], truth, depth);
    return pinned;
}

Pins guard_pins(const Walk *walk, ExprId id, bool truth) {
    if (!walk->loops || walk->loops > LOOPS_KEPT) return PINS_NOTHING;
    uint32_t pinned = pinned_loops(walk, id, truth, 0), all = (1u << walk->loops) - 1;
    if (pinned == all) return PINS_FUNCTION;
    return pinned >> (walk->loops - 1) & 1 ? PINS_LOOP : PINS_NOTHING;
}

/* `if first is None: first = x` or `mean = x if mean is None else 0.9 * mean + 0.1 * x`, where nothing else in the
   loop binds the variable: holds in one iteration of the loop, or of all loops. */
Pins guard_first(const Walk *walk, ExprId condition, bool truth, const Stmt *branch) {
    const Expr *asked = &walk->model->exprs.items[condition];
    if (!walk->loops || walk->loops > LOOPS_KEPT || asked->kind != EXPR_COMPARE || asked->list.count != 2 ||
        asked->op != (truth ? OP_IS : OP_IS_NOT))
        return PINS_NOTHING;
    const Expr *name = &walk->model->exprs.items[walk->model->links.items[asked->list.first]];
    const Expr *none = &walk->model->exprs.items[walk->model->links.items[asked->list.first + 1]];
    if (name->kind != EXPR_NAME || name->binding != BIND_LOCAL || none->kind != EXPR_NONE) return PINS_NOTHING;
    bool filled = false, outer = false;
    const FlowGraph *graph = walk->graph;
    LoopId innermost = loop_around(walk, walk->loops - 1)->loop;
    Accesses defs = graph_defs(graph, name->slot);
    for (const AccessId *d = defs.first; d < defs.end; d++) {
        const Stmt *stmt = graph_stmt(graph, *d);
        bool own = stmt->kind == STMT_ASSIGN && is_inside(stmt, branch);
        filled |= own;
        if (!own && graph_in_loop(graph, graph_block_of(graph, *d), innermost)) return PINS_NOTHING;
        outer |= !own && loop_of(graph, *d);
    }
    return !filled ? PINS_NOTHING : outer ? PINS_LOOP : PINS_FUNCTION;
}
