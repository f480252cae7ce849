#include "lowering.h"

StmtId lower_stmt_open(Lowering *self) {
    vec_push(self->scratch, &self->model.stmts, (Stmt){0});
    return self->model.stmts.count - 1;
}

void lower_stmt_close(Lowering *self, StmtId id, Stmt stmt) { self->model.stmts.items[id] = stmt; }

static StmtId simple(Lowering *self, Stmt stmt) {
    stmt.head = stmt.span;
    StmtId id = lower_stmt_open(self);
    lower_stmt_close(self, id, stmt);
    return id;
}

/* The span from the statement's start to its colon. Between the header's last part and the colon there are only
   brackets, blanks and comments. */
Span lower_head(const Lowering *self, uint32_t start, uint32_t header_end, uint32_t block) {
    uint32_t end = block ? self->nodes[block].start : header_end;
    const char *bytes = self->bytes.bytes;
    for (uint32_t at = header_end; at < end; at++) {
        if (bytes[at] == ':') return (Span){start, at + 1};
        if (bytes[at] == '#')
            while (at < end && bytes[at] != '\n') at++;
    }
    return (Span){start, header_end};
}

/* The first block below a node. */
static uint32_t block_of(const Lowering *self, uint32_t node) {
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
        if (lower_kind(self, child) == NODE_BLOCK) return child;
    return 0;
}

/* ---- simple statements ---- */

/* `a = b: int = v` as the grammar nests it: the right side of an assignment may be another assignment. */
static StmtId assignment(Lowering *self, uint32_t outer, Span span) {
    Stmt stmt = {.kind = STMT_ASSIGN, .span = span};
    uint32_t targets = lower_list_open(self), value = 0, chain = lower_list_open(self);
    for (uint32_t node = outer; node; node = value && lower_kind(self, value) == NODE_ASSIGNMENT ? value : 0) {
        uint32_t left = lower_first(self, node), child = left ? lower_next(self, node, left) : 0;
        if (left) lower_list_add(self, left);
        if (child && lower_kind(self, child) == NODE_TYPE) {
            stmt.a = lower_expr(self, child);
            child = lower_next(self, node, child);
        }
        value = child;
    }
    /* The value is evaluated before the targets are bound, so its ids come first. */
    stmt.b = lower_expr(self, value);
    for (uint32_t i = chain; i < self->pending.count; i++) {
        ExprId target = lower_target(self, self->pending.items[i]);
        self->pending.items[i] = target;
    }
    stmt.list = lower_list_close(self, targets);
    return simple(self, stmt);
}

static StmtId augmented(Lowering *self, uint32_t node, Span span) {
    uint32_t left = lower_first(self, node), sign = left ? lower_next(self, node, left) : 0;
    uint32_t right = sign ? lower_next(self, node, sign) : 0;
    Operator op = right ? lower_operator(lower_kind(self, sign)) : OP_NO;
    if (op == OP_NO) return simple(self, (Stmt){.kind = STMT_ERROR, .span = span});
    ExprId a = lower_target(self, left), b = lower_expr(self, right);
    return simple(self, (Stmt){.kind = STMT_AUGMENT, .op = (uint8_t)op, .span = span, .a = a, .b = b});
}

/* Several expressions separated by commas form a tuple. */
static ExprId one_or_tuple(Lowering *self, uint32_t node) {
    uint32_t first = lower_first(self, node), last = lower_last(self, node);
    if (!first) return 0;
    if (first == last && !lower_comma_follows(self, last, self->nodes[node].end))
        return lower_expr(self, first);
    Span span = {self->nodes[first].start, self->nodes[last].end};
    List list = lower_children(self, node, 0, false);
    return lower_push(self, (Expr){.kind = EXPR_TUPLE, .span = span, .list = list});
}

static StmtId expression_statement(Lowering *self, uint32_t node) {
    uint32_t first = lower_first(self, node);
    Span span = lower_span(self, node);
    if (!first) return simple(self, (Stmt){.kind = STMT_ERROR, .span = span});
    if (lower_kind(self, first) == NODE_ASSIGNMENT) return assignment(self, first, span);
    if (lower_kind(self, first) == NODE_AUGMENTED_ASSIGNMENT) return augmented(self, first, span);
    ExprId a = one_or_tuple(self, node);
    return simple(self, (Stmt){.kind = STMT_EXPR, .span = span, .a = a});
}

