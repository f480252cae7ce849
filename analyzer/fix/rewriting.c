#include "rewriting.h"
#include "output.h"
#include <stdlib.h>

typedef struct Rewriter {
    const PatternMatch *match;
    const FixPlace *place;
    const FileModel *pattern; /* of the remedy */
    const FileModel *model;   /* of the file */
    Rewriting *out;
    bool failed;
} Rewriter;

static const Expr *written(const Rewriter *self, ExprId id) { return &self->pattern->exprs.items[id]; }
static const Expr *there(const Rewriter *self, ExprId id) { return &self->model->exprs.items[id]; }

static Text bytes_of(const Rewriter *self, Span span) {
    return text_slice(self->place->file->bytes, span.start, span.end);
}

static bool has_comment(const Rewriter *self, Span span) {
    for (uint32_t i = 0; i < self->model->comments.count; i++) {
        uint32_t at = self->model->comments.items[i].span.start;
        if (at >= span.start && at < span.end) return true;
    }
    return false;
}

static void edit(Rewriter *self, Span span, Text text) {
    self->failed |= has_comment(self, span);
    FixEdit one = {self->place->file_id, span, text};
    vec_push(self->place->arena, &self->out->edits, one);
}

/* ---- what is written ---- */

static void print(Rewriter *self, Output *output, ExprId id, bool alone);

/* Nothing around it can tear it apart. */
static bool is_closed(const Expr *expr) {
    return expr->kind <= EXPR_STRING || (expr->kind >= EXPR_TRUE && expr->kind <= EXPR_SUBSCRIPT) ||
           expr->kind == EXPR_CALL ||
           (expr->kind >= EXPR_LIST && expr->kind <= EXPR_DICT_COMP && expr->kind != EXPR_TUPLE);
}

/* Positional arguments stand side by side: with what is between them. */
static bool print_together(Rewriter *self, Output *output, const MetaBound *bound) {
    if (!bound->star || bound->count < 2) return false;
    const Expr *first = there(self, bound->items[0]), *last = there(self, bound->items[bound->count - 1]);
    if (first->kind == EXPR_KEYWORD || first->paren || last->paren) return false;
    output_bytes(output, bytes_of(self, (Span){first->span.start, last->span.end}));
    return true;
}

static void print_bound(Rewriter *self, Output *output, const MetaBound *bound, bool alone) {
    if (print_together(self, output, bound)) return;
    for (uint32_t i = 0; i < bound->count; i++) {
        const Expr *expr = there(self, bound->items[i]);
        Text text = bytes_of(self, expr->span);
        bool open = !is_closed(expr) && !is_closed(expr) && expr->kind != EXPR_KEYWORD &&
                    expr->kind != EXPR_STAR && expr->kind != EXPR_DOUBLE_STAR &&
                    (!alone || text_holds(text, "\n"));
        output_text(output, i ? ", " : "");
        output_text(output, open ? "(" : "");
        output_bytes(output, text);
        output_text(output, open ? ")" : "");
    }
    self->failed |= !bound->is;
}

/* The name by which the file knows the module that a dotted name begins with. */
static Text module_name(const Rewriter *self, Text module) {
    for (uint32_t i = 1; i < self->model->imports.count; i++) {
        const Import *import = &self->model->imports.items[i];
        bool whole = !import->name && !import->dots && import->target &&
                     text_equal(model_name(self->model, import->module), module);
        if (whole && model_func_of(self->model, import->target) == 1)
            return model_name(self->model, there(self, import->target)->name);
    }
    return (Text){0};
}

static void print_name(Rewriter *self, Output *output, ExprId id) {
    Text name = model_name(self->pattern, written(self, id)->name);
    EntryId entry = pattern_entry(self->place, self->match->pattern, id);
    bool module = entry && self->place->book->entries[entry].kind == ENTRY_MODULE;
    Text known = module ? module_name(self, name) : name;
    self->failed |= !known.length;
    output_bytes(output, known);
}

static bool makes(const Rewriter *self, const Expr *call, Word word) {
    const Expr *callee = written(self, call->a);
    return call->kind == EXPR_CALL && callee->kind == EXPR_NAME && call->list.count == 1 &&
           text_equal(model_name(self->pattern, callee->name), text_of(rulebook_word(word)));
}

