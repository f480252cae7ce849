#include "lowering.h"

ExprId lower_push(Lowering *self, Expr expr) {
    vec_push(self->scratch, &self->model.exprs, expr);
    return self->model.exprs.count - 1;
}

ExprId lower_error_expr(Lowering *self, Span span) {
    return lower_push(self, (Expr){.kind = EXPR_ERROR, .span = span});
}

static ExprId give_up(Lowering *self, uint32_t node) {
    lower_give_up(self, node);
    return lower_error_at(self, node);
}

/* ---- names ---- */

ExprId lower_name_expr(Lowering *self, Span span, Text text) {
    NameId name = lower_name(self, text);
    Expr expr = {.kind = EXPR_NAME, .span = span, .name = name};
    expr.slot = self->comps ? lower_comp_slot(self, name) : 0;
    if (expr.slot) expr.binding = BIND_LOCAL;
    return lower_push(self, expr);
}

ExprId lower_bound_name(Lowering *self, Span span, Text text) {
    NameId name = lower_name(self, text);
    Expr expr = {.kind = EXPR_NAME, .span = span, .name = name};
    uint32_t slot = lower_bind(self, name);
    /* A name declared global or nonlocal is resolved with the others once the function is complete. */
    if (self->binding_comp) {
        expr.slot = slot;
        expr.binding = BIND_LOCAL;
    }
    return lower_push(self, expr);
}

static ExprId identifier(Lowering *self, uint32_t node) {
    if (self->nodes[node].missing) return lower_error_at(self, node);
    return lower_name_expr(self, lower_span(self, node), lower_text(self, node));
}

static ExprId literal(Lowering *self, uint32_t node, ExprKind kind) {
    Text text = lower_text(self, node);
    bool imaginary = kind == EXPR_INT && text.length && (text.bytes[text.length - 1] | 32) == 'j';
    bool hexadecimal = text.length > 1 && (text.bytes[1] | 32) == 'x';
    if (imaginary && !hexadecimal) kind = EXPR_FLOAT;
    return lower_node(self, node, (Expr){.kind = (uint8_t)kind, .name = lower_name(self, text)});
}

static ExprId plain(Lowering *self, uint32_t node, ExprKind kind) {
    return lower_node(self, node, (Expr){.kind = (uint8_t)kind});
}

/* ---- lists ---- */

List lower_children(Lowering *self, uint32_t node, uint32_t after, bool as_targets) {
    uint32_t mark = lower_list_open(self);
    uint32_t child = after ? lower_next(self, node, after) : lower_first(self, node);
    for (; child; child = lower_next(self, node, child))
        lower_list_add(self, as_targets ? lower_target(self, child) : lower_expr(self, child));
    return lower_list_close(self, mark);
}

static ExprId display(Lowering *self, uint32_t node, ExprKind kind) {
    List list = lower_children(self, node, 0, false);
    return lower_node(self, node, (Expr){.kind = (uint8_t)kind, .list = list});
}

static void dictionary_entry(Lowering *self, uint32_t node) {
    uint32_t key = 0, value = lower_first(self, node);
    if (lower_kind(self, node) == NODE_PAIR) {
        key = value;
        value = value ? lower_next(self, node, value) : 0;
    }
    ExprId key_expr = lower_expr(self, key);
    ExprId value_expr = value ? lower_expr(self, value) : lower_error_at(self, node);
    lower_list_add(self, key_expr);
    lower_list_add(self, value_expr);
}

static ExprId dictionary(Lowering *self, uint32_t node) {
    uint32_t mark = lower_list_open(self);
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        NodeKind kind = lower_kind(self, child);
        if (kind == NODE_PAIR || kind == NODE_DICTIONARY_SPLAT) dictionary_entry(self, child);
    }
    return lower_node(self, node, (Expr){.kind = EXPR_DICT, .list = lower_list_close(self, mark)});
}

/* ---- operators ---- */