/* Python 2's statements `print x, y` and `exec code` become calls of the functions of those names. */
static StmtId keyword_call(Lowering *self, uint32_t node, Text name) {
    Span span = lower_span(self, node);
    ExprId callee = lower_name_expr(self, (Span){span.start, span.start + name.length}, name);
    uint32_t mark = lower_list_open(self);
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        if (lower_kind(self, child) != NODE_CHEVRON) {
            lower_list_add(self, lower_expr(self, child));
            continue;
        }
        ExprId a = lower_expr(self, lower_first(self, child));
        if (a)
            lower_list_add(
                self, lower_node(self, child,
                                 (Expr){.kind = EXPR_KEYWORD, .a = a, .name = lower_name(self, TEXT("file"))}));
    }
    ExprId call = lower_push(
        self, (Expr){.kind = EXPR_CALL, .span = span, .a = callee, .list = lower_list_close(self, mark)});
    return simple(self, (Stmt){.kind = STMT_EXPR, .span = span, .a = call});
}

/* A statement with up to two expressions: return, assert, raise. */
static StmtId with_operands(Lowering *self, uint32_t node, StmtKind kind) {
    uint32_t first = lower_first(self, node), second = first ? lower_next(self, node, first) : 0;
    ExprId a = lower_expr(self, first), b = lower_expr(self, second);
    return simple(self, (Stmt){.kind = (uint8_t)kind, .span = lower_span(self, node), .a = a, .b = b});
}

static StmtId deletion(Lowering *self, uint32_t node) {
    uint32_t first = lower_first(self, node);
    bool listed = first && lower_kind(self, first) == NODE_EXPRESSION_LIST;
    List list = lower_children(self, listed ? first : node, 0, true);
    return simple(self, (Stmt){.kind = STMT_DELETE, .span = lower_span(self, node), .list = list});
}

static StmtId declaration(Lowering *self, uint32_t node, StmtKind kind) {
    uint32_t mark = lower_list_open(self);
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        NameId name = lower_name(self, lower_text(self, child));
        lower_declare(self, name, kind == STMT_GLOBAL);
        lower_list_add(self, name);
    }
    return simple(
        self,
        (Stmt){.kind = (uint8_t)kind, .span = lower_span(self, node), .list = lower_list_close(self, mark)});
}

static StmtId type_alias(Lowering *self, uint32_t node) {
    uint32_t left = lower_first(self, node), right = lower_last(self, node);
    ExprId b = left == right ? 0 : lower_expr(self, right);
    uint32_t mark = lower_list_open(self);
    if (left) lower_list_add(self, lower_target(self, left));
    return simple(self, (Stmt){.kind = STMT_ASSIGN,
                               .span = lower_span(self, node),
                               .b = b,
                               .list = lower_list_close(self, mark)});
}

/* ---- compound statements ---- */

static List one(Lowering *self, StmtId id) {
    uint32_t mark = lower_list_open(self);
    lower_list_add(self, id);
    return lower_list_close(self, mark);
}

/* `if TYPE_CHECKING` or `if typing.TYPE_CHECKING`: what its block imports does not exist at run time. */
static bool is_type_checking(const Lowering *self, uint32_t condition) {
    return condition && text_ends(lower_text(self, condition), TEXT("TYPE_CHECKING")) &&
           lower_kind(self, condition) != NODE_NOT_OPERATOR;
}

/* `clauses` is the first elif or else clause of the statement `parent`; an elif is an if alone in the orelse. */
static List alternatives(Lowering *self, uint32_t parent, uint32_t clause);

static StmtId conditional(Lowering *self, uint32_t node, uint32_t parent, uint32_t after, Span span) {
    uint32_t condition = lower_first(self, node), block = block_of(self, node);
    StmtId id = lower_stmt_open(self);
    Stmt stmt = {.kind = STMT_IF, .span = span};
    stmt.head = lower_head(self, span.start, condition ? self->nodes[condition].end : span.start, block);
    stmt.a = condition == block ? lower_error_expr(self, stmt.head) : lower_expr(self, condition);
    uint8_t outer = self->type_checking;
    self->type_checking |= is_type_checking(self, condition);
    stmt.body = lower_block(self, block);
    self->type_checking = outer;
    stmt.orelse = alternatives(self, parent, after);
    lower_stmt_close(self, id, stmt);
    return id;
}