static void print_range(const Steps *steps, Output *output) {
    output_format(output, "%u, %u", steps->first, steps->last + 1);
    if (steps->by > 1) output_format(output, ", %u", steps->by);
}

static void print_steps(Rewriter *self, Output *output, ExprId of, bool range) {
    int variable = pattern_variable(self->match->pattern, of);
    const MetaBound *bound = &self->match->bound[variable < 0 ? 0 : variable];
    Steps steps = {0};
    if (variable < 0 || bound->count != 1 || !meaning_steps(self->place, bound->items[0], &steps)) {
        self->failed = true;
        return;
    }
    if (range) {
        print_range(&steps, output);
        return;
    }
    if (steps.first) output_format(output, "%u", steps.first);
    output_format(output, ":%u", steps.last + 1);
    if (steps.by > 1) output_format(output, ":%u", steps.by);
}

/* ---- a variable that is made before the loops ---- */

static bool is_taken_name(const Rewriter *self, Text name) {
    for (NameId id = 1; id < self->model->names.count; id++)
        if (text_equal(model_name(self->model, id), name)) return true;
    return false;
}

static Text new_name(const Rewriter *self) {
    Text name = TEXT("constant");
    for (uint32_t i = 2; is_taken_name(self, name) && i < 100; i++)
        name = text_format(self->place->arena, "constant_%u", i);
    return name;
}

static uint32_t line_start(const Rewriter *self, uint32_t at) {
    const char *bytes = self->place->file->bytes.bytes;
    while (at > 0 && bytes[at - 1] != '\n') at--;
    return at;
}

static bool begins_line(const Rewriter *self, uint32_t at) {
    const char *bytes = self->place->file->bytes.bytes;
    for (uint32_t i = line_start(self, at); i < at; i++)
        if (bytes[i] != ' ' && bytes[i] != '\t') return false;
    return true;
}

/* The statement of the outermost loop; 0 = it is none, or what stands in a `with` of it could mean something else outside. */
static StmtId outermost_loop(const Rewriter *self) {
    const FixPlace *place = self->place;
    ExprId root = self->match->expr;
    while (root && place->index->parents[root]) root = place->index->parents[root];
    StmtId loop = 0;
    bool held = false, lost = false;
    for (StmtId at = place->index->holds[root]; at; at = place->index->around[at]) {
        const Stmt *stmt = &self->model->stmts.items[at];
        held |= stmt->kind == STMT_WITH;
        if (stmt->kind != STMT_FOR && stmt->kind != STMT_WHILE) continue;
        loop = at, lost = held;
    }
    return lost ? 0 : loop;
}

static void print_once(Rewriter *self, Output *output, ExprId of) {
    StmtId loop = outermost_loop(self);
    uint32_t at = self->model->stmts.items[loop].span.start;
    if (!loop || !begins_line(self, at)) {
        self->failed = true;
        return;
    }
    Text name = new_name(self), indent = bytes_of(self, (Span){line_start(self, at), at});
    Output line = {.arena = self->place->arena};
    output_bytes(&line, name);
    output_text(&line, " = ");
    print(self, &line, of, true);
    output_text(&line, "\n");
    output_bytes(&line, indent);
    edit(self, (Span){at, at}, (Text){line.bytes.items, line.bytes.count});
    output_bytes(output, name);
}

/* ---- expressions as the remedy writes them ---- */

static void print_list(Rewriter *self, Output *output, List list) {
    for (uint32_t i = 0, printed = 0; i < list.count; i++) {
        uint32_t before = output->bytes.count;
        if (printed) output_text(output, ", ");
        uint32_t from = output->bytes.count;
        print(self, output, self->pattern->links.items[list.first + i], true);
        if (output->bytes.count == from) output->bytes.count = before;
        printed += output->bytes.count > from;
    }
}

static void print_call(Rewriter *self, Output *output, const Expr *expr) {
    const Expr *only = expr->list.count ? written(self, self->pattern->links.items[expr->list.first]) : NULL;
    ExprId first = only ? self->pattern->links.items[expr->list.first] : 0;
    if (makes(self, expr, MAKES_slice_of) || makes(self, expr, MAKES_range_of)) {
        print_steps(self, output, first, makes(self, expr, MAKES_range_of));
    } else if (makes(self, expr, MAKES_once)) {
        print_once(self, output, first);
    } else {
        print(self, output, expr->a, false);
        output_text(output, "(");
        print_list(self, output, expr->list);
        output_text(output, ")");
    }
}

