/* Default values of variables, parameters, attributes and conditions, where no visible code changes them; for
   guards. Example: with `def __init__(self, cached=False)` and `self.cached = cached`, `if self.cached:` is not
   taken by default. */
#include "calls.h"
#include "flow_walk.h"
#include "flow_settings.h"
#include <stdlib.h>

/* Limits: length of a chain of variables, calls and arguments; places visited in all. */
enum { DEFAULTS_DEEP = 10, PLACES_ASKED = 400 };

static const Literal unknown, open = {.kind = LITERAL_OPEN};

/* ---- values of parameters and variables ---- */

bool usual_outside(const Walk *walk, Walk *outside) {
    ClassId of = walk->func->class_id;
    FuncId around = of ? walk->model->classes.items[of].body : walk->func->parent;
    ContextId there = around && walk->context ? context_of(walk, around) : 0;
    if (there) *outside = walk_of(walk, there);
    return there && outside->graph;
}

/* What `def f(mode=Mode.PLAIN)` says in its text: it is evaluated where the function stands. */
static Literal stated_default(const Walk *walk, uint32_t param) {
    const Param *one = &walk->model->params.items[walk->func->first_param + param];
    ExprId stated = one->fallback;
    Literal literal = usual_stated(walk, one);
    Walk outside;
    if (literal.kind || !stated || !walk->asked || !usual_outside(walk, &outside)) return literal;
    return usual_at(&outside, stated, DEFAULTS_DEEP / 2);
}

/* The default of a parameter that no visible call passes. A default of None, or an empty list, is meant to
   be replaced by a caller. */
Literal usual_alone(const Walk *walk, uint32_t param) {
    Literal fallback = stated_default(walk, param);
    bool left_open = fallback.kind == LITERAL_NONE || fallback.kind == LITERAL_EMPTY;
    fallback.handed = left_open && !fallback.option.length;
    return fallback;
}

/* A name of what the function gathers: 1 = *args, 2 = **options; 0 = it is none. */
static uint8_t gathered(const Walk *walk, ExprId id) {
    const Expr *expr = &walk->model->exprs.items[id];
    uint32_t slot = expr->kind == EXPR_NAME ? slot_own(expr) : 0;
    for (uint32_t i = 0; slot && i < walk->func->param_count; i++) {
        const Param *one = &walk->model->params.items[walk->func->first_param + i];
        if (one->slot == slot) return one->star;
    }
    return 0;
}

/* `super().__init__(*args, **options)`: all that it spreads is what its function has gathered. */
static bool hands_on(const Walk *caller, ExprId id) {
    const Expr *call = &caller->model->exprs.items[id];
    bool options = false;
    for (uint32_t i = 0; call->kind == EXPR_CALL && i < call->list.count; i++) {
        const Expr *given = &caller->model->exprs.items[caller->model->links.items[call->list.first + i]];
        uint8_t star = given->kind == EXPR_STAR ? 1 : given->kind == EXPR_DOUBLE_STAR ? 2 : 0;
        if (star && gathered(caller, given->a) != star) return false;
        options |= star == 2;
    }
    return options;
}

bool usual_is_of_test(const Walk *walk, ContextId id) {
    const Context *context = walk->inference->contexts.items[id];
    return walk->around_calls->tests[context->file];
}

/* The value of keyword `name` that callers give to a function that gathers **options; `otherwise` where a
   caller gives none. Joined over all callers. */
static Literal gathered_default(const Walk *walk, Text name, Literal otherwise, int depth) {
    CallersOf calls = callers_of(walk);
    Literal all = unknown;
    for (uint32_t i = 0; i < calls.count; i++) { /* none where there are many: most give nothing */
        Walk caller = walk_of(walk, calls.first[i].context);
        if (usual_is_of_test(walk, calls.first[i].context)) continue;
        ExprId call = caller.context->edges.items[calls.first[i].edge].expr;
        ExprId named = call_names(caller.model, call, name);
        Literal here = named ? usual_at(&caller, named, depth + 1) : otherwise;
        if (!here.kind || (all.kind && !usual_equal(&here, &all))) return unknown;
        all = here;
    }
    return all.kind ? all : otherwise;
}

