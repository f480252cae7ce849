#include "rewriter.h"
#include "pattern_sequence.h"
#include <stdlib.h>
#include <string.h>

/* ---- differences between pattern and replacement ---- */

static bool is_beside_commas(const Rewriter *self, ExprId id) {
    ExprId parent = self->place->index->parents[id];
    const Expr *expr = rewriter_there(self, parent);
    bool item = expr->kind == EXPR_LIST || expr->kind == EXPR_TUPLE || expr->kind == EXPR_KEYWORD;
    return !parent || rewriter_there(self, id)->paren || item || (expr->kind == EXPR_CALL && expr->a != id) ||
           (expr->kind == EXPR_SUBSCRIPT && expr->b == id);
}

static void replace(Rewriter *self, ExprId after, ExprId id) {
    Output output = {.arena = self->place->arena};
    rewriter_print(self, &output, after, is_beside_commas(self, id));
    rewriter_edit(self, rewriter_there(self, id)->span,
                  (Text){output.bytes.items ? output.bytes.items : "", output.bytes.count});
}

/* Whether the replacement's list starts with the pattern's items; further items are new. */
static bool shares_items(const Rewriter *self, List before, List after) {
    bool shares = before.count <= after.count;
    for (uint32_t i = 0; shares && i < before.count; i++) {
        ExprId was = self->pattern->links.items[before.first + i],
               made = self->pattern->links.items[after.first + i];
        uint8_t kind = rewriter_written(self, was)->kind;
        bool fixed = kind == EXPR_STAR || kind == EXPR_DOUBLE_STAR || kind == EXPR_KEYWORD;
        shares =
            kind == rewriter_written(self, made)->kind && (!fixed || pattern_same(self->pattern, was, made));
    }
    return shares;
}

static bool has_stars(const Rewriter *self, List list) {
    for (uint32_t i = 0; i < list.count; i++) {
        uint8_t kind = rewriter_written(self, self->pattern->links.items[list.first + i])->kind;
        if (kind == EXPR_STAR || kind == EXPR_DOUBLE_STAR) return true;
    }
    return false;
}

/* Arguments stand on lines of their own: at least the last two do. */
static bool is_listed_down(const Rewriter *self, const Expr *call) {
    const ExprId *items = self->model->links.items + call->list.first;
    bool down = call->list.count > 0;
    for (uint32_t i = call->list.count; down && i-- > 0 && i + 2 >= call->list.count;)
        down = rewriter_begins_line(self, rewriter_there(self, items[i])->span.start);
    return down;
}

/* Columns of PEP 8, those of a line where code follows the call, which a break would tear apart; a file may have
   wider lines if it has some. */
enum { NARROW = 79, AMID = 120, WIDE_LINES = 3 };

static uint32_t line_end(const Rewriter *self, uint32_t at) {
    Text bytes = self->place->file->bytes;
    while (at < bytes.length && bytes.bytes[at] != '\n') at++;
    return at;
}

/* Only closing brackets, a comma or a colon, and a comment, follow on the line. */
static bool ends_line(const Rewriter *self, uint32_t at) {
    Text bytes = self->place->file->bytes;
    while (at < bytes.length && strchr(")]},: \t\r", bytes.bytes[at])) at++;
    return at >= bytes.length || bytes.bytes[at] == '\n' || bytes.bytes[at] == '#';
}

/* With `more` bytes in it, and without what is cut, the line would be wider than others of its file; a formatter
   leaves a single long comment as it is. */
static bool is_too_long(const Rewriter *self, const Expr *call, uint32_t at, uint32_t more) {
    uint32_t start = rewriter_line_start(self, at), end = line_end(self, at), others = 0;
    Span cut = self->cut;
    bool cuts = cut.start >= at && cut.start <= end && cut.end > cut.start;
    uint32_t wide = (cuts ? cut.start + line_end(self, cut.end) - cut.end : end) - start + more;
    if (wide <= (uint32_t)(ends_line(self, cuts ? cut.end : call->span.end) ? NARROW : AMID)) return false;
    for (uint32_t line = 0; line < self->place->file->bytes.length && others < WIDE_LINES; line = end + 1) {
        end = line_end(self, line);
        others += end - line >= wide;
    }
    return others < WIDE_LINES;
}

