/* Guards: how often a branch runs, by its condition and by how it ends. */
#include "flow_walk.h"

/* Limits: operands examined for one condition, also through variables that hold a part of it. (Each operand of
   a nest is a condition, and a variable may occur in it twice.) */
enum { CONDITION_PARTS = 32, CONTEXTS_ASKED = 8 };

/* The whole number that the expression is, or is by default; 0 = unknown. */
static uint32_t whole_number(const Walk *walk, ExprId id) {
    uint32_t told = (uint32_t)literal_number(walk, id);
    Literal usual = told ? (Literal){0} : usual_of(walk, id);
    bool whole = usual.kind == LITERAL_NUMBER && usual.number >= 1 && usual.number < 1e9;
    return whole ? (uint32_t)usual.number : told;
}

static bool is_of_self(const Walk *walk, const Expr *expr) {
    const Expr *owner = &walk->model->exprs.items[expr->a];
    return expr->kind == EXPR_ATTRIBUTE && owner->kind == EXPR_NAME &&
           python_is(PY_self, model_name(walk->model, owner->name));
}

static bool is_modulo(const Walk *walk, ExprId id, uint32_t *every) {
    const Expr *expr = &walk->model->exprs.items[id];
    if (expr->kind != EXPR_BINARY || expr->op != OP_MOD) return false;
    if (value_has(infer_fact(walk->context, walk->model, expr->a), KIND_TENSOR)) return false;
    *every = whole_number(walk, expr->b);
    return true;
}

/* What the function returns; 0 = it returns several things, apart from False and None. */
static ExprId answer_of(const Walk *there) {
    ExprId answer = 0;
    for (StmtId id = there->func->first_stmt; there->graph && id < there->func->end_stmt; id++) {
        const Stmt *stmt = &there->model->stmts.items[id];
        uint8_t kind = there->model->exprs.items[stmt->a].kind;
        if (stmt->kind != STMT_RETURN || !stmt->a || !graph_block(there->graph, id)) continue;
        if (kind == EXPR_FALSE || kind == EXPR_NONE) continue;
        if (answer) return 0;
        answer = stmt->a;
    }
    return answer;
}

/* `divisible_by(step, self.every)`, of a function that says `return n % every == 0`; `self.is_due`, of a property. */
static bool divides(const Walk *walk, ExprId id, uint32_t *every) {
    uint8_t kind = walk->model->exprs.items[id].kind;
    uint32_t edge = kind == EXPR_CALL || kind == EXPR_ATTRIBUTE ? first_edge(walk, id) : 0;
    if (!edge) return false;
    Walk there = walk_of(walk, walk->context->edges.items[edge - 1].callee);
    const FileModel *model = there.model;
    ExprId said = answer_of(&there);
    const Expr *answer = &model->exprs.items[said];
    bool none = answer->kind == EXPR_NOT, zero = answer->kind == EXPR_COMPARE && answer->op == OP_EQ;
    ExprId rest = none                              ? answer->a
                  : zero && answer->list.count == 2 ? model->links.items[answer->list.first]
                                                    : 0;
    const Expr *modulo = &model->exprs.items[rest];
    if (modulo->kind != EXPR_BINARY || modulo->op != OP_MOD) return false;
    uint32_t param = parameter_of(&there, &model->exprs.items[modulo->b]);
    bool given_here = param != NO_PARAMETER && kind == EXPR_CALL;
    Given given = given_here ? call_gives(walk->model, id, model, there.func, param) : (Given){0};
    *every = given.expr ? whole_number(walk, given.expr) : whole_number(&there, modulo->b);
    return true;
}

