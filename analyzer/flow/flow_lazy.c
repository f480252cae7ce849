/* Lazy initialisation: a branch that creates what its condition finds missing, by path or key. Example: `if
   self.table is None: self.table = make()`. The branch runs once in a run, or as often as its result is reset. */
#include "flow_pick.h"

/* What is tested: an attribute, a variable, or a key of a container, which outlives the call. */
typedef struct LazyInit {
    ExprId path;      /* the attribute or variable, or the container */
    ExprId key;       /* 0 = no container */
    Text name;        /* of hasattr(path, name), getattr(path, name, False); else empty */
    bool once, truth; /* once: the key is constant throughout a run; truth: only True counts as present */
} LazyInit;

enum { DROPS_ASKED = 16 };

/* How the missing thing is filled: with a value, or with True, after which it is never missing again. */
typedef enum Fill { FILL_NO, FILL_VALUE, FILL_TRUE } Fill;

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

/* `state` after `state = self.state[p]` is what that is. */
static bool outlives_by_another_name(const Walk *walk, ExprId id) {
    ExprId made = assigned_once(walk, expr_of(walk, id));
    return outlives(walk, id) || (made && outlives(walk, made));
}

static bool is_literal(const Walk *walk, ExprId id) {
    uint8_t kind = expr_of(walk, id)->kind;
    return kind == EXPR_STRING || kind == EXPR_INT;
}

static bool names_place(const Walk *walk, ExprId id) {
    const Value *value = infer_fact(walk->context, walk->model, id);
    return value && (value_has(value, KIND_DEVICE) || value_has(value, KIND_DTYPE));
}

/* A key of devices and dtypes, `key = (x.device, x.dtype)`, has one value in a run. */
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

static bool asks_attribute(const Walk *walk, const Expr *call, LazyInit *lazy) {
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
    *lazy = (LazyInit){.path = item_of(walk, call, 0),
                       .name = model_name(walk->model, name->name),
                       .once = true,
                       .truth = gets};
    return true;
}

static LazyInit lazy_of_key(const Walk *walk, ExprId container, ExprId key) {
    return (LazyInit){.path = container, .key = key, .once = is_literal(walk, key) || is_of_run(walk, key, 0)};
}

/* The value of a variable at a place: of the definitions that may reach it, the last in the text. */
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

/* `CACHES.get(key)`, `self.cache.get("table", None)` */
static bool asks_get(const Walk *walk, const Expr *call, LazyInit *lazy) {
    const Expr *callee = expr_of(walk, call->kind == EXPR_CALL ? call->a : 0);
    bool none = call->list.count == 1 ||
                (call->list.count == 2 && expr_of(walk, item_of(walk, call, 1))->kind == EXPR_NONE);
    if (callee->kind != EXPR_ATTRIBUTE || !none || !outlives(walk, callee->a)) return false;
    if (!python_is(PY_get, model_name(walk->model, callee->name))) return false;
    *lazy = lazy_of_key(walk, callee->a, item_of(walk, call, 0));
    return true;
}

/* A variable whose last assignment reads the cache: `kept = CACHES.get(key)`, `kept = self.kept`, or `kept =
   getattr(self, "kept", None)`. */
static bool asks_kept(const Walk *walk, const Expr *name, LazyInit *lazy) {
    ExprId made = last_given(walk, name);
    if (!made) return false;
    const Expr *given = expr_of(walk, made);
    if (given->kind == EXPR_ATTRIBUTE) *lazy = (LazyInit){.path = made, .once = true};
    if (given->kind != EXPR_CALL) return given->kind == EXPR_ATTRIBUTE;
    return asks_get(walk, given, lazy) || asks_attribute(walk, given, lazy);
}