/* What one call passes for a parameter. A mapping with unknown keys is just passed on: what it lacks has its
   default. */
static Literal given_default(const Walk *walk, const Caller *from, uint32_t param, int depth) {
    Walk caller;
    const Param *one = &walk->model->params.items[walk->func->first_param + param];
    Given given = given_by(walk, from, param, &caller);
    if (given.expr) return usual_at(&caller, given.expr, depth + 1);
    if (given.absent) return stated_default(walk, param);
    ExprId call = caller.context->edges.items[from->edge].expr;
    Text name = model_name(walk->model, one->name);
    if (hands_on(&caller, call)) return gathered_default(&caller, name, usual_alone(walk, param), depth);
    ExprId spread = given.spread ? spread_gives(&caller, call, name) : 0;
    if (spread) return usual_at(&caller, spread, depth + 1);
    return given.spread ? usual_alone(walk, param) : unknown;
}

/* What all visible calls, except those in tests, pass for a parameter, or its default. */
Literal usual_parameter(const Walk *walk, uint32_t param, int depth) {
    CallersOf calls = callers_of(walk);
    Literal all = unknown;
    bool some = false;
    if (calls.many || (!walk->context->root && !calls.count)) return unknown;
    for (uint32_t i = 0; i < calls.count; i++) {
        if (usual_is_of_test(walk, calls.first[i].context)) continue;
        Literal here = given_default(walk, &calls.first[i], param, depth);
        if (!here.kind || (some && !usual_equal(&here, &all))) return unknown;
        all = here, some = true;
    }
    if (walk->context->root || !some) { /* unseen callers may pass anything; most pass nothing */
        Literal alone = usual_alone(walk, param);
        return !some || usual_equal(&alone, &all) ? alone : unknown;
    }
    return all;
}

/* ---- calls ---- */

static Literal truth_literal(Tri truth, bool handed) {
    if (truth == TRI_UNKNOWN) return unknown;
    return (Literal){.kind = LITERAL_NUMBER, .number = truth == TRI_YES, .handed = handed};
}

/* `config.get("amp", False)`; or `options.pop("amp", False)` on **options, if no visible call passes amp. */
static Literal got_default(const Walk *walk, const Expr *call, int depth) {
    const FileModel *model = walk->model;
    ExprId owner = model->exprs.items[call->a].a;
    const uint32_t *given = &model->links.items[call->list.first];
    const Expr *key = &model->exprs.items[given[0]];
    if (key->kind != EXPR_STRING) return unknown;
    Literal all = usual_display(model, given[1]);
    all.handed |= all.kind == LITERAL_NONE || all.kind == LITERAL_EMPTY; /* as a parameter's */
    if (gathered(walk, owner) != 2) return usual_holds_settings(walk, owner, depth) ? all : unknown;
    Literal said = gathered_default(walk, model_name(model, key->name), all, depth);
    return usual_equal(&said, &all) ? all : unknown;
}

/* Control continues with the next statement of the block. */
static bool is_plain(const Stmt *stmt) {
    return stmt->kind == STMT_ASSIGN || stmt->kind == STMT_EXPR || stmt->kind == STMT_PASS;
}

/* It only binds other names, as `count = 0`, so the variable keeps its value. */
static bool leaves(const FileModel *model, const Stmt *stmt, uint32_t slot) {
    for (uint32_t i = 0; stmt->kind == STMT_ASSIGN && i < stmt->list.count; i++) {
        const Expr *target = &model->exprs.items[model->links.items[stmt->list.first + i]];
        if (target->kind != EXPR_NAME || slot_own(target) == slot) return false;
    }
    return is_plain(stmt);
}

/* The parameter that a function tests in its last statement, `return x is not None`; NO_PARAMETER = another
   statement. */