/* `self.steps` where another method of the class says `self.steps += 1`, below no condition. */
static bool is_counted_elsewhere(const Walk *walk, const Expr *expr) {
    const FileModel *model = walk->model;
    if (!is_of_self(walk, expr) || !walk->func->class_id) return false;
    const Writes *writes = walk->inference->writes[walk->context->file];
    for (const Write *w = writes_of_name(writes, walk->file->syms[expr->name]); w; w = write_next(writes, w)) {
        const Stmt *stmt = &model->stmts.items[w->stmt];
        bool adds =
            w->kind == DEF_AUGMENT && stmt->op == OP_ADD && model->exprs.items[stmt->b].kind == EXPR_INT;
        bool own = model->funcs.items[w->func].class_id == walk->func->class_id;
        const FlowGraph *graph = walk->inference->graphs[walk->file->func_base + w->func];
        Guard guard;
        if (adds && own && graph && is_of_self(walk, &model->exprs.items[w->target]) &&
            !graph_guard(graph, graph_block(graph, w->stmt), &guard))
            return true;
    }
    return false;
}

/* A counter of iterations: a loop's index, a variable that each iteration increments, or the index that a
   framework passes to a hook. */
static bool is_counter(const Walk *walk, ExprId id) {
    const Expr *expr = &walk->model->exprs.items[id];
    if (is_counted_elsewhere(walk, expr)) return true;
    uint8_t key = expr->kind == EXPR_SUBSCRIPT ? walk->model->exprs.items[expr->b].kind : EXPR_STRING;
    uint32_t slot = key == EXPR_STRING ? slot_own(expr) : 0; /* state["step"], and not seen[i] */
    if (!slot) return false;
    const FlowGraph *graph = walk->graph;
    Accesses defs = graph_defs(graph, slot);
    for (const AccessId *d = defs.first; d < defs.end; d++) {
        const Stmt *stmt = graph_stmt(graph, *d);
        if (graph->accesses[*d].kind == DEF_AUGMENT && stmt->op == OP_ADD) return true;
        if (stmt->kind == STMT_FOR && loop_counts(walk, stmt, slot)) return true;
    }
    const Local *local = &walk->model->locals.items[walk->func->first_local + slot - 1];
    Text name = model_name(walk->model, local->name);
    return local->is_param && name_is(walk->inference->book, NAMED_turn_parameter, name);
}

/* A counter of iterations, or computed from one: `step + 1`, `epoch = (t + 1) // steps_per_epoch`. */
static bool counts(const Walk *walk, ExprId id, int depth) {
    const Expr *expr = &walk->model->exprs.items[id];
    if (depth > 3 || is_counter(walk, id)) return depth <= 3;
    if (expr->kind == EXPR_BINARY && expr->op == OP_MOD) return false; /* by what: is_modulo */
    if (expr->kind == EXPR_BINARY) return counts(walk, expr->a, depth + 1) || counts(walk, expr->b, depth + 1);
    ExprId made = assigned_once(walk, expr);
    return made && walk->model->exprs.items[made].kind == EXPR_BINARY && counts(walk, made, depth + 1);
}

/* A counter that restarts at each call: a variable of this function that no caller passes. */
static bool begins_anew(const Walk *walk, ExprId id) {
    const Expr *expr = &walk->model->exprs.items[id];
    uint32_t slot = expr->kind == EXPR_NAME ? slot_own(expr) : 0;
    if (!slot || expr->binding != BIND_LOCAL || walk->func->kind != FUNC_DEF) return false;
    const Local *local = &walk->model->locals.items[walk->func->first_local + slot - 1];
    return !local->is_param && is_counter(walk, id);
}

/* `x.size(0) == 0` on a tensor, `len(x) == 0` on anything: a batch is empty occasionally. */
static bool is_empty(const Walk *walk, ExprId left, ExprId right) {
    const Expr *expr = &walk->model->exprs.items[left];
    const Expr *zero = &walk->model->exprs.items[right];
    if (zero->kind != EXPR_INT || literal_number(walk, right) != 0) return false;
    if (expr->kind == EXPR_SUBSCRIPT) expr = &walk->model->exprs.items[expr->a]; /* x.shape[0] */
    const Expr *callee = expr->kind == EXPR_CALL ? &walk->model->exprs.items[expr->a] : expr;
    bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
    bool asks =
        named && name_is(walk->inference->book, NAMED_size_attribute, model_name(walk->model, callee->name));
    ExprId owner = callee->kind == EXPR_ATTRIBUTE ? callee->a
                   : expr->list.count             ? walk->model->links.items[expr->list.first]
                                                  : 0;
    bool length = expr->kind == EXPR_CALL && callee->kind == EXPR_NAME;
    return asks && owner && (length || value_has(infer_fact(walk->context, walk->model, owner), KIND_TENSOR));
}

