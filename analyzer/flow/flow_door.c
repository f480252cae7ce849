/* Doors: what a branch makes only when it is not there yet, by the path or key that its condition asks for. */
#include "flow_walk.h"

/* What is asked for: an attribute, a variable, or a key of a container, that outlive the call. */
typedef struct Door {
    ExprId path;      /* the attribute or variable, or the container */
    ExprId key;       /* 0 = no container */
    Text name;        /* of hasattr(path, name), getattr(path, name, False); else empty */
    bool once, truth; /* nothing varies within a run; only a True shuts it */
} Door;

/* How what was missing is filled; a True says that it is never missing again. */
typedef enum Shut { SHUT_NO, SHUT_FILLED, SHUT_TRUE } Shut;

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
    bool part = expr->kind == EXPR_ATTRIBUTE && names_place(walk, expr->a); /* device.index */
    if (part || names_place(walk, id)) return true;
    ExprId made = depth < 2 ? assigned_once(walk, expr) : 0;
    return made && is_of_run(walk, made, depth + 1);
}

static bool asks_attribute(const Walk *walk, const Expr *call, Door *door) {
    const Expr *callee = call->kind == EXPR_CALL ? expr_of(walk, call->a) : NULL;
    if (!callee || callee->kind != EXPR_NAME || call->list.count < 2) return false;
    bool gets = python_is(PY_getattr, model_name(walk->model, callee->name)) && call->list.count == 3;
    if (gets) { /* getattr(self, "checked", False) */
        uint8_t fallback = expr_of(walk, item_of(walk, call, 2))->kind;
        gets = fallback == EXPR_FALSE || fallback == EXPR_NONE;
    }
    if (!gets && !python_is(PY_hasattr, model_name(walk->model, callee->name))) return false;
    const Expr *name = expr_of(walk, item_of(walk, call, 1));
    if (name->kind != EXPR_STRING) return false;
    *door = (Door){.path = item_of(walk, call, 0),
                   .name = model_name(walk->model, name->name),
                   .once = true,
                   .truth = gets};
    return true;
}

static Door door_of_key(const Walk *walk, ExprId container, ExprId key) {
    return (Door){.path = container, .key = key, .once = is_literal(walk, key) || is_of_run(walk, key, 0)};
}

/* What a variable has at a place: of the values that may come there the one that stands last in the text. */
static ExprId last_given(const Walk *walk, const Expr *name) {
    AccessId use = graph_access(walk->graph, (ExprId)(name - walk->model->exprs.items)), last = 0;
    Reaching reaching = {0};
    if (use) graph_reaching(walk->graph, walk->arena, use, &reaching);
    for (uint32_t i = 0; i < reaching.items.count; i++) {
        AccessId def = reaching.items.items[i];
        if (def > last && def < use && walk->graph->accesses[def].kind == DEF_ASSIGN) last = def;
    }
    return last ? graph_value(walk->graph, last) : 0;
}

/* `kept = CACHES.get(key)`, `kept = getattr(self, "kept", None)`, `kept = self.kept`: what a variable was last given. */
static bool asks_kept(const Walk *walk, const Expr *name, Door *door) {
    ExprId made = last_given(walk, name);
    if (!made) return false;
    const Expr *given = expr_of(walk, made);
    if (given->kind == EXPR_ATTRIBUTE) *door = (Door){.path = made, .once = true};
    if (given->kind != EXPR_CALL) return given->kind == EXPR_ATTRIBUTE;
    const Expr *callee = expr_of(walk, given->a);
    bool gets = callee->kind == EXPR_ATTRIBUTE && given->list.count && outlives(walk, callee->a) &&
                python_is(PY_get, model_name(walk->model, callee->name));
    if (gets) *door = door_of_key(walk, callee->a, item_of(walk, given, 0));
    return gets || asks_attribute(walk, given, door);
}

/* X of `X is None` */
static bool asks_none(const Walk *walk, ExprId id, Door *door) {
    const Expr *expr = expr_of(walk, id);
    bool found = outlives(walk, id);
    if (expr->kind == EXPR_SUBSCRIPT && found)
        *door = door_of_key(walk, expr->a, expr->b);
    else if (found)
        *door = (Door){.path = id, .once = true};
    else if (expr->kind == EXPR_NAME && expr->slot)
        found = asks_kept(walk, expr, door);
    else
        found = asks_attribute(walk, expr, door);
    if (found) door->truth = false;
    return found;
}

