#include "remedy_pattern.h"
#include "lower.h"
#include "meaning.h"
#include "purpose.h"
#include "pattern_sequence.h"

/* ---- the pattern ---- */

static const Stmt *part_of(const FileModel *model, const Func *func, uint32_t i) {
    return &model->stmts.items[model->links.items[func->body.first + i]];
}

/* Reads a part such as `with reads:`. */
static void read_part(Pattern *pattern, const FileModel *model, const Stmt *part) {
    ExprId word = model->stmts.items[model->links.items[part->list.first]].a;
    Text name = model_name(model, model->exprs.items[word].name);
    const struct {
        Text name;
        List *part;
    } parts[] = {{TEXT("reads"), &pattern->reads},   {TEXT("calls"), &pattern->calls},
                 {TEXT("behind"), &pattern->behind}, {TEXT("made"), &pattern->made},
                 {TEXT("first"), &pattern->first},   {TEXT("ahead"), &pattern->ahead},
                 {TEXT("then"), &pattern->then}};
    for (uint32_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (text_equal(name, parts[i].name)) *parts[i].part = part->body;
}

const Pattern *pattern_read(Arena *arena, SyntaxParser *parser, const Rulebook *book, const Remedy *remedy) {
    Pattern *pattern = arena_new(arena, Pattern, 1);
    FileModel *model = arena_new(arena, FileModel, 1);
    *pattern = (Pattern){.remedy = remedy, .source = rulebook_text(book, remedy->source), .model = model};
    lower_file(arena, arena, parser, pattern->source, model);
    FuncId def = part_of(model, &model->funcs.items[1], 0)->func;
    const Func *func = &model->funcs.items[def];
    pattern->before = part_of(model, func, 1)->body;
    pattern->after = part_of(model, func, 2)->body;
    for (uint32_t i = 3; i < func->body.count; i++) read_part(pattern, model, part_of(model, func, i));
    for (uint32_t i = 0; i < func->param_count && i < METAVARIABLES; i++)
        pattern->names[i] = model->params.items[func->first_param + i].name;
    return pattern;
}

int pattern_variable(const Pattern *pattern, ExprId id) {
    const Expr *expr = &pattern->model->exprs.items[id];
    for (int i = 0; expr->kind == EXPR_NAME && i < METAVARIABLES; i++)
        if (pattern->names[i] && pattern->names[i] == expr->name) return i;
    return -1;
}

/* The dotted name `torch.zeros` as text. */
static Text dotted_of(const Pattern *pattern, ExprId id) {
    const Expr *expr = &pattern->model->exprs.items[id], *root = expr;
    ExprId at = id;
    while (root->kind == EXPR_ATTRIBUTE) root = &pattern->model->exprs.items[at = root->a];
    if (root->kind != EXPR_NAME || pattern_variable(pattern, at) >= 0) return (Text){0};
    return text_slice(pattern->source, expr->span.start, expr->span.end);
}

EntryId pattern_entry(const FixPlace *place, const Pattern *pattern, ExprId id) {
    Text name = dotted_of(pattern, id);
    if (!name.length) return 0;
    EntryId entry = rulebook_find(place->book, name);
    EntryId builtins = place->inference->known->builtins;
    return entry ? entry : rulebook_child(place->book, builtins, name);
}

/* ---- the file ---- */

static void hold(StmtId *holds, ExprId expr, StmtId stmt) {
    if (expr) holds[expr] = stmt;
}

static void surround(const FileModel *model, StmtId *around, List parts, StmtId stmt) {
    for (uint32_t i = 0; i < parts.count; i++) around[model->links.items[parts.first + i]] = stmt;
}

static bool lists_expressions(const Stmt *stmt) {
    return stmt->kind == STMT_ASSIGN || stmt->kind == STMT_DELETE || stmt->kind == STMT_CASE;
}

static bool lists_statements(const Stmt *stmt) {
    return stmt->kind == STMT_TRY || stmt->kind == STMT_WITH || stmt->kind == STMT_MATCH;
}

FileIndex pattern_index(Arena *arena, const FileModel *model) {
    StmtId *around = arena_new(arena, StmtId, model->stmts.count + 1u);
    StmtId *holds = arena_new(arena, StmtId, model->exprs.count + 1u);
    for (StmtId id = 1; id < model->stmts.count; id++) {
        const Stmt *stmt = &model->stmts.items[id];
        hold(holds, stmt->a, id), hold(holds, stmt->b, id);
        for (uint32_t i = 0; lists_expressions(stmt) && i < stmt->list.count; i++)
            hold(holds, model->links.items[stmt->list.first + i], id);
        if (lists_statements(stmt)) surround(model, around, stmt->list, id);
        surround(model, around, stmt->body, id);
        surround(model, around, stmt->orelse, id);
        surround(model, around, stmt->final, id);
    }
    bool *shared = arena_new(arena, bool, model->names.count + 1u);
    for (ExprId id = 1; id < model->exprs.count; id++) {
        const Expr *expr = &model->exprs.items[id];
        if (expr->kind == EXPR_NAME && expr->binding == BIND_GLOBAL) shared[expr->name] = true;
    }
    return (FileIndex){purpose_parents(arena, model), around, holds, shared};
}

/* ---- equality of code ---- */

static bool same_list(const FileModel *model, List a, List b) {
    bool same = a.count == b.count;
    for (uint32_t i = 0; same && i < a.count; i++)
        same = pattern_same(model, model->links.items[a.first + i], model->links.items[b.first + i]);
    return same;
}

/* An expression with nested scopes or clauses is equal only to itself. */
static bool is_comparable(const Expr *expr) {
    return expr->kind != EXPR_LAMBDA && (expr->kind < EXPR_LIST_COMP || expr->kind > EXPR_COMP_IF) &&
           expr->kind != EXPR_FSTRING && expr->kind != EXPR_COMPARE && expr->kind != EXPR_ERROR;
}

static bool same_comparison(const FileModel *model, const Expr *a, const Expr *b) {
    return a->list.count == 2 && b->list.count == 2 && a->op == b->op && same_list(model, a->list, b->list);
}

bool pattern_same(const FileModel *model, ExprId a, ExprId b) {
    if (a == b) return true;
    const Expr *x = &model->exprs.items[a], *y = &model->exprs.items[b];
    if (!a || !b || x->kind != y->kind || x->op != y->op) return false;
    if (x->kind == EXPR_COMPARE) return same_comparison(model, x, y);
    if (!is_comparable(x) || x->name != y->name || x->list.count != y->list.count) return false;
    return pattern_same(model, x->a, y->a) && pattern_same(model, x->b, y->b) &&
           pattern_same(model, x->c, y->c) && same_list(model, x->list, y->list);
}

bool pattern_same_stmt(const FileModel *model, StmtId a, StmtId b) {
    const Stmt *x = &model->stmts.items[a], *y = &model->stmts.items[b];
    bool simple = x->kind == STMT_EXPR || x->kind == STMT_ASSIGN || x->kind == STMT_AUGMENT;
    return simple && x->kind == y->kind && x->op == y->op && pattern_same(model, x->a, y->a) &&
           pattern_same(model, x->b, y->b) && (x->kind != STMT_ASSIGN || same_list(model, x->list, y->list));
}

/* ---- matching ---- */

static const Expr *wanted(const PatternMatch *match, ExprId id) {
    return &match->pattern->model->exprs.items[id];
}
static const Expr *found(const PatternMatch *match, ExprId id) { return &match->place->model->exprs.items[id]; }

static Text word(const FileModel *model, const Expr *expr) { return model_name(model, expr->name); }

static bool bind(PatternMatch *match, int variable, const ExprId *items, uint32_t count, bool star) {
    MetaBound *bound = &match->bound[variable];
    const FileModel *model = match->place->model;
    if (bound->is) {
        bool same = bound->count == count;
        for (uint32_t i = 0; same && i < count; i++) same = pattern_same(model, bound->items[i], items[i]);
        return same;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!meaning_holds(match->place, match->pattern->remedy, (uint32_t)variable, items[i])) return false;
    *bound = (MetaBound){true, star, items, count};
    return true;
}

static bool fits_parts(PatternMatch *match, const Expr *p, const Expr *e);

static bool fits_constant(const PatternMatch *match, const Expr *p, const Expr *e) {
    return text_equal(word(match->pattern->model, p), word(match->place->model, e));
}

/* The number of a metavariable below a star; -1 = none. */
static int starred(const PatternMatch *match, ExprId id, ExprKind star) {
    const Expr *expr = wanted(match, id);
    return expr->kind == star ? pattern_variable(match->pattern, expr->a) : -1;
}

/* Matches items in order; a starred metavariable takes as few as let the rest match. */
static bool fits_items(PatternMatch *match, const ExprId *p, uint32_t wants, const ExprId *e, uint32_t count) {
    if (!wants) return count == 0;
    int star = starred(match, *p, EXPR_STAR);
    PatternMatch before = *match;
    for (uint32_t taken = 0; star >= 0 && taken <= count; taken++, *match = before)
        if (bind(match, star, e, taken, true) && fits_items(match, p + 1, wants - 1, e + taken, count - taken))
            return true;
    if (star >= 0 || !count || found(match, *e)->kind == EXPR_STAR) return false;
    return pattern_fits_expr(match, *p, *e) && fits_items(match, p + 1, wants - 1, e + 1, count - 1);
}

static bool is_named(const Expr *expr) { return expr->kind == EXPR_KEYWORD || expr->kind == EXPR_DOUBLE_STAR; }

static uint32_t positional(const FileModel *model, List list) {
    uint32_t count = 0;
    while (count < list.count && !is_named(&model->exprs.items[model->links.items[list.first + count]]))
        count++;
    return count;
}

static bool takes_keyword(PatternMatch *match, ExprId pattern, const ExprId *named, uint32_t count,
                          bool *used) {
    const Expr *p = wanted(match, pattern);
    for (uint32_t i = 0; i < count; i++) {
        const Expr *e = found(match, named[i]);
        if (used[i] || e->kind != EXPR_KEYWORD || !fits_constant(match, p, e)) continue;
        used[i] = true;
        return pattern_fits_expr(match, p->a, e->a);
    }
    return false;
}

/* Matches keywords in any order; `**rest` takes those left over. */
static bool fits_keywords(PatternMatch *match, const ExprId *p, uint32_t wants, const ExprId *e,
                          uint32_t count) {
    bool *used = arena_new(match->place->scratch, bool, count + 1u);
    ExprId *rest = arena_new(match->place->scratch, ExprId, count + 1u);
    uint32_t left = 0;
    int star = -1;
    for (uint32_t i = 0; i < wants; i++) {
        int all = starred(match, p[i], EXPR_DOUBLE_STAR);
        if (all >= 0)
            star = all;
        else if (!takes_keyword(match, p[i], e, count, used))
            return false;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!used[i]) rest[left++] = e[i];
    return star >= 0 ? bind(match, star, rest, left, true) : left == 0;
}

/* Remedies are tried at each wait inside a call, so calls with thousands of arguments are skipped. */
enum { ITEMS_MOST = 100 };

static bool fits_list(PatternMatch *match, List p, List e) {
    if (e.count > ITEMS_MOST) return false;
    const FileModel *pattern = match->pattern->model, *model = match->place->model;
    const ExprId *wants = pattern->links.items + p.first, *has = model->links.items + e.first;
    uint32_t first = positional(pattern, p), given = positional(model, e);
    for (uint32_t i = given; i < e.count; i++) /* f(a=1, *b) */
        if (!is_named(found(match, has[i]))) return false;
    return fits_items(match, wants, first, has, given) &&
           fits_keywords(match, wants + first, p.count - first, has + given, e.count - given);
}

static bool fits_part(PatternMatch *match, ExprId p, ExprId e) {
    return p && e ? pattern_fits_expr(match, p, e) : p == e;
}

static bool fits_parts(PatternMatch *match, const Expr *p, const Expr *e) {
    return fits_part(match, p->a, e->a) && fits_part(match, p->b, e->b) &&
           (p->kind == EXPR_COMPARE ? p->list.count == 2 : fits_part(match, p->c, e->c)) &&
           fits_list(match, p->list, e->list);
}

/* `x[*a, i, *b]` also matches x[i], whose index is no tuple. */
static bool fits_index(PatternMatch *match, const Expr *p, ExprId index) {
    const FileModel *pattern = match->pattern->model;
    if (found(match, index)->kind == EXPR_TUPLE) return pattern_fits_expr(match, p->b, index);
    const Expr *parts = wanted(match, p->b);
    if (parts->kind != EXPR_TUPLE) return pattern_fits_expr(match, p->b, index);
    return fits_items(match, pattern->links.items + parts->list.first, parts->list.count, &index, 1);
}

bool pattern_fits_expr(PatternMatch *match, ExprId pattern, ExprId expr) {
    const Expr *p = wanted(match, pattern), *e = found(match, expr);
    int variable = pattern_variable(match->pattern, pattern);
    if (variable >= 0) {
        ExprId *one = arena_copy(match->place->scratch, &expr, sizeof expr);
        return bind(match, variable, one, 1, false);
    }
    EntryId entry = pattern_entry(match->place, match->pattern, pattern);
    if (entry) return meaning_is_entry(match->place, expr, entry);
    if (p->kind != e->kind || p->op != e->op) return false;
    if (p->kind == EXPR_SUBSCRIPT) return pattern_fits_expr(match, p->a, e->a) && fits_index(match, p, e->b);
    if (p->kind == EXPR_COMPARE && e->list.count != 2) return false;
    if (!is_comparable(p) && p->kind != EXPR_COMPARE) return false;
    return fits_constant(match, p, e) && fits_parts(match, p, e);
}

/* A lone `...` matches any block. */
static bool fits_block(PatternMatch *match, List p, List s) {
    if (p.count == 1 && sequence_leaves(match->pattern->model, match->pattern->model->links.items[p.first]))
        return true;
    const FileModel *pattern = match->pattern->model, *model = match->place->model;
    bool fits = p.count == s.count;
    for (uint32_t i = 0; fits && i < p.count; i++)
        fits = pattern_fits_stmt(match, pattern->links.items[p.first + i], model->links.items[s.first + i]);
    return fits;
}

bool pattern_fits_stmt(PatternMatch *match, StmtId pattern, StmtId id) {
    const Stmt *p = &match->pattern->model->stmts.items[pattern], *s = &match->place->model->stmts.items[id];
    bool plain = p->kind == STMT_EXPR || p->kind == STMT_ASSIGN || p->kind == STMT_AUGMENT ||
                 p->kind == STMT_IF || p->kind == STMT_FOR;
    if (!plain || p->kind != s->kind || p->op != s->op) return false;
    if (p->kind == STMT_ASSIGN && !fits_list(match, p->list, s->list)) return false;
    return fits_part(match, p->a, s->a) && fits_part(match, p->b, s->b) &&
           fits_block(match, p->body, s->body) && fits_block(match, p->orelse, s->orelse);
}