/* `if not sentences:` on something that is certainly a list. */
static bool is_list(const Walk *walk, ExprId id) {
    const Value *value = infer_fact(walk->context, walk->model, id);
    return value && value->count == 1 && value->alts[0].kind == KIND_CONTAINER &&
           infer_object(walk->inference, value->alts[0].object)->flavour == FLAVOUR_LIST;
}

/* `dataloader is None` on a parameter for which this call passes something not known to be None. */
static bool is_given(const Walk *walk, ExprId left, ExprId right) {
    const Expr *expr = &walk->model->exprs.items[left];
    if (walk->model->exprs.items[right].kind != EXPR_NONE) return false;
    if (expr->kind != EXPR_NAME || expr->binding != BIND_LOCAL || walk->context->root) return false;
    for (uint32_t i = 0; expr->slot && i < walk->context->arg_count && i < walk->func->param_count; i++)
        if (walk->model->params.items[walk->func->first_param + i].slot == expr->slot)
            return walk->context->args[i] && !value_has(walk->context->args[i], KIND_NONE);
    return false;
}

/* `mode == "max"` on a string passed here, or on a default: whether it is that string. */
static Tri is_that_text(const Walk *walk, ExprId left, ExprId right) {
    const Expr *literal = &walk->model->exprs.items[right];
    const Value *value = literal->kind == EXPR_STRING ? infer_fact(walk->context, walk->model, left) : NULL;
    Text wanted = value ? model_name(walk->model, literal->name) : (Text){0};
    uint32_t alike = 0;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind != KIND_TEXT || !alt->id || (alt->flags & ALT_WIDE)) return TRI_UNKNOWN;
        alike += text_equal(names_text(&walk->inference->program->names, alt->id), wanted);
    }
    if (!value || (alike && alike < value->count)) return TRI_UNKNOWN;
    return alike ? TRI_YES : TRI_NO;
}

/* A parameter that gets one string here and another one elsewhere: only those calls take the branch. */
static bool is_way_of_others(const Walk *walk, ExprId left, ExprId right, Tri asked) {
    const Expr *expr = &walk->model->exprs.items[left];
    uint32_t param = expr->kind == EXPR_NAME && !walk->context->root ? parameter_of(walk, expr) : NO_PARAMETER;
    if (param >= walk->context->arg_count || !walk->context->args[param]) return false;
    ContextId other = context_of(walk, walk->context->func);
    for (uint32_t i = 0; other && i < CONTEXTS_ASKED; i++) {
        Walk there = walk_of(walk, other);
        Tri told = is_that_text(&there, left, right);
        if (context_is_live(there.context) && told != asked && told != TRI_UNKNOWN) return true;
        other = walk->inference->context_links.items[other].next;
    }
    return false;
}

/* `mask is not None` on an optional parameter: some callers omit it, or pass something that may be None. */
static bool is_optional(const Walk *walk, ExprId left, ExprId right) {
    const Expr *expr = &walk->model->exprs.items[left];
    if (walk->model->exprs.items[right].kind != EXPR_NONE) return false;
    uint32_t param = expr->kind == EXPR_NAME ? parameter_of(walk, expr) : NO_PARAMETER;
    if (param == NO_PARAMETER) return false;
    ExprId fallback = walk->model->params.items[walk->func->first_param + param].fallback;
    return fallback && walk->model->exprs.items[fallback].kind == EXPR_NONE &&
           value_has(infer_fact(walk->context, walk->model, left), KIND_NONE);
}