static List alternatives(Lowering *self, uint32_t parent, uint32_t clause) {
    while (clause && lower_kind(self, clause) != NODE_ELIF_CLAUSE &&
           lower_kind(self, clause) != NODE_ELSE_CLAUSE)
        clause = lower_next(self, parent, clause);
    if (!clause) return (List){0};
    if (lower_kind(self, clause) == NODE_ELSE_CLAUSE) return lower_block(self, block_of(self, clause));
    Span span = {self->nodes[clause].start, self->nodes[parent].end};
    if (self->depth >= LOWER_DEPTH_LIMIT) {
        lower_give_up(self, clause);
        return one(self, simple(self, (Stmt){.kind = STMT_ERROR, .span = span}));
    }
    self->depth++;
    StmtId id = conditional(self, clause, parent, lower_next(self, parent, clause), span);
    self->depth--;
    return one(self, id);
}

uint32_t lower_child(const Lowering *self, uint32_t node, NodeKind kind) {
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
        if (lower_kind(self, child) == kind) return child;
    return 0;
}

static List else_of(Lowering *self, uint32_t node) {
    uint32_t clause = lower_child(self, node, NODE_ELSE_CLAUSE);
    return clause ? lower_block(self, block_of(self, clause)) : (List){0};
}

static LoopId loop_open(Lowering *self, StmtId stmt, Span head) {
    vec_push(self->scratch, &self->model.loops,
             ((Loop){.func = self->func, .outer = self->loop, .stmt = stmt, .head = head}));
    return self->loop = self->model.loops.count - 1;
}

/* The header of a loop statement belongs to the enclosing loop, except the condition of a `while`, which runs
   every iteration. */
static StmtId loop(Lowering *self, uint32_t node, bool is_for) {
    uint32_t first = lower_first(self, node), block = block_of(self, node);
    uint32_t second = first && is_for ? lower_next(self, node, first) : 0;
    if (second == block) second = 0;
    uint32_t header = second ? second : first != block ? first : 0;
    StmtId id = lower_stmt_open(self);
    LoopId outer = self->loop;
    Stmt stmt = {.kind = is_for ? STMT_FOR : STMT_WHILE, .span = lower_span(self, node)};
    stmt.op = text_starts(lower_text(self, node), TEXT("async"));
    stmt.head = lower_head(self, stmt.span.start, header ? self->nodes[header].end : stmt.span.start, block);
    if (is_for) stmt.b = second ? lower_expr(self, second) : lower_error_expr(self, stmt.head);
    stmt.loop = loop_open(self, id, stmt.head);
    if (!header)
        stmt.a = lower_error_expr(self, stmt.head);
    else
        stmt.a = is_for ? lower_target(self, first) : lower_expr(self, first);
    stmt.body = lower_block(self, block);
    self->loop = outer;
    stmt.orelse = else_of(self, node);
    lower_stmt_close(self, id, stmt);
    return id;
}

static StmtId handler(Lowering *self, uint32_t node) {
    uint32_t value = lower_first(self, node), block = block_of(self, node);
    StmtId id = lower_stmt_open(self);
    Stmt stmt = {.kind = STMT_HANDLER, .span = lower_span(self, node)};
    if (value == block) value = 0;
    uint32_t alias = value ? lower_next(self, node, value) : 0; /* Python 2: except E, e */
    if (alias == block) alias = 0;
    uint32_t end = alias ? alias : value;
    stmt.head = lower_head(self, stmt.span.start, end ? self->nodes[end].end : stmt.span.start, block);
    if (value && lower_kind(self, value) == NODE_AS_PATTERN) {
        alias = lower_last(self, value);
        value = lower_first(self, value);
        if (alias == value) alias = 0;
    }
    stmt.a = lower_expr(self, value);
    stmt.b = lower_target(self, alias);
    stmt.body = lower_block(self, block);
    lower_stmt_close(self, id, stmt);
    return id;
}

static StmtId try_statement(Lowering *self, uint32_t node) {
    uint32_t block = block_of(self, node), mark;
    StmtId id = lower_stmt_open(self);
    Stmt stmt = {.kind = STMT_TRY, .span = lower_span(self, node)};
    stmt.head = lower_head(self, stmt.span.start, stmt.span.start, block);
    stmt.body = lower_block(self, block);
    mark = lower_list_open(self);
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
        if (lower_kind(self, child) == NODE_EXCEPT_CLAUSE ||
            lower_kind(self, child) == NODE_EXCEPT_GROUP_CLAUSE)
            lower_list_add(self, handler(self, child));
    stmt.list = lower_list_close(self, mark);
    stmt.orelse = else_of(self, node);
    uint32_t final = lower_child(self, node, NODE_FINALLY_CLAUSE);
    if (final) stmt.final = lower_block(self, block_of(self, final));
    lower_stmt_close(self, id, stmt);
    return id;
}

