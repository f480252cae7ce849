/* Comprehensions and generator expressions: their clauses, their loop, and the variables of their own scope. */
#include "lowering.h"

static ExprKind kind_of(NodeKind kind) {
    switch (kind) {
    case NODE_LIST_COMPREHENSION: return EXPR_LIST_COMP;
    case NODE_SET_COMPREHENSION: return EXPR_SET_COMP;
    case NODE_DICTIONARY_COMPREHENSION: return EXPR_DICT_COMP;
    default: return EXPR_GENERATOR;
    }
}

/* Several iterables without parentheses, `for x in a, b`, form a tuple. */
static ExprId iterable(Lowering *self, uint32_t node, uint32_t target) {
    uint32_t first = target ? lower_next(self, node, target) : 0, last = lower_last(self, node);
    if (!first) return lower_error_at(self, node);
    if (first == last) return lower_expr(self, first);
    Span span = {self->nodes[first].start, self->nodes[last].end};
    List list = lower_children(self, node, target, false);
    return lower_push(self, (Expr){.kind = EXPR_TUPLE, .span = span, .list = list});
}

/* The first iterable is evaluated in the enclosing scope, before the comprehension's variables exist. */
static ExprId for_clause(Lowering *self, uint32_t node, CompScope **scope) {
    uint32_t left = lower_first(self, node);
    ExprId b = iterable(self, node, left);
    if (!*scope) *scope = lower_comp_open(self);
    CompScope *outer_binding = self->binding_comp;
    self->binding_comp = *scope;
    ExprId a = lower_target(self, left);
    self->binding_comp = outer_binding;
    if (!a) a = lower_error_at(self, node);
    bool is_async = text_starts(lower_text(self, node), TEXT("async"));
    return lower_node(self, node, (Expr){.kind = EXPR_COMP_FOR, .op = is_async, .a = a, .b = b});
}

static List clauses(Lowering *self, uint32_t node, CompScope **scope) {
    uint32_t mark = lower_list_open(self);
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        if (lower_kind(self, child) == NODE_FOR_IN_CLAUSE) {
            lower_list_add(self, for_clause(self, child, scope));
        } else if (lower_kind(self, child) == NODE_IF_CLAUSE) {
            ExprId a = lower_expr(self, lower_first(self, child));
            if (!a) a = lower_error_at(self, child);
            lower_list_add(self, lower_node(self, child, (Expr){.kind = EXPR_COMP_IF, .a = a}));
        }
    }
    return lower_list_close(self, mark);
}

static void element(Lowering *self, uint32_t node, Expr *out) {
    uint32_t body = lower_first(self, node);
    if (body && out->kind == EXPR_DICT_COMP && lower_kind(self, body) == NODE_PAIR) {
        uint32_t key = lower_first(self, body), value = lower_last(self, body);
        out->a = lower_expr(self, key);
        out->b = key == value ? lower_error_expr(self, out->span) : lower_expr(self, value);
    } else {
        out->a = lower_expr(self, body);
        if (out->kind == EXPR_DICT_COMP) out->b = lower_error_expr(self, out->span);
    }
    if (!out->a) out->a = lower_error_expr(self, out->span);
}

ExprId lower_comprehension(Lowering *self, uint32_t node) {
    Expr out = {.kind = (uint8_t)kind_of(lower_kind(self, node)), .span = lower_span(self, node)};
    Loop loop = {.func = self->func, .outer = self->loop, .head = out.span};
    vec_push(self->scratch, &self->model.loops, loop);
    LoopId outer = self->loop;
    self->loop = out.loop = self->model.loops.count - 1;
    /* A comprehension inside a target, as in a[[i for i in b]] = c, reads and binds names as anywhere else. */
    CompScope *outer_binding = self->binding_comp, *scope = NULL;
    self->binding_comp = NULL;
    out.list = clauses(self, node, &scope);
    element(self, node, &out);
    if (scope) lower_comp_close(self);
    self->binding_comp = outer_binding;
    self->loop = outer;
    ExprId id = lower_push(self, out);
    self->model.loops.items[out.loop].expr = id;
    return id;
}