/* A parameter that all calls omit, all of them visible: nobody uses it. */
static bool is_left_out(const Walk *walk, ExprId id) {
    uint32_t param = parameter_of(walk, &walk->model->exprs.items[id]);
    CallersOf calls = callers_of(walk);
    if (param == NO_PARAMETER || walk->context->root || !calls.count) return false;
    for (uint32_t i = 0; i < calls.count; i++) {
        Walk caller;
        Given given = given_by(walk, &calls.first[i], param, &caller);
        if (!given.absent && !(given.expr && is_left_out(&caller, given.expr))) return false;
    }
    return true;
}

/* `if self.use_cuda:`, `if args.gpu is not None:`: true in the priced run, which has a GPU. */
static bool asks_for_gpu(const Walk *walk, ExprId id) {
    const Rulebook *book = walk->inference->book;
    Text name = last_name(walk, id);
    if (name_is(book, NAMED_rank, name) || is_left_out(walk, id)) return false;
    return name_is(book, NAMED_gpu_flag, name) || name_is(book, NAMED_host_flag, name) ||
           name_is(book, NAMED_gpu_number, name) || name_is(book, NAMED_gpu_numbers, name);
}

/* The branch is not taken by default. said: what a user must give. */
static void guard_off(Item *guard, const Literal *usual, Text said, bool without) {
    if (usual->handed)
        guard->rate |= GUARD_HANDED;
    else
        guard->flags |= GUARD_OFF;
    if (guard->only_length) return;
    guard->only = said.bytes, guard->only_length = said.length;
    if (without) guard->rate |= GUARD_WITHOUT;
}

static Text source_of(const Walk *walk, const Expr *expr) {
    return text_slice(walk->file->bytes, expr->span.start, expr->span.end);
}

void guard_usual(const Walk *walk, const Expr *expr, bool truth, const Literal *usual, Item *guard) {
    bool elsewhere = usual->cause.length;
    guard_off(guard, usual, elsewhere ? usual->cause : source_of(walk, expr),
              elsewhere ? usual->caused : !truth);
}

/* `rank == 0`, `rank in (-1, 0)`, `not rank > 0`: one of the training processes takes the branch; `rank != 0`:
   all others; `rank == -1`: there is only one process; `rank == 3`: a number of dimensions. */
static bool is_one_rank(const Walk *walk, const Expr *expr, ExprId right, bool truth) {
    Literal with = usual_literal(walk->model, right);
    bool none = with.kind == LITERAL_NUMBER && with.number < 0;
    if (with.kind == LITERAL_NUMBER && with.number > 1) return false;
    switch ((Operator)expr->op) {
    case OP_EQ:
    case OP_IN: return truth && !none;
    case OP_LT:
    case OP_LE: return truth;
    case OP_NE:
    case OP_NOT_IN: return !truth && !none;
    case OP_GT:
    case OP_GE: return !truth;
    default: return false;
    }
}

/* `ord == 1` or `mode in ("max", "mean")` on a parameter, or an attribute of self: the caller selects one of
   several ways, and no visible code always selects this one. */
static bool is_choice(const Walk *walk, ExprId left, ExprId right) {
    const Expr *expr = &walk->model->exprs.items[left];
    const Expr *picked = &walk->model->exprs.items[right];
    if ((picked->kind == EXPR_TUPLE || picked->kind == EXPR_LIST) && picked->list.count)
        picked = &walk->model->exprs.items[walk->model->links.items[picked->list.first]];
    uint8_t kind = picked->kind;
    if (kind != EXPR_STRING && kind != EXPR_INT) return false;
    if (expr->kind == EXPR_NAME) return parameter_of(walk, expr) != NO_PARAMETER && !counts(walk, left, 0);
    return is_of_self(walk, expr) && kind == EXPR_STRING;
}

/* The user's settings pick the branch, and no visible code says what they are. */
static bool is_left_open(const Expr *expr, bool truth, const Literal *usual) {
    bool excludes =
        expr->kind == EXPR_COMPARE && (expr->op == OP_NE || expr->op == OP_NOT_IN || expr->op == OP_IS);
    return usual->kind == LITERAL_OPEN && truth != excludes;
}

static void guard_picked(Item *guard, Text said, bool without) {
    guard_off(guard, &(Literal){.handed = true}, said, without);
    guard->rate |= GUARD_PICKED;
}