/* `with open(p) if p else nothing() as f:` parses as if only nothing() had the alias. */
static uint32_t alias_inside(const Lowering *self, uint32_t value) {
    while (value && (lower_kind(self, value) == NODE_CONDITIONAL_EXPRESSION ||
                     lower_kind(self, value) == NODE_BOOLEAN_OPERATOR))
        value = lower_last(self, value);
    return value && lower_kind(self, value) == NODE_AS_PATTERN ? lower_last(self, value) : 0;
}

static StmtId with_item(Lowering *self, uint32_t node) {
    StmtId id = lower_stmt_open(self);
    Stmt stmt = {.kind = STMT_WITH_ITEM, .span = lower_span(self, node), .head = lower_span(self, node)};
    uint32_t value = lower_first(self, node);
    /* `with (open(p) as f):` parses as a single item in parentheses */
    while (value && lower_kind(self, value) == NODE_PARENTHESIZED_EXPRESSION &&
           lower_kind(self, lower_first(self, value)) == NODE_AS_PATTERN)
        value = lower_first(self, value);
    uint32_t alias = alias_inside(self, value);
    if (value && lower_kind(self, value) == NODE_AS_PATTERN) value = lower_first(self, value);
    stmt.a = value ? lower_expr(self, value) : lower_error_expr(self, stmt.span);
    stmt.b = alias == value ? 0 : lower_target(self, alias);
    lower_stmt_close(self, id, stmt);
    return id;
}

static StmtId with_statement(Lowering *self, uint32_t node) {
    uint32_t clause = lower_child(self, node, NODE_WITH_CLAUSE), block = block_of(self, node);
    StmtId id = lower_stmt_open(self);
    Stmt stmt = {.kind = STMT_WITH, .span = lower_span(self, node)};
    stmt.op = text_starts(lower_text(self, node), TEXT("async"));
    stmt.head = lower_head(self, stmt.span.start, clause ? self->nodes[clause].end : stmt.span.start, block);
    uint32_t mark = lower_list_open(self);
    for (uint32_t child = clause ? lower_first(self, clause) : 0; child;
         child = lower_next(self, clause, child))
        if (lower_kind(self, child) == NODE_WITH_ITEM) lower_list_add(self, with_item(self, child));
    stmt.list = lower_list_close(self, mark);
    stmt.body = lower_block(self, block);
    lower_stmt_close(self, id, stmt);
    return id;
}

static StmtId case_clause(Lowering *self, uint32_t node) {
    uint32_t block = block_of(self, node), guard = lower_child(self, node, NODE_IF_CLAUSE);
    uint32_t first = lower_first(self, node), last = 0, count = 0;
    for (uint32_t child = first; child && child != block && child != guard;
         child = lower_next(self, node, child)) {
        last = child;
        count++;
    }
    StmtId id = lower_stmt_open(self);
    Stmt stmt = {.kind = STMT_CASE, .span = lower_span(self, node)};
    uint32_t end = guard ? guard : last ? last : node;
    stmt.head = lower_head(self, stmt.span.start, end == node ? stmt.span.start : self->nodes[end].end, block);
    uint32_t mark = lower_list_open(self);
    for (uint32_t child = first; count; child = lower_next(self, node, child), count--)
        lower_list_add(self, lower_pattern(self, child));
    stmt.list = lower_list_close(self, mark);
    if (stmt.list.count > 1 || (last && lower_comma_follows(self, last, stmt.span.end))) { /* case x, y: */
        Span span = {self->nodes[first].start, self->nodes[last].end};
        ExprId tuple = lower_push(self, (Expr){.kind = EXPR_TUPLE, .span = span, .list = stmt.list});
        stmt.list = one(self, tuple);
    }
    if (guard) stmt.a = lower_expr(self, lower_first(self, guard));
    stmt.body = lower_block(self, block);
    lower_stmt_close(self, id, stmt);
    return id;
}

/* A variable, or an attribute of one: asking for it again gives the same. */
static bool is_variable(const Lowering *self, uint32_t node) {
    if (lower_kind(self, node) == NODE_ATTRIBUTE) return is_variable(self, lower_first(self, node));
    return lower_kind(self, node) == NODE_IDENTIFIER;
}

static uint32_t next_clause(const Lowering *self, uint32_t block, uint32_t child) {
    while (child && lower_kind(self, child) != NODE_CASE_CLAUSE) child = lower_next(self, block, child);
    return child;
}