static uint32_t asked_parameter(const FileModel *model, const Func *func, Operator *op) {
    const Stmt *last = model_last(model, func->body);
    const Expr *given = &model->exprs.items[last && last->kind == STMT_RETURN ? last->a : 0];
    if (given->kind != EXPR_COMPARE || given->list.count != 2) return NO_PARAMETER;
    const Expr *left = &model->exprs.items[model->links.items[given->list.first]];
    const Expr *right = &model->exprs.items[model->links.items[given->list.first + 1]];
    *op = (Operator)given->op;
    uint32_t param = NO_PARAMETER;
    for (uint32_t i = 0; right->kind == EXPR_NONE && left->kind == EXPR_NAME && i < func->param_count; i++)
        if (model->params.items[func->first_param + i].slot == slot_own(left)) param = i;
    for (uint32_t i = 0; param != NO_PARAMETER && i + 1 < func->body.count; i++)
        if (!leaves(model, &model->stmts.items[model->links.items[func->body.first + i]], slot_own(left)))
            return NO_PARAMETER;
    return param;
}

/* `exists(mask)` with a function that returns `x is not None`. */
static Literal exists_default(const Walk *walk, const Walk *there, ExprId call, uint32_t param, Operator op,
                              int depth) {
    Given given = call_gives(walk->model, call, there->model, there->func, param);
    Literal asked = given.expr ? usual_at(walk, given.expr, depth + 1) : unknown;
    const Literal none = {.kind = LITERAL_NONE};
    return truth_literal(usual_compare(&asked, op, &none), asked.handed);
}

/* Control may leave the function in the statement, or in what it holds. Statements stand in the order of their
   starts. */
static bool may_return(const Walk *there, StmtId id) {
    const Stmt *stmts = there->model->stmts.items;
    if (stmts[id].kind == STMT_RAISE) return true;
    for (StmtId s = id; s < there->func->end_stmt && stmts[s].span.start < stmts[id].span.end; s++)
        if (stmts[s].kind == STMT_RETURN) return true;
    return false;
}

/* What a block returns if everything has its default. ends: the block does not continue, or nothing is known. */
static Literal block_answer(const Walk *there, List block, int depth, bool *ends) {
    Literal answer = unknown;
    for (uint32_t i = 0; i < block.count && !*ends; i++) {
        StmtId id = there->model->links.items[block.first + i];
        const Stmt *stmt = &there->model->stmts.items[id];
        if (!may_return(there, id)) continue;
        *ends = stmt->kind != STMT_IF;
        if (stmt->kind == STMT_RETURN && stmt->a) answer = usual_at(there, stmt->a, depth + 1);
        if (stmt->kind != STMT_IF) continue;
        Literal asked = usual_at(there, stmt->a, depth + 1);
        Tri truth = usual_truth(&asked);
        *ends = truth == TRI_UNKNOWN;
        if (*ends) continue;
        answer = block_answer(there, truth == TRI_YES ? stmt->body : stmt->orelse, depth + 1, ends);
        const Expr *condition = &there->model->exprs.items[stmt->a];
        if (!*ends || !answer.kind || answer.cause.length) continue;
        answer.cause = text_slice(there->file->bytes, condition->span.start, condition->span.end);
        answer.caused = truth == TRI_YES, answer.handed |= asked.handed;
        if (!asked.clears && !answer.option.length) answer.option = asked.option;
    }
    return answer;
}

/* `self.is_due()` with a function that starts with `if self.every == 0: return False`. */
static Literal answer_default(const Walk *walk, const Expr *call, int depth) {
    ExprId id = (ExprId)(call - walk->model->exprs.items);
    Literal all = unknown;
    for (uint32_t e = 0; e < walk->context->edges.count; e++) {
        const CallEdge *edge = &walk->context->edges.items[e];
        if (edge->expr != id) continue;
        Walk there = walk_of(walk, edge->callee);
        Operator op = OP_IS;
        uint32_t param = asked_parameter(there.model, there.func, &op);
        if (param != NO_PARAMETER) return exists_default(walk, &there, id, param, op, depth);
        if (usual_for_heirs(there.model, there.func)) return unknown;
        bool ends = false;
        Literal here = block_answer(&there, there.func->body, depth, &ends);
        bool tells = here.kind && here.kind != LITERAL_OBJECT; /* a value other than None may still be false */
        if (!tells || (all.kind && !usual_equal(&all, &here))) return unknown;
        all = here;
    }
    return all;
}