/* X of `X is None` */
static bool asks_none(const Walk *walk, ExprId id, LazyInit *lazy) {
    const Expr *expr = expr_of(walk, id);
    bool found = outlives(walk, id);
    if (expr->kind == EXPR_SUBSCRIPT && found)
        *lazy = lazy_of_key(walk, expr->a, expr->b);
    else if (found)
        *lazy = (LazyInit){.path = id, .once = true};
    else if (expr->kind == EXPR_NAME && expr->slot)
        found = asks_kept(walk, expr, lazy);
    else
        found = asks_get(walk, expr, lazy) || asks_attribute(walk, expr, lazy);
    if (found) lazy->truth = false;
    return found;
}

static bool asks_compare(const Walk *walk, const Expr *expr, bool missing, LazyInit *lazy) {
    if (expr->kind != EXPR_COMPARE || expr->list.count != 2) return false;
    ExprId left = item_of(walk, expr, 0), right = item_of(walk, expr, 1);
    if (expr->op == (missing ? OP_NOT_IN : OP_IN) && outlives_by_another_name(walk, right)) {
        *lazy = lazy_of_key(walk, right, left);
        return true;
    }
    return expr->op == (missing ? OP_IS : OP_IS_NOT) && expr_of(walk, right)->kind == EXPR_NONE &&
           asks_none(walk, left, lazy);
}

/* `float(self.scale)`, `self.scales[2].item()`: what is read so. 0 = the call takes more. */
static ExprId read_by(const Walk *walk, const Expr *call) {
    const Expr *callee = expr_of(walk, call->a);
    if (callee->kind == EXPR_ATTRIBUTE && !call->list.count) return callee->a;
    return callee->kind == EXPR_NAME && call->list.count == 1 ? item_of(walk, call, 0) : 0;
}

/* Whether the condition, if true, says that something is missing or, with `missing` false, that it is there. */
static bool asks(const Walk *walk, ExprId condition, bool missing, LazyInit *lazy) {
    const Expr *expr = expr_of(walk, condition);
    if (asks_compare(walk, expr, missing, lazy)) return true;
    if (expr->kind == EXPR_NOT && asks_compare(walk, expr_of(walk, expr->a), !missing, lazy)) return true;
    if (missing && expr->kind != EXPR_NOT) return false;
    ExprId asked = missing ? expr->a : condition;
    if (asks_attribute(walk, expr_of(walk, asked), lazy)) return true;
    ExprId read = expr_of(walk, asked)->kind == EXPR_CALL ? read_by(walk, expr_of(walk, asked)) : 0;
    if (read) asked = read; /* not self.ready.item() */
    if (expr_of(walk, asked)->kind == EXPR_SUBSCRIPT || !outlives(walk, asked)) return false;
    *lazy = (LazyInit){.path = asked, .once = true, .truth = true};
    return true;
}

static bool fills(const Walk *walk, const LazyInit *lazy, ExprId target) {
    const Expr *expr = expr_of(walk, target);
    if (lazy->key)
        return expr->kind == EXPR_SUBSCRIPT && same_source(walk, expr->a, lazy->path) &&
               same_source(walk, expr->b, lazy->key);
    if (!lazy->name.length) return same_source(walk, target, lazy->path);
    return expr->kind == EXPR_ATTRIBUTE && same_source(walk, expr->a, lazy->path) &&
           text_equal(model_name(walk->model, expr->name), lazy->name);
}

/* The object of the path: `self` of `self.kept`; 0 = a variable. */
static ExprId owner_of(const Walk *walk, const LazyInit *lazy) {
    if (lazy->name.length) return lazy->path;
    const Expr *path = expr_of(walk, lazy->path);
    return path->kind == EXPR_ATTRIBUTE ? path->a : 0;
}

static Sym name_of(const Walk *walk, const LazyInit *lazy) {
    return lazy->name.length ? names_find(&walk->inference->program->names, lazy->name)
                             : walk->file->syms[expr_of(walk, lazy->path)->name];
}