static bool only_compares(const Lowering *self, uint32_t block) {
    uint32_t clause = next_clause(self, block, lower_first(self, block)), count = 0;
    for (; clause; clause = next_clause(self, block, lower_next(self, block, clause)), count++) {
        CaseKind kind = lower_case_kind(self, clause);
        if (kind == CASE_TAKES_APART || (kind == CASE_TAKES_ALL && !count)) return false;
    }
    return count;
}

/* `match kind: case "a": ...  case _: ...` is `if kind == "a": ...  else: ...`. */
static List comparing(Lowering *self, uint32_t subject, uint32_t block, uint32_t clause) {
    if (!clause) return (List){0};
    if (lower_case_kind(self, clause) == CASE_TAKES_ALL) return lower_block(self, block_of(self, clause));
    if (self->depth >= LOWER_DEPTH_LIMIT) return lower_give_up(self, clause), (List){0};
    StmtId id = lower_stmt_open(self);
    Stmt stmt = {.kind = STMT_IF, .span = {self->nodes[clause].start, self->nodes[block].end}};
    stmt.a = lower_case_test(self, subject, clause);
    uint32_t body = block_of(self, clause);
    stmt.head = lower_head(self, stmt.span.start, self->model.exprs.items[stmt.a].span.end, body);
    stmt.body = lower_block(self, body);
    self->depth++;
    stmt.orelse = comparing(self, subject, block, next_clause(self, block, lower_next(self, block, clause)));
    self->depth--;
    lower_stmt_close(self, id, stmt);
    return one(self, id);
}

static StmtId match_statement(Lowering *self, uint32_t node) {
    uint32_t block = block_of(self, node), first = lower_first(self, node), last = 0, subjects = 0;
    bool alone = first && block && lower_next(self, node, first) == block;
    if (alone && is_variable(self, first) && only_compares(self, block)) {
        List chain = comparing(self, first, block, next_clause(self, block, lower_first(self, block)));
        if (chain.count) return self->model.links.items[chain.first];
    }
    for (uint32_t child = first; child && child != block; child = lower_next(self, node, child)) {
        last = child;
        subjects++;
    }
    StmtId id = lower_stmt_open(self);
    Stmt stmt = {.kind = STMT_MATCH, .span = lower_span(self, node)};
    stmt.head = lower_head(self, stmt.span.start, last ? self->nodes[last].end : stmt.span.start, block);
    uint32_t mark = lower_list_open(self), child = first;
    for (uint32_t i = 0; i < subjects; i++, child = lower_next(self, node, child))
        lower_list_add(self, lower_expr(self, child));
    List list = lower_list_close(self, mark);
    bool is_tuple = list.count > 1 || (last && lower_comma_follows(self, last, stmt.span.end));
    if (is_tuple) {
        Span span = {self->nodes[first].start, self->nodes[last].end};
        stmt.a = lower_push(self, (Expr){.kind = EXPR_TUPLE, .span = span, .list = list});
    } else {
        stmt.a = list.count ? self->model.links.items[list.first] : lower_error_expr(self, stmt.head);
    }
    mark = lower_list_open(self);
    for (child = block ? lower_first(self, block) : 0; child; child = lower_next(self, block, child))
        if (lower_kind(self, child) == NODE_CASE_CLAUSE) lower_list_add(self, case_clause(self, child));
    stmt.list = lower_list_close(self, mark);
    lower_stmt_close(self, id, stmt);
    return id;
}

/* ---- dispatch ---- */

static StmtId plain(Lowering *self, uint32_t node, StmtKind kind) {
    return simple(self, (Stmt){.kind = (uint8_t)kind, .span = lower_span(self, node)});
}