/* isinstance(x, str), isinstance(x, (list, tuple)), isinstance(x, torch.Tensor) */
static Tri is_instance(const Walk *walk, const Literal *asked, ExprId of) {
    const Expr *class_ = &walk->model->exprs.items[of], *owner = &walk->model->exprs.items[class_->a];
    bool text = asked->kind == LITERAL_TEXT, own = class_->kind == EXPR_NAME;
    if (asked->kind == LITERAL_NONE) return TRI_NO; /* it is of no class that anybody asks for */
    if (!text && asked->kind != LITERAL_NUMBER) return TRI_UNKNOWN;
    if (class_->kind == EXPR_TUPLE) {
        Tri all = TRI_NO;
        for (uint32_t i = 0; i < class_->list.count && all != TRI_YES; i++) {
            Tri here = is_instance(walk, asked, walk->model->links.items[class_->list.first + i]);
            if (here != TRI_NO) all = here;
        }
        return all;
    }
    Text name = own ? model_name(walk->model, class_->name) : (Text){0};
    if (python_is(PY_str, name)) return text ? TRI_YES : TRI_NO;
    bool number = python_is(PY_int, name) || python_is(PY_float, name) || python_is(PY_bool, name);
    bool holds = python_is(PY_list, name) || python_is(PY_tuple, name) || python_is(PY_dict, name);
    bool foreign = class_->kind == EXPR_ATTRIBUTE && owner->kind == EXPR_NAME &&
                   name_is(walk->inference->book, NAMED_torch_module, model_name(walk->model, owner->name));
    return foreign || holds || (number && text) ? TRI_NO : TRI_UNKNOWN;
}

/* `Mode(kind)`: the member of an enumeration is taken for its value. */
static bool makes_member(const Walk *walk, const Expr *call) {
    const Value *callee = infer_fact(walk->context, walk->model, call->a);
    bool class_ = callee && callee->count == 1 && callee->alts[0].kind == KIND_CLASS;
    return class_ && call->list.count == 1 && usual_is_enum(walk, callee->alts[0].id);
}

/* int(x), float(x), getattr(args, "amp", False) */
static Literal call_default(const Walk *walk, const Expr *call, int depth) {
    const Expr *callee = &walk->model->exprs.items[call->a];
    Text name = callee->kind == EXPR_NAME ? model_name(walk->model, callee->name) : (Text){0};
    const uint32_t *given = &walk->model->links.items[call->list.first];
    bool converts = python_is(PY_int, name) || python_is(PY_float, name) || python_is(PY_bool, name);
    if ((converts && call->list.count == 1) || makes_member(walk, call))
        return usual_at(walk, given[0], depth + 1);
    if (python_is(PY_len, name) && call->list.count == 1) {
        Literal text = usual_at(walk, given[0], depth + 1);
        Literal length = {.kind = LITERAL_NUMBER, .number = text.text.length, .handed = text.handed};
        return text.kind == LITERAL_TEXT || text.kind == LITERAL_EMPTY ? length : unknown;
    }
    if (python_is(PY_isinstance, name) && call->list.count == 2) {
        Literal asked = usual_at(walk, given[0], depth + 1);
        return truth_literal(asked.kind ? is_instance(walk, &asked, given[1]) : TRI_UNKNOWN, asked.handed);
    }
    Text method = callee->kind == EXPR_ATTRIBUTE ? model_name(walk->model, callee->name) : (Text){0};
    if (call->list.count == 2 && (python_is(PY_get, method) || python_is(PY_pop, method)))
        return got_default(walk, call, depth);
    if (!python_is(PY_getattr, name) || call->list.count != 3) return answer_default(walk, call, depth);
    const Expr *key = &walk->model->exprs.items[given[1]];
    bool asks = key->kind == EXPR_STRING && usual_holds_choices(walk, given[0]);
    if (!asks) return unknown;
    Sym option = names_find(&walk->inference->program->names, model_name(walk->model, key->name));
    return usual_declared(walk, walk->context->file, option, usual_literal(walk->model, given[2]), depth);
}

