/* Doors: what a branch makes only when it is not there yet, by the path or key that its condition asks for. */
#include "flow_walk.h"

/* What is asked for: an attribute, or a key of a container that outlives the call. */
typedef struct Door {
    ExprId path;      /* the attribute, or the container */
    ExprId key;       /* 0 = an attribute */
    Text name;        /* of hasattr(path, name), getattr(path, name, False); else empty */
    bool once, truth; /* nothing varies within a run; only a True shuts it */
} Door;

static const Expr *expr_of(const Walk *walk, ExprId id) { return &walk->model->exprs.items[id]; }
static ExprId item_of(const Walk *walk, const Expr *expr, uint32_t i) {
    return walk->model->links.items[expr->list.first + i];
}

static bool same_source(const Walk *walk, ExprId a, ExprId b) {
    Span left = expr_of(walk, a)->span, right = expr_of(walk, b)->span;
    const char *bytes = walk->file->bytes.bytes;
    uint32_t length = left.end - left.start;
    return length == right.end - right.start && memcmp(bytes + left.start, bytes + right.start, length) == 0;
}

/* A local variable or parameter is new at every call. */
static bool outlives(const Walk *walk, ExprId id) {
    const Expr *expr = expr_of(walk, id);
    return expr->kind == EXPR_ATTRIBUTE || (expr->kind == EXPR_NAME && expr->binding != BIND_LOCAL) ||
           (expr->kind == EXPR_SUBSCRIPT && outlives(walk, expr->a));
}

static bool is_literal(const Walk *walk, ExprId id) {
    uint8_t kind = expr_of(walk, id)->kind;
    return kind == EXPR_STRING || kind == EXPR_INT;
}

static bool names_place(const Walk *walk, ExprId id) {
    const Value *value = infer_fact(walk->context, walk->model, id);
    return value && (value_has(value, KIND_DEVICE) || value_has(value, KIND_DTYPE));
}

/* A key of devices and dtypes, `key = (x.device, x.dtype)`: a run has one of them. */
static bool is_of_run(const Walk *walk, ExprId id, int depth) {
    const Expr *expr = expr_of(walk, id);
    if (expr->kind == EXPR_TUPLE) {
        for (uint32_t i = 0; i < expr->list.count; i++)
            if (!names_place(walk, item_of(walk, expr, i))) return false;
        return expr->list.count > 0;
    }
    if (names_place(walk, id)) return true;
    ExprId made = depth < 2 ? assigned_once(walk, expr) : 0;
    return made && is_of_run(walk, made, depth + 1);
}

static bool asks_attribute(const Walk *walk, const Expr *call, Door *door) {
    const Expr *callee = call->kind == EXPR_CALL ? expr_of(walk, call->a) : NULL;
    if (!callee || callee->kind != EXPR_NAME || call->list.count < 2) return false;
    bool gets = text_equal(model_name(walk->model, callee->name), TEXT("getattr")) && call->list.count == 3;
    if (gets) { /* getattr(self, "checked", False) */
        uint8_t fallback = expr_of(walk, item_of(walk, call, 2))->kind;
        gets = fallback == EXPR_FALSE || fallback == EXPR_NONE;
    }
    if (!gets && !text_equal(model_name(walk->model, callee->name), TEXT("hasattr"))) return false;
    const Expr *name = expr_of(walk, item_of(walk, call, 1));
    if (name->kind != EXPR_STRING) return false;
    *door = (Door){.path = item_of(walk, call, 0),
                   .name = model_name(walk->model, name->name),
                   .once = true,
                   .truth = gets};
    return true;
}

static bool asks_compare(const Walk *walk, const Expr *expr, bool missing, Door *door) {
    if (expr->kind != EXPR_COMPARE || expr->list.count != 2) return false;
    ExprId left = item_of(walk, expr, 0), right = item_of(walk, expr, 1);
    if (expr->op == (missing ? OP_NOT_IN : OP_IN) && outlives(walk, right)) {
        *door = (Door){.path = right, .key = left, .once = is_literal(walk, left) || is_of_run(walk, left, 0)};
        return true;
    }
    if (expr->op != (missing ? OP_IS : OP_IS_NOT) || expr_of(walk, right)->kind != EXPR_NONE) return false;
    if (expr_of(walk, left)->kind != EXPR_ATTRIBUTE) return false;
    *door = (Door){.path = left, .once = true};
    return true;
}