/* Indents a new line to the column of the call's first argument on the line at `at`. */
static void indent_below(Rewriter *self, Output *output, const Expr *call, uint32_t at) {
    uint32_t start = rewriter_line_start(self, at), column = at;
    for (uint32_t i = call->list.count; i-- > 0;) {
        uint32_t item = rewriter_there(self, self->model->links.items[call->list.first + i])->span.start;
        if (item >= start && item < column) column = item;
    }
    Text before = rewriter_bytes(self, (Span){start, column});
    for (uint32_t i = 0; i < before.length; i++) output_text(output, before.bytes[i] == '\t' ? "\t" : " ");
}

/* Another edit of this fix breaks the line somewhere before `at`. */
static bool is_broken_before(const Rewriter *self, uint32_t at) {
    uint32_t start = rewriter_line_start(self, at);
    for (uint32_t i = 0; i < self->out->edits.count; i++) {
        const FixEdit *edit = &self->out->edits.items[i];
        bool before = edit->file == self->place->file_id && edit->span.start >= start && edit->span.start < at;
        if (before && text_holds(edit->text, "\n")) return true;
    }
    return false;
}

static bool ends_with_comma(const Rewriter *self, const Expr *last) {
    Text bytes = self->place->file->bytes;
    uint32_t at = last->span.end;
    while (at < bytes.length && (bytes.bytes[at] == ' ' || bytes.bytes[at] == '\t')) at++;
    return at < bytes.length && bytes.bytes[at] == ',';
}

/* Writes `, `, or a line break with the indentation of the last argument; a break too where `more` bytes would make
   the line too long. */
static void separate(Rewriter *self, Output *output, const Expr *call, const Expr *last, uint32_t more) {
    uint32_t start = rewriter_line_start(self, last->span.start);
    bool tight = is_too_long(self, call, last->span.end, more + 2);
    bool only =
        call->list.count == 1 && !tight && !ends_with_comma(self, last); /* it is there for want of room */
    bool down = is_listed_down(self, call) && !only;
    bool far = !down && tight && !is_broken_before(self, last->span.end);
    output_text(output, down || far ? ",\n" : ", ");
    if (down) output_bytes(output, rewriter_bytes(self, (Span){start, last->span.start}));
    if (far) indent_below(self, output, call, last->span.start + 1);
}

void rewriter_append(Rewriter *self, List after, uint32_t from, const Expr *call) {
    Output output = {.arena = self->place->arena}, more = {.arena = self->place->arena};
    uint32_t at = call->span.end - 1;
    rewriter_print_list(self, &more, (List){after.first + from, after.count - from});
    if (call->list.count) {
        const Expr *last =
            rewriter_there(self, self->model->links.items[call->list.first + call->list.count - 1]);
        at = last->span.end;
        self->failed |= last->paren;
        separate(self, &output, call, last, more.bytes.count);
    }
    output_bytes(&output, (Text){more.bytes.items, more.bytes.count});
    rewriter_edit(self, (Span){at, at}, (Text){output.bytes.items, output.bytes.count});
}

/* Up to the first star each argument stands where the code has its own; those behind it must stay as they are. */
static bool can_tell_items(const Rewriter *self, List before, List after, uint32_t *told) {
    bool stars = false;
    for (*told = 0; *told < before.count && !stars; *told += !stars) {
        uint8_t kind = rewriter_written(self, self->pattern->links.items[before.first + *told])->kind;
        stars = kind == EXPR_STAR || kind == EXPR_DOUBLE_STAR;
    }
    for (uint32_t i = *told; i < before.count; i++)
        if (!pattern_same(self->pattern, self->pattern->links.items[before.first + i],
                          self->pattern->links.items[after.first + i]))
            return false;
    return true;
}