/* ---- conditions ---- */

/* `mode in ("fast", "slow")`, `"cuda" in device` */
static Tri is_among(const Walk *walk, const Literal *asked, ExprId list, int depth) {
    const Expr *expr = &walk->model->exprs.items[list];
    Tri among = TRI_NO;
    if (expr->kind != EXPR_TUPLE && expr->kind != EXPR_LIST && expr->kind != EXPR_SET) {
        Literal text = asked->kind == LITERAL_TEXT ? usual_at(walk, list, depth + 1) : unknown;
        if (text.kind != LITERAL_TEXT) return usual_is_set(walk, asked, list);
        return usual_holds(text.text, asked->text) ? TRI_YES : TRI_NO;
    }
    for (uint32_t i = 0; i < expr->list.count && among != TRI_YES; i++) {
        Literal one = usual_at(walk, walk->model->links.items[expr->list.first + i], depth + 1);
        Tri here = usual_compare(asked, OP_EQ, &one);
        if (here != TRI_NO) among = here;
    }
    return among;
}

/* `"--debug" in sys.argv`: a flag that the user may give. */
static bool asks_for_flag(const Walk *walk, const Literal *asked, ExprId in) {
    return asked->kind == LITERAL_TEXT && text_starts(asked->text, TEXT("-")) &&
           python_is(PY_argv, last_name(walk, in));
}

static Literal compare_default(const Walk *walk, const Expr *expr, int depth) {
    if (expr->list.count != 2) return unknown;
    ExprId left = walk->model->links.items[expr->list.first],
           right = walk->model->links.items[expr->list.first + 1];
    Literal asked = usual_at(walk, left, depth);
    bool among_some = expr->op == OP_IN || expr->op == OP_NOT_IN;
    Literal list = among_some ? usual_at(walk, right, depth) : unknown;
    if (list.kind == LITERAL_EMPTY) return truth_literal(tri_of(expr->op == OP_NOT_IN), list.handed);
    if (!asked.kind) return unknown;
    if (among_some) {
        Tri among = asks_for_flag(walk, &asked, right) ? TRI_NO : is_among(walk, &asked, right, depth);
        if (among == TRI_UNKNOWN && asked.kind == LITERAL_OPEN) return open;
        return truth_literal(expr->op == OP_IN ? among : tri_not(among), asked.handed);
    }
    Literal with = usual_at(walk, right, depth);
    Literal truth =
        truth_literal(usual_compare(&asked, (Operator)expr->op, &with), asked.handed || with.handed);
    if (usual_is_open(&asked, &with)) truth.kind = LITERAL_OPEN;
    truth.cause = asked.cause, truth.caused = asked.caused;
    return truth;
}

/* `hooks or []`, `[] if hooks is None else hooks` */
static Literal operand_default(const Walk *walk, ExprId id, int depth) {
    Literal literal = usual_display(walk->model, id);
    return literal.kind ? literal : usual_at(walk, id, depth);
}

/* `a and b`: the first false operand, else the last. If one is unknown but another one false, the result is
   false. */
static Literal connected_default(const Walk *walk, const Expr *expr, int depth) {
    Tri decides = expr->kind == EXPR_AND ? TRI_NO : TRI_YES;
    Literal last = unknown;
    bool all = true, handed = false, left_open = false;
    for (uint32_t i = 0; i < expr->list.count; i++) {
        last = operand_default(walk, walk->model->links.items[expr->list.first + i], depth + 1);
        last.handed |= handed && last.kind == LITERAL_EMPTY;
        handed |= last.handed;
        if (usual_truth(&last) == decides)
            return all && !left_open ? last : (Literal){.kind = LITERAL_NUMBER, .number = decides == TRI_YES};
        all &= last.kind != LITERAL_UNKNOWN;
        left_open |= last.kind == LITERAL_OPEN;
    }
    return !all ? unknown : left_open ? open : last;
}