/* False, 0, torch.tensor([False]) */
static bool says_no(const FileModel *model, ExprId id) {
    const Expr *expr = &model->exprs.items[id];
    bool holds = (expr->kind == EXPR_CALL || expr->kind == EXPR_LIST) && expr->list.count;
    if (holds) return says_no(model, model->links.items[expr->list.first]);
    return expr->kind == EXPR_FALSE ||
           (expr->kind == EXPR_INT && text_equal(model_name(model, expr->name), TEXT("0")));
}

/* The object that the call fills with something true, e.g. `self.ready` in `self.ready.fill_(True)` and in
   `self.ready.data.copy_(torch.ones(1))`; 0 = the call fills nothing, or fills with False. */
static ExprId overwritten_by(const Rulebook *book, const FileModel *model, ExprId id) {
    const Expr *call = &model->exprs.items[id], *callee = &model->exprs.items[call->a];
    bool method = call->kind == EXPR_CALL && callee->kind == EXPR_ATTRIBUTE && call->list.count == 1;
    if (!method || !name_is(book, NAMED_filling_method, model_name(model, callee->name))) return 0;
    if (says_no(model, model->links.items[call->list.first])) return 0;
    const Expr *owner = &model->exprs.items[callee->a];
    bool data =
        owner->kind == EXPR_ATTRIBUTE && name_is(book, NAMED_data_attribute, model_name(model, owner->name));
    return data ? owner->a : callee->a;
}

/* ---- filling in a callee ---- */

static bool is_param(const FileModel *model, const Func *func, const Expr *expr) {
    return expr->kind == EXPR_NAME && expr->binding == BIND_LOCAL && expr->slot &&
           model->locals.items[func->first_local + expr->slot - 1].is_param;
}

/* The function assigns a value to the module's variable, or to that attribute of one of its parameters. */
static Fill assigned_in(const Inference *inference, const Context *context, Sym name, bool variable) {
    const FileModel *model = inference->program->files.items[context->file].model;
    const Writes *writes = inference->writes[context->file];
    Fill fill = FILL_NO;
    for (const Write *w = writes_of_name(writes, name); w; w = write_next(writes, w)) {
        const Expr *target = &model->exprs.items[w->target], *owner = &model->exprs.items[target->a];
        uint8_t value = model->exprs.items[model->stmts.items[w->stmt].b].kind;
        if (w->func != context->func || w->kind != DEF_ASSIGN || !value || value == EXPR_NONE ||
            value == EXPR_FALSE)
            continue;
        bool there =
            variable ? target->kind == EXPR_NAME && target->binding != BIND_LOCAL
                     : target->kind == EXPR_ATTRIBUTE && is_param(model, &model->funcs.items[w->func], owner);
        if (there && value == EXPR_TRUE) return FILL_TRUE;
        if (there) fill = FILL_VALUE;
    }
    return fill;
}

/* The function overwrites that attribute of one of its parameters in place. */
static Fill overwritten_in(const Inference *inference, const Context *context, Sym name) {
    const SourceFile *file = &inference->program->files.items[context->file];
    const FileModel *model = file->model;
    const Func *func = &model->funcs.items[context->func];
    for (ExprId e = func->first_expr; e < func->end_expr; e++) {
        ExprId filled = overwritten_by(inference->book, model, e);
        const Expr *path = &model->exprs.items[filled];
        bool named = path->kind == EXPR_ATTRIBUTE && file->syms[path->name] == name;
        if (named && is_param(model, func, &model->exprs.items[path->a])) return FILL_TRUE;
    }
    return FILL_NO;
}

/* `super().to(device)` */
static bool calls_super(const FileModel *model, ExprId id) {
    const Expr *callee = &model->exprs.items[model->exprs.items[id].a];
    const Expr *owner = &model->exprs.items[callee->kind == EXPR_ATTRIBUTE ? callee->a : 0];
    const Expr *maker = &model->exprs.items[owner->kind == EXPR_CALL ? owner->a : 0];
    return maker->kind == EXPR_NAME && python_is(PY_super, model_name(model, maker->name));
}