static bool differ_in_call(Rewriter *self, const Expr *b, const Expr *a, const Expr *e) {
    uint32_t told;
    bool made = rewriter_makes(self, a, MAKES_once) || rewriter_makes(self, a, MAKES_slice_of) ||
                rewriter_makes(self, a, MAKES_range_of);
    if (made || !shares_items(self, b->list, a->list) || !can_tell_items(self, b->list, a->list, &told))
        return false;
    if (!has_stars(self, b->list) && b->list.count != e->list.count) return false;
    rewriter_differ(self, b->a, a->a, e->a);
    for (uint32_t i = 0; i < told; i++)
        rewriter_differ(self, self->pattern->links.items[b->list.first + i],
                        self->pattern->links.items[a->list.first + i],
                        self->model->links.items[e->list.first + i]);
    if (b->list.count < a->list.count) rewriter_append(self, a->list, b->list.count, e);
    return true;
}

/* In `x[*a, i, *b]`, the part without a star is at the place of its binding in the code. */
static bool differ_in_index(Rewriter *self, const Expr *b, const Expr *a, const Expr *e) {
    List before = rewriter_written(self, b->b)->list, after = rewriter_written(self, a->b)->list;
    if (rewriter_written(self, b->b)->kind != EXPR_TUPLE || rewriter_written(self, a->b)->kind != EXPR_TUPLE)
        return false;
    if (before.count != after.count) return false;
    rewriter_differ(self, b->a, a->a, e->a);
    for (uint32_t i = 0; i < before.count; i++) {
        ExprId part = self->pattern->links.items[before.first + i];
        int variable = pattern_variable(self->match->pattern, part);
        if (variable >= 0 && self->match->bound[variable].count == 1)
            rewriter_differ(self, part, self->pattern->links.items[after.first + i],
                            self->match->bound[variable].items[0]);
    }
    return true;
}

static bool differ_in_parts(Rewriter *self, ExprId before, ExprId after, ExprId id) {
    const Expr *b = rewriter_written(self, before), *a = rewriter_written(self, after),
               *e = rewriter_there(self, id);
    if (b->kind != a->kind || b->op != a->op || pattern_variable(self->match->pattern, before) >= 0)
        return false;
    switch ((ExprKind)b->kind) {
    case EXPR_ATTRIBUTE:
        if (b->name != a->name || pattern_entry(self->place, self->match->pattern, before)) return false;
        rewriter_differ(self, b->a, a->a, e->a);
        return true;
    case EXPR_SUBSCRIPT: return differ_in_index(self, b, a, e);
    case EXPR_CALL: return differ_in_call(self, b, a, e);
    case EXPR_BINARY:
        rewriter_differ(self, b->a, a->a, e->a);
        rewriter_differ(self, b->b, a->b, e->b);
        return true;
    default: return false;
    }
}

/* `make(*a).to(d)` becomes `make(*a, device=d)`: the text after the inner call is deleted, and that call keeps
   its layout. */
static bool differ_in_inner(Rewriter *self, ExprId before, ExprId after, ExprId id) {
    const Expr *b = rewriter_written(self, before), *a = rewriter_written(self, after);
    const Expr *method = rewriter_written(self, b->a), *inner = rewriter_written(self, method->a);
    if (b->kind != EXPR_CALL || method->kind != EXPR_ATTRIBUTE || inner->kind != EXPR_CALL) return false;
    if (a->kind != EXPR_CALL || !pattern_same(self->pattern, inner->a, a->a)) return false;
    ExprId there = rewriter_there(self, rewriter_there(self, id)->a)->a;
    const Expr *e = rewriter_there(self, there);
    if (e->paren || !shares_items(self, inner->list, a->list)) return false;
    Span cut = self->cut = (Span){e->span.end, rewriter_there(self, id)->span.end};
    bool differs = differ_in_call(self, inner, a, e);
    self->cut = (Span){0, 0};
    if (differs) rewriter_edit(self, cut, TEXT(""));
    return differs;
}

void rewriter_differ(Rewriter *self, ExprId before, ExprId after, ExprId id) {
    if (pattern_same(self->pattern, before, after) || differ_in_inner(self, before, after, id)) return;
    if (!differ_in_parts(self, before, after, id)) replace(self, after, id);
}

/* ---- statements ---- */

