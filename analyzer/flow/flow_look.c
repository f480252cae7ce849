/* What a place of the text says by itself: the name at its end, a literal number, the only assignment to a variable,
   the call that it makes. */
#include "flow_walk.h"

Text last_name(const Walk *walk, ExprId id) {
    const Expr *expr = &walk->model->exprs.items[id];
    if (expr->kind == EXPR_CALL) return last_name(walk, expr->a);
    if (expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE) return model_name(walk->model, expr->name);
    return (Text){0};
}

uint32_t first_edge(const Walk *walk, ExprId id) {
    uint32_t at = id - walk->func->first_expr;
    return walk->marks && walk->marks[at] & MARK_CALLS ? walk->edge_heads[at] : 0;
}

double literal_number(const Walk *walk, ExprId id) {
    const Expr *expr = &walk->model->exprs.items[id];
    const Value *value = infer_fact(walk->context, walk->model, id);
    Text text = {0};
    if (expr->kind == EXPR_INT)
        text = model_name(walk->model, expr->name);
    else if (value && value->count == 1 && value->alts[0].kind == KIND_NUMBER)
        text = names_text(&walk->inference->program->names, value->alts[0].id);
    double number = 0;
    for (uint32_t i = 0; i < text.length && i < 9; i++) {
        if (text.bytes[i] == '_') continue;
        if (text.bytes[i] < '0' || text.bytes[i] > '9') return 0;
        number = number * 10 + (text.bytes[i] - '0');
    }
    return number;
}

ExprId assigned_once(const Walk *walk, const Expr *expr) {
    AccessId use =
        expr->kind == EXPR_NAME ? graph_access(walk->graph, (ExprId)(expr - walk->model->exprs.items)) : 0;
    AccessId def = use ? graph_only_def(walk->graph, walk->arena, use) : 0;
    return def && walk->graph->accesses[def].kind == DEF_ASSIGN ? graph_value(walk->graph, def) : 0;
}

ExprId flag_made_of(const Walk *walk, const Expr *expr) {
    ExprId made = assigned_once(walk, expr);
    uint8_t kind = made ? walk->model->exprs.items[made].kind : EXPR_NONE_ID;
    return kind == EXPR_COMPARE || kind == EXPR_AND || kind == EXPR_OR || kind == EXPR_NOT ? made : 0;
}
