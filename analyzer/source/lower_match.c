/* Patterns of case clauses, lowered to expressions (see lower.h). */
#include "lowering.h"

static ExprId push_list(Lowering *self, uint32_t node, ExprKind kind, List list) {
    return lower_node(self, node, (Expr){.kind = (uint8_t)kind, .list = list});
}

static bool is_one_name(const Lowering *self, uint32_t node) {
    return lower_kind(self, node) == NODE_DOTTED_NAME && lower_first(self, node) == lower_last(self, node);
}

/* a.b.c in a pattern is read, not bound; so is the class of a class pattern, even where it is a single name. */
static ExprId dotted_value(Lowering *self, uint32_t node) {
    uint32_t child = lower_first(self, node);
    if (!child) return lower_error_at(self, node);
    ExprId expr = lower_name_expr(self, lower_span(self, child), lower_text(self, child));
    for (child = lower_next(self, node, child); child; child = lower_next(self, node, child)) {
        Span span = {self->nodes[node].start, self->nodes[child].end};
        NameId name = lower_name(self, lower_text(self, child));
        expr = lower_push(self, (Expr){.kind = EXPR_ATTRIBUTE, .span = span, .a = expr, .name = name});
    }
    return expr;
}

/* The grammar gives `-` a node of its own before the number; `sign` is that node, or 0. */
static ExprId signed_number(Lowering *self, uint32_t sign, uint32_t number) {
    ExprId a = lower_pattern(self, number);
    if (!sign) return a;
    Span span = {self->nodes[sign].start, self->nodes[number].end};
    return lower_push(self, (Expr){.kind = EXPR_UNARY, .op = OP_NEG, .span = span, .a = a});
}

static List patterns(Lowering *self, uint32_t node, uint32_t after) {
    uint32_t mark = lower_list_open(self), sign = 0;
    uint32_t child = after ? lower_next(self, node, after) : lower_first(self, node);
    for (; child; child = lower_next(self, node, child)) {
        NodeKind kind = lower_kind(self, child);
        if (kind == NODE_MINUS) sign = child;
        if (kind == NODE_PIPE || kind == NODE_MINUS) continue;
        lower_list_add(self, signed_number(self, sign, child));
        sign = 0;
    }
    return lower_list_close(self, mark);
}

static ExprId class_pattern(Lowering *self, uint32_t node) {
    uint32_t callee = lower_first(self, node);
    if (!callee) return lower_error_at(self, node);
    ExprId a = dotted_value(self, callee);
    List list = patterns(self, node, callee);
    return lower_node(self, node, (Expr){.kind = EXPR_CALL, .a = a, .list = list});
}

/* *rest and **rest; `*_` binds nothing. */
static ExprId splat_pattern(Lowering *self, uint32_t node, bool in_dict) {
    uint32_t name = lower_last(self, node);
    ExprId a = name ? lower_pattern(self, name) : lower_error_at(self, node);
    if (in_dict) return a;
    return lower_node(self, node, (Expr){.kind = EXPR_STAR, .a = a});
}

/* In a dict pattern keys are bare nodes, values are case patterns; a sign stands before its number. */
static ExprId dict_pattern(Lowering *self, uint32_t node) {
    uint32_t mark = lower_list_open(self);
    ExprId key = 0;
    uint32_t sign = 0;
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        NodeKind kind = lower_kind(self, child);
        if (kind == NODE_SPLAT_PATTERN) {
            ExprId rest = splat_pattern(self, child, true);
            lower_list_add(self, 0);
            lower_list_add(self, rest);
        } else if (kind == NODE_CASE_PATTERN && key) {
            ExprId value = lower_pattern(self, child);
            lower_list_add(self, key);
            lower_list_add(self, value);
            key = 0;
        } else if (kind == NODE_MINUS) {
            sign = child;
        } else if (kind != NODE_COLON) {
            key = kind == NODE_DOTTED_NAME ? dotted_value(self, child) : signed_number(self, sign, child);
            sign = 0;
        }
    }
    return push_list(self, node, EXPR_DICT, lower_list_close(self, mark));
}

static ExprId as_pattern(Lowering *self, uint32_t node) {
    uint32_t pattern = lower_first(self, node), name = lower_last(self, node);
    ExprId b = pattern ? lower_pattern(self, pattern) : lower_error_at(self, node);
    if (name == pattern) return b;
    ExprId a = lower_target(self, name);
    return lower_node(self, node, (Expr){.kind = EXPR_NAMED, .a = a, .b = b});
}

/* A case pattern node holds one pattern, perhaps with a sign before a number. */
static ExprId case_pattern(Lowering *self, uint32_t node) {
    uint32_t first = lower_first(self, node), last = lower_last(self, node);
    if (!first) return lower_error_at(self, node);
    return signed_number(self, first != last && lower_kind(self, first) == NODE_MINUS ? first : 0, last);
}