/* In the callee, or in functions of the same file or of its base class that it calls. */
static Fill fill_by_callee(const Walk *walk, const LazyInit *lazy, ContextId id, bool variable, int depth) {
    enum { DEEPEST = 2, EDGES_MOST = 64 };
    const Context *context = walk->inference->contexts.items[id];
    if (variable && context->file != walk->context->file) return FILL_NO;
    const FileModel *model = walk->inference->program->files.items[context->file].model;
    if (!variable && depth && !model->funcs.items[context->func].class_id) return FILL_NO;
    Sym name = name_of(walk, lazy);
    Fill fill = assigned_in(walk->inference, context, name, variable);
    if (!fill && lazy->truth && !variable) fill = overwritten_in(walk->inference, context, name);
    for (uint32_t e = 0; !fill && depth < DEEPEST && e < context->edges.count && e < EDGES_MOST; e++) {
        ContextId callee = context->edges.items[e].callee;
        bool here = walk->inference->contexts.items[callee]->file == context->file ||
                    (!variable && calls_super(model, context->edges.items[e].expr));
        if (here && context->edges.items[e].rate == RATE_CALL)
            fill = fill_by_callee(walk, lazy, callee, variable, depth + 1);
    }
    return fill;
}

/* The call is of a method of that owner, or gets it as an argument. */
static bool takes(const Walk *walk, const Expr *call, ExprId owner) {
    const Expr *callee = expr_of(walk, call->a);
    if (callee->kind == EXPR_ATTRIBUTE && same_source(walk, callee->a, owner)) return true;
    for (uint32_t i = 0; i < call->list.count; i++)
        if (same_source(walk, item_of(walk, call, i), owner)) return true;
    return false;
}

static bool overwrites(const Walk *walk, const LazyInit *lazy, ExprId call) {
    ExprId filled = overwritten_by(walk->inference->book, walk->model, call);
    return filled && same_source(walk, filled, lazy->path);
}

/* `SEEN.add(key)`, `DONE.append(name)` */
static bool remembers(const Walk *walk, const LazyInit *lazy, const Expr *call) {
    const Expr *callee = expr_of(walk, call->a);
    if (callee->kind != EXPR_ATTRIBUTE || call->list.count != 1) return false;
    Text name = model_name(walk->model, callee->name);
    if (!python_is(PY_add, name) && !python_is(PY_append, name)) return false;
    return same_source(walk, callee->a, lazy->path) && same_source(walk, item_of(walk, call, 0), lazy->key);
}

static Fill fill_by_call(const Walk *walk, const LazyInit *lazy, ExprId id) {
    if (!id || expr_of(walk, id)->kind != EXPR_CALL) return FILL_NO;
    const Expr *call = expr_of(walk, id);
    if (lazy->key) return remembers(walk, lazy, call) ? FILL_VALUE : FILL_NO;
    if (lazy->truth && overwrites(walk, lazy, id)) return FILL_TRUE;
    ExprId owner = owner_of(walk, lazy);
    Fill fill = FILL_NO;
    if (owner && !takes(walk, call, owner)) return FILL_NO;
    for (uint32_t e = first_edge(walk, id); e && !fill; e = walk->edge_next[e])
        if (walk->context->edges.items[e - 1].rate == RATE_CALL)
            fill = fill_by_callee(walk, lazy, walk->context->edges.items[e - 1].callee, !owner, 0);
    return fill;
}

/* ---- filling in a block ---- */

static Fill fill_in(const Walk *walk, const LazyInit *lazy, List block, uint32_t from);