/* What stands between the operands of the remedy's own text: ` > `, ` * `. */
static void print_between(Rewriter *self, Output *output, ExprId left, ExprId right) {
    Text source = self->match->pattern->source;
    print(self, output, left, false);
    output_bytes(output, text_slice(source, written(self, left)->span.end, written(self, right)->span.start));
    print(self, output, right, false);
}

static void print_closed(Rewriter *self, Output *output, ExprId id) {
    const Expr *expr = written(self, id);
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME: print_name(self, output, id); break;
    case EXPR_ATTRIBUTE:
        print(self, output, expr->a, false);
        output_text(output, ".");
        output_bytes(output, model_name(self->pattern, expr->name));
        break;
    case EXPR_SUBSCRIPT:
        print(self, output, expr->a, false);
        output_text(output, "[");
        if (written(self, expr->b)->kind == EXPR_TUPLE)
            print_list(self, output, written(self, expr->b)->list);
        else
            print(self, output, expr->b, true);
        output_text(output, "]");
        break;
    case EXPR_CALL: print_call(self, output, expr); break;
    case EXPR_TUPLE:
    case EXPR_LIST:
        output_text(output, expr->kind == EXPR_LIST ? "[" : "(");
        print_list(self, output, expr->list);
        output_text(output, expr->kind == EXPR_LIST ? "]" : expr->list.count == 1 ? ",)" : ")");
        break;
    default: output_bytes(output, text_slice(self->match->pattern->source, expr->span.start, expr->span.end));
    }
}

/* alone: nothing stands beside it but commas and brackets. */
static void print(Rewriter *self, Output *output, ExprId id, bool alone) {
    const Expr *expr = written(self, id);
    int variable = pattern_variable(self->match->pattern, id);
    bool star = expr->kind == EXPR_STAR || expr->kind == EXPR_DOUBLE_STAR;
    if (variable >= 0) {
        print_bound(self, output, &self->match->bound[variable], alone);
    } else if (star && pattern_variable(self->match->pattern, expr->a) >= 0) {
        print(self, output, expr->a, true);
    } else if (expr->kind == EXPR_KEYWORD) {
        output_bytes(output, model_name(self->pattern, expr->name));
        output_text(output, "=");
        print(self, output, expr->a, true);
    } else if (expr->kind == EXPR_BINARY || expr->kind == EXPR_COMPARE) {
        List list = expr->list;
        bool compare = expr->kind == EXPR_COMPARE;
        output_text(output, alone ? "" : "(");
        print_between(self, output, compare ? self->pattern->links.items[list.first] : expr->a,
                      compare ? self->pattern->links.items[list.first + 1] : expr->b);
        output_text(output, alone ? "" : ")");
    } else {
        print_closed(self, output, id);
    }
}

/* ---- what differs ---- */

static bool is_beside_commas(const Rewriter *self, ExprId id) {
    ExprId parent = self->place->index->parents[id];
    const Expr *expr = there(self, parent);
    bool item = expr->kind == EXPR_LIST || expr->kind == EXPR_TUPLE || expr->kind == EXPR_KEYWORD;
    return !parent || there(self, id)->paren || item || (expr->kind == EXPR_CALL && expr->a != id) ||
           (expr->kind == EXPR_SUBSCRIPT && expr->b == id);
}

static void replace(Rewriter *self, ExprId after, ExprId id) {
    Output output = {.arena = self->place->arena};
    print(self, &output, after, is_beside_commas(self, id));
    edit(self, there(self, id)->span, (Text){output.bytes.items ? output.bytes.items : "", output.bytes.count});
}

static void differ(Rewriter *self, ExprId before, ExprId after, ExprId id);

/* The items that a list of the pattern shares with that of the replacement; those behind them are new. */
static bool shares_items(const Rewriter *self, List before, List after) {
    bool shares = before.count <= after.count;
    for (uint32_t i = 0; shares && i < before.count; i++) {
        const Expr *a = written(self, self->pattern->links.items[before.first + i]);
        const Expr *b = written(self, self->pattern->links.items[after.first + i]);
        bool star = a->kind == EXPR_STAR || a->kind == EXPR_DOUBLE_STAR;
        shares =
            a->kind == b->kind && (!star || pattern_same(self->pattern, a->a, b->a)) && a->kind != EXPR_KEYWORD;
    }
    return shares;
}