Operator lower_operator(NodeKind kind) {
#define OPERATOR(name, sign, method)
#define SIGN(node, name) \
    if (kind == NODE_##node) return OP_##name;
#include "operators.def"
    return OP_NO;
}

static bool is_operator(NodeKind kind) { return kind >= NODE_COLON; }

static ExprId binary(Lowering *self, uint32_t node) {
    uint32_t left = lower_first(self, node), sign = left ? lower_next(self, node, left) : 0;
    uint32_t right = sign ? lower_next(self, node, sign) : 0;
    Operator op = right ? lower_operator(lower_kind(self, sign)) : OP_NO;
    if (op == OP_NO) return lower_error_at(self, node);
    ExprId a = lower_expr(self, left), b = lower_expr(self, right);
    return lower_node(self, node, (Expr){.kind = EXPR_BINARY, .op = (uint8_t)op, .a = a, .b = b});
}

static ExprId unary(Lowering *self, uint32_t node) {
    uint32_t sign = lower_first(self, node), operand = lower_last(self, node);
    if (!operand || sign == operand) return lower_error_at(self, node);
    Operator op = lower_operator(lower_kind(self, sign));
    op = op == OP_SUB ? OP_NEG : op == OP_ADD ? OP_POS : OP_INVERT;
    ExprId a = lower_expr(self, operand);
    return lower_node(self, node, (Expr){.kind = EXPR_UNARY, .op = (uint8_t)op, .a = a});
}

static uint32_t operator_of(const Lowering *self, uint32_t node) {
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
        if (is_operator(lower_kind(self, child))) return child;
    return 0;
}

/* `a and b and c` parses as a left-leaning tree: operands of equal operators are flattened to one list. */
static void boolean_operands(Lowering *self, uint32_t node, NodeKind wanted) {
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        if (is_operator(lower_kind(self, child))) continue;
        uint32_t sign = lower_kind(self, child) == NODE_BOOLEAN_OPERATOR ? operator_of(self, child) : 0;
        bool same = sign && lower_kind(self, sign) == wanted && self->depth < LOWER_DEPTH_LIMIT;
        if (!same) {
            lower_list_add(self, lower_expr(self, child));
            continue;
        }
        self->depth++;
        boolean_operands(self, child, wanted);
        self->depth--;
    }
}

static ExprId boolean(Lowering *self, uint32_t node) {
    uint32_t sign = operator_of(self, node);
    NodeKind wanted = sign ? lower_kind(self, sign) : NODE_AND;
    uint32_t mark = lower_list_open(self);
    boolean_operands(self, node, wanted);
    return lower_node(
        self, node,
        (Expr){.kind = wanted == NODE_OR ? EXPR_OR : EXPR_AND, .list = lower_list_close(self, mark)});
}

static ExprId comparison(Lowering *self, uint32_t node) {
    List operands, operators;
    uint32_t mark = lower_list_open(self);
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
        if (!is_operator(lower_kind(self, child))) lower_list_add(self, lower_expr(self, child));
    operands = lower_list_close(self, mark);
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
        if (lower_operator(lower_kind(self, child)) != OP_NO)
            lower_list_add(self, lower_operator(lower_kind(self, child)));
    operators = lower_list_close(self, mark);
    if (operands.count < 2 || operators.count != operands.count - 1) return lower_error_at(self, node);
    return lower_node(self, node,
                      (Expr){.kind = EXPR_COMPARE,
                             .op = (uint8_t)self->model.links.items[operators.first],
                             .list = operands,
                             .c = operators.first});
}

/* ---- postfix ---- */

static ExprId attribute(Lowering *self, uint32_t node) {
    uint32_t object = lower_first(self, node), member = lower_last(self, node);
    ExprId a = lower_expr(self, object);
    Text text =
        object != member && lower_kind(self, member) == NODE_IDENTIFIER ? lower_text(self, member) : (Text){0};
    NameId name = text.length ? lower_name(self, text) : 0; /* empty for an unfinished `x.` */
    return lower_node(self, node, (Expr){.kind = EXPR_ATTRIBUTE, .a = a, .name = name});
}