static Fill fill_by(const Walk *walk, const LazyInit *lazy, const Stmt *stmt) {
    if (stmt->kind == STMT_WITH || stmt->kind == STMT_TRY) return fill_in(walk, lazy, stmt->body, 0);
    if (stmt->kind == STMT_EXPR) return fill_by_call(walk, lazy, stmt->a);
    if (stmt->kind != STMT_ASSIGN || !stmt->b) return FILL_NO;
    uint8_t value = expr_of(walk, stmt->b)->kind;
    for (uint32_t t = 0; value != EXPR_NONE && t < stmt->list.count; t++)
        if (fills(walk, lazy, walk->model->links.items[stmt->list.first + t]))
            return value == EXPR_TRUE ? FILL_TRUE : FILL_VALUE;
    return fill_by_call(walk, lazy, stmt->b);
}

/* Whether the missing thing is filled from the i-th statement of a block on. */
static Fill fill_in(const Walk *walk, const LazyInit *lazy, List block, uint32_t from) {
    Fill fill = FILL_NO;
    for (uint32_t i = from; i < block.count && !fill; i++)
        fill = fill_by(walk, lazy, &walk->model->stmts.items[walk->model->links.items[block.first + i]]);
    return fill;
}

static bool refreshes(const Walk *walk, const Stmt *stmt, ExprId condition, int depth);

/* The part of the condition that was read from an attribute: `scale = self.scales[2].item()`, then `if scale <
   0:`. */
static bool refreshes_part(const Walk *walk, const Stmt *stmt, const Expr *expr, int depth) {
    enum { READS_DEEP = 6 };
    bool item = expr->kind == EXPR_SUBSCRIPT && outlives(walk, expr->a),
         literal = item && is_literal(walk, expr->b);
    ExprId from = expr->kind == EXPR_NAME   ? assigned_once(walk, expr)
                  : expr->kind == EXPR_CALL ? read_by(walk, expr)
                  : item && !literal        ? expr->a /* self.grid.shape[2:4] */
                                            : 0;
    LazyInit lazy = {.path = expr->a, .key = expr->b};
    if (literal) return fill_in(walk, &lazy, stmt->body, 0);
    return from && depth < READS_DEEP && refreshes(walk, stmt, from, depth + 1);
}

/* The branch assigns the path itself, or what the path is a part of: self.weight.ndim, self.grid[i].shape,
   self.solvers[0].size. */
static bool refreshes_path(const Walk *walk, const Stmt *stmt, ExprId path) {
    const Expr *expr = expr_of(walk, path);
    LazyInit lazy = {.path = path};
    if (expr->kind == EXPR_SUBSCRIPT) lazy.path = expr->a, lazy.key = expr->b;
    if ((expr->kind != EXPR_ATTRIBUTE && expr->kind != EXPR_SUBSCRIPT) || !outlives(walk, lazy.path))
        return false;
    return fill_in(walk, &lazy, stmt->body, 0) || refreshes_path(walk, stmt, expr->a);
}

/* `if self.shape != shape:` or `if not self.ready or stale:` that assigns what it tested: not again until that
   changes. */
static bool refreshes(const Walk *walk, const Stmt *stmt, ExprId condition, int depth) {
    const Expr *expr = expr_of(walk, condition);
    if (expr->kind == EXPR_NOT) return refreshes(walk, stmt, expr->a, depth);
    if (expr->kind == EXPR_AND || expr->kind == EXPR_OR || expr->kind == EXPR_COMPARE) {
        bool there = expr->kind == EXPR_COMPARE && expr->op == OP_IS_NOT;
        for (uint32_t i = 0; !there && i < expr->list.count; i++)
            if (refreshes(walk, stmt, item_of(walk, expr, i), depth)) return true;
        return false;
    }
    return expr->kind == EXPR_ATTRIBUTE ? refreshes_path(walk, stmt, condition)
                                        : refreshes_part(walk, stmt, expr, depth);
}

/* `self.device != x.device`: what is moved there stays there. */
static bool compares_places(const Walk *walk, ExprId condition) {
    const Expr *expr = expr_of(walk, condition);
    return expr->kind == EXPR_COMPARE && expr->op == OP_NE && expr->list.count == 2 &&
           (names_place(walk, item_of(walk, expr, 0)) || names_place(walk, item_of(walk, expr, 1)));
}

