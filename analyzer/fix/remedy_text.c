#include "loop_turn.h"
#include "made_index.h"
#include "rewriter.h"

Text rewriter_bytes(const Rewriter *self, Span span) {
    return text_slice(self->place->file->bytes, span.start, span.end);
}

static bool has_comment(const Rewriter *self, Span span) {
    for (uint32_t i = 0; i < self->model->comments.count; i++) {
        uint32_t at = self->model->comments.items[i].span.start;
        if (at >= span.start && at < span.end) return true;
    }
    return false;
}

void rewriter_edit(Rewriter *self, Span span, Text text) {
    self->failed |= has_comment(self, span);
    FixEdit one = {.file = self->place->file_id, .span = span, .text = text};
    vec_push(self->place->arena, &self->out->edits, one);
}

/* ---- pieces of text ---- */

/* Needs no parentheses in any context. */
bool rewriter_is_closed(const Expr *expr) {
    return expr->kind <= EXPR_STRING || (expr->kind >= EXPR_TRUE && expr->kind <= EXPR_SUBSCRIPT) ||
           expr->kind == EXPR_CALL ||
           (expr->kind >= EXPR_LIST && expr->kind <= EXPR_DICT_COMP && expr->kind != EXPR_TUPLE);
}

/* Adjacent positional arguments are printed with the source text between them. */
static bool print_together(Rewriter *self, Output *output, const MetaBound *bound) {
    if (!bound->star || bound->count < 2) return false;
    const Expr *first = rewriter_there(self, bound->items[0]),
               *last = rewriter_there(self, bound->items[bound->count - 1]);
    if (first->kind == EXPR_KEYWORD || first->paren || last->paren) return false;
    output_bytes(output, rewriter_bytes(self, (Span){first->span.start, last->span.end}));
    return true;
}

static void print_bound(Rewriter *self, Output *output, const MetaBound *bound, bool alone) {
    if (print_together(self, output, bound)) return;
    for (uint32_t i = 0; i < bound->count; i++) {
        const Expr *expr = rewriter_there(self, bound->items[i]);
        Text text = rewriter_bytes(self, expr->span);
        bool open = !rewriter_is_closed(expr) && !rewriter_is_closed(expr) && expr->kind != EXPR_KEYWORD &&
                    expr->kind != EXPR_STAR && expr->kind != EXPR_DOUBLE_STAR &&
                    (!alone || text_holds(text, "\n"));
        output_text(output, i ? ", " : "");
        output_text(output, open ? "(" : "");
        output_bytes(output, text);
        output_text(output, open ? ")" : "");
    }
    self->failed |= !bound->is;
}

/* The name by which the file refers to the module that a dotted name starts with. */
static Text module_name(const Rewriter *self, Text module) {
    for (uint32_t i = 1; i < self->model->imports.count; i++) {
        const Import *import = &self->model->imports.items[i];
        bool whole = !import->name && !import->dots && import->target &&
                     text_equal(model_name(self->model, import->module), module);
        if (whole && model_func_of(self->model, import->target) == 1)
            return model_name(self->model, rewriter_there(self, import->target)->name);
    }
    return (Text){0};
}

