/* What a step reads and binds, in the order of evaluation. */
#include "graph_make.h"
#include "python_names.h"

enum { SLOTS_MOST = (1 << 28) - 1 };

typedef struct AccessWalk {
    GraphMaking *making;
    const FileModel *model;
    StepId step;
} AccessWalk;

/* A name of another scope has a slot there, none of this function. */
uint32_t slot_own(const Expr *expr) {
    if (expr->kind == EXPR_NAME) return expr->binding == BIND_LOCAL ? expr->slot : 0;
    return expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_SUBSCRIPT ? expr->slot : 0;
}

static void add(const AccessWalk *walk, ExprId expr, uint32_t slot, AccessKind kind) {
    if (!slot || slot > SLOTS_MOST) return;
    Access access = {.slot = slot & SLOTS_MOST, .kind = kind & 15, .expr = expr, .step = walk->step};
    vec_push(walk->making->scratch, &walk->making->accesses, access);
}

static void read_expr(const AccessWalk *walk, ExprId id);

static void read_list(const AccessWalk *walk, List list) {
    for (uint32_t i = 0; i < list.count; i++) read_expr(walk, walk->model->links.items[list.first + i]);
}

/* The kind of access where the value is unpacked to several targets. */
static AccessKind part_of(AccessKind kind) {
    return kind == DEF_ASSIGN ? DEF_PART : kind == DEF_TURN ? DEF_TURN_PART : kind;
}

static void bind(const AccessWalk *walk, ExprId id, AccessKind kind) {
    if (!id) return;
    const Expr *expr = &walk->model->exprs.items[id];
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME: add(walk, id, slot_own(expr), kind); break;
    case EXPR_ATTRIBUTE:
    case EXPR_SUBSCRIPT:
        read_expr(walk, expr->a);
        if (expr->kind == EXPR_SUBSCRIPT) read_expr(walk, expr->b);
        add(walk, id, expr->slot, kind);
        break;
    case EXPR_STAR: bind(walk, expr->a, part_of(kind)); break;
    default:
        for (uint32_t i = 0; i < expr->list.count; i++)
            bind(walk, walk->model->links.items[expr->list.first + i], part_of(kind));
    }
}

static void read_name(const AccessWalk *walk, ExprId id, const Expr *expr) {
    add(walk, id, slot_own(expr), ACCESS_USE);
    bool asks_self = expr->binding == BIND_GLOBAL && python_is(PY_super, model_name(walk->model, expr->name));
    if (asks_self && walk->making->func->local_count) add(walk, id, 1, ACCESS_USE); /* super() reads self */
}

static void read_expr(const AccessWalk *walk, ExprId id) {
    if (!id) return;
    const Expr *expr = &walk->model->exprs.items[id];
    if (expr->kind == EXPR_NAME) {
        read_name(walk, id, expr);
        return;
    }
    bool call = expr->kind == EXPR_CALL;
    if (call) read_expr(walk, expr->a);
    read_list(walk, expr->list); /* a comprehension's clauses run before its element */
    if (expr->kind == EXPR_COMP_FOR) {
        read_expr(walk, expr->b);
        bind(walk, expr->a, DEF_TURN);
        return;
    }
    if (expr->kind == EXPR_NAMED) {
        read_expr(walk, expr->b);
        bind(walk, expr->a, DEF_NAMED);
        return;
    }
    if (!call) read_expr(walk, expr->a);
    read_expr(walk, expr->b);
    if (expr->kind == EXPR_IF || expr->kind == EXPR_SLICE) read_expr(walk, expr->c);
    add(walk, id, slot_own(expr), ACCESS_USE);
}

/* What a pattern compares with or, with `binds`, what it captures: its names bind, except classes and the
   objects of attributes. */