/* The subscripts of x[...], or the arguments of a generic type. */
static ExprId index_of(Lowering *self, uint32_t node, uint32_t after) {
    uint32_t first = after ? lower_next(self, node, after) : lower_first(self, node);
    if (!first) return lower_error_expr(self, (Span){self->nodes[node].end, self->nodes[node].end});
    uint32_t last = lower_last(self, node);
    if (first == last && !lower_comma_follows(self, last, self->nodes[node].end))
        return lower_expr(self, first);
    uint32_t mark = lower_list_open(self);
    for (uint32_t child = first; child; child = lower_next(self, node, child))
        lower_list_add(self, lower_expr(self, child));
    Span span = {self->nodes[first].start, self->nodes[last].end};
    return lower_push(self, (Expr){.kind = EXPR_TUPLE, .span = span, .list = lower_list_close(self, mark)});
}

static ExprId subscript(Lowering *self, uint32_t node) {
    uint32_t object = lower_first(self, node);
    ExprId a = lower_expr(self, object), b = index_of(self, node, object);
    return lower_node(self, node, (Expr){.kind = EXPR_SUBSCRIPT, .a = a, .b = b});
}

static ExprId slice(Lowering *self, uint32_t node) {
    ExprId bounds[3] = {0};
    uint32_t colons = 0;
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        if (lower_kind(self, child) == NODE_COLON)
            colons++;
        else if (colons < 3)
            bounds[colons] = lower_expr(self, child);
    }
    return lower_node(self, node, (Expr){.kind = EXPR_SLICE, .a = bounds[0], .b = bounds[1], .c = bounds[2]});
}

ExprId lower_keyword(Lowering *self, uint32_t node, ExprId (*lower)(Lowering *self, uint32_t node)) {
    uint32_t name = lower_first(self, node), value = lower_last(self, node);
    if (!name || name == value) return lower_error_at(self, node);
    ExprId a = lower(self, value);
    return lower_node(self, node,
                      (Expr){.kind = EXPR_KEYWORD, .a = a, .name = lower_name(self, lower_text(self, name))});
}

static ExprId starred(Lowering *self, uint32_t node, ExprKind kind, bool is_target) {
    uint32_t child = lower_first(self, node);
    ExprId a = is_target ? lower_target(self, child) : lower_expr(self, child);
    if (!a) return lower_error_at(self, node);
    return lower_node(self, node, (Expr){.kind = (uint8_t)kind, .a = a});
}

static ExprId call(Lowering *self, uint32_t node) {
    uint32_t callee = lower_first(self, node), arguments = lower_last(self, node);
    ExprId a = lower_expr(self, callee);
    List list = {0};
    if (arguments != callee && lower_kind(self, arguments) == NODE_ARGUMENT_LIST) {
        list = lower_children(self, arguments, 0, false);
    } else if (arguments != callee) { /* f(x for x in y) */
        uint32_t mark = lower_list_open(self);
        lower_list_add(self, lower_expr(self, arguments));
        list = lower_list_close(self, mark);
    }
    return lower_node(self, node, (Expr){.kind = EXPR_CALL, .a = a, .list = list});
}

/* ---- the rest ---- */

static ExprId conditional(Lowering *self, uint32_t node) {
    uint32_t value = lower_first(self, node), condition = value ? lower_next(self, node, value) : 0;
    uint32_t otherwise = condition ? lower_next(self, node, condition) : 0;
    if (!otherwise) return lower_error_at(self, node);
    ExprId a = lower_expr(self, condition), b = lower_expr(self, value), c = lower_expr(self, otherwise);
    return lower_node(self, node, (Expr){.kind = EXPR_IF, .a = a, .b = b, .c = c});
}

/* A walrus binds in the function, also inside a comprehension. */
static ExprId named(Lowering *self, uint32_t node) {
    uint32_t name = lower_first(self, node), value = lower_last(self, node);
    if (!name || name == value) return lower_error_at(self, node);
    ExprId b = lower_expr(self, value);
    CompScope *binding_comp = self->binding_comp;
    self->binding_comp = NULL;
    ExprId a = lower_target(self, name);
    self->binding_comp = binding_comp;
    return lower_node(self, node, (Expr){.kind = EXPR_NAMED, .a = a, .b = b});
}