/* `scaler = Scaler() if args.amp else None`: the branch that is taken by default. If that is unknown and one
   branch gives None, the user may choose the other, and its option is recorded. */
static Literal condition_default(const Walk *walk, const Expr *expr, int depth) {
    if (expr->kind == EXPR_AND || expr->kind == EXPR_OR) return connected_default(walk, expr, depth);
    if (expr->kind == EXPR_COMPARE) return compare_default(walk, expr, depth);
    Literal asked = usual_at(walk, expr->a, depth);
    Tri truth = usual_truth(&asked);
    if (expr->kind == EXPR_NOT)
        return asked.kind == LITERAL_OPEN ? open : truth_literal(tri_not(truth), asked.handed);
    bool left_out = walk->model->exprs.items[expr->b].kind == EXPR_NONE ||
                    walk->model->exprs.items[expr->c].kind == EXPR_NONE;
    if (truth == TRI_UNKNOWN) return left_out ? (Literal){LITERAL_NONE, .handed = true} : unknown;
    Literal taken = operand_default(walk, truth == TRI_YES ? expr->b : expr->c, depth);
    if (!taken.option.length && !asked.clears) taken.option = asked.option;
    taken.handed |= asked.handed;
    return taken;
}

static bool is_condition(const Expr *expr) {
    return expr->kind == EXPR_IF || expr->kind == EXPR_NOT || expr->kind == EXPR_AND || expr->kind == EXPR_OR ||
           expr->kind == EXPR_COMPARE;
}

/* `dist.is_initialized()`, `world_size`: by these names a single process trains, unless the user starts more. */
static Literal named_default(const Walk *walk, ExprId id) {
    const Rulebook *book = walk->inference->book;
    Text name = last_name(walk, id);
    if (name_is(book, NAMED_process_count, name)) return (Literal){LITERAL_NUMBER, .number = 1, .handed = true};
    bool call = walk->model->exprs.items[id].kind == EXPR_CALL;
    if (name_is(book, call ? NAMED_several_test : NAMED_several_flag, name))
        return (Literal){LITERAL_NUMBER, .handed = true};
    return unknown;
}

/* A variable of the enclosing function that is a parameter, or assigned once, and never reassigned. */
static Literal free_default(const Walk *walk, const Expr *expr, int depth) {
    if (!walk->context->closure) return unknown;
    Walk around = walk_of(walk, walk->context->closure);
    if (around.context->func != expr->func || !around.graph) return unknown;
    Accesses defs = graph_defs(around.graph, expr->slot);
    for (uint32_t i = 0; defs.first == defs.end && i < around.func->param_count; i++) {
        const Param *param = &around.model->params.items[around.func->first_param + i];
        if (param->slot == expr->slot && !param->star) return usual_parameter(&around, i, depth);
    }
    bool once = defs.end - defs.first == 1 && around.graph->accesses[*defs.first].kind == DEF_ASSIGN;
    return once ? usual_at(&around, graph_value(around.graph, *defs.first), depth + 1) : unknown;
}

static bool is_guarded_by(const FlowGraph *graph, BlockId block, const Guard *by) {
    Guard guard;
    for (; graph_guard(graph, block, &guard); block = guard.test)
        if (guard.test == by->test && guard.truth == by->truth) return true;
    return false;
}

/* Whether every path to `use` has passed `block` when all values are as by default. why: NULL, or gets the
   condition that says no. */