static bool has_stars(const Rewriter *self, List list) {
    for (uint32_t i = 0; i < list.count; i++) {
        uint8_t kind = written(self, self->pattern->links.items[list.first + i])->kind;
        if (kind == EXPR_STAR || kind == EXPR_DOUBLE_STAR) return true;
    }
    return false;
}

/* New arguments come behind the last one. */
static void append(Rewriter *self, List after, uint32_t from, const Expr *call) {
    Output output = {.arena = self->place->arena};
    uint32_t at = call->span.end - 1;
    if (call->list.count) {
        const Expr *last = there(self, self->model->links.items[call->list.first + call->list.count - 1]);
        at = last->span.end;
        self->failed |= last->paren;
        output_text(&output, ", ");
    }
    print_list(self, &output, (List){after.first + from, after.count - from});
    edit(self, (Span){at, at}, (Text){output.bytes.items, output.bytes.count});
}

static bool differ_in_call(Rewriter *self, const Expr *b, const Expr *a, const Expr *e) {
    bool made = makes(self, a, MAKES_once) || makes(self, a, MAKES_slice_of) || makes(self, a, MAKES_range_of);
    if (made || !shares_items(self, b->list, a->list)) return false;
    if (!has_stars(self, b->list) && b->list.count != e->list.count) return false;
    differ(self, b->a, a->a, e->a);
    for (uint32_t i = 0; !has_stars(self, b->list) && i < b->list.count; i++)
        differ(self, self->pattern->links.items[b->list.first + i],
               self->pattern->links.items[a->list.first + i], self->model->links.items[e->list.first + i]);
    if (b->list.count < a->list.count) append(self, a->list, b->list.count, e);
    return true;
}

/* Of `x[*a, i, *b]`: the one part that is no star stands where the code has what it is bound to. */
static bool differ_in_index(Rewriter *self, const Expr *b, const Expr *a, const Expr *e) {
    List before = written(self, b->b)->list, after = written(self, a->b)->list;
    if (written(self, b->b)->kind != EXPR_TUPLE || written(self, a->b)->kind != EXPR_TUPLE) return false;
    if (before.count != after.count) return false;
    differ(self, b->a, a->a, e->a);
    for (uint32_t i = 0; i < before.count; i++) {
        ExprId part = self->pattern->links.items[before.first + i];
        int variable = pattern_variable(self->match->pattern, part);
        if (variable >= 0 && self->match->bound[variable].count == 1)
            differ(self, part, self->pattern->links.items[after.first + i],
                   self->match->bound[variable].items[0]);
    }
    return true;
}

static bool differ_in_parts(Rewriter *self, ExprId before, ExprId after, ExprId id) {
    const Expr *b = written(self, before), *a = written(self, after), *e = there(self, id);
    if (b->kind != a->kind || b->op != a->op || pattern_variable(self->match->pattern, before) >= 0)
        return false;
    switch ((ExprKind)b->kind) {
    case EXPR_ATTRIBUTE:
        if (b->name != a->name || pattern_entry(self->place, self->match->pattern, before)) return false;
        differ(self, b->a, a->a, e->a);
        return true;
    case EXPR_SUBSCRIPT: return differ_in_index(self, b, a, e);
    case EXPR_CALL: return differ_in_call(self, b, a, e);
    case EXPR_BINARY:
        differ(self, b->a, a->a, e->a);
        differ(self, b->b, a->b, e->b);
        return true;
    default: return false;
    }
}

static void differ(Rewriter *self, ExprId before, ExprId after, ExprId id) {
    if (pattern_same(self->pattern, before, after)) return;
    if (!differ_in_parts(self, before, after, id)) replace(self, after, id);
}

/* ---- statements ---- */