/* Whether the condition, when true, says that something is missing, or with `missing` false that it is there. */
static bool asks(const Walk *walk, ExprId condition, bool missing, Door *door) {
    const Expr *expr = expr_of(walk, condition);
    if (asks_compare(walk, expr, missing, door)) return true;
    if (!missing) return asks_attribute(walk, expr, door);
    if (expr->kind != EXPR_NOT) return false;
    if (asks_attribute(walk, expr_of(walk, expr->a), door)) return true;
    if (expr_of(walk, expr->a)->kind != EXPR_ATTRIBUTE) return false;
    *door = (Door){.path = expr->a, .once = true, .truth = true};
    return true;
}

static bool shuts(const Walk *walk, const Door *door, ExprId target) {
    const Expr *expr = expr_of(walk, target);
    if (door->key)
        return expr->kind == EXPR_SUBSCRIPT && same_source(walk, expr->a, door->path) &&
               same_source(walk, expr->b, door->key);
    if (!door->name.length) return same_source(walk, target, door->path);
    return expr->kind == EXPR_ATTRIBUTE && same_source(walk, expr->a, door->path) &&
           text_equal(model_name(walk->model, expr->name), door->name);
}

/* The statement that fills what was missing, from the i-th of a block on; 0 = none. */
static StmtId shut_in(const Walk *walk, const Door *door, List block, uint32_t from) {
    for (uint32_t i = from; i < block.count; i++) {
        StmtId id = walk->model->links.items[block.first + i];
        const Stmt *stmt = &walk->model->stmts.items[id];
        if (stmt->kind == STMT_WITH && shut_in(walk, door, stmt->body, 0)) return id;
        if (stmt->kind != STMT_ASSIGN || !stmt->b || expr_of(walk, stmt->b)->kind == EXPR_NONE) continue;
        for (uint32_t t = 0; t < stmt->list.count; t++)
            if (shuts(walk, door, walk->model->links.items[stmt->list.first + t])) return id;
    }
    return 0;
}

/* `if self.shape != shape:`, `if not self.ready or stale:` that assigns what it compared: until that changes. */
static bool refreshes(const Walk *walk, const Stmt *stmt, ExprId condition) {
    const Expr *expr = expr_of(walk, condition);
    if (expr->kind == EXPR_NOT) return refreshes(walk, stmt, expr->a);
    if (expr->kind == EXPR_AND || expr->kind == EXPR_OR || expr->kind == EXPR_COMPARE) {
        bool there = expr->kind == EXPR_COMPARE && expr->op == OP_IS_NOT;
        for (uint32_t i = 0; !there && i < expr->list.count; i++)
            if (refreshes(walk, stmt, item_of(walk, expr, i))) return true;
        return false;
    }
    if (expr->kind != EXPR_ATTRIBUTE) return false;
    Door door = {.path = condition};
    const Expr *owner = expr_of(walk, expr->a); /* the path itself, or what it is a part of: self.weight.ndim */
    if (shut_in(walk, &door, stmt->body, 0)) return true;
    return owner->kind == EXPR_ATTRIBUTE && refreshes(walk, stmt, expr->a);
}

void guard_door(const Walk *walk, const Stmt *stmt, Item *guard) {
    Door door;
    uint8_t condition = expr_of(walk, stmt->a)->kind;
    if (asks(walk, stmt->a, true, &door)) {
        StmtId by = shut_in(walk, &door, stmt->body, 0);
        if (!by && door.truth) by = shut_in(walk, &door, walk->func->body, 0); /* behind the branch */
        if (!by) return;
        const Stmt *shut = &walk->model->stmts.items[by];
        bool truth = !door.truth || (shut->kind == STMT_ASSIGN && expr_of(walk, shut->b)->kind == EXPR_TRUE);
        guard->flags |= door.once && truth ? GUARD_LEAVES : GUARD_EVERY;
        return;
    }
    bool plain = condition == EXPR_ATTRIBUTE; /* `if self.hidden:` may be so at every call */
    if (!plain && refreshes(walk, stmt, stmt->a)) guard->flags |= GUARD_EVERY;
}

/* `if self.x is not None: return self.x`, and self.x is made below: the rest of the block runs when it is missing. */
bool guard_rest(const Walk *walk, List block, uint32_t i, Item *guard) {
    Door door;
    const Stmt *stmt = &walk->model->stmts.items[walk->model->links.items[block.first + i]];
    if (stmt->kind != STMT_IF || stmt->orelse.count || !stmt->body.count) return false;
    const Stmt *last =
        &walk->model->stmts.items[walk->model->links.items[stmt->body.first + stmt->body.count - 1]];
    if (last->kind != STMT_RETURN || !asks(walk, stmt->a, false, &door)) return false;
    if (!shut_in(walk, &door, block, i + 1)) return false;
    guard->flags |= door.once ? GUARD_LEAVES : GUARD_EVERY;
    return true;
}