static bool makes_object(const FileModel *model, const Func *func) {
    return func->kind != FUNC_DEF || text_equal(model_name(model, func->name), TEXT("__init__"));
}

/* Whether a flag is reset: by this function, or by another one that is no constructor. */
typedef enum Reset { RESET_NEVER, RESET_ELSEWHERE, RESET_HERE } Reset;

static bool runs_by_default(const Walk *walk, StmtId stmt) {
    uint32_t asked = 0;
    Walk search = *walk;
    search.asked = &asked;
    return stmt && usual_passes(&search, graph_block(walk->graph, stmt), 0, 0, NULL) == TRI_YES;
}

/* The function always calls that other one of its file: `self.reset()`. */
static bool calls_always(const Walk *walk, FuncId func) {
    for (uint32_t e = 0; e < walk->context->edges.count; e++) {
        const CallEdge *edge = &walk->context->edges.items[e];
        const Context *callee = walk->inference->contexts.items[edge->callee];
        if (callee->file == walk->context->file && callee->func == func && edge->expr &&
            runs_by_default(walk, stmt_around(walk, expr_of(walk, edge->expr)->span)))
            return true;
    }
    return false;
}

/* What is made where it is None is set to None again in the same pass. Limit: that many assignments are asked. */
static bool is_dropped_anew(const Walk *walk, const LazyInit *lazy) {
    const FileModel *model = walk->model;
    const Writes *writes = walk->inference->writes[walk->context->file];
    uint32_t left = DROPS_ASKED;
    if (!writes || !owner_of(walk, lazy)) return false;
    for (const Write *w = writes_of_name(writes, name_of(walk, lazy)); w && left-- > 0;
         w = write_next(writes, w)) {
        const Func *func = &model->funcs.items[w->func];
        bool drops = w->kind == DEF_ASSIGN && expr_of(walk, model->stmts.items[w->stmt].b)->kind == EXPR_NONE;
        if (!drops || makes_object(model, func) || func->class_id != walk->func->class_id) continue;
        if (func == walk->func ? runs_by_default(walk, w->stmt) : calls_always(walk, w->func)) return true;
    }
    return false;
}

static Reset resets(const Walk *walk, const LazyInit *lazy) {
    const FileModel *model = walk->model;
    const Writes *writes = walk->inference->writes[walk->context->file];
    uint8_t kind = owner_of(walk, lazy) ? EXPR_ATTRIBUTE : EXPR_NAME;
    Reset found = RESET_NEVER;
    for (const Write *w = writes_of_name(writes, name_of(walk, lazy)); w; w = write_next(writes, w)) {
        const Func *func = &model->funcs.items[w->func];
        bool clears = w->kind == DEF_ASSIGN && expr_of(walk, model->stmts.items[w->stmt].b)->kind == EXPR_FALSE;
        if (!clears || makes_object(model, func) || expr_of(walk, w->target)->kind != kind) continue;
        if (func == walk->func) return RESET_HERE;
        found = RESET_ELSEWHERE;
    }
    return found;
}

/* Sets how often the guarded block runs: once in a run, or occasionally. */
static bool guard_filled(const Walk *walk, const LazyInit *lazy, Fill fill, Item *guard) {
    Reset again = lazy->truth && !lazy->key ? resets(walk, lazy) : RESET_NEVER;
    if (!fill || again == RESET_HERE || (!lazy->truth && !lazy->key && is_dropped_anew(walk, lazy)))
        return false;
    bool once = lazy->once && (!lazy->truth || fill == FILL_TRUE) && !again;
    if (once)
        guard->role = PINS_RUN;
    else
        guard->flags |= GUARD_EVERY;
    return true;
}