static ExprId dispatch(Lowering *self, uint32_t node) {
    switch (lower_kind(self, node)) {
    case NODE_CASE_PATTERN: return case_pattern(self, node);
    case NODE_UNDERSCORE: return push_list(self, node, EXPR_ELLIPSIS, (List){0});
    case NODE_DOTTED_NAME:
        if (!is_one_name(self, node)) return dotted_value(self, node);
        if (text_equal(lower_text(self, node), TEXT("_")))
            return push_list(self, node, EXPR_ELLIPSIS, (List){0});
        return lower_target(self, lower_first(self, node));
    case NODE_IDENTIFIER: return lower_target(self, node);
    case NODE_UNION_PATTERN: return push_list(self, node, EXPR_OR, patterns(self, node, 0));
    case NODE_LIST_PATTERN: return push_list(self, node, EXPR_LIST, patterns(self, node, 0));
    case NODE_TUPLE_PATTERN: {
        uint32_t only = lower_first(self, node);
        bool in_parentheses =
            only && only == lower_last(self, node) && !lower_comma_follows(self, only, self->nodes[node].end);
        if (in_parentheses) return lower_pattern(self, only);
        return push_list(self, node, EXPR_TUPLE, patterns(self, node, 0));
    }
    case NODE_DICT_PATTERN: return dict_pattern(self, node);
    case NODE_CLASS_PATTERN: return class_pattern(self, node);
    case NODE_KEYWORD_PATTERN: return lower_keyword(self, node, lower_pattern);
    case NODE_SPLAT_PATTERN: return splat_pattern(self, node, false);
    case NODE_AS_PATTERN: return as_pattern(self, node);
    case NODE_COMPLEX_PATTERN:
        return lower_node(self, node,
                          (Expr){.kind = EXPR_FLOAT, .name = lower_name(self, lower_text(self, node))});
    default: return lower_expr(self, node);
    }
}

ExprId lower_pattern(Lowering *self, uint32_t node) {
    if (self->depth >= LOWER_DEPTH_LIMIT) return lower_expr(self, node); /* which gives up and counts it */
    self->depth++;
    ExprId expr = dispatch(self, node);
    self->depth--;
    return expr;
}

/* ---- a match that only compares ---- */

static bool is_value(const Lowering *self, uint32_t node) {
    switch (lower_kind(self, node)) {
    case NODE_STRING:
    case NODE_INTEGER:
    case NODE_FLOAT:
    case NODE_TRUE:
    case NODE_FALSE:
    case NODE_NONE:
    case NODE_MINUS:
    case NODE_PIPE: return true;
    case NODE_DOTTED_NAME: return !is_one_name(self, node);
    case NODE_CASE_PATTERN:
    case NODE_UNION_PATTERN: {
        uint32_t child = lower_first(self, node);
        for (; child && is_value(self, child); child = lower_next(self, node, child)) {}
        return !child;
    }
    default: return false;
    }
}

CaseKind lower_case_kind(const Lowering *self, uint32_t clause) {
    uint32_t pattern = lower_first(self, clause);
    bool all = text_equal(lower_text(self, pattern), TEXT("_"));
    if (all && !lower_child(self, clause, NODE_IF_CLAUSE)) return CASE_TAKES_ALL;
    bool alone = pattern && !lower_comma_follows(self, pattern, self->nodes[clause].end);
    return alone && is_value(self, pattern) ? CASE_COMPARES : CASE_TAKES_APART;
}

ExprId lower_case_test(Lowering *self, uint32_t subject, uint32_t clause) {
    uint32_t node = lower_first(self, clause), guard = lower_child(self, clause, NODE_IF_CLAUSE);
    Span span = {self->nodes[clause].start, self->nodes[node].end};
    uint32_t mark = lower_list_open(self);
    ExprId asked = lower_expr(self, subject), value = lower_pattern(self, node);
    Expr *exprs = self->model.exprs.items, *with = &exprs[value];
    for (ExprId part = asked; part; part = exprs[part].kind == EXPR_ATTRIBUTE ? exprs[part].a : 0)
        exprs[part].span = with->span; /* where this comparison stands */
    Operator op = with->kind == EXPR_OR ? OP_IN : with->kind == EXPR_NONE ? OP_IS : OP_EQ;
    if (with->kind == EXPR_OR) with->kind = EXPR_TUPLE;
    lower_list_add(self, asked);
    lower_list_add(self, value);
    List operands = lower_list_close(self, mark);
    lower_list_add(self, op);
    List operators = lower_list_close(self, mark);
    ExprId test = lower_push(
        self,
        (Expr){.kind = EXPR_COMPARE, .op = (uint8_t)op, .span = span, .list = operands, .c = operators.first});
    if (!guard) return test;
    mark = lower_list_open(self);
    lower_list_add(self, test);
    lower_list_add(self, lower_expr(self, lower_first(self, guard)));
    span.end = self->nodes[guard].end;
    return lower_push(self, (Expr){.kind = EXPR_AND, .span = span, .list = lower_list_close(self, mark)});
}