Tri usual_passes(const Walk *walk, BlockId block, BlockId use, int depth, Literal *why) {
    Guard guard;
    Tri passes = TRI_YES;
    for (; graph_guard(walk->graph, block, &guard) && !is_guarded_by(walk->graph, use, &guard);
         block = guard.test) {
        Literal asked = guard.condition ? usual_at(walk, guard.condition, depth + 1) : unknown;
        Tri truth = usual_truth(&asked);
        if (truth == TRI_UNKNOWN) passes = TRI_UNKNOWN;
        if (truth != (guard.truth ? TRI_NO : TRI_YES)) continue;
        const Expr *condition = &walk->model->exprs.items[guard.condition];
        if (why && !why->cause.length)
            why->cause = text_slice(walk->file->bytes, condition->span.start, condition->span.end);
        if (why) why->caused = truth == TRI_YES, why->handed |= asked.handed;
        return TRI_NO;
    }
    return passes;
}

static int by_place(const void *left, const void *right) {
    AccessId a = *(const AccessId *)left, b = *(const AccessId *)right;
    return (a > b) - (a < b);
}

/* The value of a definition; def 0: what callers pass. */
static Literal def_default(const Walk *walk, AccessId def, uint32_t slot, int depth) {
    ExprId made =
        def ? usual_given(walk->model, graph_stmt(walk->graph, def), walk->graph->accesses[def].expr) : 0;
    if (def) return made ? usual_at(walk, made, depth + 1) : unknown;
    for (uint32_t i = 0; i < walk->func->param_count; i++) {
        const Param *param = &walk->model->params.items[walk->func->first_param + i];
        if (param->slot == slot && !param->star) return usual_parameter(walk, i, depth);
    }
    return unknown;
}

/* `if lengths is not None: mask = mask_of(lengths)`: where no caller passes lengths or a mask, mask is still
   None. */
static Literal merged_default(const Walk *walk, const Expr *expr, int depth) {
    enum { DEFS_MOST = 4 };
    AccessId use = graph_access(walk->graph, (ExprId)(expr - walk->model->exprs.items));
    Reaching reaching = {0};
    Literal all = unknown;
    bool known = true;
    if (!use || graph_is_def(&walk->graph->accesses[use])) return unknown;
    graph_reaching(walk->graph, walk->arena, use, &reaching);
    if (reaching.many || reaching.items.count > DEFS_MOST) return unknown;
    if (reaching.items.count > 1) qsort(reaching.items.items, reaching.items.count, sizeof use, by_place);
    for (uint32_t i = 0; i < reaching.items.count; i++) {
        AccessId def = reaching.items.items[i];
        BlockId block = graph_block_of(walk->graph, def), to = graph_block_of(walk->graph, use);
        Tri passes = !def || def > use ? TRI_UNKNOWN : usual_passes(walk, block, to, depth, NULL);
        if (passes == TRI_NO) continue;
        Literal here = def_default(walk, def, slot_own(expr), depth);
        bool first = i == 0 || passes == TRI_YES || (!all.kind && known);
        known = here.kind && (first || (known && usual_equal(&here, &all)));
        all = here;
    }
    return known ? all : unknown;
}

static Literal variable_default(const Walk *walk, const Expr *expr, int depth) {
    if (expr->binding == BIND_FREE) return free_default(walk, expr, depth);
    if (expr->binding == BIND_GLOBAL) return usual_global(walk, expr, depth);
    uint32_t param = parameter_of(walk, expr);
    if (param != NO_PARAMETER) return usual_parameter(walk, param, depth);
    ExprId made = assigned_once(walk, expr);
    return made ? usual_at(walk, made, depth + 1) : merged_default(walk, expr, depth);
}

/* What is called: `os.environ.get` after `ENV = os.environ.get`. */
static ExprId called_by_alias(const Walk *walk, ExprId callee) {
    const Expr *expr = &walk->model->exprs.items[callee];
    Walk there;
    ExprId given = assigned_once(walk, expr);
    if (expr->kind == EXPR_NAME && expr->binding == BIND_GLOBAL)
        given = usual_global_given(walk, walk->file->syms[expr->name], &there);
    return given ? given : callee;
}