/* `i < args.shown` on a counter, where by default none of the iterations is meant: --shown is 0. most: gets that
   default. */
static bool is_before_all(const Walk *walk, const Expr *expr, ExprId left, ExprId right, Literal *most) {
    if ((expr->op != OP_LT && expr->op != OP_LE) || !is_counter(walk, left)) return false;
    *most = usual_of(walk, right);
    return most->kind == LITERAL_NUMBER && (most->number < 0 || (expr->op == OP_LT && most->number <= 0));
}

static void guard_compare(const Walk *walk, const Expr *expr, bool truth, Item *guard) {
    ExprId left = walk->model->links.items[expr->list.first],
           right = walk->model->links.items[expr->list.first + 1];
    bool none = expr->op == OP_IS || expr->op == OP_IS_NOT;
    if (none && truth == (expr->op == OP_IS) && is_given(walk, left, right)) guard->rate = GUARD_DOUBTED;
    uint32_t every = 0;
    bool equal = expr->op == OP_EQ, unequal = expr->op == OP_NE;
    Tri asked = equal || unequal ? is_that_text(walk, left, right) : TRI_UNKNOWN;
    Literal usual = usual_of(walk, (ExprId)(expr - walk->model->exprs.items));
    bool other = asked == (truth == equal ? TRI_NO : TRI_YES);
    if (other && is_way_of_others(walk, left, right, asked)) guard->flags |= GUARD_LEAVES;
    if (other) guard_off(guard, &(Literal){.kind = LITERAL_TEXT}, source_of(walk, expr), !truth);
    if (is_modulo(walk, left, &every) || is_modulo(walk, right, &every)) {
        bool among = (expr->op == OP_IN && truth) || (expr->op == OP_NOT_IN && !truth);
        if (among) guard->flags |= GUARD_EVERY, guard->every = 0; /* `step % length in milestones` */
        if ((equal && truth) || (unequal && !truth)) guard->flags |= GUARD_EVERY, guard->every = every;
        if (begins_anew(walk, walk->model->exprs.items[left].a)) guard->rate |= GUARD_ANEW;
        return;
    }
    bool among = (expr->op == OP_IN && truth) || (expr->op == OP_NOT_IN && !truth);
    if (among && counts(walk, left, 0)) { /* `epoch in (30, 60)`, `(step + 1) in self.milestones` */
        guard->flags |= GUARD_EVERY, guard->every = 0;
        return;
    }
    Literal most;
    if (truth && is_before_all(walk, expr, left, right, &most)) {
        guard_usual(walk, expr, truth, &most, guard);
        return;
    }
    Text name = last_name(walk, left);
    bool literal = walk->model->exprs.items[right].kind == EXPR_INT;
    const Rulebook *book = walk->inference->book;
    bool rank = name_is(book, NAMED_rank, name) && !name_is(book, NAMED_process_count, name);
    if (rank && is_one_rank(walk, expr, right, truth))
        guard->flags |= GUARD_RANK;
    else if (asks_for_gpu(walk, left))
        return;
    else if (usual_truth(&usual) == (truth ? TRI_NO : TRI_YES))
        guard_usual(walk, expr, truth, &usual, guard);
    else if ((equal || unequal) && truth == equal && is_empty(walk, left, right))
        guard->flags |= GUARD_EVERY, guard->every = 0;
    else if (truth && (equal || (expr->op == OP_LT && literal)) && counts(walk, left, 0))
        guard->flags |= GUARD_EVERY, guard->every = 0;
    else if (usual_truth(&usual) == TRI_UNKNOWN && asked == TRI_UNKNOWN &&
             (((among || ((equal || unequal) && truth == equal)) && is_choice(walk, left, right)) ||
              (none && truth == (expr->op == OP_IS_NOT) && is_optional(walk, left, right)) ||
              is_left_open(expr, truth, &usual)))
        guard_picked(guard, source_of(walk, expr), !truth);
}

/* `last or step % 50 == 0`: if each operand holds rarely, so does the whole, as often as the operand that says
   how often. An operand that is off by default does not count; if all are, so is the whole. */
