/* The names that a loop goes over by default, where each of them picks one of several alternatives. Example: with
   `hooks: list = field(default_factory=lambda: ["log"])`, `[HOOKS[h] for h in config.hooks]` is the hook of "log". */
#include "calls.h"
#include "flow_pick.h"

/* Limits: variables, calls and arguments from the loop to the names; places visited in all. */
enum { NAMES_DEEP = 8, NAMES_ASKED = 400 };

static bool names_in(const Walk *walk, ExprId id, bool filtered, int depth, Usuals *usual);

static bool add_name(Usuals *usual, const Literal *name) {
    if (name->kind != LITERAL_TEXT) return false;
    for (uint32_t i = 0; i < usual->count; i++)
        if (text_equal(usual->items[i], name->text)) return true;
    if (usual->count == USUALS_MOST) return false;
    usual->items[usual->count++] = name->text;
    if (!usual->option.length) usual->option = name->option;
    return true;
}

static bool in_display(const Walk *walk, List list, Usuals *usual) {
    bool known = true;
    for (uint32_t i = 0; i < list.count && known; i++) {
        Literal one = usual_of(walk, walk->model->links.items[list.first + i]);
        known = add_name(usual, &one);
    }
    return known;
}

/* The keys of a dict; filtered: only those whose value is true, as in `{"dice": 1.0, "focal": 0.0}`. */
static bool in_dict(const Walk *walk, List list, bool filtered, Usuals *usual) {
    bool known = true;
    for (uint32_t i = 0; i + 1 < list.count && known; i += 2) {
        ExprId key = walk->model->links.items[list.first + i];
        Literal value = usual_of(walk, walk->model->links.items[list.first + i + 1]);
        if (filtered && usual_truth(&value) == TRI_NO) continue;
        Literal one = key ? usual_of(walk, key) : (Literal){0};
        known = add_name(usual, &one);
    }
    return known;
}

/* `os.environ.get("HOOKS", "log,save").split(",")` */
static bool in_split(const Walk *walk, const Expr *call, Usuals *usual) {
    const FileModel *model = walk->model;
    Literal all = usual_of(walk, model->exprs.items[call->a].a), separator = {0};
    if (call->list.count == 1) separator = usual_of(walk, model->links.items[call->list.first]);
    if (all.kind != LITERAL_TEXT || separator.text.length != 1) return false;
    bool known = true;
    for (uint32_t from = 0, at = 0; at <= all.text.length && known; at++) {
        if (at < all.text.length && all.text.bytes[at] != separator.text.bytes[0]) continue;
        Literal one = all;
        one.text = text_slice(all.text, from, at);
        known = !one.text.length || add_name(usual, &one);
        from = at + 1;
    }
    return known;
}

/* `field(default_factory=lambda: ["log"])` */
static bool in_factory(const Walk *walk, ExprId call, bool filtered, int depth, Usuals *usual) {
    const FileModel *model = walk->model;
    ExprId factory = call_names(model, call, python_text(PY_default_factory));
    const Expr *maker = &model->exprs.items[factory];
    const Stmt *gives =
        maker->kind == EXPR_LAMBDA ? model_last(model, model->funcs.items[maker->func].body) : NULL;
    return gives && gives->a && names_in(walk, gives->a, filtered, depth, usual);
}

/* `weights.items()`, `sorted(names)`: what goes over the same names. */
static bool in_call(const Walk *walk, ExprId id, bool filtered, int depth, Usuals *usual) {
    static const PythonName VIEWS[] = {PY_items, PY_keys},
                            COPIES[] = {PY_sorted, PY_list, PY_tuple, PY_set, PY_dict, PY_enumerate};
    const Expr *call = &walk->model->exprs.items[id], *callee = &walk->model->exprs.items[call->a];
    Text name = last_name(walk, call->a);
    if (callee->kind == EXPR_ATTRIBUTE && python_is(PY_split, name)) return in_split(walk, call, usual);
    if (callee->kind == EXPR_ATTRIBUTE && !call->list.count && python_any(VIEWS, 2, name))
        return names_in(walk, callee->a, filtered, depth, usual);
    if (callee->kind == EXPR_NAME && call->list.count == 1 &&
        python_any(COPIES, sizeof COPIES / sizeof *COPIES, name))
        return names_in(walk, walk->model->links.items[call->list.first], filtered, depth, usual);
    return in_factory(walk, id, filtered, depth, usual);
}

