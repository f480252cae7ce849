/* Need, read off how the waiting expression is used. */
#include "need.h"
#include "conventions.h"

static void adopt(ExprId *parents, ExprId child, ExprId parent) {
    if (child) parents[child] = parent;
}

ExprId *need_parents(Arena *arena, const FileModel *model) {
    ExprId *parents = arena_new(arena, ExprId, model->exprs.count + 1);
    for (ExprId id = 1; id < model->exprs.count; id++) {
        const Expr *expr = &model->exprs.items[id];
        adopt(parents, expr->a, id);
        adopt(parents, expr->b, id);
        if (expr->kind != EXPR_COMPARE) adopt(parents, expr->c, id);
        for (uint32_t i = 0; i < expr->list.count; i++)
            adopt(parents, model->links.items[expr->list.first + i], id);
    }
    return parents;
}

static Text callee_name(const FileModel *model, const Expr *call) {
    const Expr *callee = &model->exprs.items[call->a];
    return callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE ? model_name(model, callee->name)
                                                                       : (Text){0};
}

static Need need_of_call(const Rulebook *book, const FileModel *model, const Expr *call) {
    Text name = callee_name(model, call);
    if (name_is(book, NAMED_sizing_call, name)) return NEED_NEEDED;
    if (name_is(book, NAMED_logging_call, name)) return NEED_AVOIDABLE;
    return NEED_UNKNOWN;
}

static bool decides(const FileModel *model, ExprId expr, StmtId id) {
    const Stmt *stmt = &model->stmts.items[id];
    return (stmt->kind == STMT_IF || stmt->kind == STMT_WHILE || stmt->kind == STMT_ASSERT) && stmt->a == expr;
}

/* Whether an expression is the variable that `name` is in `func`: there, in functions of it, or anywhere for a module's. */
static bool is_variable(const FileModel *model, FuncId func, const Expr *name, ExprId id) {
    const Expr *expr = &model->exprs.items[id];
    if (expr->kind != EXPR_NAME || expr->slot != name->slot || expr->name != name->name) return false;
    bool own = model->funcs.items[func].first_expr <= id && id < model->funcs.items[func].end_expr;
    if (own) return expr->binding == name->binding;
    return expr->binding == BIND_FREE
               ? expr->func == func
               : expr->binding == BIND_GLOBAL && (func == 1 || name->binding == BIND_GLOBAL);
}

/* `n = t.item()`: needed when the name decides something, is a size or an index; else what it is used for. */
static Need need_of_name(const Rulebook *book, const FileModel *model, const ExprId *parents, ExprId target) {
    const Expr *name = &model->exprs.items[target];
    FuncId func = model_func_of(model, target);
    Need need = NEED_UNKNOWN;
    ExprId end = target + 4000 < model->exprs.count ? target + 4000 : model->exprs.count;
    for (ExprId id = target + 1; id < end; id++) {
        if (!is_variable(model, func, name, id)) continue;
        const Expr *parent = &model->exprs.items[parents[id]];
        if (parent->kind == EXPR_COMPARE || parent->kind == EXPR_SLICE) return NEED_NEEDED;
        if (parent->kind == EXPR_SUBSCRIPT && parent->b == id) return NEED_NEEDED;
        Need use = parent->kind == EXPR_CALL            ? need_of_call(book, model, parent)
                   : parent->kind == EXPR_INTERPOLATION ? NEED_AVOIDABLE
                                                        : NEED_UNKNOWN;
        if (use == NEED_NEEDED) return use;
        if (use == NEED_AVOIDABLE) need = use;
    }
    return need;
}

Need need_of(const Rulebook *book, const FileModel *model, const ExprId *parents, ExprId expr, StmtId stmt_id) {
    const Stmt *stmt = &model->stmts.items[stmt_id];
    ExprId at = expr;
    for (ExprId up = parents[at]; up; at = up, up = parents[at]) {
        const Expr *parent = &model->exprs.items[up];
        if (parent->kind == EXPR_COMPARE || parent->kind == EXPR_SLICE || parent->kind == EXPR_NOT)
            return NEED_NEEDED;
        if (parent->kind == EXPR_IF && parent->a == at) return NEED_NEEDED;
        if (parent->kind == EXPR_SUBSCRIPT && parent->b == at) return NEED_NEEDED;
        if (parent->kind == EXPR_INTERPOLATION) return NEED_AVOIDABLE;
        if (parent->kind != EXPR_CALL || parent->a == at) continue;
        Need need = need_of_call(book, model, parent);
        if (need != NEED_UNKNOWN) return need;
    }
    if (decides(model, at, stmt_id)) return NEED_NEEDED;
    if (stmt->kind == STMT_AUGMENT) return NEED_AVOIDABLE; /* a running total can be kept on the GPU */
    if (stmt->kind == STMT_ASSIGN && stmt->list.count == 1) {
        ExprId target = model->links.items[stmt->list.first];
        if (model->exprs.items[target].kind == EXPR_NAME) return need_of_name(book, model, parents, target);
    }
    return NEED_UNKNOWN;
}

const char *doubt_word(unsigned bit) {
    static const char *const words[DOUBTS] = {"value",  "property", "others", "sides",  "page",
                                              "caller", "branch",   "test",   "wished", "data"};
    return words[bit];
}
