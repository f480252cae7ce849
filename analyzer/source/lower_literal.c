/* String literals and f-strings. */
#include "lowering.h"

static bool is_format_string(const Lowering *self, uint32_t node) {
    uint32_t start = lower_first(self, node);
    if (!start || lower_kind(self, start) != NODE_STRING_START) return false;
    Text prefix = lower_text(self, start);
    for (uint32_t i = 0; i < prefix.length; i++)
        if ((prefix.bytes[i] | 32) == 'f' || (prefix.bytes[i] | 32) == 't') return true;
    return false;
}

/* The bytes between the quotes of a string without interpolations. */
static Text content(const Lowering *self, uint32_t node) {
    uint32_t start = lower_first(self, node), end = lower_last(self, node);
    if (!start) return (Text){0};
    uint32_t from =
        lower_kind(self, start) == NODE_STRING_START ? self->nodes[start].end : self->nodes[node].start;
    uint32_t to = lower_kind(self, end) == NODE_STRING_END ? self->nodes[end].start : self->nodes[node].end;
    return from < to ? text_slice(self->bytes, from, to) : (Text){0};
}

/* Whether a string reads as a type that is more than a dotted path, e.g. "list[Tensor]" or "Tensor | None":
   nothing but paths, brackets and bars. */
static bool is_type(Text text) {
    bool more = false;
    for (uint32_t i = 0; i < text.length; i++) {
        char c = text.bytes[i];
        if (!text_is_word(c) && (!c || !strchr(".,[]| ", c))) return false;
        more |= c == '[' || c == '|';
    }
    return more;
}

/* Parses the contents of the quotes at their place in the file and lowers them as if there were no quotes. */
ExprId lower_quoted_type(Lowering *self, uint32_t node) {
    if (!node || lower_kind(self, node) != NODE_STRING || is_format_string(self, node)) return 0;
    Text text = content(self, node);
    if (!is_type(text)) return 0;
    uint32_t start = (uint32_t)(text.bytes - self->bytes.bytes);
    Syntax syntax;
    syntax_parse(self->parser, self->scratch, text, (Gaps){0}, &syntax);
    if (syntax.error_count) return 0;
    for (uint32_t i = 0; i < syntax.nodes.count; i++)
        syntax.nodes.items[i].start += start, syntax.nodes.items[i].end += start;
    const Node *around = self->nodes;
    self->nodes = syntax.nodes.items;
    uint32_t statement = lower_first(self, 0), type = statement ? lower_first(self, statement) : 0;
    bool alone = type && !lower_next(self, statement, type) && !lower_next(self, 0, statement);
    ExprId expr = alone ? lower_expr(self, type) : 0;
    self->nodes = around;
    return expr;
}

static ExprId string_part(Lowering *self, Span span, Text text) {
    return lower_push(self, (Expr){.kind = EXPR_STRING, .span = span, .name = lower_name(self, text)});
}

static void spec_parts(Lowering *self, uint32_t node, uint32_t at);

/* A format spec without interpolations is kept as text, one with them as a nested f-string. */
static void format_spec(Lowering *self, uint32_t node, Expr *out) {
    bool nested = false;
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
        nested |=
            lower_kind(self, child) == NODE_FORMAT_EXPRESSION || lower_kind(self, child) == NODE_INTERPOLATION;
    Span span = {self->nodes[node].start + 1, self->nodes[node].end}; /* from after the colon */
    if (span.start > span.end) span.start = span.end;
    if (!nested) {
        out->name = lower_name(self, text_slice(self->bytes, span.start, span.end));
        return;
    }
    uint32_t mark = lower_list_open(self);
    spec_parts(self, node, span.start);
    out->b = lower_push(self, (Expr){.kind = EXPR_FSTRING, .span = span, .list = lower_list_close(self, mark)});
}

/* {value!r:spec} or {value=}; the latter formats with repr unless a conversion or spec says otherwise. */
static ExprId interpolation(Lowering *self, uint32_t node) {
    Expr out = {.kind = EXPR_INTERPOLATION, .span = lower_span(self, node)};
    bool shows_name = false, has_spec = false;
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        switch (lower_kind(self, child)) {
        case NODE_EQUALS: shows_name = true; break;
        case NODE_COLON: break;
        case NODE_TYPE_CONVERSION: {
            Text text = lower_text(self, child);
            out.op = text.length > 1 ? (uint8_t)text.bytes[1] : 0;
            break;
        }
        case NODE_FORMAT_SPECIFIER:
            has_spec = true;
            if (self->depth < LOWER_DEPTH_LIMIT) format_spec(self, child, &out);
            break;
        default:
            if (!out.a) out.a = lower_expr(self, child);
        }
    }
    if (shows_name && !out.op && !has_spec) out.op = 'r';
    if (!out.a) out.a = lower_error_expr(self, out.span);
    return lower_push(self, out);
}

/* The literal text of a spec has no nodes: it is what lies between the interpolations. */
static void spec_text(Lowering *self, uint32_t start, uint32_t end) {
    if (start < end)
        lower_list_add(self, string_part(self, (Span){start, end}, text_slice(self->bytes, start, end)));
}

static void spec_parts(Lowering *self, uint32_t node, uint32_t at) {
    self->depth++;
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        NodeKind kind = lower_kind(self, child);
        if (kind != NODE_INTERPOLATION && kind != NODE_FORMAT_EXPRESSION) continue;
        spec_text(self, at, self->nodes[child].start);
        lower_list_add(self, interpolation(self, child));
        at = self->nodes[child].end;
    }
    spec_text(self, at, self->nodes[node].end);
    self->depth--;
}

/* Appends the parts of one f-string to the open list. */
static void format_parts(Lowering *self, uint32_t node) {
    self->depth++;
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        NodeKind kind = lower_kind(self, child);
        if (kind == NODE_STRING_CONTENT)
            lower_list_add(self, string_part(self, lower_span(self, child), lower_text(self, child)));
        else if (kind == NODE_INTERPOLATION)
            lower_list_add(self, interpolation(self, child));
    }
    self->depth--;
}

static void parts(Lowering *self, uint32_t node) {
    if (is_format_string(self, node))
        format_parts(self, node);
    else
        lower_list_add(self, string_part(self, lower_span(self, node), content(self, node)));
}

static ExprId format_string(Lowering *self, uint32_t node) {
    uint32_t mark = lower_list_open(self);
    if (lower_kind(self, node) == NODE_STRING) {
        parts(self, node);
    } else {
        for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
            if (lower_kind(self, child) == NODE_STRING) parts(self, child);
    }
    return lower_node(self, node, (Expr){.kind = EXPR_FSTRING, .list = lower_list_close(self, mark)});
}

static Text joined(const Lowering *self, uint32_t node) {
    uint32_t length = 0;
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
        length += content(self, child).length;
    char *bytes = arena_alloc(self->scratch, length);
    length = 0;
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child)) {
        Text text = content(self, child);
        if (text.length) memcpy(bytes + length, text.bytes, text.length);
        length += text.length;
    }
    return (Text){bytes, length};
}

ExprId lower_string(Lowering *self, uint32_t node) {
    if (lower_kind(self, node) == NODE_STRING) {
        if (is_format_string(self, node)) return format_string(self, node);
        return string_part(self, lower_span(self, node), content(self, node));
    }
    for (uint32_t child = lower_first(self, node); child; child = lower_next(self, node, child))
        if (is_format_string(self, child)) return format_string(self, node);
    return string_part(self, lower_span(self, node), joined(self, node));
}