/* `[name for name in names if name]`, `{name: weight for name, weight in weights.items() if weight}` */
static bool in_comprehension(const Walk *walk, const Expr *comp, bool filtered, int depth, Usuals *usual) {
    const FileModel *model = walk->model;
    const Expr *clause = &model->exprs.items[comp->list.count ? model->links.items[comp->list.first] : 0];
    const Expr *target = &model->exprs.items[clause->kind == EXPR_COMP_FOR ? clause->a : 0];
    if (target->kind == EXPR_TUPLE && target->list.count)
        target = &model->exprs.items[model->links.items[target->list.first]];
    const Expr *element = &model->exprs.items[comp->a];
    bool same = target->kind == EXPR_NAME && element->kind == EXPR_NAME && target->name == element->name;
    return same && names_in(walk, clause->b, filtered || comp->list.count > 1, depth, usual);
}

/* Together, what all callers pass for a parameter, or what its function states. A call without it that states
   nothing cannot be: of several classes that are called, it is another one. */
static bool in_parameter(const Walk *walk, uint32_t param, bool filtered, int depth, Usuals *usual) {
    CallersOf calls = callers_of(walk);
    ExprId stated = walk->model->params.items[walk->func->first_param + param].fallback;
    bool known = !calls.many && (walk->context->root || calls.count), states = !calls.count;
    for (uint32_t i = 0; i < calls.count && known; i++) {
        Walk caller;
        if (usual_is_of_test(walk, calls.first[i].context)) continue;
        Given given = given_by(walk, &calls.first[i], param, &caller);
        known = given.expr ? names_in(&caller, given.expr, filtered, depth, usual) : given.absent;
        states |= given.absent && stated;
    }
    Walk outside;
    if (!known || !states) return known;
    return stated && usual_outside(walk, &outside) && names_in(&outside, stated, filtered, depth, usual);
}

/* What the only assignment to a global, or to an attribute of self or of another object, gives. */
static bool in_write(const Walk *walk, FileId file, const Write *write, bool filtered, int depth,
                     Usuals *usual) {
    const Inference *inference = walk->inference;
    const FileModel *model = inference->program->files.items[file].model;
    ExprId given = write ? usual_given(model, &model->stmts.items[write->stmt], write->target) : 0;
    ContextId maker = given ? inference->func_contexts[global_func(inference, file, write->func)] : 0;
    bool known = false;
    for (; maker; maker = inference->context_links.items[maker].next) {
        Walk there = walk_of(walk, maker);
        if (!context_is_live(there.context) || !there.graph || usual_is_assumed(&there)) continue;
        if (!names_in(&there, given, filtered, depth, usual)) return false;
        known = true;
    }
    return known;
}

static const Write *only_global(const Walk *walk, Sym name) {
    const Writes *writes = walk->inference->writes[walk->context->file];
    const Write *only = NULL;
    for (const Write *w = writes ? writes_of_name(writes, name) : NULL; w; w = write_next(writes, w)) {
        if (walk->model->exprs.items[w->target].kind != EXPR_NAME) continue;
        if (only || w->func != 1 || w->kind != DEF_ASSIGN) return NULL;
        only = w;
    }
    return only;
}

/* `self.hooks`, or `config.hooks` on an object of one class of the program. */
static const Write *only_attribute(const Walk *walk, const Expr *expr, FileId *file) {
    const Write *only = NULL;
    const Value *owner = infer_fact(walk->context, walk->model, expr->a);
    Sym name = walk->file->syms[expr->name];
    if (usual_own(walk, expr))
        usual_binder(walk, expr, file, &only);
    else if (owner && owner->count == 1 && owner->alts[0].kind == KIND_INSTANCE)
        usual_class_binder(walk, owner->alts[0].id, name, file, &only);
    return only;
}

static bool in_variable(const Walk *walk, ExprId id, bool filtered, int depth, Usuals *usual) {
    const Expr *expr = &walk->model->exprs.items[id];
    uint32_t param = parameter_of(walk, expr);
    if (param != NO_PARAMETER) return in_parameter(walk, param, filtered, depth, usual);
    ExprId made = assigned_once(walk, expr);
    if (made) return names_in(walk, made, filtered, depth, usual);
    if (expr->binding != BIND_GLOBAL) return false;
    const Write *only = only_global(walk, walk->file->syms[expr->name]);
    return in_write(walk, walk->context->file, only, filtered, depth, usual);
}

