#include "loop_turn.h"
#include "made_index.h"
#include "notebook.h"
#include "rewriter.h"
#include "variable.h"

/* ---- calls elsewhere ---- */

static ExprId keyword_of(const Rewriter *self, const Expr *call, Text name) {
    for (uint32_t i = 0; i < call->list.count; i++) {
        ExprId id = self->model->links.items[call->list.first + i];
        const Expr *expr = rewriter_there(self, id);
        if (expr->kind == EXPR_DOUBLE_STAR) return id;
        if (expr->kind == EXPR_KEYWORD && text_equal(model_name(self->model, expr->name), name)) return id;
    }
    return 0;
}

/* `loader(pin_memory=torch.cuda.is_available())`: adds that argument to the call, unless it has one of that
   name. */
static void give_call(Rewriter *self, const Expr *wish, const Expr *call) {
    const Expr *keyword = rewriter_written(self, self->pattern->links.items[wish->list.first]);
    ExprId given = keyword_of(self, call, model_name(self->pattern, keyword->name));
    const Expr *value = given ? rewriter_there(self, rewriter_there(self, given)->a) : NULL;
    Output wanted = {.arena = self->place->arena};
    rewriter_print(self, &wanted, keyword->a, true);
    Text text = {wanted.bytes.items, wanted.bytes.count};
    if (!given) {
        rewriter_append(self, wish->list, 0, call);
    } else if (rewriter_there(self, given)->kind == EXPR_DOUBLE_STAR) {
        self->failed = true;
    } else if (value->kind == EXPR_FALSE) {
        rewriter_edit(self, value->span, text);
    } else if (value->kind != EXPR_TRUE) { /* it is already so, or decided by a variable */
        self->failed |= !text_equal(rewriter_bytes(self, value->span), text);
    }
}

/* Edits all calls that the metavariable stands for, each in its own file. */
static void give(Rewriter *self, const Expr *wish) {
    int variable = pattern_variable(self->match->pattern, wish->a);
    const Expr *keyword = rewriter_written(self, self->pattern->links.items[wish->list.first]);
    self->failed |= variable < 0 || wish->list.count != 1 || keyword->kind != EXPR_KEYWORD;
    for (uint32_t i = 0; i < self->match->made.count && !self->failed; i++) {
        const MadeCall *made = &self->match->made.items[i];
        FixPlace place = *self->place;
        Rewriter other = *self;
        place.file_id = made->file;
        place.file = &place.inference->program->files.items[made->file];
        other.place = &place;
        other.model = place.model = place.file->model;
        give_call(&other, wish, rewriter_there(&other, made->expr));
        self->failed = other.failed;
    }
}

/* ---- other uses of a variable that a statement adds to ---- */

/* The use is already written as the remedy wants: `float(total)`. */
static bool is_wrapped(const Rewriter *self, ExprId read, ExprId id) {
    const Expr *call = rewriter_written(self, read),
               *parent = rewriter_there(self, self->place->index->parents[id]);
    const Expr *name = rewriter_there(self, parent->a);
    return call->kind == EXPR_CALL && parent->kind == EXPR_CALL && parent->a != id && name->kind == EXPR_NAME &&
           parent->list.count == 1 &&
           text_equal(model_name(self->model, name->name),
                      model_name(self->pattern, rewriter_written(self, call->a)->name));
}

/* `total /= n` becomes `total = float(total) / n`. */
static void read_augmented(Rewriter *self, const Stmt *stmt, ExprId read) {
    Output output = {.arena = self->place->arena};
    const Expr *by = rewriter_there(self, stmt->b);
    output_bytes(&output, rewriter_bytes(self, rewriter_there(self, stmt->a)->span));
    output_text(&output, " = ");
    rewriter_print(self, &output, read, true);
    output_text(&output, rewriter_is_closed(by) && !by->paren ? " / " : " / (");
    rewriter_edit(self, (Span){stmt->span.start, by->paren ? by->span.start - 1 : by->span.start},
                  (Text){output.bytes.items, output.bytes.count});
    self->failed |= by->paren;
    if (!rewriter_is_closed(by)) rewriter_edit(self, (Span){by->span.end, by->span.end}, TEXT(")"));
}