static const Stmt *stmt_of(const FileModel *model, List block, uint32_t i) {
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

/* `if c: BODY` becomes BODY: its lines move to where the `if` began. */
static void unwrap(Rewriter *self, const Stmt *whole) {
    Text indent = bytes_of(self, (Span){line_start(self, whole->span.start), whole->span.start});
    self->failed |= !begins_line(self, whole->span.start); /* elif */
    for (uint32_t i = 0; i < whole->body.count; i++) {
        uint32_t at = stmt_of(self->model, whole->body, i)->span.start;
        if (i == 0)
            edit(self, (Span){whole->span.start, at}, TEXT(""));
        else if (begins_line(self, at))
            edit(self, (Span){line_start(self, at), at}, indent);
    }
}

/* A line of its own goes with its line end; the only statement of a block becomes `pass`. */
static void drop(Rewriter *self, StmtId id) {
    const Stmt *stmt = &self->model->stmts.items[id];
    Text bytes = self->place->file->bytes;
    uint32_t start = line_start(self, stmt->span.start), end = stmt->span.end;
    while (end < bytes.length &&
           (bytes.bytes[end] == ' ' || bytes.bytes[end] == '\t' || bytes.bytes[end] == '\r'))
        end++;
    bool alone = begins_line(self, stmt->span.start) && end < bytes.length && bytes.bytes[end] == '\n';
    if (is_only_one(self, id))
        edit(self, stmt->span, TEXT("pass"));
    else if (alone)
        edit(self, (Span){start, end + 1}, TEXT(""));
    else
        self->failed = true;
}

/* `x[0, 0] = 5.0` becomes `x[0, 0].fill_(5.0)`. */
static void replace_statement(Rewriter *self, const Stmt *after, const Stmt *stmt) {
    Output output = {.arena = self->place->arena};
    self->failed |= after->kind != STMT_EXPR;
    if (self->failed) return;
    print(self, &output, after->a, true);
    edit(self, stmt->span, (Text){output.bytes.items, output.bytes.count});
}

static void differ_in_statement(Rewriter *self, const Stmt *before, const Stmt *after, const Stmt *stmt) {
    if (before->kind != after->kind || before->op != after->op) {
        replace_statement(self, after, stmt);
        return;
    }
    for (uint32_t i = 0; before->kind == STMT_ASSIGN && i < before->list.count; i++)
        differ(self, self->pattern->links.items[before->list.first + i],
               self->pattern->links.items[after->list.first + i],
               self->model->links.items[stmt->list.first + i]);
    if (before->a) differ(self, before->a, after->a, stmt->a);
    if (before->b) differ(self, before->b, after->b, stmt->b);
}

/* ---- a call elsewhere ---- */

static ExprId keyword_of(const Rewriter *self, const Expr *call, Text name) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        ExprId id = self->model->links.items[call->list.first + i];
        const Expr *expr = there(self, id);
        if (expr->kind == EXPR_DOUBLE_STAR) return id;
        if (expr->kind == EXPR_KEYWORD && text_equal(model_name(self->model, expr->name), name)) return id;
    }
    return 0;
}

/* `loader(pin_memory=True)`: the call gets that argument, where it has none of the name. */
static void give_call(Rewriter *self, const Expr *wish, const Expr *call) {
    const Expr *keyword = written(self, self->pattern->links.items[wish->list.first]);
    ExprId given = keyword_of(self, call, model_name(self->pattern, keyword->name));
    const Expr *value = given ? there(self, there(self, given)->a) : NULL;
    uint8_t wanted = written(self, keyword->a)->kind;
    if (!given) {
        append(self, wish->list, 0, call);
    } else if (there(self, given)->kind == EXPR_DOUBLE_STAR ||
               (value->kind != EXPR_FALSE && value->kind != wanted)) {
        self->failed = true;
    } else if (value->kind != wanted) {
        Output output = {.arena = self->place->arena};
        print(self, &output, keyword->a, true);
        edit(self, value->span, (Text){output.bytes.items, output.bytes.count});
    }
}

/* All calls that the metavariable stands for, each in its own file. */
static void give(Rewriter *self, const Expr *wish) {
    int variable = pattern_variable(self->match->pattern, wish->a);
    const Expr *keyword = written(self, self->pattern->links.items[wish->list.first]);
    self->failed |= variable < 0 || wish->list.count != 1 || keyword->kind != EXPR_KEYWORD;
    for (uint32_t i = 0; i < self->match->made.count && !self->failed; i++) {
        const MadeCall *made = &self->match->made.items[i];
        FixPlace place = *self->place;
        Rewriter other = *self;
        place.file_id = made->file;
        place.file = &place.inference->program->files.items[made->file];
        other.place = &place;
        other.model = place.model = place.file->model;
        give_call(&other, wish, there(&other, made->expr));
        self->failed = other.failed;
    }
}