static void walk_pattern(const AccessWalk *walk, ExprId id, bool binds) {
    if (!id) return;
    const Expr *expr = &walk->model->exprs.items[id];
    if (expr->kind == EXPR_NAME) {
        if (binds) bind(walk, id, DEF_OTHER);
        return;
    }
    if (expr->kind == EXPR_ATTRIBUTE) {
        if (!binds) read_expr(walk, id);
        return;
    }
    if (expr->kind == EXPR_CALL && !binds) read_expr(walk, expr->a);
    if (expr->kind != EXPR_CALL) walk_pattern(walk, expr->a, binds);
    walk_pattern(walk, expr->b, binds);
    for (uint32_t i = 0; i < expr->list.count; i++)
        walk_pattern(walk, walk->model->links.items[expr->list.first + i], binds);
}

static void run_definition(const AccessWalk *walk, const Stmt *stmt) {
    if (stmt->kind == STMT_FUNCTION) {
        const Func *func = &walk->model->funcs.items[stmt->func];
        read_list(walk, func->decorators);
        for (uint32_t i = 0; i < func->param_count; i++)
            read_expr(walk, walk->model->params.items[func->first_param + i].fallback);
    } else {
        const Class *class_ = &walk->model->classes.items[stmt->class_id];
        read_list(walk, class_->bases);
        read_list(walk, class_->decorators);
    }
    bind(walk, stmt->b, DEF_OTHER);
}

static void run_bindings(const AccessWalk *walk, const Stmt *stmt) {
    const uint32_t *links = &walk->model->links.items[stmt->list.first];
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        if (stmt->kind == STMT_IMPORT) bind(walk, walk->model->imports.items[links[i]].target, DEF_OTHER);
        if (stmt->kind == STMT_DELETE) bind(walk, links[i], DEF_DELETE);
        if (stmt->kind == STMT_ASSIGN && stmt->b) bind(walk, links[i], DEF_ASSIGN);
    }
}

static void run(const AccessWalk *walk, const Stmt *stmt) {
    switch ((StmtKind)stmt->kind) {
    case STMT_FUNCTION:
    case STMT_CLASS: run_definition(walk, stmt); break;
    case STMT_ASSIGN:
        read_expr(walk, stmt->b);
        run_bindings(walk, stmt);
        break;
    case STMT_AUGMENT:
        read_expr(walk, stmt->a);
        read_expr(walk, stmt->b);
        bind(walk, stmt->a, DEF_AUGMENT);
        break;
    case STMT_IMPORT:
    case STMT_DELETE: run_bindings(walk, stmt); break;
    case STMT_MATCH:
    case STMT_EXPR:
    case STMT_RETURN:
    case STMT_RAISE:
    case STMT_ASSERT:
        read_expr(walk, stmt->a);
        read_expr(walk, stmt->b);
        break;
    default: break;
    }
}

static void walk_step(const AccessWalk *walk, const Stmt *stmt, StepKind kind) {
    ExprId pattern =
        stmt->kind == STMT_CASE && stmt->list.count ? walk->model->links.items[stmt->list.first] : 0;
    switch (kind) {
    case STEP_RUN: run(walk, stmt); break;
    case STEP_TEST:
        if (stmt->kind == STMT_CASE)
            walk_pattern(walk, pattern, false);
        else
            read_expr(walk, stmt->a);
        break;
    case STEP_GUARD: read_expr(walk, stmt->a); break;
    case STEP_ITER: read_expr(walk, stmt->b); break;
    case STEP_BIND:
        if (stmt->kind == STMT_CASE) walk_pattern(walk, pattern, true);
        if (stmt->kind == STMT_FOR) bind(walk, stmt->a, DEF_TURN);
        if (stmt->kind == STMT_HANDLER) bind(walk, stmt->b, DEF_OTHER);
        break;
    case STEP_ENTER:
        read_expr(walk, stmt->a);
        bind(walk, stmt->b, DEF_ENTER);
        break;
    }
}

void graph_accesses(GraphMaking *self, FlowStep *step) {
    AccessWalk walk = {.making = self, .model = self->model, .step = self->steps.count};
    step->first_access = self->accesses.count;
    walk_step(&walk, &self->model->stmts.items[step->stmt], step->kind);
}
