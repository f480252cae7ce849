#include "made_index.h"
#include "meaning.h"

static const Expr *at(const FixPlace *place, ExprId expr) { return &place->model->exprs.items[expr]; }

/* Of a module too: no function of the file names it. */
static bool is_own(const FixPlace *place, ExprId name) {
    const Expr *own = at(place, name);
    if (place->model->funcs.items[place->func].kind != FUNC_MODULE)
        return meaning_is_private(place, slot_own(own));
    for (ExprId id = 1; id < place->model->exprs.count; id++) {
        const Expr *expr = at(place, id);
        if (expr->kind == EXPR_NAME && expr->name == own->name && expr->binding == BIND_GLOBAL) return false;
    }
    return true;
}

/* `x[i]`, x on the GPU; 0 = it is used otherwise. */
static ExprId indexed_by(const FixPlace *place, ExprId use) {
    ExprId up = place->index->parents[use];
    bool index = up && at(place, up)->kind == EXPR_SUBSCRIPT && at(place, up)->b == use;
    return index && meaning_is(place, COND_cuda, at(place, up)->a) ? up : 0;
}

static bool find_uses(const FixPlace *place, MadeIndex *made) {
    Reaching uses = {0};
    graph_reached(place->graph, place->scratch, made->def, &uses);
    if (uses.many || uses.items.count > INDEXED_MOST) return false;
    for (uint32_t i = 0; i < uses.items.count; i++) {
        ExprId indexed = indexed_by(place, place->graph->accesses[uses.items.items[i]].expr);
        if (!indexed) return false;
        made->indexed[made->count++] = indexed;
    }
    return true;
}

bool made_index_find(const FixPlace *place, ExprId name, MadeIndex *made) {
    *made = (MadeIndex){0};
    if (at(place, name)->kind != EXPR_NAME || !slot_own(at(place, name)) || !is_own(place, name)) return false;
    AccessId use = graph_access(place->graph, name);
    made->def = use ? graph_only_def(place->graph, place->scratch, use) : 0;
    const Stmt *stmt = made->def ? graph_stmt(place->graph, made->def) : NULL;
    if (!stmt || stmt->kind != STMT_ASSIGN || stmt->list.count != 1) return false;
    if (place->graph->accesses[made->def].kind != DEF_ASSIGN) return false;
    made->value = stmt->b;
    return find_uses(place, made);
}

static ExprId assigned_to(const FixPlace *place, ExprId name) {
    AccessId use = at(place, name)->kind == EXPR_NAME ? graph_access(place->graph, name) : 0;
    AccessId def = use ? graph_only_def(place->graph, place->scratch, use) : 0;
    return def ? meaning_given(place, def) : 0;
}

ExprId made_index_maker(const FixPlace *place, ExprId name) {
    ExprId value = assigned_to(place, name);
    for (uint32_t i = 0; value && i < 4 && at(place, value)->kind != EXPR_CALL; i++) {
        const Expr *expr = at(place, value);
        bool slice = expr->kind == EXPR_SUBSCRIPT && at(place, expr->b)->kind == EXPR_SLICE;
        value = slice ? expr->a : assigned_to(place, value);
    }
    return value && at(place, value)->kind == EXPR_CALL ? at(place, value)->a : 0;
}

bool made_index_saves(const FixPlace *place, ExprId name) {
    MadeIndex made;
    uint32_t here = at(place, name)->span.start, last = here;
    if (!made_index_find(place, name, &made)) return false;
    for (uint32_t i = 0; i < made.count; i++) {
        uint32_t start = at(place, at(place, made.indexed[i])->b)->span.start;
        if (start > last) last = start;
    }
    return last > here;
}
