/* What callers pass: a condition on a parameter holds as often as the arguments of all visible calls say. */
#include "calls.h"
#include "flow_walk.h"

/* Limits: calls whose arguments are examined (each is a condition of its own), and functions followed upwards. */
enum { CALLS_ASKED = 32, CALLERS_DEEP = 8 };

/* [ContextId]: calls from a root lead to it. Other contexts are left from evaluations before arguments joined. */
static const bool *find_reached(Arena *arena, const Inference *inference) {
    bool *reached = arena_new(arena, bool, inference->contexts.count);
    VEC(ContextId) work = {0};
    for (ContextId id = 1; id < inference->contexts.count; id++)
        if (inference->contexts.items[id]->root) {
            reached[id] = true;
            vec_push(arena, &work, id);
        }
    while (work.count) {
        const Context *context = inference->contexts.items[work.items[--work.count]];
        for (uint32_t e = 0; e < context->edges.count; e++) {
            ContextId callee = context->edges.items[e].callee;
            if (reached[callee]) continue;
            reached[callee] = true;
            vec_push(arena, &work, callee);
        }
    }
    return reached;
}

void flow_find_callers(Arena *arena, const Inference *inference, Callers *callers) {
    const bool *reached = find_reached(arena, inference);
    uint32_t count = inference->contexts.count, edges = 0;
    callers->first = arena_new(arena, uint32_t, count + 1);
    for (ContextId id = 1; id < count; id++) {
        const Context *context = inference->contexts.items[id];
        for (uint32_t e = 0; reached[id] && e < context->edges.count; e++, edges++)
            callers->first[context->edges.items[e].callee]++;
    }
    callers->items = arena_raw(arena, sizeof *callers->items * (edges + 1));
    for (ContextId id = 1; id <= count; id++) callers->first[id] += callers->first[id - 1]; /* ends, for now */
    for (ContextId id = count; id-- > 1;) {
        const Context *context = inference->contexts.items[id];
        for (uint32_t e = reached[id] ? context->edges.count : 0; e-- > 0;)
            callers->items[--callers->first[context->edges.items[e].callee]] = (Caller){id, e};
    }
}

uint32_t parameter_of(const Walk *walk, const Expr *expr) {
    AccessId use =
        expr->kind == EXPR_NAME ? graph_access(walk->graph, (ExprId)(expr - walk->model->exprs.items)) : 0;
    Reaching reaching = {0};
    if (!use || graph_is_def(&walk->graph->accesses[use])) return NO_PARAMETER;
    graph_reaching(walk->graph, walk->arena, use, &reaching);
    if (reaching.many || reaching.items.count != 1 || reaching.items.items[0]) return NO_PARAMETER;
    for (uint32_t i = 0; i < walk->func->param_count; i++) {
        const Param *param = &walk->model->params.items[walk->func->first_param + i];
        if (param->slot == slot_own(expr)) return param->star ? NO_PARAMETER : i;
    }
    return NO_PARAMETER;
}

Walk walk_of(const Walk *walk, ContextId id) {
    const Context *context = walk->inference->contexts.items[id];
    const SourceFile *file = &walk->inference->program->files.items[context->file];
    return (Walk){.arena = walk->arena,
                  .inference = walk->inference,
                  .around_calls = walk->around_calls,
                  .calls_up = walk->calls_up + 1,
                  .asked = walk->asked,
                  .kept = walk->kept,
                  .id = id,
                  .context = context,
                  .file = file,
                  .model = file->model,
                  .func = &file->model->funcs.items[context->func],
                  .graph = walk->inference->graphs[file->func_base + context->func]};
}

ContextId context_of(const Walk *walk, FuncId func) {
    return walk->inference->func_contexts[global_func(walk->inference, walk->context->file, func)];
}

CallersOf callers_of(const Walk *walk) {
    const Callers *all = &walk->around_calls->callers;
    CallersOf found = {.first = all->items + all->first[walk->id],
                       .count = all->first[walk->id + 1] - all->first[walk->id]};
    found.many = walk->calls_up >= CALLERS_DEEP || found.count > CALLS_ASKED;
    if (found.many) found.count = 0;
    return found;
}

