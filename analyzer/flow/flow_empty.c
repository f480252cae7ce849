/* Containers that are empty by default: with `def __init__(self, callbacks=None)` and `self.callbacks = callbacks or []`,
   `for callback in self.callbacks:` runs only where a caller gives some. */
#include "flow_walk.h"
#include "flow_settings.h"

static const Literal unknown;

Literal usual_display(const FileModel *model, ExprId id) {
    const Expr *expr = &model->exprs.items[id];
    bool display = expr->kind == EXPR_LIST || expr->kind == EXPR_TUPLE || expr->kind == EXPR_DICT;
    if (display && !expr->list.count) return (Literal){.kind = LITERAL_EMPTY};
    return usual_literal(model, id);
}

/* `x`, `self.x` */
static void see_filled(const SourceFile *file, ExprId id, bool *filled) {
    const Expr *expr = &file->model->exprs.items[id];
    if (expr->kind == EXPR_SUBSCRIPT) expr = &file->model->exprs.items[expr->a];
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE) filled[file->syms[expr->name]] = true;
}

/* `x[key] = value`, `x += more`, `x.append(one)`: any method but those that read a dict. */
static void see_fills(const SourceFile *file, bool *filled) {
    const FileModel *model = file->model;
    for (StmtId s = 1; s < model->stmts.count; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        if (stmt->kind == STMT_AUGMENT) see_filled(file, stmt->a, filled);
        for (uint32_t i = 0; stmt->kind == STMT_ASSIGN && i < stmt->list.count; i++) {
            ExprId target = model->links.items[stmt->list.first + i];
            if (model->exprs.items[target].kind == EXPR_SUBSCRIPT) see_filled(file, target, filled);
        }
    }
    for (ExprId e = 1; e < model->exprs.count; e++) {
        const Expr *callee = &model->exprs.items[model->exprs.items[e].a];
        if (model->exprs.items[e].kind != EXPR_CALL || callee->kind != EXPR_ATTRIBUTE) continue;
        Text name = model_name(model, callee->name);
        if (!python_is(PY_items, name) && !python_is(PY_values, name) && !python_is(PY_keys, name) &&
            !python_is(PY_get, name))
            see_filled(file, callee->a, filled);
    }
}

void flow_find_filled(Arena *arena, const Inference *inference, AroundCalls *around) {
    const Program *program = inference->program;
    around->filled = arena_new(arena, bool, program->names.texts.count + 1);
    for (FileId id = 1; id < program->files.count; id++)
        if (!around->tests[id]) see_fills(&program->files.items[id], around->filled);
}

Literal usual_unfilled(const Walk *walk, const Expr *expr, Literal literal) {
    bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    bool filled = named && walk->around_calls->filled[walk->file->syms[expr->name]];
    return literal.kind == LITERAL_EMPTY && filled ? unknown : literal;
}

/* What a loop over `enumerate(x)` or `x.items()` goes over. */
static ExprId gone_over(const Walk *walk, ExprId id) {
    const Expr *call = &walk->model->exprs.items[id], *callee = &walk->model->exprs.items[call->a];
    if (call->kind != EXPR_CALL) return id;
    Text name = last_name(walk, call->a);
    if (callee->kind == EXPR_ATTRIBUTE && (python_is(PY_items, name) || python_is(PY_values, name)))
        return callee->a;
    bool pairs = callee->kind == EXPR_NAME && call->list.count && python_is(PY_enumerate, name);
    return pairs ? walk->model->links.items[call->list.first] : id;
}

bool guard_no_turns(const Walk *walk, ExprId iterable, Item *guard) {
    ExprId over = gone_over(walk, iterable);
    const Expr *expr = &walk->model->exprs.items[over];
    Literal usual = usual_of(walk, over);
    if (usual.kind != LITERAL_EMPTY) return false;
    *guard = (Item){.kind = ITEM_GUARD, .expr = over};
    guard_usual(walk, expr, true, &usual, guard);
    return true;
}