const Stmt *rewriter_stmt(const FileModel *model, List block, uint32_t i) {
    return &model->stmts.items[model->links.items[block.first + i]];
}

static bool holds_only(const Rewriter *self, List block, StmtId id) {
    return block.count == 1 && self->model->links.items[block.first] == id;
}

static bool is_only_one(const Rewriter *self, StmtId id) {
    const Stmt *around = &self->model->stmts.items[self->place->index->around[id]];
    const Func *func = &self->model->funcs.items[self->place->func];
    return holds_only(self, around->body, id) || holds_only(self, around->orelse, id) ||
           holds_only(self, around->final, id) || holds_only(self, func->body, id);
}

static bool is_unwrapped(const Rewriter *self, List before, List after) {
    bool same = before.count == after.count;
    for (uint32_t i = 0; same && i < before.count; i++)
        same = pattern_same_stmt(self->pattern, self->pattern->links.items[before.first + i],
                                 self->pattern->links.items[after.first + i]);
    return same;
}

/* `if c: BODY` becomes BODY: its lines are moved to the column of the `if`. */
static void unwrap(Rewriter *self, const Stmt *whole) {
    Text indent = rewriter_bytes(self, (Span){rewriter_line_start(self, whole->span.start), whole->span.start});
    self->failed |= !rewriter_begins_line(self, whole->span.start); /* elif */
    for (uint32_t i = 0; i < whole->body.count; i++) {
        uint32_t at = rewriter_stmt(self->model, whole->body, i)->span.start;
        if (i == 0)
            rewriter_edit(self, (Span){whole->span.start, at}, TEXT(""));
        else if (rewriter_begins_line(self, at))
            rewriter_edit(self, (Span){rewriter_line_start(self, at), at}, indent);
    }
}

/* A string spans several lines, whose blanks belong to it. */
static bool has_long_text(const Rewriter *self, Span span) {
    static const char *const ways[] = {"\"\"\"", "'''", "\\\n", "\\\r"};
    if (!text_holds_any(rewriter_bytes(self, span), ways, sizeof ways / sizeof *ways)) return false;
    for (ExprId id = 1; id < self->model->exprs.count; id++) {
        const Expr *expr = rewriter_there(self, id);
        bool is_text = expr->kind == EXPR_STRING || expr->kind == EXPR_FSTRING;
        bool inside = is_text && expr->span.start >= span.start && expr->span.end <= span.end;
        if (inside && text_holds_any(rewriter_bytes(self, expr->span), ways, sizeof ways / sizeof *ways))
            return true;
    }
    return false;
}

/* Indents the further lines of a statement that is moved to the right. */
static void indent_further(Rewriter *self, Span span, Text unit) {
    const char *bytes = self->place->file->bytes.bytes;
    if (!text_holds(rewriter_bytes(self, span), "\n") || has_long_text(self, span)) return;
    for (uint32_t at = span.start; at + 1 < span.end; at++)
        if (bytes[at] == '\n' && bytes[at + 1] != '\n' && bytes[at + 1] != '\r')
            rewriter_edit(self, (Span){at + 1, at + 1}, unit);
}

/* `rewriter_print(t)` becomes `if i % 100 == 0:` and, below that, `rewriter_print(t)`. */
static void wrap(Rewriter *self, const Stmt *after, const Stmt *stmt) {
    Output output = {.arena = self->place->arena};
    Text indent = rewriter_bytes(self, (Span){rewriter_line_start(self, stmt->span.start), stmt->span.start});
    self->failed |= !rewriter_begins_line(self, stmt->span.start);
    output_text(&output, "if ");
    rewriter_print_source(self, &output, rewriter_written(self, after->a)->span);
    output_text(&output, ":\n");
    output_bytes(&output, indent);
    Text unit = text_holds(indent, "\t") ? TEXT("\t") : TEXT("    ");
    output_bytes(&output, unit);
    rewriter_edit(self, (Span){stmt->span.start, stmt->span.start},
                  (Text){output.bytes.items, output.bytes.count});
    indent_further(self, stmt->span, unit);
}