/* Of `os.environ.get("DUMP", "0")`: what it falls back to, unless the variable is set by the program, or as a rule. */
static Literal usual_environment(const Walk *walk, const Expr *call, int depth) {
    const FileModel *model = walk->model;
    if (!environment_gives(model, call, called_by_alias(walk, call->a))) return unknown;
    const uint32_t *given = &model->links.items[call->list.first];
    bool made = model->exprs.items[given[0]].kind == EXPR_FSTRING; /* f"DUMP_{kind}" */
    Literal asked = made ? unknown : usual_at(walk, given[0], depth + 1);
    if (!made && (asked.kind != LITERAL_TEXT || !environment_lacks(walk, asked.text))) return unknown;
    Literal usual = {.kind = LITERAL_NONE};
    if (call->list.count == 2) usual = usual_at(walk, given[1], depth + 1);
    const Names *names = &walk->inference->program->names; /* whose texts outlive those of a search */
    Sym said = names_find(names, asked.text);
    if (said) usual.option = names_text(names, said);
    return usual;
}

/* The default of an expression that is no literal and has no single value. */
static Literal made_default(const Walk *walk, ExprId id, int depth) {
    const Expr *expr = &walk->model->exprs.items[id];
    Literal literal = unknown;
    if (expr->kind == EXPR_CALL) literal = usual_environment(walk, expr, depth);
    if (expr->kind == EXPR_CALL && !literal.kind) literal = call_default(walk, expr, depth);
    if (expr->kind == EXPR_ATTRIBUTE) literal = usual_option(walk, expr, depth);
    if (expr->kind == EXPR_ATTRIBUTE && !literal.kind) literal = usual_attribute(walk, expr, depth);
    if (expr->kind == EXPR_ATTRIBUTE && !literal.kind)
        literal = answer_default(walk, expr, depth); /* a property */
    if (expr->kind == EXPR_NAME) literal = variable_default(walk, expr, depth);
    literal = usual_unfilled(walk, expr, literal);
    if (!literal.kind) literal = usual_text(walk, id, depth);
    if (!literal.kind) literal = named_default(walk, id);
    return literal.kind ? literal : usual_open(walk, id, depth);
}

static bool is_object(const Value *value) {
    return value && !value_has(value, KIND_NONE) && !value_has(value, KIND_UNKNOWN);
}

static Literal searched_default(const Walk *walk, ExprId id, int depth) {
    Literal literal = unknown;
    const Value *value = infer_fact(walk->context, walk->model, id);
    if (is_condition(
            &walk->model->exprs.items[id])) /* a parameter that callers may pass is not None to inference */
        literal = condition_default(walk, &walk->model->exprs.items[id], depth);
    if (!literal.kind) literal = usual_of_value(walk, value);
    if (!literal.kind) literal = made_default(walk, id, depth);
    return literal.kind || !is_object(value) ? literal : (Literal){.kind = LITERAL_OBJECT};
}

/* A search depends on the context, on how it got there and on how many places it may still visit. So a kept
   answer is given where as many are left as it took: the same as searching again. */
Literal usual_at(const Walk *walk, ExprId id, int depth) {
    Literal literal = usual_literal(walk->model, id);
    if (literal.kind || depth >= DEFAULTS_DEEP || ++*walk->asked > PLACES_ASKED) return literal;
    uint32_t way = walk->calls_up * DEFAULTS_DEEP + (uint32_t)depth, before = *walk->asked;
    KeptUsual unkept,
        *kept = walk->kept ? &walk->kept->items[(walk->id * 31 + id * 7 + way) % USUAL_KEPT] : &unkept;
    if (walk->kept && kept->context == walk->id && kept->expr == id && kept->way == way &&
        before + kept->places <= PLACES_ASKED) {
        *walk->asked += kept->places;
        return kept->literal;
    }
    literal = searched_default(walk, id, depth);
    if (*walk->asked <= PLACES_ASKED) *kept = (KeptUsual){walk->id, id, way, *walk->asked - before, literal};
    return literal;
}

Literal usual_of(const Walk *walk, ExprId id) {
    uint32_t asked = 0;
    Walk search = *walk;
    search.asked = &asked;
    return usual_at(&search, id, 0);
}