static bool asks_compare(const Walk *walk, const Expr *expr, bool missing, Door *door) {
    if (expr->kind != EXPR_COMPARE || expr->list.count != 2) return false;
    ExprId left = item_of(walk, expr, 0), right = item_of(walk, expr, 1);
    if (expr->op == (missing ? OP_NOT_IN : OP_IN) && outlives(walk, right)) {
        *door = door_of_key(walk, right, left);
        return true;
    }
    return expr->op == (missing ? OP_IS : OP_IS_NOT) && expr_of(walk, right)->kind == EXPR_NONE &&
           asks_none(walk, left, door);
}

/* Whether the condition, when true, says that something is missing, or with `missing` false that it is there. */
static bool asks(const Walk *walk, ExprId condition, bool missing, Door *door) {
    const Expr *expr = expr_of(walk, condition);
    if (asks_compare(walk, expr, missing, door)) return true;
    if (expr->kind == EXPR_NOT && asks_compare(walk, expr_of(walk, expr->a), !missing, door)) return true;
    if (missing && expr->kind != EXPR_NOT) return false;
    ExprId asked = missing ? expr->a : condition;
    if (asks_attribute(walk, expr_of(walk, asked), door)) return true;
    if (expr_of(walk, asked)->kind == EXPR_SUBSCRIPT || !outlives(walk, asked)) return false;
    *door = (Door){.path = asked, .once = true, .truth = true};
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

/* What the door asks of: `self` of `self.kept`; 0 = a variable. */
static ExprId owner_of(const Walk *walk, const Door *door) {
    if (door->name.length) return door->path;
    const Expr *path = expr_of(walk, door->path);
    return path->kind == EXPR_ATTRIBUTE ? path->a : 0;
}

static Sym name_of(const Walk *walk, const Door *door) {
    return door->name.length ? names_find(&walk->inference->program->names, door->name)
                             : walk->file->syms[expr_of(walk, door->path)->name];
}

/* ---- what a callee fills ---- */

static bool is_param(const FileModel *model, const Func *func, const Expr *expr) {
    return expr->kind == EXPR_NAME && expr->binding == BIND_LOCAL && expr->slot &&
           model->locals.items[func->first_local + expr->slot - 1].is_param;
}

/* The function assigns the module's variable, or the attribute of one of its parameters, something that is there. */
static Shut assigned_in(const Inference *inference, const Context *context, Sym name, bool variable) {
    const FileModel *model = inference->program->files.items[context->file].model;
    const Writes *writes = inference->writes[context->file];
    Shut shut = SHUT_NO;
    for (const Write *w = writes_of_name(writes, name); w; w = write_next(writes, w)) {
        const Expr *target = &model->exprs.items[w->target], *owner = &model->exprs.items[target->a];
        uint8_t value = model->exprs.items[model->stmts.items[w->stmt].b].kind;
        if (w->func != context->func || w->kind != DEF_ASSIGN || !value || value == EXPR_NONE ||
            value == EXPR_FALSE)
            continue;
        bool there =
            variable ? target->kind == EXPR_NAME && target->binding != BIND_LOCAL
                     : target->kind == EXPR_ATTRIBUTE && is_param(model, &model->funcs.items[w->func], owner);
        if (there && value == EXPR_TRUE) return SHUT_TRUE;
        if (there) shut = SHUT_FILLED;
    }
    return shut;
}

/* In the callee, or in what it calls of the same file. */
static Shut shut_by_callee(const Walk *walk, ContextId id, Sym name, bool variable, int depth) {
    enum { DEEPEST = 2, EDGES_MOST = 64 };
    const Context *context = walk->inference->contexts.items[id];
    if (variable && context->file != walk->context->file) return SHUT_NO;
    const FileModel *model = walk->inference->program->files.items[context->file].model;
    if (!variable && depth && !model->funcs.items[context->func].class_id) return SHUT_NO;
    Shut shut = assigned_in(walk->inference, context, name, variable);
    for (uint32_t e = 0; !shut && depth < DEEPEST && e < context->edges.count && e < EDGES_MOST; e++) {
        ContextId callee = context->edges.items[e].callee;
        bool here = walk->inference->contexts.items[callee]->file == context->file;
        if (here && context->edges.items[e].rate == RATE_CALL)
            shut = shut_by_callee(walk, callee, name, variable, depth + 1);
    }
    return shut;
}

/* The call is one of a method of that owner, or is given it. */
static bool takes(const Walk *walk, const Expr *call, ExprId owner) {
    const Expr *callee = expr_of(walk, call->a);
    if (callee->kind == EXPR_ATTRIBUTE && same_source(walk, callee->a, owner)) return true;
    for (uint32_t i = 0; i < call->list.count; i++)
        if (same_source(walk, item_of(walk, call, i), owner)) return true;
    return false;
}

/* `self.ready.fill_(True)`, `self.ready.data.copy_(torch.ones(1))` */
static bool overwrites(const Walk *walk, const Door *door, const Expr *call) {
    const Expr *callee = expr_of(walk, call->a);
    if (callee->kind != EXPR_ATTRIBUTE || call->list.count != 1) return false;
    Text name = model_name(walk->model, callee->name);
    if (!name_is(walk->inference->book, NAMED_filling_method, name)) return false;
    const Expr *value = expr_of(walk, item_of(walk, call, 0)), *owner = expr_of(walk, callee->a);
    bool data = owner->kind == EXPR_ATTRIBUTE &&
                name_is(walk->inference->book, NAMED_data_attribute, model_name(walk->model, owner->name));
    return value->kind != EXPR_FALSE && same_source(walk, data ? owner->a : callee->a, door->path);
}

/* `SEEN.add(key)`, `DONE.append(name)` */
static bool remembers(const Walk *walk, const Door *door, const Expr *call) {
    const Expr *callee = expr_of(walk, call->a);
    if (callee->kind != EXPR_ATTRIBUTE || call->list.count != 1) return false;
    Text name = model_name(walk->model, callee->name);
    if (!python_is(PY_add, name) && !python_is(PY_append, name)) return false;
    return same_source(walk, callee->a, door->path) && same_source(walk, item_of(walk, call, 0), door->key);
}

static Shut shut_by_call(const Walk *walk, const Door *door, ExprId id) {
    if (!id || expr_of(walk, id)->kind != EXPR_CALL) return SHUT_NO;
    const Expr *call = expr_of(walk, id);
    if (door->key) return remembers(walk, door, call) ? SHUT_FILLED : SHUT_NO;
    if (door->truth && overwrites(walk, door, call)) return SHUT_TRUE;
    ExprId owner = owner_of(walk, door);
    Shut shut = SHUT_NO;
    if (owner && !takes(walk, call, owner)) return SHUT_NO;
    for (uint32_t e = first_edge(walk, id); e && !shut; e = walk->edge_next[e])
        if (walk->context->edges.items[e - 1].rate == RATE_CALL)
            shut =
                shut_by_callee(walk, walk->context->edges.items[e - 1].callee, name_of(walk, door), !owner, 0);
    return shut;
}

/* ---- what a block fills ---- */

static Shut shut_in(const Walk *walk, const Door *door, List block, uint32_t from);

static Shut shut_by(const Walk *walk, const Door *door, const Stmt *stmt) {
    if (stmt->kind == STMT_WITH || stmt->kind == STMT_TRY) return shut_in(walk, door, stmt->body, 0);
    if (stmt->kind == STMT_EXPR) return shut_by_call(walk, door, stmt->a);
    if (stmt->kind != STMT_ASSIGN || !stmt->b) return SHUT_NO;
    uint8_t value = expr_of(walk, stmt->b)->kind;
    for (uint32_t t = 0; value != EXPR_NONE && t < stmt->list.count; t++)
        if (shuts(walk, door, walk->model->links.items[stmt->list.first + t]))
            return value == EXPR_TRUE ? SHUT_TRUE : SHUT_FILLED;
    return shut_by_call(walk, door, stmt->b);
}

/* Whether what was missing is filled from the i-th statement of a block on. */
static Shut shut_in(const Walk *walk, const Door *door, List block, uint32_t from) {
    Shut shut = SHUT_NO;
    for (uint32_t i = from; i < block.count && !shut; i++)
        shut = shut_by(walk, door, &walk->model->stmts.items[walk->model->links.items[block.first + i]]);
    return shut;
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

static bool makes_object(const FileModel *model, const Func *func) {
    return func->kind != FUNC_DEF || text_equal(model_name(model, func->name), TEXT("__init__"));
}

/* A flag that this function takes back, or another one that is no constructor. */
typedef enum Reopened { REOPENED_NEVER, REOPENED_ELSEWHERE, REOPENED_HERE } Reopened;

static Reopened reopened(const Walk *walk, const Door *door) {
    const FileModel *model = walk->model;
    const Writes *writes = walk->inference->writes[walk->context->file];
    uint8_t kind = owner_of(walk, door) ? EXPR_ATTRIBUTE : EXPR_NAME;
    Reopened found = REOPENED_NEVER;
    for (const Write *w = writes_of_name(writes, name_of(walk, door)); w; w = write_next(writes, w)) {
        const Func *func = &model->funcs.items[w->func];
        bool clears = w->kind == DEF_ASSIGN && expr_of(walk, model->stmts.items[w->stmt].b)->kind == EXPR_FALSE;
        if (!clears || makes_object(model, func) || expr_of(walk, w->target)->kind != kind) continue;
        if (func == walk->func) return REOPENED_HERE;
        found = REOPENED_ELSEWHERE;
    }
    return found;
}

/* How what stands behind the door runs: once in a run, or now and then. */
static bool runs_behind(const Walk *walk, const Door *door, Shut shut, Item *guard) {
    Reopened again = door->truth && !door->key ? reopened(walk, door) : REOPENED_NEVER;
    if (!shut || again == REOPENED_HERE) return false;
    bool once = door->once && (!door->truth || shut == SHUT_TRUE) && !again;
    if (once)
        guard->role = PINS_RUN;
    else
        guard->flags |= GUARD_EVERY;
    return true;
}

void guard_door(const Walk *walk, const Stmt *stmt, Item *guard) {
    Door door;
    uint8_t condition = expr_of(walk, stmt->a)->kind;
    if (asks(walk, stmt->a, true, &door)) {
        Shut shut = shut_in(walk, &door, stmt->body, 0);
        if (!shut && door.truth) shut = shut_in(walk, &door, walk->func->body, 0); /* behind the branch */
        runs_behind(walk, &door, shut, guard);
        return;
    }
    bool plain = condition == EXPR_ATTRIBUTE; /* `if self.hidden:` may be so at every call */
    if (!plain && refreshes(walk, stmt, stmt->a)) guard->flags |= GUARD_EVERY;
}

/* `try: return CACHES[key]` */
static bool tries(const Walk *walk, const Stmt *stmt, Door *door) {
    const Stmt *last = stmt->kind == STMT_TRY ? model_last(walk->model, stmt->body) : NULL;
    if (!last || last->kind != STMT_RETURN || !last->a || stmt->orelse.count) return false;
    const Expr *given = expr_of(walk, last->a);
    if (given->kind != EXPR_SUBSCRIPT || !outlives(walk, given->a)) return false;
    *door = door_of_key(walk, given->a, given->b);
    return true;
}

/* What follows the i-th statement of a block, an `if`, runs where its condition does not hold: its body goes elsewhere. */
static bool is_rest(const Walk *walk, List block, uint32_t i) {
    if (i + 1 >= block.count) return false;
    const uint32_t *ids = &walk->model->links.items[block.first + i];
    Guard guard;
    return graph_guard(walk->graph, graph_block(walk->graph, ids[1]), &guard) && guard.stmt == ids[0] &&
           !guard.truth;
}

/* `if self.x is not None: return self.x`, and self.x is made below: the rest of the block runs when it is missing. */
bool guard_rest(const Walk *walk, List block, uint32_t i, Item *guard) {
    Door door;
    const Stmt *stmt = &walk->model->stmts.items[walk->model->links.items[block.first + i]];
    bool leaves = stmt->kind == STMT_IF && is_rest(walk, block, i) && asks(walk, stmt->a, false, &door);
    if (!leaves && !tries(walk, stmt, &door)) return false;
    return runs_behind(walk, &door, shut_in(walk, &door, block, i + 1), guard);
}