static ExprId yielded(Lowering *self, uint32_t node) {
    uint32_t child = lower_first(self, node);
    bool from = child && lower_kind(self, child) == NODE_FROM;
    if (from) child = lower_next(self, node, child);
    ExprId a = lower_expr(self, child);
    self->model.funcs.items[self->func].is_generator = 1;
    return lower_node(self, node, (Expr){.kind = from ? EXPR_YIELD_FROM : EXPR_YIELD, .a = a});
}

static ExprId wrapped(Lowering *self, uint32_t node, ExprKind kind) {
    ExprId a = lower_expr(self, lower_first(self, node));
    if (!a) return lower_error_at(self, node);
    return lower_node(self, node, (Expr){.kind = (uint8_t)kind, .a = a});
}

static ExprId parenthesized(Lowering *self, uint32_t node) {
    uint32_t child = lower_first(self, node);
    if (!child) return lower_error_at(self, node);
    ExprId inner = lower_expr(self, child);
    self->model.exprs.items[inner].paren = 1;
    return inner;
}

/* `value as target` where only an expression is allowed: gives the value. */
static ExprId value_of_as(Lowering *self, uint32_t node) {
    uint32_t value = lower_first(self, node);
    return value ? lower_expr(self, value) : lower_error_at(self, node);
}

static ExprId annotation(Lowering *self, uint32_t node) {
    ExprId quoted = lower_quoted_type(self, lower_first(self, node));
    return quoted ? quoted : value_of_as(self, node);
}

/* List[int] in an annotation becomes a subscript. */
static ExprId generic_type(Lowering *self, uint32_t node) {
    uint32_t object = lower_first(self, node), parameters = lower_last(self, node);
    ExprId a = lower_expr(self, object);
    if (object == parameters) return a;
    ExprId b = index_of(self, parameters, 0);
    return lower_node(self, node, (Expr){.kind = EXPR_SUBSCRIPT, .a = a, .b = b});
}

static ExprId union_type(Lowering *self, uint32_t node) {
    uint32_t left = lower_first(self, node), right = lower_last(self, node);
    if (left == right) return lower_expr(self, left);
    ExprId a = lower_expr(self, left), b = lower_expr(self, right);
    return lower_node(self, node, (Expr){.kind = EXPR_BINARY, .op = OP_OR, .a = a, .b = b});
}

