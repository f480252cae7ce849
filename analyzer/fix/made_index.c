#include "made_index.h"
#include "meaning.h"
#include "variable.h"

static const Expr *at(const FixPlace *place, ExprId expr) { return &place->model->exprs.items[expr]; }

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
    if (at(place, name)->kind != EXPR_NAME || !slot_own(at(place, name)) || !variable_is_own(place, name))
        return false;
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
    return def ? variable_given(place, def) : 0;
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
