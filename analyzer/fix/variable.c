#include "variable.h"
#include "hints.h"

static const Expr *at(const FixPlace *place, ExprId expr) { return &place->model->exprs.items[expr]; }

/* A local of a function that no nested function shares. */
static bool is_unshared(const FixPlace *place, uint32_t slot) {
    const Func *func = &place->model->funcs.items[place->func];
    const Local *local = &place->model->locals.items[func->first_local + slot - 1];
    if (func->kind == FUNC_CLASS_BODY || local->is_global || local->is_nonlocal) return false;
    for (ExprId id = func->end_expr; id < place->model->exprs.count; id++) {
        const Expr *expr = at(place, id);
        bool free = expr->kind == EXPR_NAME && expr->binding == BIND_FREE;
        if (free && expr->func == place->func && expr->slot == slot) return false;
    }
    return true;
}

static bool is_of_module(const FixPlace *place) {
    return place->model->funcs.items[place->func].kind == FUNC_MODULE;
}

bool variable_is_own(const FixPlace *place, ExprId name) {
    const Expr *own = at(place, name);
    if (own->kind != EXPR_NAME || !slot_own(own)) return false;
    return is_of_module(place) ? !place->index->shared[own->name] : is_unshared(place, slot_own(own));
}

bool variable_is_importable(const FixPlace *place) {
    if (!is_of_module(place)) return false;
    const Program *program = place->inference->program;
    const bool *after = find_importers(place->scratch, program, place->file_id);
    for (FileId file = 1; file < program->files.count; file++)
        if (after[file] && file != place->file_id) return true;
    return false;
}

ExprId variable_given(const FixPlace *place, AccessId def) {
    const FileModel *model = place->model;
    ExprId value = graph_value(place->graph, def);
    const Stmt *stmt = graph_stmt(place->graph, def);
    if (!value || place->graph->accesses[def].kind == DEF_ASSIGN) return value;
    const Expr *parts = at(place, value);
    const Expr *targets = at(place, stmt->list.count == 1 ? model->links.items[stmt->list.first] : 0);
    if (parts->kind != EXPR_TUPLE || targets->kind != EXPR_TUPLE || parts->list.count != targets->list.count)
        return 0;
    for (uint32_t i = 0; i < parts->list.count; i++) {
        ExprId part = model->links.items[parts->list.first + i];
        if (at(place, part)->kind == EXPR_STAR) return 0;
        if (model->links.items[targets->list.first + i] == place->graph->accesses[def].expr) return part;
    }
    return 0;
}

bool variable_is_raised(const FixPlace *place, ExprId id) {
    if (!variable_is_own(place, id)) return false;
    Accesses defs = graph_defs(place->graph, slot_own(at(place, id)));
    bool begun = false;
    for (const AccessId *def = defs.first; def < defs.end; def++) {
        ExprId value = variable_given(place, *def);
        bool lowered = value && at(place, value)->kind == EXPR_FALSE;
        if (!lowered && place->graph->accesses[*def].expr != id) return false;
        begun |= lowered;
    }
    return begun && !variable_is_importable(place);
}

/* ---- variables of loops ---- */

bool variable_is_turned(const FixPlace *place, ExprId name) {
    AccessId def = at(place, name)->kind == EXPR_NAME ? graph_access(place->graph, name) : 0;
    return def && place->graph->accesses[def].kind == DEF_TURN && place->graph->accesses[def].expr == name &&
           variable_is_own(place, name);
}

bool variable_turned_uses(const FixPlace *place, ExprId name, Reaching *uses) {
    AccessId def = graph_access(place->graph, name);
    graph_reached(place->graph, place->scratch, def, uses);
    for (uint32_t i = 0; i < uses->items.count; i++)
        if (graph_only_def(place->graph, place->scratch, uses->items.items[i]) != def) return false;
    return !uses->many;
}

/* ---- mentions ---- */

static bool is_within(const PatternMatch *match, Span span) {
    uint32_t count = match->taken ? match->pattern->before.count : 1;
    const StmtId *taken = match->taken ? match->taken : &match->stmt;
    for (uint32_t i = 0; i < count; i++) {
        Span whole = match->place->model->stmts.items[taken[i]].span;
        if (taken[i] && span.start >= whole.start && span.end <= whole.end) return true;
    }
    return false;
}

bool variable_is_confined(const PatternMatch *match, ExprId name) {
    const FlowGraph *graph = match->place->graph;
    uint32_t slot = slot_own(at(match->place, name));
    const Accesses all[] = {graph_defs(graph, slot), graph_uses(graph, slot)};
    for (uint32_t i = 0; i < 2; i++)
        for (const AccessId *access = all[i].first; access < all[i].end; access++)
            if (!is_within(match, at(match->place, graph->accesses[*access].expr)->span)) return false;
    return true;
}