void guard_lazy_init(const Walk *walk, const Stmt *stmt, Item *guard) {
    LazyInit lazy;
    uint8_t condition = expr_of(walk, stmt->a)->kind;
    if (asks(walk, stmt->a, true, &lazy)) {
        Fill fill = fill_in(walk, &lazy, stmt->body, 0);
        if (!fill && lazy.truth) fill = fill_in(walk, &lazy, walk->func->body, 0); /* behind the branch */
        guard_filled(walk, &lazy, fill, guard);
        return;
    }
    bool plain = condition == EXPR_ATTRIBUTE; /* `if self.hidden:` may be so at every call */
    if (plain || !refreshes(walk, stmt, stmt->a, 0)) return;
    if (compares_places(walk, stmt->a))
        guard->role = PINS_RUN;
    else
        guard->flags |= GUARD_EVERY;
}

/* `try: return CACHES[key]` */
static bool tries(const Walk *walk, const Stmt *stmt, LazyInit *lazy) {
    const Stmt *last = stmt->kind == STMT_TRY ? model_last(walk->model, stmt->body) : NULL;
    if (!last || last->kind != STMT_RETURN || !last->a || stmt->orelse.count) return false;
    const Expr *given = expr_of(walk, last->a);
    if (given->kind != EXPR_SUBSCRIPT || !outlives(walk, given->a)) return false;
    *lazy = lazy_of_key(walk, given->a, given->b);
    return true;
}

/* What follows an `if` in a block runs where its condition is false, because its body leaves. */
static bool is_rest(const Walk *walk, List block, uint32_t i) {
    if (i + 1 >= block.count) return false;
    const uint32_t *ids = &walk->model->links.items[block.first + i];
    Guard guard;
    return graph_guard(walk->graph, graph_block(walk->graph, ids[1]), &guard) && guard.stmt == ids[0] &&
           !guard.truth;
}

/* `if self.x is not None: return self.x` with self.x created below: the rest of the block runs when it is
   missing. */
static bool guard_rest(const Walk *walk, List block, uint32_t i, Item *guard) {
    LazyInit lazy;
    const Stmt *stmt = &walk->model->stmts.items[walk->model->links.items[block.first + i]];
    bool leaves = stmt->kind == STMT_IF && is_rest(walk, block, i) && asks(walk, stmt->a, false, &lazy);
    if (!leaves && !tries(walk, stmt, &lazy)) return false;
    return guard_filled(walk, &lazy, fill_in(walk, &lazy, block, i + 1), guard);
}

/* Walks outwards over the conditions inside `stmt` that the block `at` depends on, up to the next one of an
   `if`. That `if` decides whether the code after `stmt` runs, because one of its branches leaves. */
static bool decides_rest(const Walk *walk, const Stmt *stmt, BlockId *at, Guard *guard) {
    while (graph_guard(walk->graph, *at, guard)) {
        const Stmt *test = &walk->model->stmts.items[guard->stmt];
        if (test->span.start < stmt->span.start || test->span.end > stmt->span.end) return false;
        *at = guard->test;
        if (test->kind == STMT_IF) return true;
    }
    return false;
}

uint32_t guard_behind(const Walk *walk, List block, uint32_t i, Item *guards, uint32_t room) {
    if (i + 1 >= block.count || !room) return 0;
    guards[0] = (Item){.kind = ITEM_GUARD};
    if (guard_rest(walk, block, i, &guards[0])) return 1;
    const uint32_t *ids = &walk->model->links.items[block.first + i];
    BlockId at = graph_block(walk->graph, ids[1]);
    Guard guard;
    uint32_t count = 0;
    while (count < room && decides_rest(walk, &walk->model->stmts.items[ids[0]], &at, &guard)) {
        Item item = {.kind = ITEM_GUARD, .expr = guard.condition};
        guard_condition(walk, guard.condition, guard.truth, &item);
        item.role = (uint8_t)guard_pins(walk, guard.condition, guard.truth);
        if (item.flags || item.rate || item.role) guards[count++] = item;
    }
    return count;
}