static void read_at(Rewriter *self, const Access *access, ExprId read) {
    const Stmt *stmt = &self->model->stmts.items[self->place->graph->steps[access->step].stmt];
    bool adds = stmt->kind == STMT_AUGMENT && stmt->a == access->expr;
    Output output = {.arena = self->place->arena};
    if (adds && stmt->op == OP_DIV) read_augmented(self, stmt, read);
    if (adds || is_wrapped(self, read, access->expr)) return;
    rewriter_print(self, &output, read, true);
    rewriter_edit(self, rewriter_there(self, access->expr)->span,
                  (Text){output.bytes.items, output.bytes.count});
}

/* `with reads: int(total)` cuts what is behind the point, so a quotient is left as it is: the last `hits` of
   `hits /= n; return hits`. Fails where it is not certain that only quotients reach the use, or that none does. */
static bool is_quotient(Rewriter *self, ExprId read, AccessId use) {
    const FlowGraph *graph = self->place->graph;
    const Expr *callee = rewriter_written(self, rewriter_written(self, read)->a);
    if (!text_equal(model_name(self->pattern, callee->name), TEXT("int"))) return false;
    Reaching defs = {0};
    uint32_t quotients = 0;
    graph_reaching(graph, self->place->scratch, use, &defs);
    for (uint32_t i = 0; i < defs.items.count; i++) {
        const Stmt *stmt = defs.items.items[i] ? graph_stmt(graph, defs.items.items[i]) : NULL;
        quotients += stmt && stmt->kind == STMT_AUGMENT && stmt->op == OP_DIV;
    }
    bool added = graph_stmt(graph, use)->kind == STMT_AUGMENT;
    self->failed |= defs.many || (quotients && (added || quotients < defs.items.count));
    return quotients;
}

/* `with reads: float(total)`: wraps every other use of the variable. */
static void read_everywhere(Rewriter *self, ExprId read) {
    const FlowGraph *graph = self->place->graph;
    List arguments = rewriter_written(self, read)->list;
    int variable = arguments.count == 1
                       ? pattern_variable(self->match->pattern, self->pattern->links.items[arguments.first])
                       : -1;
    const MetaBound *bound = variable < 0 ? NULL : &self->match->bound[variable];
    self->failed |= !bound || bound->count != 1;
    if (self->failed) return;
    uint32_t slot = slot_own(rewriter_there(self, bound->items[0]));
    Accesses uses = graph_uses(graph, slot);
    for (const AccessId *use = uses.first; use < uses.end; use++)
        if (!is_quotient(self, read, *use)) read_at(self, &graph->accesses[*use], read);
}

/* ---- uses that must each have a given form ---- */

/* The depth of the metavariable within the form; 0 = it is not in it. */
static uint32_t depth_in(const Rewriter *self, ExprId form, int variable) {
    if (pattern_variable(self->match->pattern, form) == variable) return 1;
    const Expr *expr = rewriter_written(self, form);
    const ExprId parts[] = {expr->a, expr->b, expr->kind == EXPR_COMPARE ? 0 : expr->c};
    uint32_t depth = 0;
    for (uint32_t i = 0; i < 3 && !depth; i++) depth = parts[i] ? depth_in(self, parts[i], variable) : 0;
    for (uint32_t i = 0; i < expr->list.count && !depth; i++)
        depth = depth_in(self, self->pattern->links.items[expr->list.first + i], variable);
    return depth ? depth + 1 : 0;
}

/* `f"{t}"`: a field of an f-string, with any format. */
static bool is_shown(const Rewriter *self, ExprId form, ExprId use) {
    const Expr *field = rewriter_there(self, self->place->index->parents[use]);
    return rewriter_written(self, form)->kind == EXPR_FSTRING && field->kind == EXPR_INTERPOLATION &&
           !field->op && field->a == use;
}

/* The expression around the use that has the form, whose other metavariables get bound; 0 = it has another
   form. */
static ExprId formed(const Rewriter *self, ExprId form, int variable, ExprId use, PatternMatch *match) {
    ExprId whole = use;
    *match = *self->match;
    if (is_shown(self, form, use)) return use;
    for (uint32_t depth = depth_in(self, form, variable); depth > 1 && whole; depth--)
        whole = self->place->index->parents[whole];
    return whole && pattern_fits_expr(match, form, whole) ? whole : 0;
}