/* Deletes a statement, with its line end if alone on its line; the only statement of a block becomes `pass`. */
static void drop(Rewriter *self, StmtId id) {
    const Stmt *stmt = &self->model->stmts.items[id];
    Text bytes = self->place->file->bytes;
    uint32_t start = rewriter_line_start(self, stmt->span.start), end = stmt->span.end;
    while (end < bytes.length &&
           (bytes.bytes[end] == ' ' || bytes.bytes[end] == '\t' || bytes.bytes[end] == '\r'))
        end++;
    bool alone = rewriter_begins_line(self, stmt->span.start) && end < bytes.length && bytes.bytes[end] == '\n';
    if (is_only_one(self, id))
        rewriter_edit(self, stmt->span, TEXT("pass"));
    else if (alone)
        rewriter_edit(self, (Span){start, end + 1}, TEXT(""));
    else
        self->failed = true;
}

/* `x[0, 0] = 5.0` becomes `x[0, 0].fill_(5.0)`; `if c: flag = True` becomes `flag |= c`; an `elif` is left
   alone. */
static void replace_statement(Rewriter *self, const Stmt *after, const Stmt *stmt) {
    Output output = {.arena = self->place->arena};
    bool elif = text_starts(rewriter_bytes(self, stmt->span), TEXT("elif"));
    self->failed |= elif || !rewriter_begins_line(self, stmt->span.start) ||
                    (after->kind != STMT_EXPR && after->kind != STMT_AUGMENT);
    if (self->failed) return;
    rewriter_print(self, &output, after->a, true);
    if (after->kind == STMT_AUGMENT) {
        uint32_t from = rewriter_written(self, after->a)->span.end;
        uint32_t to = rewriter_written(self, after->b)->span.start;
        output_bytes(&output, text_slice(self->match->pattern->source, from, to));
        rewriter_print(self, &output, after->b, true);
    }
    rewriter_edit(self, stmt->span, (Text){output.bytes.items, output.bytes.count});
}

/* Replaces adjacent statements by one assignment. */
static void replace_row(Rewriter *self, const Stmt *after) {
    Output output = {.arena = self->place->arena};
    const Stmt *first = &self->model->stmts.items[self->match->stmt],
               *last = &self->model->stmts.items[self->match->last];
    ExprId target = self->pattern->links.items[after->list.first];
    self->failed |= !rewriter_begins_line(self, first->span.start) || after->kind != STMT_ASSIGN ||
                    rewriter_written(self, target)->kind != EXPR_TUPLE;
    if (self->failed) return;
    rewriter_print_list(self, &output, rewriter_written(self, target)->list);
    output_text(&output, " = ");
    rewriter_print(self, &output, after->b, true);
    rewriter_edit(self, (Span){first->span.start, last->span.end},
                  (Text){output.bytes.items, output.bytes.count});
}

static void differ_in_statement(Rewriter *self, const Stmt *before, const Stmt *after, const Stmt *stmt) {
    if (before->kind != after->kind || before->op != after->op) {
        replace_statement(self, after, stmt);
        return;
    }
    for (uint32_t i = 0; before->kind == STMT_ASSIGN && i < before->list.count; i++)
        rewriter_differ(self, self->pattern->links.items[before->list.first + i],
                        self->pattern->links.items[after->list.first + i],
                        self->model->links.items[stmt->list.first + i]);
    if (before->a) rewriter_differ(self, before->a, after->a, stmt->a);
    if (before->b) rewriter_differ(self, before->b, after->b, stmt->b);
}

/* ---- patterns of several statements ---- */

/* The end of the pattern's statements before the next `...`. */
static uint32_t segment_end(const Rewriter *self, List block, uint32_t from) {
    while (from < block.count &&
           !sequence_leaves(self->pattern, self->pattern->links.items[block.first + from]))
        from++;
    return from;
}

/* Replaces all statements of a segment by those of the replacement. */
static void replace_segment(Rewriter *self, List after, const StmtId *taken, uint32_t count) {
    Output output = {.arena = self->place->arena};
    const Stmt *first = &self->model->stmts.items[taken[0]],
               *last = &self->model->stmts.items[taken[count - 1]];
    uint32_t start = rewriter_line_start(self, first->span.start);
    self->failed |= !rewriter_begins_line(self, first->span.start);
    rewriter_print_block(self, &output, after, rewriter_bytes(self, (Span){start, first->span.start}));
    rewriter_edit(self, (Span){first->span.start, last->span.end},
                  (Text){output.bytes.items, output.bytes.count});
}

