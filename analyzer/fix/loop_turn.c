#include "loop_turn.h"
#include "meaning.h"
#include "variable.h"

static const Expr *at(const FixPlace *place, ExprId expr) { return &place->model->exprs.items[expr]; }

StmtId turn_statement(const FixPlace *place) {
    LoopId loop = place->loop;
    while (loop && !place->model->loops.items[loop].stmt) loop = place->model->loops.items[loop].outer;
    StmtId stmt = loop ? place->model->loops.items[loop].stmt : 0;
    return stmt && place->model->stmts.items[stmt].kind == STMT_FOR ? stmt : 0;
}

static bool sets(const FixPlace *place, ExprId target, uint32_t slot) {
    const Expr *expr = at(place, target);
    if (expr->kind == EXPR_NAME) return slot_own(expr) == slot;
    for (uint32_t i = 0; (expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST) && i < expr->list.count; i++)
        if (sets(place, place->model->links.items[expr->list.first + i], slot)) return true;
    return false;
}

static bool is_key(const Expr *expr) { return expr->kind == EXPR_INT || expr->kind == EXPR_STRING; }

/* The variable of which `batch["x"][0]` is an item. */
static ExprId whole_of(const FixPlace *place, ExprId id) {
    while (at(place, id)->kind == EXPR_SUBSCRIPT && is_key(at(place, at(place, id)->b))) id = at(place, id)->a;
    return at(place, id)->kind == EXPR_NAME && slot_own(at(place, id)) ? id : 0;
}

/* The clause of an enclosing comprehension that binds the variable; 0 = none. */
static ExprId clause_of(const FixPlace *place, ExprId id, uint32_t slot) {
    for (ExprId up = place->index->parents[id]; up; up = place->index->parents[up]) {
        const Expr *expr = at(place, up);
        bool comprehension = expr->kind >= EXPR_LIST_COMP && expr->kind <= EXPR_DICT_COMP;
        for (uint32_t i = 0; comprehension && i < expr->list.count; i++) {
            ExprId clause = place->model->links.items[expr->list.first + i];
            if (at(place, clause)->kind == EXPR_COMP_FOR && sets(place, at(place, clause)->a, slot))
                return clause;
        }
    }
    return 0;
}

/* What a comprehension iterates over: `batch.items()`, `batch`. */
static ExprId gone_through(const FixPlace *place, ExprId clause) {
    ExprId over = at(place, clause)->b;
    bool view = at(place, over)->kind == EXPR_CALL && !at(place, over)->list.count &&
                at(place, at(place, over)->a)->kind == EXPR_ATTRIBUTE;
    return view ? at(place, at(place, over)->a)->a : over;
}

/* The function's variable that the expression is, or is an item of; 0 = none. */
static ExprId variable_of(const FixPlace *place, ExprId id) {
    for (uint32_t i = 0; i < 4; i++) {
        ExprId name = whole_of(place, id);
        ExprId clause = name ? clause_of(place, id, slot_own(at(place, name))) : 0;
        if (!clause) return name;
        id = gone_through(place, clause);
    }
    return 0;
}

static const Stmt *stmt_around(const FixPlace *place, ExprId id) {
    while (place->index->parents[id]) id = place->index->parents[id];
    return &place->model->stmts.items[place->index->holds[id]];
}

static bool is_of_turn(const FixPlace *place, ExprId name) {
    StmtId turn = turn_statement(place);
    return name && turn && sets(place, place->model->stmts.items[turn].a, slot_own(at(place, name)));
}

/* `x.t_()` writes into x, by PyTorch's naming convention. */
static bool writes(const FixPlace *place, const Expr *callee) {
    return callee->kind == EXPR_ATTRIBUTE && text_ends(model_name(place->model, callee->name), TEXT("_"));
}

/* A use that copies the value or only inspects it: `x.to(d)`, `x.shape[0]`, `x.size(0)`, `len(x)`, `x == y`. */
static bool is_copied(const FixPlace *place, ExprId id) {
    ExprId up = place->index->parents[id];
    while (up && at(place, up)->kind == EXPR_SUBSCRIPT && at(place, up)->a == id &&
           is_key(at(place, at(place, up)->b)))
        id = up, up = place->index->parents[id];
    for (bool first = true; up; id = up, up = place->index->parents[id], first = false) {
        const Expr *expr = at(place, up);
        bool member = expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_CALL || expr->kind == EXPR_SUBSCRIPT;
        if (expr->kind == EXPR_COMPARE) return true;
        if (expr->kind == EXPR_CALL && expr->a != id)
            return first && meaning_entry(place, expr->a) && meaning_keeps_nothing(place, up);
        if (!member || expr->a != id || (expr->kind == EXPR_CALL && writes(place, at(place, id)))) return false;
        if (meaning_keeps_nothing(place, up)) return true;
    }
    return false;
}