static StmtId dispatch(Lowering *self, uint32_t node) {
    switch (lower_kind(self, node)) {
    case NODE_EXPRESSION_STATEMENT: return expression_statement(self, node);
    case NODE_PRINT_STATEMENT: return keyword_call(self, node, TEXT("print"));
    case NODE_EXEC_STATEMENT: return keyword_call(self, node, TEXT("exec"));
    case NODE_ASSERT_STATEMENT: return with_operands(self, node, STMT_ASSERT);
    case NODE_RETURN_STATEMENT: return with_operands(self, node, STMT_RETURN);
    case NODE_RAISE_STATEMENT: return with_operands(self, node, STMT_RAISE);
    case NODE_DELETE_STATEMENT: return deletion(self, node);
    case NODE_PASS_STATEMENT: return plain(self, node, STMT_PASS);
    case NODE_BREAK_STATEMENT: return plain(self, node, STMT_BREAK);
    case NODE_CONTINUE_STATEMENT: return plain(self, node, STMT_CONTINUE);
    case NODE_GLOBAL_STATEMENT: return declaration(self, node, STMT_GLOBAL);
    case NODE_NONLOCAL_STATEMENT: return declaration(self, node, STMT_NONLOCAL);
    case NODE_IMPORT_STATEMENT:
    case NODE_IMPORT_FROM_STATEMENT:
    case NODE_FUTURE_IMPORT_STATEMENT: return lower_import(self, node);
    case NODE_TYPE_ALIAS_STATEMENT: return type_alias(self, node);
    case NODE_IF_STATEMENT: {
        uint32_t block = block_of(self, node);
        uint32_t after = block ? lower_next(self, node, block) : 0;
        return conditional(self, node, node, after, lower_span(self, node));
    }
    case NODE_FOR_STATEMENT: return loop(self, node, true);
    case NODE_WHILE_STATEMENT: return loop(self, node, false);
    case NODE_TRY_STATEMENT: return try_statement(self, node);
    case NODE_WITH_STATEMENT: return with_statement(self, node);
    case NODE_MATCH_STATEMENT: return match_statement(self, node);
    case NODE_FUNCTION_DEFINITION:
    case NODE_CLASS_DEFINITION:
    case NODE_DECORATED_DEFINITION: return lower_definition(self, node);
    default: return plain(self, node, STMT_ERROR);
    }
}

static StmtId statement(Lowering *self, uint32_t node) {
    if (self->depth >= LOWER_DEPTH_LIMIT) {
        lower_give_up(self, node);
        return plain(self, node, STMT_ERROR);
    }
    self->depth++;
    StmtId id = dispatch(self, node);
    self->depth--;
    return id;
}

/* Inside an error node, lowers the statements that are readable, also those of its blocks. */
static void recover(Lowering *self, uint32_t node) {
    const Node *nodes = self->nodes;
    if (self->depth >= LOWER_DEPTH_LIMIT) {
        lower_give_up(self, node);
        return;
    }
    self->depth++;
    for (uint32_t child = node + 1; child < nodes[node].next; child = nodes[child].next) {
        NodeKind kind = (NodeKind)nodes[child].kind;
        if (node_kind_is_statement(kind))
            lower_list_add(self, statement(self, child));
        else if (kind == NODE_ERROR || kind == NODE_BLOCK)
            recover(self, child);
    }
    self->depth--;
}

/* Whether a `# syncl:` comment stands beside the statement's head or on the line above it; it then holds for
   the whole statement. */
static bool has_pragma(const Lowering *self, uint32_t start, uint32_t end) {
    const char *bytes = self->bytes.bytes;
    uint32_t lines = 0;
    while (start > 0 && (bytes[start - 1] != '\n' || ++lines < 2)) start--;
    return text_holds(text_slice(self->bytes, start, end), "syncl:");
}

/* `if True:` without an else is replaced by its block, unless a comment of ours refers to the statement. */
static uint32_t always_taken_block(const Lowering *self, uint32_t node) {
    uint32_t condition = lower_first(self, node), block = block_of(self, node);
    if (lower_kind(self, node) != NODE_IF_STATEMENT || lower_kind(self, condition) != NODE_TRUE || !block)
        return 0;
    bool plain = !lower_next(self, node, block) && lower_next(self, node, condition) == block;
    return plain && !has_pragma(self, self->nodes[node].start, self->nodes[block].start) ? block : 0;
}

List lower_block(Lowering *self, uint32_t node) { return node ? lower_suite(self, node) : (List){0}; }

static void add_statements(Lowering *self, uint32_t node) {
    const Node *nodes = self->nodes;
    for (uint32_t child = node + 1; child < nodes[node].next; child = nodes[child].next) {
        uint32_t sure = self->depth < LOWER_DEPTH_LIMIT ? always_taken_block(self, child) : 0;
        if (sure) {
            self->depth++;
            add_statements(self, sure);
            self->depth--;
        } else if (node_kind_is_statement(nodes[child].kind)) {
            lower_list_add(self, statement(self, child));
        } else if (nodes[child].kind == NODE_ERROR) {
            recover(self, child);
            lower_list_add(self, plain(self, child, STMT_ERROR));
        }
    }
}

List lower_suite(Lowering *self, uint32_t node) {
    uint32_t mark = lower_list_open(self);
    add_statements(self, node);
    return lower_list_close(self, mark);
}