static void guard_any(const Walk *walk, const Expr *expr, bool truth, Item *guard, uint32_t *left) {
    uint32_t every = 0;
    bool turns = false, handed = false, picked = false;
    for (uint32_t i = 0; i < expr->list.count; i++) {
        Item part = {0};
        guard_parts(walk, walk->model->links.items[expr->list.first + i], truth, &part, left);
        if (!(part.flags & (GUARD_EVERY | GUARD_OFF)) && !(part.rate & GUARD_HANDED)) return;
        handed |= (part.rate & GUARD_HANDED) != 0;
        picked |= (part.rate & GUARD_PICKED) != 0;
        if ((part.flags & GUARD_OFF) || (part.rate & GUARD_HANDED)) continue;
        turns = true;
        if (part.every && (!every || part.every < every)) every = part.every;
    }
    if (turns && !picked) guard->flags |= GUARD_EVERY, guard->every = every;
    if (turns) return;
    guard_off(guard, &(Literal){.handed = handed}, source_of(walk, expr), !truth);
    if (picked) guard->rate |= GUARD_PICKED;
}

/* `if args.amp:` on an option that is off by default; `if not self.fused:` on one that is on. */
static void guard_flag(const Walk *walk, ExprId id, bool truth, Item *guard) {
    const Expr *expr = &walk->model->exprs.items[id];
    Literal usual = usual_of(walk, id);
    if (asks_for_gpu(walk, id)) return;
    if (is_left_open(expr, truth, &usual)) guard_picked(guard, source_of(walk, expr), !truth);
    if (usual_truth(&usual) != (truth ? TRI_NO : TRI_YES)) return;
    if (usual.option.length)
        guard_off(guard, &usual, usual.option, !truth && !usual.clears);
    else
        guard_usual(walk, expr, truth, &usual, guard);
}

/* The call whose result a variable holds, whole or as one of several parts (part: its position): `message, due =
   state.step(loss)`. The expression itself, if it is none of these. */
static ExprId call_behind(const Walk *walk, ExprId id, uint32_t *part) {
    const FileModel *model = walk->model;
    const Expr *expr = &model->exprs.items[id];
    AccessId use = expr->kind == EXPR_NAME ? graph_access(walk->graph, id) : 0;
    AccessId def = use ? graph_only_def(walk->graph, walk->arena, use) : 0;
    const Stmt *stmt = def ? graph_stmt(walk->graph, def) : NULL;
    if (!stmt || stmt->kind != STMT_ASSIGN || stmt->list.count != 1) return id;
    const Expr *target = &model->exprs.items[model->links.items[stmt->list.first]];
    if (walk->graph->accesses[def].kind == DEF_ASSIGN) return stmt->b;
    for (uint32_t i = 0; target->kind == EXPR_TUPLE && i < target->list.count; i++) {
        const Expr *one = &model->exprs.items[model->links.items[target->list.first + i]];
        if (one->kind == EXPR_STAR) return id;
        if (one->kind == EXPR_NAME && slot_own(one) == slot_own(expr)) return *part = i + 1, stmt->b;
    }
    return id;
}

static ContextId callee_at(const Walk *walk, ExprId call) {
    uint32_t edge = walk->marks ? first_edge(walk, call) : 0;
    for (uint32_t e = 0; !walk->marks && !edge && e < walk->context->edges.count; e++)
        if (walk->context->edges.items[e].expr == call) edge = e + 1;
    return edge ? walk->context->edges.items[edge - 1].callee : 0;
}

/* `if state.is_due():`, `message, due = state.step(loss)` and `if due:`: as often as what the function returns is so. */
static void guard_answer(const Walk *walk, ExprId id, bool truth, Item *guard, uint32_t *left) {
    uint32_t part = 0;
    ExprId call = call_behind(walk, id, &part);
    bool called = walk->model->exprs.items[call].kind == EXPR_CALL;
    ContextId callee = called && truth ? callee_at(walk, call) : 0;
    if (!callee) return;
    Walk there = walk_of(walk, callee);
    ExprId answer = answer_of(&there);
    const Expr *parts = &there.model->exprs.items[answer];
    if (part && (parts->kind != EXPR_TUPLE || part > parts->list.count)) return;
    if (part) answer = there.model->links.items[parts->list.first + part - 1];
    Item said = {0};
    if (answer) guard_parts(&there, answer, truth, &said, left);
    if (said.flags & GUARD_EVERY) guard->flags |= GUARD_EVERY, guard->every = said.every;
}