/* `... for k, v in batch.items()`: the statement's comprehensions copy or keep each element. */
static bool is_gone_through(const FixPlace *place, ExprId id, const Stmt *stmt) {
    for (ExprId up = place->index->parents[id]; up; up = place->index->parents[up])
        if (at(place, up)->kind == EXPR_COMP_FOR) return stmt_around(place, id) == stmt;
    return false;
}

/* It is after the statement in the same iteration, so it sees the old value only where that did not run. */
static bool is_behind(const FixPlace *place, ExprId id, const Stmt *stmt) {
    StmtId turn = turn_statement(place), own = (StmtId)(stmt - place->model->stmts.items);
    BlockId block = graph_block(place->graph, own);
    return at(place, id)->span.start >= stmt->span.end && block &&
           place->graph->blocks[block].loop == place->model->stmts.items[turn].loop;
}

static bool parts_are_only_copied(const FixPlace *place, ExprId use, int depth);

/* Statements that may use the value in another way than to copy it. */
typedef struct Allowed {
    const Stmt *rebinds; /* the variable */
    const Stmt *takes;   /* a part of it; NULL = none */
} Allowed;

static bool is_only_copied(const FixPlace *place, AccessId def, Allowed allowed, int depth) {
    Reaching uses = {0};
    graph_reached(place->graph, place->scratch, def, &uses);
    for (uint32_t i = 0; i < uses.items.count; i++) {
        ExprId use = place->graph->accesses[uses.items.items[i]].expr;
        const Stmt *stmt = allowed.rebinds;
        bool other = stmt && (is_gone_through(place, use, stmt) || is_behind(place, use, stmt));
        other |= allowed.takes && stmt_around(place, use) == allowed.takes;
        if (!other && !is_copied(place, use) && !parts_are_only_copied(place, use, depth)) return false;
    }
    return !uses.many;
}

enum { PARTS_DEEP = 2 };

/* `x, y = batch`, `x = batch["x"]`: what the assignment takes out is only copied. */
static bool parts_are_only_copied(const FixPlace *place, ExprId use, int depth) {
    const Stmt *stmt = stmt_around(place, use);
    bool apart = stmt->kind == STMT_ASSIGN && stmt->list.count == 1 && whole_of(place, stmt->b) == use;
    if (!apart || depth == 0) return false;
    ExprId target = place->model->links.items[stmt->list.first];
    const Expr *targets = at(place, target);
    bool several = targets->kind == EXPR_TUPLE || targets->kind == EXPR_LIST;
    for (uint32_t i = 0; i < (several ? targets->list.count : 1); i++) {
        ExprId name = several ? place->model->links.items[targets->list.first + i] : target;
        AccessId def = at(place, name)->kind == EXPR_NAME ? graph_access(place->graph, name) : 0;
        if (!def || !is_only_copied(place, def, (Allowed){0}, depth - 1)) return false;
    }
    return true;
}

/* uses of a variable that are examined, for each copy of it */
enum { USES_MOST = 100 };

static bool has_many(Accesses accesses) { return accesses.end - accesses.first > USES_MOST; }

/* The same for everything that the loop binds to the variable. */
static bool turns_are_only_copied(const FixPlace *place, ExprId name, Allowed allowed) {
    uint32_t slot = slot_own(at(place, name));
    Accesses defs = graph_defs(place->graph, slot);
    if (has_many(defs) || has_many(graph_uses(place->graph, slot))) return false;
    for (const AccessId *def = defs.first; def < defs.end; def++) {
        uint8_t kind = place->graph->accesses[*def].kind;
        bool turn = kind == DEF_TURN || kind == DEF_TURN_PART;
        if (turn && !is_only_copied(place, *def, allowed, PARTS_DEEP)) return false;
    }
    return true;
}

/* ---- batches that are taken apart ---- */

/* `batch` of `x, y = batch` and of `x = batch["x"]`; 0 = an assignment does not make it so. */
static ExprId taken_from(const FixPlace *place, AccessId def) {
    ExprId value = def ? graph_value(place->graph, def) : 0;
    return value ? whole_of(place, value) : 0;
}