ExprId call_names(const FileModel *from, ExprId id, Text name) {
    const Expr *call = &from->exprs.items[id];
    for (uint32_t i = 0; call->kind == EXPR_CALL && i < call->list.count; i++) {
        const Expr *argument = &from->exprs.items[from->links.items[call->list.first + i]];
        if (argument->kind == EXPR_KEYWORD && text_equal(model_name(from, argument->name), name))
            return argument->a;
    }
    return 0;
}

/* `Base.__init__(self, size)`: called on the class, so the object is an argument too. */
static bool is_of_class(const FileModel *from, const Expr *call, const FileModel *model, const Func *func) {
    const Expr *callee = &from->exprs.items[call->a];
    const Expr *owner = &from->exprs.items[callee->kind == EXPR_ATTRIBUTE ? callee->a : 0];
    bool named = owner->kind == EXPR_NAME || owner->kind == EXPR_ATTRIBUTE;
    return named && func->class_id && !model_is_decorated(model, func, python_text(PY_classmethod)) &&
           text_equal(model_name(from, owner->name),
                      model_name(model, model->classes.items[func->class_id].name));
}

Given call_gives(const FileModel *from, ExprId id, const FileModel *model, const Func *func, uint32_t param) {
    const Expr *call = &from->exprs.items[id];
    Text name = model_name(model, model->params.items[func->first_param + param].name);
    bool bound = func->class_id && !model_is_decorated(model, func, python_text(PY_staticmethod));
    uint32_t at = param - (bound && !is_of_class(from, call, model, func));
    bool stars = false, spread = false;
    if (call->kind != EXPR_CALL) return (Given){0};
    for (uint32_t i = 0; i < call->list.count; i++) {
        ExprId value = from->links.items[call->list.first + i];
        const Expr *argument = &from->exprs.items[value];
        stars |= argument->kind == EXPR_STAR;
        spread |= argument->kind == EXPR_DOUBLE_STAR;
        bool plain = argument->kind != EXPR_KEYWORD && argument->kind != EXPR_DOUBLE_STAR;
        if (plain && !stars && i == at) return (Given){.expr = value};
    }
    ExprId named = call_names(from, id, name);
    if (named) return (Given){.expr = named};
    return (Given){.absent = !stars && !spread, .spread = spread && !stars};
}

/* ---- arguments in **mappings ---- */

static ExprId given_in_spread(const Walk *caller, const Expr *call, Text name, int depth);
static ExprId mapping_gives(const Walk *caller, ExprId id, Text name, int depth);

/* The value for the name in `{"size": size, **more}`; 0 = not visible. A later key replaces an earlier one. */
static ExprId display_gives(const Walk *caller, const Expr *dict, Text name, int depth) {
    const FileModel *model = caller->model;
    for (uint32_t i = dict->list.count; i >= 2; i -= 2) {
        ExprId key = model->links.items[dict->list.first + i - 2],
               value = model->links.items[dict->list.first + i - 1];
        const Expr *expr = &model->exprs.items[key];
        if (!key) return mapping_gives(caller, value, name, depth + 1);
        if (expr->kind != EXPR_STRING) return 0;
        if (text_equal(model_name(model, expr->name), name)) return value;
    }
    return 0;
}

/* The value for the name in `dict(size=size, **more)`, given itself or by a nested mapping; 0 = not visible. */
static ExprId dict_gives(const Walk *caller, ExprId id, Text name, int depth) {
    const FileModel *model = caller->model;
    const Expr *call = &model->exprs.items[id], *maker = &model->exprs.items[call->a];
    bool dict = call->kind == EXPR_CALL && maker->kind == EXPR_NAME &&
                python_is(PY_dict, model_name(model, maker->name));
    ExprId named = dict ? call_names(model, id, name) : 0;
    if (call->kind == EXPR_DICT) return display_gives(caller, call, name, depth);
    return named || !dict ? named : given_in_spread(caller, call, name, depth + 1);
}

/* `options["size"] = 3` as the statement of a use of the variable. */
static bool sets_key(const FileModel *model, const Stmt *stmt, ExprId use, Text name) {
    for (uint32_t i = 0; stmt->kind == STMT_ASSIGN && i < stmt->list.count; i++) {
        const Expr *target = &model->exprs.items[model->links.items[stmt->list.first + i]];
        if (target->kind != EXPR_SUBSCRIPT || target->a != use) continue;
        const Expr *key = &model->exprs.items[target->b];
        return key->kind != EXPR_STRING || text_equal(model_name(model, key->name), name);
    }
    return false;
}