static bool read_in_form(Rewriter *self, List forms, int variable, ExprId use) {
    for (uint32_t i = 0; i + 1 < forms.count; i += 2) {
        ExprId form = self->pattern->links.items[forms.first + i];
        PatternMatch match;
        ExprId whole = formed(self, form, variable, use, &match);
        if (!whole) continue;
        Rewriter one = *self;
        one.match = &match;
        if (whole != use) rewriter_differ(&one, form, self->pattern->links.items[forms.first + i + 1], whole);
        self->failed |= one.failed;
        vec_push(self->place->arena, &self->out->with,
                 ((FixSpan){self->place->file_id, rewriter_there(self, whole)->span}));
        return true;
    }
    return false;
}

/* `{int(t): t, t.item(): t}`: each use of what the loop binds must have one of the forms, and becomes the value
   beside it. */
static void read_in_forms(Rewriter *self, List forms) {
    Reaching uses = {0};
    int variable = -1;
    ExprId first = forms.count ? self->pattern->links.items[forms.first] : 0;
    for (int i = 0; i < METAVARIABLES && variable < 0; i++)
        if (self->match->bound[i].count == 1 && first && depth_in(self, first, i)) variable = i;
    self->failed |=
        variable < 0 || !variable_turned_uses(self->place, self->match->bound[variable].items[0], &uses);
    for (uint32_t i = 0; i < uses.items.count && !self->failed; i++)
        self->failed |=
            !read_in_form(self, forms, variable, self->place->graph->accesses[uses.items.items[i]].expr);
}

static void read_elsewhere(Rewriter *self, ExprId read) {
    const Expr *how = rewriter_written(self, read);
    if (how->kind == EXPR_DICT)
        read_in_forms(self, how->list);
    else
        read_everywhere(self, read);
}

/* ---- code after a loop ---- */

/* The byte after the line on which the statement ends; 0 = other code follows on that line. */
static uint32_t line_behind(const Rewriter *self, const Stmt *stmt) {
    Text bytes = self->place->file->bytes;
    uint32_t end = stmt->span.end;
    while (end < bytes.length && (bytes.bytes[end] == ' ' || bytes.bytes[end] == '\t')) end++;
    if (end < bytes.length && bytes.bytes[end] == '#')
        while (end < bytes.length && bytes.bytes[end] != '\n') end++;
    return end < bytes.length && bytes.bytes[end] == '\n' ? end + 1 : 0;
}

/* The loop that fills the list which one of the statements rebinds. */
static StmtId loop_before(const Rewriter *self, List behind) {
    for (uint32_t i = 0; i < behind.count; i++) {
        const Stmt *made = rewriter_stmt(self->pattern, behind, i);
        ExprId target = made->kind == STMT_ASSIGN ? self->pattern->links.items[made->list.first] : 0;
        int variable = target ? pattern_variable(self->match->pattern, target) : -1;
        const MetaBound *bound = &self->match->bound[variable < 0 ? 0 : variable];
        if (variable >= 0) return bound->count == 1 ? turn_gathers(self->place, bound->items[0]) : 0;
    }
    return 0;
}

static void add_behind(Rewriter *self, List behind) {
    StmtId loop = loop_before(self, behind);
    const Stmt *stmt = &self->model->stmts.items[loop];
    uint32_t at = loop ? line_behind(self, stmt) : 0;
    const struct Notebook *book = self->place->file->notebook;
    bool leaves = book && at && notebook_segment(book, at)->first == at; /* its cell */
    if (!at || leaves || !rewriter_begins_line(self, stmt->span.start)) {
        self->failed = true;
        return;
    }
    Output output = {.arena = self->place->arena};
    Text indent = rewriter_bytes(self, (Span){rewriter_line_start(self, stmt->span.start), stmt->span.start});
    output_bytes(&output, indent);
    rewriter_print_block(self, &output, behind, indent);
    output_text(&output, "\n");
    rewriter_edit(self, (Span){at, at}, (Text){output.bytes.items, output.bytes.count});
    self->out->edits.items[self->out->edits.count - 1].behind = true;
}

/* ---- code before and after the statement ---- */

static Text indent_of(const Rewriter *self, const Stmt *stmt) {
    return rewriter_bytes(self, (Span){rewriter_line_start(self, stmt->span.start), stmt->span.start});
}