/* `x, y = batch`, where the loop sets `batch`: nobody writes into x. */
static bool part_is_only_copied(const FixPlace *place, ExprId name, const Stmt *stmt) {
    AccessId use = graph_access(place->graph, name);
    AccessId def = use ? graph_only_def(place->graph, place->scratch, use) : 0;
    ExprId batch = taken_from(place, def);
    return batch && is_of_turn(place, batch) && variable_is_own(place, batch) &&
           is_only_copied(place, def, (Allowed){stmt, NULL}, PARTS_DEEP) &&
           turns_are_only_copied(place, batch, (Allowed){NULL, graph_stmt(place->graph, def)});
}

static bool is_part_or_turn(const FixPlace *place, ExprId name, const Stmt *stmt) {
    if (!variable_is_own(place, name)) return false;
    return is_of_turn(place, name) ? turns_are_only_copied(place, name, (Allowed){stmt, NULL})
                                   : part_is_only_copied(place, name, stmt);
}

bool turn_is_rebound(const FixPlace *place, ExprId id) {
    ExprId name = variable_of(place, id);
    const Stmt *stmt = stmt_around(place, id);
    if (!name || stmt->kind != STMT_ASSIGN || stmt->list.count != 1) return false;
    return sets(place, place->model->links.items[stmt->list.first], slot_own(at(place, name))) &&
           is_part_or_turn(place, name, stmt);
}

bool turn_is_only_copied(const FixPlace *place, ExprId id) {
    ExprId name = whole_of(place, id);
    return name && !clause_of(place, id, slot_own(at(place, name))) && is_part_or_turn(place, name, NULL);
}

/* ---- lists that a loop fills ---- */

static StmtId holder_of(const FixPlace *place, ExprId id) {
    while (place->index->parents[id]) id = place->index->parents[id];
    return place->index->holds[id];
}

static bool is_empty_list(const FixPlace *place, AccessId def) {
    ExprId value = variable_given(place, def);
    return value && at(place, value)->kind == EXPR_LIST && !at(place, value)->list.count;
}

static bool defines_within(const FixPlace *place, uint32_t slot, Span span) {
    Accesses defs = graph_defs(place->graph, slot);
    for (const AccessId *def = defs.first; def < defs.end; def++) {
        uint32_t start = at(place, place->graph->accesses[*def].expr)->span.start;
        if (start >= span.start && start < span.end) return true;
    }
    return false;
}

StmtId turn_gathers(const FixPlace *place, ExprId name) {
    uint32_t slot = at(place, name)->kind == EXPR_NAME ? slot_own(at(place, name)) : 0;
    StmtId loop = 0;
    if (!slot || has_many(graph_uses(place->graph, slot)) || has_many(graph_defs(place->graph, slot))) return 0;
    for (StmtId up = holder_of(place, name); up; up = place->index->around[up]) {
        const Stmt *stmt = &place->model->stmts.items[up];
        bool turns = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        if (turns && !defines_within(place, slot, stmt->span)) loop = up;
    }
    Accesses defs = graph_defs(place->graph, slot), uses = graph_uses(place->graph, slot);
    for (const AccessId *def = defs.first; loop && def < defs.end; def++)
        if (!is_empty_list(place, *def)) loop = 0;
    for (const AccessId *use = uses.first; loop && use < uses.end; use++) {
        ExprId id = place->graph->accesses[*use].expr;
        bool behind = at(place, id)->span.start >= place->model->stmts.items[loop].span.end;
        if (id != name && !behind) loop = 0;
    }
    return loop && variable_is_own(place, name) ? loop : 0;
}

bool turn_is_steady(const FixPlace *place, ExprId id) {
    StmtId turn = turn_statement(place);
    return turn && place->index->around[holder_of(place, id)] == turn;
}

List turn_block(const FixPlace *place, StmtId id, uint32_t *at) {
    const FileModel *model = place->model;
    const Stmt *around = &model->stmts.items[place->index->around[id]];
    const List blocks[] = {model->funcs.items[place->func].body, around->body, around->orelse, around->final};
    for (uint32_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        for (*at = 0; *at < blocks[i].count; ++*at)
            if (model->links.items[blocks[i].first + *at] == id) return blocks[i];
    return (List){0};
}

/* The previous statement in its block; 0 = it is the first. */
static StmtId before_it(const FixPlace *place, StmtId id) {
    uint32_t at;
    List block = turn_block(place, id, &at);
    return block.count && at ? place->model->links.items[block.first + at - 1] : 0;
}

bool turn_is_repeated(const FixPlace *place, ExprId id) {
    StmtId own = holder_of(place, id), before = before_it(place, own);
    return before && pattern_same_stmt(place->model, before, own);
}
