#include "made_index.h"
#include "meaning.h"
#include "variable.h"

static const Expr *at(const FixPlace *place, ExprId expr) { return &place->model->exprs.items[expr]; }

/* The expression `x[i]` with x on the GPU; 0 = another use. */
static ExprId indexed_by(const FixPlace *place, ExprId use) {
    ExprId up = place->index->parents[use];
    bool index = up && at(place, up)->kind == EXPR_SUBSCRIPT && at(place, up)->b == use;
    return index && meaning_is(place, COND_cuda, at(place, up)->a) ? up : 0;
}

static bool add_uses(const FixPlace *place, AccessId def, MadeIndex *made) {
    Reaching uses = {0};
    graph_reached(place->graph, place->scratch, def, &uses);
    if (uses.many || made->count + uses.items.count > INDEXED_MOST) return false;
    for (uint32_t i = 0; i < uses.items.count; i++) {
        ExprId indexed = indexed_by(place, place->graph->accesses[uses.items.items[i]].expr);
        if (!indexed) return false;
        made->indexed[made->count++] = indexed;
    }
    return true;
}

/* The only assignment that reaches the name; 0 = there are several, or it unpacks (`a, b = ...`). */
static AccessId only_assignment(const FixPlace *place, ExprId name) {
    AccessId use = graph_access(place->graph, name);
    AccessId def = use ? graph_only_def(place->graph, place->scratch, use) : 0;
    const Stmt *stmt = def ? graph_stmt(place->graph, def) : NULL;
    bool plain = stmt && stmt->kind == STMT_ASSIGN && stmt->list.count == 1 &&
                 place->graph->accesses[def].kind == DEF_ASSIGN;
    return plain ? def : 0;
}

static bool is_slice(const FixPlace *place, ExprId id) {
    return at(place, id)->kind == EXPR_SUBSCRIPT && at(place, at(place, id)->b)->kind == EXPR_SLICE;
}

/* `i` of `i = p[a:b]`, where the use is that p; 0 = it is used otherwise. */
static AccessId sliced_to(const FixPlace *place, ExprId use) {
    ExprId up = place->index->parents[use];
    const Stmt *stmt = &place->model->stmts.items[place->index->holds[up]];
    if (!up || !is_slice(place, up) || at(place, up)->a != use || place->index->parents[up]) return 0;
    ExprId target = stmt->kind == STMT_ASSIGN && stmt->list.count == 1 && stmt->b == up
                        ? place->model->links.items[stmt->list.first]
                        : 0;
    return target && at(place, target)->kind == EXPR_NAME ? graph_access(place->graph, target) : 0;
}

/* `i = p[a:b]`: p itself, where all that it is used for are such slices. */
static bool find_whole(const FixPlace *place, MadeIndex *made) {
    ExprId name = is_slice(place, made->value) ? at(place, made->value)->a : 0;
    if (!name || at(place, name)->kind != EXPR_NAME || !variable_is_own(place, name)) return false;
    MadeIndex whole = {.def = only_assignment(place, name), .sliced = true};
    Reaching uses = {0};
    if (!whole.def) return false;
    graph_reached(place->graph, place->scratch, whole.def, &uses);
    for (uint32_t i = 0; i < uses.items.count; i++) {
        AccessId slice = sliced_to(place, place->graph->accesses[uses.items.items[i]].expr);
        if (!slice || !add_uses(place, slice, &whole)) return false;
    }
    whole.value = graph_value(place->graph, whole.def);
    if (!uses.many) *made = whole;
    return !uses.many;
}

bool made_index_find(const FixPlace *place, ExprId name, MadeIndex *made) {
    *made = (MadeIndex){0};
    if (at(place, name)->kind != EXPR_NAME || !slot_own(at(place, name)) || !variable_is_own(place, name))
        return false;
    made->def = only_assignment(place, name);
    made->value = made->def ? graph_value(place->graph, made->def) : 0;
    if (!made->def || !add_uses(place, made->def, made)) return false;
    (void)find_whole(place, made);
    return true;
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
    if (made.sliced) return true;
    for (uint32_t i = 0; i < made.count; i++) {
        uint32_t start = at(place, at(place, made.indexed[i])->b)->span.start;
        if (start > last) last = start;
    }
    return last > here;
}