static bool names_in(const Walk *walk, ExprId id, bool filtered, int depth, Usuals *usual) {
    const Expr *expr = &walk->model->exprs.items[id];
    FileId file = 0;
    if (depth >= NAMES_DEEP || ++usual->asked > NAMES_ASKED) return false;
    switch ((ExprKind)expr->kind) {
    case EXPR_LIST:
    case EXPR_TUPLE:
    case EXPR_SET: return in_display(walk, expr->list, usual);
    case EXPR_DICT: return in_dict(walk, expr->list, filtered, usual);
    case EXPR_CALL: return in_call(walk, id, filtered, depth + 1, usual);
    case EXPR_LIST_COMP:
    case EXPR_SET_COMP:
    case EXPR_GENERATOR:
    case EXPR_DICT_COMP: return in_comprehension(walk, expr, filtered, depth + 1, usual);
    case EXPR_NAME: return in_variable(walk, id, filtered, depth + 1, usual);
    case EXPR_ATTRIBUTE: {
        const Write *only = only_attribute(walk, expr, &file);
        return in_write(walk, file, only, filtered, depth + 1, usual);
    }
    default: return false;
    }
}

/* `for name in names`, `for i, name in enumerate(names)` */
static bool targets(const FileModel *model, ExprId target, NameId name) {
    const Expr *expr = &model->exprs.items[target];
    bool found = expr->kind == EXPR_NAME && expr->name == name;
    for (uint32_t i = 0; expr->kind == EXPR_TUPLE && i < expr->list.count && !found; i++)
        found = targets(model, model->links.items[expr->list.first + i], name);
    return found;
}

static bool is_within(Span inner, Span outer) { return outer.start <= inner.start && inner.end <= outer.end; }

/* The iterable of the comprehension around the use of its target; 0 = there is none. */
static ExprId comprehended(const Walk *walk, ExprId use, bool *filtered) {
    const FileModel *model = walk->model;
    const Expr *name = &model->exprs.items[use];
    for (ExprId e = use + 1; e < walk->func->end_expr; e++) {
        const Expr *comp = &model->exprs.items[e];
        bool goes = comp->kind == EXPR_LIST_COMP || comp->kind == EXPR_SET_COMP ||
                    comp->kind == EXPR_GENERATOR || comp->kind == EXPR_DICT_COMP;
        for (uint32_t i = 0; goes && is_within(name->span, comp->span) && i < comp->list.count; i++) {
            const Expr *clause = &model->exprs.items[model->links.items[comp->list.first + i]];
            *filtered = comp->list.count > 1;
            if (clause->kind == EXPR_COMP_FOR && targets(model, clause->a, name->name)) return clause->b;
        }
    }
    return 0;
}

/* The iterable of the loop around the use of its target; filtered: a condition in the loop leaves some out. */
static ExprId looped(const Walk *walk, ExprId use, bool *filtered) {
    const FileModel *model = walk->model;
    const Expr *name = &model->exprs.items[use];
    StmtId loop = 0, at = 0;
    for (StmtId s = walk->func->first_stmt; s < walk->func->end_stmt; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        if (!is_within(name->span, stmt->span)) continue;
        at = s;
        if (stmt->kind == STMT_FOR && targets(model, stmt->a, name->name)) loop = s;
    }
    Guard guard;
    bool guarded = loop && graph_guard(walk->graph, graph_block(walk->graph, at), &guard) && guard.condition;
    *filtered = guarded && is_within(model->exprs.items[guard.condition].span, model->stmts.items[loop].span);
    return loop ? model->stmts.items[loop].b : 0;
}

ExprId usual_iterated(const Walk *walk, ExprId use, bool *filtered) {
    if (walk->model->exprs.items[use].kind != EXPR_NAME) return 0;
    ExprId iterable = comprehended(walk, use, filtered);
    return iterable ? iterable : looped(walk, use, filtered);
}

bool usual_names(const Walk *walk, ExprId use, Usuals *usual) {
    bool filtered = false;
    ExprId iterable = usual_iterated(walk, use, &filtered);
    return iterable && names_in(walk, iterable, filtered, 0, usual) && usual->count;
}
