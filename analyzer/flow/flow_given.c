/* What callers give: a condition on a parameter says of turns what the arguments of all calls in sight say. */
#include "flow_walk.h"

/* Of so many calls the arguments are looked at, each of them a condition; through so many functions. */
enum { CALLS_ASKED = 8, CALLERS_DEEP = 3 };

Callers *flow_find_callers(Arena *arena, const Inference *inference) {
    Callers *callers = arena_new(arena, Callers, 1);
    uint32_t count = inference->contexts.count, edges = 0;
    callers->first = arena_new(arena, uint32_t, count + 1);
    for (ContextId id = 1; id < count; id++) {
        const Context *context = inference->contexts.items[id];
        for (uint32_t e = 0; e < context->edges.count; e++, edges++)
            callers->first[context->edges.items[e].callee]++;
    }
    callers->items = arena_raw(arena, sizeof *callers->items * (edges + 1));
    for (ContextId id = 1; id <= count; id++) callers->first[id] += callers->first[id - 1]; /* ends, for now */
    for (ContextId id = count; id-- > 1;) {
        const Context *context = inference->contexts.items[id];
        for (uint32_t e = context->edges.count; e-- > 0;)
            callers->items[--callers->first[context->edges.items[e].callee]] = (Caller){id, e};
    }
    return callers;
}

/* The parameter of the function that a name is, and that nothing in it binds anew; 0xffffffff = none. */
static uint32_t parameter_of(const Walk *walk, const Expr *expr) {
    AccessId use =
        expr->kind == EXPR_NAME ? graph_access(walk->graph, (ExprId)(expr - walk->model->exprs.items)) : 0;
    uint32_t slot = use ? slot_own(expr) : 0;
    if (!slot || graph_defs(walk->graph, slot).first < graph_defs(walk->graph, slot).end) return UINT32_MAX;
    for (uint32_t i = 0; i < walk->func->param_count; i++) {
        const Param *param = &walk->model->params.items[walk->func->first_param + i];
        if (param->slot == slot) return param->star ? UINT32_MAX : i;
    }
    return UINT32_MAX;
}

static bool is_static(const Walk *walk) {
    for (uint32_t i = 0; i < walk->func->decorators.count; i++)
        if (python_is(PY_staticmethod,
                      last_name(walk, walk->model->links.items[walk->func->decorators.first + i])))
            return true;
    return false;
}

/* What a call gives a parameter; 0 = that is not in its text. */
static ExprId given_by(const Walk *walk, const Walk *caller, ExprId id, uint32_t param) {
    const Expr *call = &caller->model->exprs.items[id];
    Text name = model_name(walk->model, walk->model->params.items[walk->func->first_param + param].name);
    uint32_t own = walk->func->class_id && !is_static(walk), at = param - own;
    if (call->kind != EXPR_CALL) return 0;
    for (uint32_t i = 0; i < call->list.count; i++) {
        ExprId value = caller->model->links.items[call->list.first + i];
        const Expr *argument = &caller->model->exprs.items[value];
        if (argument->kind == EXPR_STAR || argument->kind == EXPR_DOUBLE_STAR) return 0;
        if (argument->kind != EXPR_KEYWORD && i == at) return value;
        if (argument->kind == EXPR_KEYWORD && text_equal(model_name(caller->model, argument->name), name))
            return argument->a;
    }
    return 0;
}

static Walk walk_of(const Walk *walk, ContextId id) {
    const Context *context = walk->inference->contexts.items[id];
    const SourceFile *file = &walk->inference->program->files.items[context->file];
    return (Walk){.arena = walk->arena,
                  .inference = walk->inference,
                  .callers = walk->callers,
                  .calls_up = walk->calls_up + 1,
                  .id = id,
                  .context = context,
                  .file = file,
                  .model = file->model,
                  .func = &file->model->funcs.items[context->func],
                  .graph = walk->inference->graphs[file->func_base + context->func]};
}

void guard_given(const Walk *walk, const Expr *expr, bool truth, Item *guard, uint32_t *left) {
    uint32_t param = parameter_of(walk, expr), every = 0;
    uint32_t first = walk->callers->first[walk->id], end = walk->callers->first[walk->id + 1];
    if (param == UINT32_MAX || walk->context->root || walk->calls_up >= CALLERS_DEEP) return;
    if (first == end || end - first > CALLS_ASKED) return;
    for (uint32_t c = first; c < end; c++) {
        Caller from = walk->callers->items[c];
        Walk caller = walk_of(walk, from.context);
        Item part = {0};
        ExprId given = given_by(walk, &caller, caller.context->edges.items[from.edge].expr, param);
        if (given) guard_parts(&caller, given, truth, &part, left);
        if (!(part.flags & GUARD_EVERY)) return;
        if (part.every && (!every || part.every < every)) every = part.every;
    }
    guard->flags |= GUARD_EVERY, guard->every = every;
}