void guard_parts(const Walk *walk, ExprId id, bool truth, Item *guard, uint32_t *left) {
    const Expr *expr = &walk->model->exprs.items[id];
    uint32_t every = 0;
    if (!*left) return;
    --*left;
    if (expr->kind == EXPR_NOT) {
        if (is_modulo(walk, expr->a, &every)) {
            if (truth) guard->flags |= GUARD_EVERY, guard->every = every;
            return;
        }
        guard_parts(walk, expr->a, !truth, guard, left);
        return;
    }
    if (expr->kind == EXPR_AND || expr->kind == EXPR_OR) {
        bool all = truth == (expr->kind == EXPR_AND);
        for (uint32_t i = 0; all && i < expr->list.count; i++) {
            bool before = guard->flags & GUARD_EVERY;
            uint32_t so_far = guard->every;
            guard->flags &= (uint8_t)~GUARD_EVERY;
            guard_parts(walk, walk->model->links.items[expr->list.first + i], truth, guard, left);
            bool here = guard->flags & GUARD_EVERY;
            if (before) guard->flags |= GUARD_EVERY, guard->every = here ? so_far * guard->every : so_far;
        }
        if (!all) guard_any(walk, expr, truth, guard, left);
        return;
    }
    if (is_modulo(walk, id, &every)) {
        if (!truth) guard->flags |= GUARD_EVERY, guard->every = every;
        return;
    }
    if (guard_by_clock(walk, id, truth, 0)) guard->flags |= GUARD_EVERY, guard->every = 0;
    ExprId called = assigned_once(walk, expr); /* due = divisible_by(step, 100) */
    if (truth && divides(walk, called ? called : id, &every))
        guard->flags |= GUARD_EVERY, guard->every = every;
    else
        guard_answer(walk, id, truth, guard, left);
    if (expr->kind == EXPR_COMPARE && expr->list.count == 2) {
        guard_compare(walk, expr, truth, guard);
        return;
    }
    ExprId made = flag_made_of(walk, expr);
    if (made) guard_parts(walk, made, truth, guard, left);
    guard_given(walk, expr, truth, guard, left);
    Text name = last_name(walk, id);
    if (truth && name_is(walk->inference->book, NAMED_first_rank_flag, name)) guard->flags |= GUARD_RANK;
    if (truth && name_is(walk->inference->book, NAMED_rare_test, name)) guard->flags |= GUARD_RARE;
    if (!truth && name_is(walk->inference->book, NAMED_usual_test, name)) guard->flags |= GUARD_RARE;
    bool flag = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    if (flag && !truth && is_list(walk, id)) guard->flags |= GUARD_EVERY, guard->every = 0;
    if (expr->kind != EXPR_COMPARE) guard_flag(walk, id, truth, guard);
    if (flag && truth && name_is(walk->inference->book, NAMED_debug_flag, name))
        guard_off(guard, &(Literal){0}, source_of(walk, expr), false);
}

void guard_condition(const Walk *walk, ExprId id, bool truth, Item *guard) {
    uint32_t left = CONDITION_PARTS;
    guard_parts(walk, id, truth, guard, &left);
}

/* `len(batch) == 2` or `x.dim() > 3` with an unknown length. */
static bool asks_for_length(const Walk *walk, const Expr *expr) {
    if (expr->kind != EXPR_COMPARE || expr->list.count != 2) return false;
    ExprId left = walk->model->links.items[expr->list.first],
           right = walk->model->links.items[expr->list.first + 1];
    const Expr *asked = &walk->model->exprs.items[left];
    bool called = asked->kind == EXPR_CALL || asked->kind == EXPR_ATTRIBUTE;
    Literal usual = usual_of(walk, (ExprId)(expr - walk->model->exprs.items));
    return called && usual_truth(&usual) == TRI_UNKNOWN && literal_number(walk, right) >= 1 &&
           name_is(walk->inference->book, NAMED_length_attribute, last_name(walk, left));
}