bool rewriter_makes(const Rewriter *self, const Expr *call, Word word) {
    const Expr *callee = rewriter_written(self, call->a);
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

/* ---- a new variable before the loops ---- */

static bool is_taken_name(const Rewriter *self, Text name) {
    for (NameId id = 1; id < self->model->names.count; id++)
        if (text_equal(model_name(self->model, id), name)) return true;
    return false;
}

static Text new_name(const Rewriter *self, Text wish) {
    Text name = wish;
    for (uint32_t i = 2; is_taken_name(self, name) && i < 100; i++)
        name = text_format(self->place->arena, "%.*s_%u", SHOWN(wish), i);
    return name;
}

uint32_t rewriter_line_start(const Rewriter *self, uint32_t at) {
    const char *bytes = self->place->file->bytes.bytes;
    while (at > 0 && bytes[at - 1] != '\n') at--;
    return at;
}

bool rewriter_begins_line(const Rewriter *self, uint32_t at) {
    const char *bytes = self->place->file->bytes.bytes;
    for (uint32_t i = rewriter_line_start(self, at); i < at; i++)
        if (bytes[i] != ' ' && bytes[i] != '\t') return false;
    return true;
}

StmtId rewriter_outermost_loop(const Rewriter *self) {
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

/* `weight_once` of `weight.to(d)`. */
static Text once_name(const Rewriter *self, ExprId of) {
    const Expr *method = rewriter_written(self, rewriter_written(self, of)->a);
    int variable = method->kind == EXPR_ATTRIBUTE ? pattern_variable(self->match->pattern, method->a) : -1;
    const MetaBound *bound = variable < 0 ? NULL : &self->match->bound[variable];
    const Expr *expr = bound && bound->count == 1 ? rewriter_there(self, bound->items[0]) : NULL;
    if (!expr || expr->kind != EXPR_NAME) return TEXT("constant");
    Text name = model_name(self->model, expr->name);
    return text_format(self->place->arena, "%.*s_once", SHOWN(name));
}

/* A statement right before the loop makes that already, under such a name; 0 = none. */
static ExprId made_before(const Rewriter *self, StmtId loop, Text name, Text value) {
    uint32_t at;
    List block = turn_block(self->place, loop, &at);
    for (uint32_t i = at; block.count && i-- > 0;) {
        const Stmt *stmt = rewriter_stmt(self->model, block, i);
        ExprId target =
            stmt->kind == STMT_ASSIGN && stmt->list.count == 1 ? self->model->links.items[stmt->list.first] : 0;
        const Expr *made = rewriter_there(self, target);
        if (!target || made->kind != EXPR_NAME) return 0;
        if (text_starts(model_name(self->model, made->name), name) &&
            text_equal(rewriter_bytes(self, rewriter_there(self, stmt->b)->span), value))
            return target;
    }
    return 0;
}

static void print_once(Rewriter *self, Output *output, ExprId of) {
    StmtId loop = rewriter_outermost_loop(self);
    uint32_t at = self->model->stmts.items[loop].span.start;
    if (!loop || !rewriter_begins_line(self, at)) {
        self->failed = true;
        return;
    }
    Output value = {.arena = self->place->arena}, line = {.arena = self->place->arena};
    rewriter_print(self, &value, of, true);
    Text wish = once_name(self, of), made = {value.bytes.items, value.bytes.count};
    ExprId before = made_before(self, loop, wish, made);
    if (before) {
        output_bytes(output, model_name(self->model, rewriter_there(self, before)->name));
        return;
    }
    Text name = new_name(self, wish), indent = rewriter_bytes(self, (Span){rewriter_line_start(self, at), at});
    output_bytes(&line, name);
    output_text(&line, " = ");
    output_bytes(&line, made);
    output_text(&line, "\n");
    output_bytes(&line, indent);
    rewriter_edit(self, (Span){at, at}, (Text){line.bytes.items, line.bytes.count});
    output_bytes(output, name);
}

/* A variable that only the replacement binds. */
static bool binds(const Rewriter *self, List block, NameId name) {
    for (uint32_t i = 0; i < block.count; i++) {
        const Stmt *stmt = rewriter_stmt(self->pattern, block, i);
        ExprId target = stmt->kind == STMT_ASSIGN ? self->pattern->links.items[stmt->list.first] : 0;
        const Expr *bound = rewriter_written(self, target);
        if (target && bound->kind == EXPR_NAME && bound->name == name) return true;
    }
    return false;
}

static bool is_new_variable(const Rewriter *self, NameId name) {
    return binds(self, self->match->pattern->after, name) || binds(self, self->match->pattern->first, name);
}

static void print_name(Rewriter *self, Output *output, ExprId id) {
    Text name = model_name(self->pattern, rewriter_written(self, id)->name);
    EntryId entry = pattern_entry(self->place, self->match->pattern, id);
    bool module = entry && self->place->book->entries[entry].kind == ENTRY_MODULE;
    bool made = !entry && is_new_variable(self, rewriter_written(self, id)->name);
    Text known = module ? module_name(self, name) : made ? new_name(self, name) : name;
    self->failed |= !known.length;
    output_bytes(output, known);
}

/* ---- expressions as the remedy writes them ---- */

void rewriter_print_list(Rewriter *self, Output *output, List list) {
    for (uint32_t i = 0, printed = 0; i < list.count; i++) {
        uint32_t before = output->bytes.count;
        if (printed) output_text(output, ", ");
        uint32_t from = output->bytes.count;
        rewriter_print(self, output, self->pattern->links.items[list.first + i], true);
        if (output->bytes.count == from) output->bytes.count = before;
        printed += output->bytes.count > from;
    }
}

/* Prints the expression that defines the variable, as it is in the source. */
static void print_given(Rewriter *self, Output *output, ExprId of) {
    int variable = pattern_variable(self->match->pattern, of);
    const MetaBound *bound = &self->match->bound[variable < 0 ? 0 : variable];
    MadeIndex made;
    if (variable < 0 || bound->count != 1 || !made_index_find(self->place, bound->items[0], &made))
        self->failed = true;
    else
        output_bytes(output, rewriter_bytes(self, rewriter_there(self, made.value)->span));
}

static void print_call(Rewriter *self, Output *output, const Expr *expr) {
    const Expr *only =
        expr->list.count ? rewriter_written(self, self->pattern->links.items[expr->list.first]) : NULL;
    ExprId first = only ? self->pattern->links.items[expr->list.first] : 0;
    if (rewriter_makes(self, expr, MAKES_slice_of) || rewriter_makes(self, expr, MAKES_range_of)) {
        print_steps(self, output, first, rewriter_makes(self, expr, MAKES_range_of));
    } else if (rewriter_makes(self, expr, MAKES_once)) {
        print_once(self, output, first);
    } else if (rewriter_makes(self, expr, MAKES_given)) {
        print_given(self, output, first);
    } else {
        rewriter_print(self, output, expr->a, false);
        output_text(output, "(");
        rewriter_print_list(self, output, expr->list);
        output_text(output, ")");
    }
}

/* Prints the remedy's own text between two operands: ` > `, ` * `. */
static void print_between(Rewriter *self, Output *output, ExprId left, ExprId right) {
    Text source = self->match->pattern->source;
    rewriter_print(self, output, left, false);
    output_bytes(output, text_slice(source, rewriter_written(self, left)->span.end,
                                    rewriter_written(self, right)->span.start));
    rewriter_print(self, output, right, false);
}

/* Prints any other source of the remedy with its metavariables replaced. */
void rewriter_print_source(Rewriter *self, Output *output, Span span) {
    const Pattern *pattern = self->match->pattern;
    uint32_t at = span.start;
    for (bool more = true; more;) {
        ExprId next = 0;
        for (ExprId id = 1; id < self->pattern->exprs.count; id++) {
            const Expr *expr = rewriter_written(self, id);
            bool inside = expr->kind == EXPR_NAME && expr->span.start >= at && expr->span.end <= span.end;
            if (inside && (!next || expr->span.start < rewriter_written(self, next)->span.start)) next = id;
        }
        more = next != 0;
        Span name = more ? rewriter_written(self, next)->span : (Span){span.end, span.end};
        output_bytes(output, text_slice(pattern->source, at, name.start));
        if (more) rewriter_print(self, output, next, false);
        at = name.end;
    }
}

static void print_closed(Rewriter *self, Output *output, ExprId id) {
    const Expr *expr = rewriter_written(self, id);
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME: print_name(self, output, id); break;
    case EXPR_ATTRIBUTE:
        rewriter_print(self, output, expr->a, false);
        output_text(output, ".");
        output_bytes(output, model_name(self->pattern, expr->name));
        break;
    case EXPR_SUBSCRIPT:
        rewriter_print(self, output, expr->a, false);
        output_text(output, "[");
        if (rewriter_written(self, expr->b)->kind == EXPR_TUPLE)
            rewriter_print_list(self, output, rewriter_written(self, expr->b)->list);
        else
            rewriter_print(self, output, expr->b, true);
        output_text(output, "]");
        break;
    case EXPR_CALL: print_call(self, output, expr); break;
    case EXPR_TUPLE:
    case EXPR_LIST:
        output_text(output, expr->kind == EXPR_LIST ? "[" : "(");
        rewriter_print_list(self, output, expr->list);
        output_text(output, expr->kind == EXPR_LIST ? "]" : expr->list.count == 1 ? ",)" : ")");
        break;
    default: rewriter_print_source(self, output, expr->span);
    }
}

/* alone: only commas and brackets are next to it, so it needs no parentheses. */
void rewriter_print(Rewriter *self, Output *output, ExprId id, bool alone) {
    const Expr *expr = rewriter_written(self, id);
    int variable = pattern_variable(self->match->pattern, id);
    bool star = expr->kind == EXPR_STAR || expr->kind == EXPR_DOUBLE_STAR;
    if (variable >= 0) {
        print_bound(self, output, &self->match->bound[variable], alone);
    } else if (star && pattern_variable(self->match->pattern, expr->a) >= 0) {
        rewriter_print(self, output, expr->a, true);
    } else if (expr->kind == EXPR_KEYWORD) {
        output_bytes(output, model_name(self->pattern, expr->name));
        output_text(output, "=");
        rewriter_print(self, output, expr->a, true);
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

static void print_statement(Rewriter *self, Output *output, const Stmt *stmt) {
    if (stmt->kind != STMT_ASSIGN && stmt->kind != STMT_EXPR) {
        rewriter_print_source(self, output, stmt->span);
        return;
    }
    for (uint32_t i = 0; stmt->kind == STMT_ASSIGN && i < stmt->list.count; i++) {
        rewriter_print(self, output, self->pattern->links.items[stmt->list.first + i], true);
        output_text(output, " = ");
    }
    rewriter_print(self, output, stmt->kind == STMT_ASSIGN ? stmt->b : stmt->a, true);
}

void rewriter_print_block(Rewriter *self, Output *output, List block, Text indent) {
    for (uint32_t i = 0; i < block.count; i++) {
        if (i) output_text(output, "\n");
        if (i) output_bytes(output, indent);
        print_statement(self, output, rewriter_stmt(self->pattern, block, i));
    }
}