/* Some use of the mapping may change its value for the name: by an assignment, or by a method of the mapping. */
static bool is_changed(const Walk *caller, uint32_t slot, Text name) {
    enum { USES_ASKED = 16 };
    const FileModel *model = caller->model;
    Accesses uses = graph_uses(caller->graph, slot);
    if (uses.end - uses.first > USES_ASKED) return true;
    for (const AccessId *u = uses.first; u < uses.end; u++) {
        ExprId use = caller->graph->accesses[*u].expr;
        bool last = use + 1 >= model->exprs.count;
        const Expr *next = &model->exprs.items[last ? 0 : use + 1]; /* what holds it */
        if (next->kind == EXPR_ATTRIBUTE && next->a == use) return true;
        if (sets_key(model, graph_stmt(caller->graph, *u), use, name)) return true;
    }
    return false;
}

/* The common value for the name in all dicts that a variable may be; 0 = they differ, or one has none. */
static ExprId dicts_give(const Walk *caller, ExprId use, Text name, int depth) {
    AccessId access = graph_access(caller->graph, use);
    Reaching reaching = {0};
    ExprId all = 0;
    if (!access || is_changed(caller, slot_own(&caller->model->exprs.items[use]), name)) return 0;
    graph_reaching(caller->graph, caller->arena, access, &reaching);
    for (uint32_t i = 0; i < reaching.items.count; i++) {
        AccessId def = reaching.items.items[i];
        bool assigned = def && def != access && caller->graph->accesses[def].kind == DEF_ASSIGN;
        ExprId here = assigned ? dict_gives(caller, graph_value(caller->graph, def), name, depth) : 0;
        if (!here || (all && here != all)) return 0;
        all = here;
    }
    return reaching.many ? 0 : all;
}

static ExprId mapping_gives(const Walk *caller, ExprId id, Text name, int depth) {
    enum { SPREADS_DEEP = 4 };
    if (depth >= SPREADS_DEEP) return 0;
    bool kept = caller->model->exprs.items[id].kind == EXPR_NAME;
    return kept ? dicts_give(caller, id, name, depth) : dict_gives(caller, id, name, depth);
}

/* `options = dict(dead=dead)` and `Codebook(**options)`: the value passed for the name; 0 = unknown. */
static ExprId given_in_spread(const Walk *caller, const Expr *call, Text name, int depth) {
    const FileModel *model = caller->model;
    ExprId found = 0;
    for (uint32_t i = 0; i < call->list.count && !found; i++) {
        const Expr *argument = &model->exprs.items[model->links.items[call->list.first + i]];
        if (argument->kind == EXPR_DOUBLE_STAR) found = mapping_gives(caller, argument->a, name, depth);
    }
    return found;
}

ExprId spread_gives(const Walk *caller, ExprId call, Text name) {
    return given_in_spread(caller, &caller->model->exprs.items[call], name, 0);
}

/* ---- values of a parameter ---- */

Given given_by(const Walk *walk, const Caller *from, uint32_t param, Walk *caller) {
    *caller = walk_of(walk, from->context);
    return call_gives(caller->model, caller->context->edges.items[from->edge].expr, walk->model, walk->func,
                      param);
}

void guard_given(const Walk *walk, const Expr *expr, bool truth, Item *guard, uint32_t *left) {
    uint32_t param = parameter_of(walk, expr), every = 0;
    CallersOf calls = callers_of(walk);
    if (param == NO_PARAMETER || walk->context->root || !calls.count) return;
    for (uint32_t c = 0; c < calls.count; c++) {
        Walk caller;
        Item part = {0};
        Given given = given_by(walk, &calls.first[c], param, &caller);
        if (given.expr) guard_parts(&caller, given.expr, truth, &part, left);
        if (!(part.flags & GUARD_EVERY)) return;
        if (part.every && (!every || part.every < every)) every = part.every;
    }
    guard->flags |= GUARD_EVERY, guard->every = every;
}