void guard_length(const Walk *walk, const Stmt *stmt, Item *guard) {
    const Expr *expr = &walk->model->exprs.items[stmt->a];
    if (!stmt->orelse.count || guard->only_length || (guard->flags & ~GUARD_CHOICE) ||
        !asks_for_length(walk, expr))
        return;
    guard_picked(guard, source_of(walk, expr), false);
}

static bool is_exit(const Walk *walk, const Stmt *stmt) {
    if (stmt->kind == STMT_RAISE) return true;
    if (stmt->kind == STMT_ASSERT) return walk->model->exprs.items[stmt->a].kind == EXPR_FALSE;
    if (stmt->kind != STMT_EXPR) return false;
    const Expr *expr = &walk->model->exprs.items[stmt->a];
    if (expr->kind != EXPR_CALL) return false;
    Text name = last_name(walk, expr->a);
    bool fails = expr->list.count &&
                 walk->model->exprs.items[walk->model->links.items[expr->list.first]].kind == EXPR_FALSE;
    if (fails && name_is(walk->inference->book, NAMED_asserting_call, name))
        return true; /* torch._assert(False, message) */
    return python_is(PY_exit, name) || python_is(PY__exit, name) || python_is(PY_quit, name) ||
           python_is(PY_abort, name);
}

Item guard_seldom(Text said) {
    return (Item){.kind = ITEM_GUARD,
                  .flags = GUARD_RARE | GUARD_OFF,
                  .rate = GUARD_WORDS,
                  .only = said.bytes,
                  .only_length = said.length};
}

bool warns_if(const Walk *walk, const Stmt *stmt) {
    const Expr *call = &walk->model->exprs.items[stmt->a];
    bool warns =
        call->kind == EXPR_CALL && name_is(walk->inference->book, NAMED_warning_call, last_name(walk, call->a));
    Guard guard;
    if (!warns || !graph_guard(walk->graph, graph_block(walk->graph, walk->stmt), &guard)) return false;
    const Stmt *test = &walk->model->stmts.items[guard.stmt];
    return test->kind == STMT_IF && test->span.end >= stmt->span.end; /* and does not just leave before it */
}

bool raises_exit(const Walk *walk, const Stmt *stmt) {
    return stmt->a && python_is(PY_SystemExit, last_name(walk, stmt->a));
}

/* `if __name__ == "__main__": sys.exit(main())`: the end of a script's body does not abort its work. */
static bool ends_script(const Walk *walk, const Stmt *stmt) {
    return (stmt->kind != STMT_RAISE || raises_exit(walk, stmt)) && !walk->loops &&
           walk->func->kind == FUNC_MODULE;
}

void guard_ending(const Walk *walk, List block, Item *guard) {
    const Stmt *last = model_last(walk->model, block);
    if (!last) return;
    if (is_exit(walk, last) && !ends_script(walk, last)) guard->flags |= GUARD_LEAVES;
    if (last->kind == STMT_BREAK) guard->flags |= GUARD_BREAKS;
    if (last->kind == STMT_RETURN && walk->loops) guard->flags |= GUARD_RETURNS;
}

bool goes_over_listeners(const Walk *walk, ExprId target) {
    const Value *value = infer_fact(walk->context, walk->model, target);
    bool found = false;
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        bool listens = is_optimizer_alt(walk->inference, alt) || alt->kind == KIND_FUNCTION ||
                       alt->kind == KIND_PARTIAL ||
                       (alt->kind == KIND_INSTANCE && !walk->inference->classes[alt->id].entry_base);
        if (!listens && alt->kind != KIND_UNKNOWN && alt->kind != KIND_NONE) return false;
        found |= listens;
    }
    return found;
}