/* Inserts lines before the statement, which may be the first of a notebook cell. */
static void add_before(Rewriter *self, List block, StmtId id) {
    const Stmt *stmt = &self->model->stmts.items[id];
    Output output = {.arena = self->place->arena};
    self->failed |= !id || !rewriter_begins_line(self, stmt->span.start);
    if (self->failed) return;
    Text indent = indent_of(self, stmt);
    bool inside = self->place->file->notebook;
    uint32_t at = inside ? stmt->span.start : stmt->span.start - indent.length;
    if (!inside) output_bytes(&output, indent);
    rewriter_print_block(self, &output, block, indent);
    output_text(&output, "\n");
    if (inside) output_bytes(&output, indent);
    rewriter_edit(self, (Span){at, at}, (Text){output.bytes.items, output.bytes.count});
    self->out->edits.items[self->out->edits.count - 1].waits = true;
}

static void add_then(Rewriter *self, List block, StmtId id) {
    const Stmt *stmt = &self->model->stmts.items[id];
    Output output = {.arena = self->place->arena};
    uint32_t at = line_behind(self, stmt);
    self->failed |= !at || !rewriter_begins_line(self, stmt->span.start);
    if (self->failed) return;
    Text indent = indent_of(self, stmt);
    output_bytes(&output, indent);
    rewriter_print_block(self, &output, block, indent);
    output_text(&output, "\n");
    rewriter_edit(self, (Span){at, at}, (Text){output.bytes.items, output.bytes.count});
}

static StmtId statement_of(const Rewriter *self) {
    ExprId root = self->match->expr;
    while (self->place->index->parents[root]) root = self->place->index->parents[root];
    return self->match->expr ? self->place->index->holds[root] : self->match->stmt;
}

/* ---- the assignment of a variable ---- */

/* Other names in the remedy mean the same at the assignment. */
static bool is_unwritten(const Rewriter *self, const MadeIndex *made, ExprId use) {
    const FlowGraph *graph = self->place->graph;
    StepId from = graph->accesses[made->def].step, to = graph->accesses[graph_access(graph, use)].step;
    for (uint32_t i = 0; i < METAVARIABLES; i++)
        for (uint32_t k = 0; k < self->match->bound[i].count; k++) {
            const Expr *expr = rewriter_there(self, self->match->bound[i].items[k]);
            uint32_t slot =
                expr->kind == EXPR_NAME && self->match->bound[i].items[k] != use ? slot_own(expr) : 0;
            if (slot && graph_written_between(graph, self->place->scratch, slot, from, to)) return false;
        }
    return true;
}

/* Edits the assigned value; the other places that the variable indexes then stop waiting too. */
static void make_elsewhere(Rewriter *self, const Stmt *wish) {
    int variable = pattern_variable(self->match->pattern, self->pattern->links.items[wish->list.first]);
    const MetaBound *bound = &self->match->bound[variable < 0 ? 0 : variable];
    Output output = {.arena = self->place->arena};
    MadeIndex made;
    self->failed |= variable < 0 || bound->count != 1 ||
                    !made_index_find(self->place, bound->items[0], &made) ||
                    !is_unwritten(self, &made, bound->items[0]);
    if (self->failed) return;
    rewriter_print(self, &output, wish->b, true);
    rewriter_edit(self, rewriter_there(self, made.value)->span, (Text){output.bytes.items, output.bytes.count});
    self->out->edits.items[self->out->edits.count - 1].waits = true;
    for (uint32_t i = 0; i < made.count; i++)
        vec_push(self->place->arena, &self->out->with,
                 ((FixSpan){self->place->file_id, rewriter_there(self, made.indexed[i])->span}));
}

void rewriter_write_elsewhere(Rewriter *self) {
    const Pattern *pattern = self->match->pattern;
    if (pattern->reads.count) read_elsewhere(self, rewriter_stmt(self->pattern, pattern->reads, 0)->a);
    if (pattern->made.count) make_elsewhere(self, rewriter_stmt(self->pattern, pattern->made, 0));
    if (pattern->behind.count) add_behind(self, pattern->behind);
    if (pattern->first.count) add_before(self, pattern->first, rewriter_outermost_loop(self));
    if (pattern->ahead.count) add_before(self, pattern->ahead, statement_of(self));
    if (pattern->then.count) add_then(self, pattern->then, statement_of(self));
    const Stmt *calls = pattern->calls.count ? rewriter_stmt(self->pattern, pattern->calls, 0) : NULL;
    if (calls) give(self, &self->pattern->exprs.items[calls->a]);
}