/* ---- the other readings of the variable that a statement adds to ---- */

/* It stands in what the remedy writes there already: `float(total)`. */
static bool is_wrapped(const Rewriter *self, ExprId read, ExprId id) {
    const Expr *call = written(self, read), *parent = there(self, self->place->index->parents[id]);
    const Expr *name = there(self, parent->a);
    return call->kind == EXPR_CALL && parent->kind == EXPR_CALL && parent->a != id && name->kind == EXPR_NAME &&
           parent->list.count == 1 &&
           text_equal(model_name(self->model, name->name),
                      model_name(self->pattern, written(self, call->a)->name));
}

/* `total /= n` becomes `total = float(total) / n`. */
static void read_augmented(Rewriter *self, const Stmt *stmt, ExprId read) {
    Output output = {.arena = self->place->arena};
    const Expr *by = there(self, stmt->b);
    output_bytes(&output, bytes_of(self, there(self, stmt->a)->span));
    output_text(&output, " = ");
    print(self, &output, read, true);
    output_text(&output, is_closed(by) && !by->paren ? " / " : " / (");
    edit(self, (Span){stmt->span.start, by->paren ? by->span.start - 1 : by->span.start},
         (Text){output.bytes.items, output.bytes.count});
    self->failed |= by->paren;
    if (!is_closed(by)) edit(self, (Span){by->span.end, by->span.end}, TEXT(")"));
}

static void read_at(Rewriter *self, const Access *access, ExprId read) {
    const Stmt *stmt = &self->model->stmts.items[self->place->graph->steps[access->step].stmt];
    bool adds = stmt->kind == STMT_AUGMENT && stmt->a == access->expr;
    Output output = {.arena = self->place->arena};
    if (adds && stmt->op == OP_DIV) read_augmented(self, stmt, read);
    if (adds || is_wrapped(self, read, access->expr)) return;
    print(self, &output, read, true);
    edit(self, there(self, access->expr)->span, (Text){output.bytes.items, output.bytes.count});
}

static void read_elsewhere(Rewriter *self, ExprId variable, ExprId read) {
    const FlowGraph *graph = self->place->graph;
    uint32_t slot = slot_own(there(self, variable));
    Accesses uses = graph_uses(graph, slot);
    for (const AccessId *use = uses.first; use < uses.end; use++) read_at(self, &graph->accesses[*use], read);
}

static int by_span(const void *left, const void *right) {
    const FixEdit *a = left, *b = right;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    if (a->span.start != b->span.start) return a->span.start < b->span.start ? -1 : 1;
    return a->span.end < b->span.end ? -1 : a->span.end > b->span.end;
}

/* None in another, none at another's place. */
static bool are_apart(const Rewriting *out) {
    if (out->edits.count > 1) qsort(out->edits.items, out->edits.count, sizeof *out->edits.items, by_span);
    for (uint32_t i = 1; i < out->edits.count; i++)
        if (out->edits.items[i].file == out->edits.items[i - 1].file &&
            out->edits.items[i].span.start < out->edits.items[i - 1].span.end)
            return false;
    return out->edits.count > 0;
}

bool rewriting_make(const PatternMatch *match, Rewriting *out) {
    Rewriter self = {match, match->place, match->pattern->model, match->place->model, out, false};
    List after = match->pattern->after, reads = match->pattern->reads;
    const Stmt *before = stmt_of(self.pattern, match->pattern->before, 0),
               *made = stmt_of(self.pattern, after, 0);
    const Stmt *stmt = &self.model->stmts.items[match->stmt];
    if (made->kind == STMT_PASS)
        drop(&self, match->stmt ? match->stmt : match->place->index->holds[match->expr]);
    else if (match->expr)
        differ(&self, before->a, made->a, match->expr);
    else if (before->kind == STMT_IF && is_unwrapped(&self, before->body, after))
        unwrap(&self, stmt);
    else
        differ_in_statement(&self, before, made, stmt);
    if (reads.count && stmt->a) read_elsewhere(&self, stmt->a, stmt_of(self.pattern, reads, 0)->a);
    List calls = match->pattern->calls;
    ExprId wish = calls.count ? stmt_of(self.pattern, calls, 0)->a : 0;
    if (wish) give(&self, &self.pattern->exprs.items[wish]);
    return !self.failed && are_apart(out);
}
