#include "row.h"
#include "loop_turn.h"

enum { ROW_MOST = 32 };

typedef struct Row {
    PatternMatch matches[ROW_MOST];
    uint32_t count;
} Row;

static bool fits(const PatternMatch *match, StmtId pattern, StmtId id, PatternMatch *one) {
    *one = (PatternMatch){.place = match->place, .pattern = match->pattern, .stmt = id};
    return pattern_fits_stmt(one, pattern, id);
}

/* Extends the match to statements before and after, as far as they match. */
static void gather(const PatternMatch *match, StmtId pattern, Row *row) {
    uint32_t at = 0;
    List block = turn_block(match->place, match->stmt, &at);
    const StmtId *ids = match->place->model->links.items + block.first;
    PatternMatch one;
    while (at > 0 && block.count && fits(match, pattern, ids[at - 1], &one)) at--;
    for (; at < block.count && row->count < ROW_MOST && fits(match, pattern, ids[at], &one); at++)
        row->matches[row->count++] = one;
}

static bool names(const FixPlace *place, ExprId id, uint32_t slot) {
    const FileModel *model = place->model;
    ExprId part = model_first_part(model, &model->funcs.items[place->func], id, UINT32_MAX);
    for (; part <= id; part++)
        if (model->exprs.items[part].kind == EXPR_NAME && slot_own(&model->exprs.items[part]) == slot)
            return true;
    return false;
}

static uint32_t bound_by(const FileModel *model, const Stmt *stmt) {
    const Expr *target = &model->exprs.items[stmt->list.count == 1 ? model->links.items[stmt->list.first] : 0];
    return target->kind == EXPR_NAME ? slot_own(target) : 0;
}

/* Each binds a variable of its own, which no later one reads. */
static bool are_apart(const FixPlace *place, const Row *row) {
    const FileModel *model = place->model;
    for (uint32_t i = 0; i < row->count; i++) {
        uint32_t slot = bound_by(model, &model->stmts.items[row->matches[i].stmt]);
        if (!slot) return false;
        for (uint32_t k = i + 1; k < row->count; k++) {
            const Stmt *other = &model->stmts.items[row->matches[k].stmt];
            if (bound_by(model, other) == slot || names(place, other->b, slot)) return false;
        }
    }
    return true;
}

static void join(PatternMatch *match, const Row *row) {
    *match = row->matches[0];
    match->last = row->matches[row->count - 1].stmt;
    for (uint32_t variable = 0; variable < METAVARIABLES; variable++) {
        VEC(ExprId) items = {0};
        for (uint32_t i = 0; i < row->count; i++)
            for (uint32_t k = 0; k < row->matches[i].bound[variable].count; k++)
                vec_push(match->place->scratch, &items, row->matches[i].bound[variable].items[k]);
        if (items.count) match->bound[variable] = (MetaBound){true, false, items.items, items.count};
    }
}

bool row_take(PatternMatch *match, StmtId pattern) {
    Row row = {0};
    gather(match, pattern, &row);
    bool last = row.count && row.matches[row.count - 1].stmt == match->stmt;
    if (row.count < 2 || last || !are_apart(match->place, &row)) return false;
    join(match, &row);
    return true;
}