static ExprId dispatch(Lowering *self, uint32_t node) {
    switch (lower_kind(self, node)) {
    case NODE_IDENTIFIER: return identifier(self, node);
    case NODE_INTEGER: return literal(self, node, EXPR_INT);
    case NODE_FLOAT: return literal(self, node, EXPR_FLOAT);
    case NODE_TRUE: return plain(self, node, EXPR_TRUE);
    case NODE_FALSE: return plain(self, node, EXPR_FALSE);
    case NODE_NONE: return plain(self, node, EXPR_NONE);
    case NODE_ELLIPSIS: return plain(self, node, EXPR_ELLIPSIS);
    case NODE_STRING:
    case NODE_CONCATENATED_STRING: return lower_string(self, node);
    case NODE_ATTRIBUTE:
    case NODE_MEMBER_TYPE: return attribute(self, node);
    case NODE_SUBSCRIPT: return subscript(self, node);
    case NODE_SLICE: return slice(self, node);
    case NODE_CALL: return call(self, node);
    case NODE_KEYWORD_ARGUMENT: return lower_keyword(self, node, lower_expr);
    case NODE_LIST_SPLAT:
    case NODE_LIST_SPLAT_PATTERN:
    case NODE_SPLAT_TYPE: return starred(self, node, EXPR_STAR, false);
    case NODE_DICTIONARY_SPLAT:
    case NODE_DICTIONARY_SPLAT_PATTERN: return starred(self, node, EXPR_DOUBLE_STAR, false);
    case NODE_BINARY_OPERATOR: return binary(self, node);
    case NODE_UNARY_OPERATOR: return unary(self, node);
    case NODE_NOT_OPERATOR: return wrapped(self, node, EXPR_NOT);
    case NODE_BOOLEAN_OPERATOR: return boolean(self, node);
    case NODE_COMPARISON_OPERATOR: return comparison(self, node);
    case NODE_CONDITIONAL_EXPRESSION: return conditional(self, node);
    case NODE_NAMED_EXPRESSION: return named(self, node);
    case NODE_LAMBDA: return lower_lambda(self, node);
    case NODE_LIST:
    case NODE_LIST_PATTERN: return display(self, node, EXPR_LIST);
    case NODE_TUPLE:
    case NODE_TUPLE_PATTERN:
    case NODE_PATTERN_LIST:
    case NODE_EXPRESSION_LIST: return display(self, node, EXPR_TUPLE);
    case NODE_SET: return display(self, node, EXPR_SET);
    case NODE_DICTIONARY: return dictionary(self, node);
    case NODE_LIST_COMPREHENSION:
    case NODE_SET_COMPREHENSION:
    case NODE_DICTIONARY_COMPREHENSION:
    case NODE_GENERATOR_EXPRESSION: return lower_comprehension(self, node);
    case NODE_PARENTHESIZED_EXPRESSION:
    case NODE_PARENTHESIZED_LIST_SPLAT: return parenthesized(self, node);
    case NODE_AWAIT: return wrapped(self, node, EXPR_AWAIT);
    case NODE_YIELD: return yielded(self, node);
    case NODE_AS_PATTERN: return value_of_as(self, node);
    case NODE_TYPE: return annotation(self, node);
    case NODE_CONSTRAINED_TYPE: return value_of_as(self, node);
    case NODE_GENERIC_TYPE: return generic_type(self, node);
    case NODE_UNION_TYPE: return union_type(self, node);
    default: return lower_error_at(self, node);
    }
}

ExprId lower_expr(Lowering *self, uint32_t node) {
    if (!node) return 0;
    if (self->depth >= LOWER_DEPTH_LIMIT) return give_up(self, node);
    self->depth++;
    ExprId expr = dispatch(self, node);
    self->depth--;
    return expr;
}

/* ---- targets ---- */

static ExprId target(Lowering *self, uint32_t node) {
    NodeKind kind = lower_kind(self, node);
    switch (kind) {
    case NODE_IDENTIFIER:
        if (self->nodes[node].missing) return lower_error_at(self, node);
        return lower_bound_name(self, lower_span(self, node), lower_text(self, node));
    case NODE_LIST_SPLAT:
    case NODE_LIST_SPLAT_PATTERN: return starred(self, node, EXPR_STAR, true);
    case NODE_LIST:
    case NODE_TUPLE:
    case NODE_LIST_PATTERN:
    case NODE_TUPLE_PATTERN:
    case NODE_PATTERN_LIST:
    case NODE_EXPRESSION_LIST: {
        List list = lower_children(self, node, 0, true);
        bool is_list = kind == NODE_LIST || kind == NODE_LIST_PATTERN;
        return lower_node(self, node, (Expr){.kind = is_list ? EXPR_LIST : EXPR_TUPLE, .list = list});
    }
    case NODE_PARENTHESIZED_EXPRESSION:
    case NODE_AS_PATTERN_TARGET:
    case NODE_TYPE: {
        uint32_t child = lower_first(self, node);
        return child ? lower_target(self, child) : lower_error_at(self, node);
    }
    default: return lower_expr(self, node);
    }
}

ExprId lower_target(Lowering *self, uint32_t node) {
    if (!node) return 0;
    if (self->depth >= LOWER_DEPTH_LIMIT) return give_up(self, node);
    self->depth++;
    ExprId expr = target(self, node);
    self->depth--;
    return expr;
}
