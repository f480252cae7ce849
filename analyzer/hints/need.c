/* Need, read off how the waiting expression is used. */
#include "need.h"
#include "conventions.h"

static void adopt(ExprId *parents, ExprId child, ExprId parent) {
    if (child) parents[child] = parent;
}

ExprId *need_parents(Arena *arena, const FileModel *model) {
    ExprId *parents = arena_new(arena, ExprId, model->exprs.count + 1);
    for (ExprId id = 1; id < model->exprs.count; id++) {
        const Expr *expr = &model->exprs.items[id];
        adopt(parents, expr->a, id);
        adopt(parents, expr->b, id);
        if (expr->kind != EXPR_COMPARE) adopt(parents, expr->c, id);
        for (uint32_t i = 0; i < expr->list.count; i++)
            adopt(parents, model->links.items[expr->list.first + i], id);
    }
    return parents;
}

static Text callee_name(const FileModel *model, const Expr *call) {
    const Expr *callee = &model->exprs.items[call->a];
    return callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE ? model_name(model, callee->name)
                                                                       : (Text){0};
}

static Need need_of_call(const Rulebook *book, const FileModel *model, const Expr *call) {
    Text name = callee_name(model, call);
    if (name_is(book, NAMED_sizing_call, name)) return NEED_NEEDED;
    if (name_is(book, NAMED_logging_call, name)) return NEED_AVOIDABLE;
    return NEED_UNKNOWN;
}

static bool decides(const FileModel *model, ExprId expr, StmtId id) {
    const Stmt *stmt = &model->stmts.items[id];
    return (stmt->kind == STMT_IF || stmt->kind == STMT_WHILE || stmt->kind == STMT_ASSERT) && stmt->a == expr;
}

/* What one use of a variable needs it for; whether it is there at all needs no value: `ema is None`. */
static Need need_of_use(const NeedAsked *asked, ExprId id) {
    const FileModel *model = asked->graph->model;
    const Expr *parent = &model->exprs.items[asked->parents[id]];
    bool there = parent->op == OP_IS || parent->op == OP_IS_NOT;
    switch ((ExprKind)parent->kind) {
    case EXPR_COMPARE: return there ? NEED_UNKNOWN : NEED_NEEDED;
    case EXPR_SLICE: return NEED_NEEDED;
    case EXPR_SUBSCRIPT: return parent->b == id ? NEED_NEEDED : NEED_UNKNOWN;
    case EXPR_CALL: return need_of_call(asked->book, model, parent);
    case EXPR_INTERPOLATION: return NEED_AVOIDABLE;
    default: return NEED_UNKNOWN;
    }
}

static Need most_needed(Need a, Need b) {
    return a == NEED_NEEDED || b == NEED_NEEDED ? NEED_NEEDED : b == NEED_UNKNOWN ? a : b;
}

/* Another function reads the variable, or this one by `global` and `nonlocal`: in functions of its own, or anywhere for a
   module's. */
static bool is_shared(const FlowGraph *graph, const Expr *name, const Expr *expr) {
    const FileModel *model = graph->model;
    FuncId func = (FuncId)(graph->func - model->funcs.items);
    if (expr->kind != EXPR_NAME || expr->slot != name->slot || expr->name != name->name) return false;
    if (expr->binding == BIND_FREE) return expr->func == (name->binding == BIND_FREE ? name->func : func);
    return expr->binding == BIND_GLOBAL && (func == 1 || name->binding == BIND_GLOBAL);
}

/* `n = int(n)`: what the variable is used for then. */
static void add_rebound(const NeedAsked *asked, AccessId use, AccessId first, Reaching *uses) {
    enum { USES_MOST = 256 };
    const FlowGraph *graph = asked->graph;
    const FlowStep *step = &graph->steps[graph->accesses[use].step];
    for (AccessId a = use + 1; a < step->end_access; a++) {
        bool again = graph_is_def(&graph->accesses[a]) && graph->accesses[a].slot == graph->accesses[use].slot;
        if (!again || a == first || uses->items.count > USES_MOST) continue;
        Reaching more;
        graph_reached(graph, asked->scratch, a, &more);
        for (uint32_t i = 0; i < more.items.count; i++)
            if (graph->accesses[more.items.items[i]].step != graph->accesses[use].step)
                vec_push(asked->scratch, &uses->items, more.items.items[i]);
    }
}

/* `n = t.item()`: needed when the name decides something, is a size or an index; else what it is used for. */
static Need need_of_name(const NeedAsked *asked, ExprId target) {
    enum { SHARED_MOST = 4000 }; /* expressions behind it that are looked at for other functions' uses */
    const FileModel *model = asked->graph->model;
    AccessId def = graph_access(asked->graph, target);
    Reaching uses = {0};
    Need need = NEED_UNKNOWN;
    if (def) graph_reached(asked->graph, asked->scratch, def, &uses);
    for (uint32_t i = 0; i < uses.items.count; i++) {
        need = most_needed(need, need_of_use(asked, asked->graph->accesses[uses.items.items[i]].expr));
        add_rebound(asked, uses.items.items[i], def, &uses);
    }
    for (ExprId id = target + 1; id < model->exprs.count && id < target + SHARED_MOST; id++)
        if (is_shared(asked->graph, &model->exprs.items[target], &model->exprs.items[id]))
            need = most_needed(need, need_of_use(asked, id));
    return need;
}

Need need_of(const NeedAsked *asked, ExprId expr, StmtId stmt_id) {
    const FileModel *model = asked->graph->model;
    const ExprId *parents = asked->parents;
    const Stmt *stmt = &model->stmts.items[stmt_id];
    ExprId at = expr;
    for (ExprId up = parents[at]; up; at = up, up = parents[at]) {
        const Expr *parent = &model->exprs.items[up];
        if (parent->kind == EXPR_COMPARE || parent->kind == EXPR_SLICE || parent->kind == EXPR_NOT)
            return NEED_NEEDED;
        if (parent->kind == EXPR_IF && parent->a == at) return NEED_NEEDED;
        if (parent->kind == EXPR_SUBSCRIPT && parent->b == at) return NEED_NEEDED;
        if (parent->kind == EXPR_INTERPOLATION) return NEED_AVOIDABLE;
        if (parent->kind != EXPR_CALL || parent->a == at) continue;
        Need need = need_of_call(asked->book, model, parent);
        if (need != NEED_UNKNOWN) return need;
    }
    if (decides(model, at, stmt_id)) return NEED_NEEDED;
    if (stmt->kind == STMT_AUGMENT) return NEED_AVOIDABLE; /* a running total can be kept on the GPU */
    if (stmt->kind == STMT_ASSIGN && stmt->list.count == 1) {
        ExprId target = model->links.items[stmt->list.first];
        if (model->exprs.items[target].kind == EXPR_NAME) return need_of_name(asked, target);
    }
    return NEED_UNKNOWN;
}