static void differ_in_one(Rewriter *self, StmtId before, StmtId after, StmtId id) {
    const Stmt *made = &self->pattern->stmts.items[after];
    if (made->kind == STMT_PASS)
        drop(self, id);
    else
        differ_in_statement(self, &self->pattern->stmts.items[before], made, &self->model->stmts.items[id]);
}

/* Whether the statements correspond one to one: each of the same kind, or deleted. */
static bool goes_by_one(const Rewriter *self, const StmtId *was, const StmtId *made, uint32_t were,
                        uint32_t are) {
    bool goes = were == are;
    for (uint32_t i = 0; goes && i < were; i++) {
        uint8_t kind = self->pattern->stmts.items[made[i]].kind;
        goes = kind == STMT_PASS || kind == self->pattern->stmts.items[was[i]].kind;
    }
    return goes;
}

/* Replaces each segment between two `...` by the corresponding one. */
static void differ_in_sequence(Rewriter *self, List before, List after) {
    const StmtId *was = self->pattern->links.items + before.first,
                 *made = self->pattern->links.items + after.first;
    uint32_t b = 0, a = 0;
    while (!self->failed && b < before.count && a < after.count) {
        uint32_t b_end = segment_end(self, before, b), a_end = segment_end(self, after, a);
        if (goes_by_one(self, was + b, made + a, b_end - b, a_end - a))
            for (; b < b_end; b++, a++) differ_in_one(self, was[b], made[a], self->match->taken[b]);
        else if (b_end > b)
            replace_segment(self, (List){after.first + a, a_end - a}, self->match->taken + b, b_end - b);
        b = b_end + 1, a = a_end + 1;
    }
    self->failed |= b < before.count || a < after.count;
}

static int by_span(const void *left, const void *right) {
    const FixEdit *a = left, *b = right;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    if (a->span.start != b->span.start) return a->span.start < b->span.start ? -1 : 1;
    return a->span.end < b->span.end ? -1 : a->span.end > b->span.end;
}

/* No edit overlaps another, or is at the same place. */
static bool are_apart(const Rewriting *out) {
    if (out->edits.count > 1) qsort(out->edits.items, out->edits.count, sizeof *out->edits.items, by_span);
    for (uint32_t i = 1; i < out->edits.count; i++)
        if (out->edits.items[i].file == out->edits.items[i - 1].file &&
            out->edits.items[i].span.start < out->edits.items[i - 1].span.end)
            return false;
    return out->edits.count > 0;
}

static void differ_in_whole(Rewriter *self) {
    const PatternMatch *match = self->match;
    List before = match->pattern->before, after = match->pattern->after;
    const Stmt *was = rewriter_stmt(self->pattern, before, 0), *made = rewriter_stmt(self->pattern, after, 0);
    const Stmt *stmt = &self->model->stmts.items[match->stmt];
    if (match->taken)
        differ_in_sequence(self, before, after);
    else if (match->last)
        replace_row(self, made);
    else if (made->kind == STMT_PASS)
        drop(self, match->stmt ? match->stmt : match->place->index->holds[match->expr]);
    else if (match->expr && made->kind == STMT_IF)
        wrap(self, made, &self->model->stmts.items[match->place->index->holds[match->expr]]);
    else if (match->expr)
        rewriter_differ(self, was->a, made->a, match->expr);
    else if (was->kind == STMT_IF && is_unwrapped(self, was->body, after))
        unwrap(self, stmt);
    else
        differ_in_statement(self, was, made, stmt);
}

bool rewriting_make(const PatternMatch *match, Rewriting *out) {
    Rewriter self = {match, match->place, match->pattern->model, match->place->model, out, false, {0, 0}};
    differ_in_whole(&self);
    rewriter_write_elsewhere(&self);
    return !self.failed && are_apart(out);
}
