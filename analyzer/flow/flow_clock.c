/* Conditions on a clock: a branch for when so much time has passed runs as seldom as its interval says, whatever
   an iteration takes. */
#include "flow_walk.h"

enum { CLOCK_DEEP = 6 };

/* The value that the only assignment before gives a variable, or a path like self.due; 0 = unknown. */
static ExprId given_to(const Walk *walk, ExprId id) {
    AccessId use = walk->model->exprs.items[id].slot ? graph_access(walk->graph, id) : 0;
    AccessId def =
        use && !graph_is_def(&walk->graph->accesses[use]) ? graph_only_def(walk->graph, walk->arena, use) : 0;
    return def && walk->graph->accesses[def].kind == DEF_ASSIGN ? graph_value(walk->graph, def) : 0;
}

/* `time.time()`, `perf_counter()`, and what is reckoned from it: `(time.time() - start) / 60`. */
static bool is_time(const Walk *walk, ExprId id, int depth) {
    const Expr *expr = &walk->model->exprs.items[id];
    if (!id || depth > CLOCK_DEEP) return false;
    if (expr->kind == EXPR_BINARY)
        return (expr->op == OP_SUB || expr->op == OP_DIV || expr->op == OP_MUL) &&
               is_time(walk, expr->a, depth + 1);
    if (expr->kind != EXPR_CALL) return is_time(walk, given_to(walk, id), depth + 1);
    const Expr *callee = &walk->model->exprs.items[expr->a];
    Text name = last_name(walk, id);
    bool of_time = callee->kind == EXPR_NAME || python_is(PY_time, last_name(walk, callee->a));
    return of_time && !expr->list.count &&
           (python_is(PY_time, name) || python_is(PY_perf_counter, name) || python_is(PY_monotonic, name));
}

static bool has_passed(const Walk *walk, const Expr *expr, bool truth, int depth) {
    if (expr->list.count != 2) return false;
    ExprId left = walk->model->links.items[expr->list.first],
           right = walk->model->links.items[expr->list.first + 1];
    bool more = expr->op == OP_GT || expr->op == OP_GE, less = expr->op == OP_LT || expr->op == OP_LE;
    return ((more && truth) || (less && !truth)) ? is_time(walk, left, depth + 1)
           : (less || more)                      ? is_time(walk, right, depth + 1)
                                                 : false;
}

/* `with self.seldom as due:` calls __enter__, whose last statement returns the condition. */
static bool enters_after(const Walk *walk, ExprId id, bool truth, int depth) {
    AccessId use = walk->model->exprs.items[id].slot ? graph_access(walk->graph, id) : 0;
    AccessId def =
        use && !graph_is_def(&walk->graph->accesses[use]) ? graph_only_def(walk->graph, walk->arena, use) : 0;
    if (!def || walk->graph->accesses[def].kind != DEF_ENTER) return false;
    ExprId manager = graph_stmt(walk->graph, def)->a;
    for (uint32_t e = 0; e < walk->context->edges.count; e++) {
        const CallEdge *edge = &walk->context->edges.items[e];
        if (edge->expr != manager) continue;
        Walk there = walk_of(walk, edge->callee);
        if (!there.graph || !there.func->name ||
            !text_equal(model_name(there.model, there.func->name), TEXT("__enter__")))
            continue;
        const Stmt *last = model_last(there.model, there.func->body);
        return last && last->kind == STMT_RETURN && guard_by_clock(&there, last->a, truth, depth + 1);
    }
    return false;
}

bool guard_by_clock(const Walk *walk, ExprId id, bool truth, int depth) {
    const Expr *expr = &walk->model->exprs.items[id];
    if (!id || depth > CLOCK_DEEP) return false;
    if (expr->kind == EXPR_COMPARE) return has_passed(walk, expr, truth, depth);
    if (expr->kind == EXPR_NOT) return guard_by_clock(walk, expr->a, !truth, depth + 1);
    bool any = expr->kind == EXPR_AND && truth;
    for (uint32_t i = 0; any && i < expr->list.count; i++)
        if (guard_by_clock(walk, walk->model->links.items[expr->list.first + i], truth, depth + 1)) return true;
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) return false;
    return guard_by_clock(walk, given_to(walk, id), truth, depth + 1) || enters_after(walk, id, truth, depth);
}
