/* Finds out what a value is read for, and so whether the host needs it, from how the waiting expression is
   used. */
#include "purpose.h"
#include "conventions.h"
#include "python_names.h"

static void set_parent(ExprId *parents, ExprId child, ExprId parent) {
    if (child) parents[child] = parent;
}

ExprId *purpose_parents(Arena *arena, const FileModel *model) {
    ExprId *parents = arena_new(arena, ExprId, model->exprs.count + 1);
    for (ExprId id = 1; id < model->exprs.count; id++) {
        const Expr *expr = &model->exprs.items[id];
        set_parent(parents, expr->a, id);
        set_parent(parents, expr->b, id);
        if (expr->kind != EXPR_COMPARE) set_parent(parents, expr->c, id);
        for (uint32_t i = 0; i < expr->list.count; i++)
            set_parent(parents, model->links.items[expr->list.first + i], id);
    }
    return parents;
}

static Text last_name(const FileModel *model, ExprId id) {
    const Expr *expr = &model->exprs.items[id];
    return expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE ? model_name(model, expr->name) : (Text){0};
}

/* env.step(action): the environment uses the value on the host. */
static bool is_environment_step(const Rulebook *book, const FileModel *model, const Expr *call) {
    const Expr *callee = &model->exprs.items[call->a];
    return callee->kind == EXPR_ATTRIBUTE &&
           name_is(book, NAMED_acting_call, model_name(model, callee->name)) &&
           name_is(book, NAMED_environment, last_name(model, callee->a));
}

static Word purpose_of_call(const Rulebook *book, const FileModel *model, const Expr *call) {
    Text name = last_name(model, call->a);
    if (is_environment_step(book, model, call)) return PURPOSE_acts;
    if (name_is(book, NAMED_sizing_call, name)) return PURPOSE_sizes;
    if (name_is(book, NAMED_keeping_call, name)) return PURPOSE_kept;
    if (name_is(book, NAMED_debugging_call, name)) return PURPOSE_debugged;
    if (name_is(book, NAMED_logging_call, name)) return PURPOSE_logged;
    return name_is(book, NAMED_saving_call, name) ? PURPOSE_saved : WORD_NONE;
}

/* Of a string built where it is logged: `log.debug(f"loss {loss.item()}")`. */
static Word purpose_of_text(const PurposeAsked *asked, ExprId text) {
    const FileModel *model = asked->graph->model;
    ExprId string = asked->parents[text], call = string ? asked->parents[string] : 0;
    bool debugged = call && model->exprs.items[call].kind == EXPR_CALL &&
                    purpose_of_call(asked->book, model, &model->exprs.items[call]) == PURPOSE_debugged;
    return debugged ? PURPOSE_debugged : PURPOSE_logged;
}

static bool decides(const FileModel *model, ExprId expr, StmtId id) {
    const Stmt *stmt = &model->stmts.items[id];
    return (stmt->kind == STMT_IF || stmt->kind == STMT_WHILE) && stmt->a == expr;
}

/* ---- what the GPU could do instead ---- */

static const Stmt *stmt_of(const FileModel *model, List block, uint32_t i) {
    return &model->stmts.items[model->links.items[block.first + i]];
}

static bool speaks_of(const FileModel *model, const Stmt *stmt, NameId name) {
    for (ExprId id = 1; id < model->exprs.count; id++) {
        const Expr *expr = &model->exprs.items[id];
        bool within = expr->span.start >= stmt->span.start && expr->span.end <= stmt->span.end;
        if (within && expr->kind == EXPR_NAME && expr->name == name) return true;
    }
    return false;
}

/* `mask` of `mask.any()` or `torch.any(mask)`; 0 = any other condition. */
static NameId mask_of(const Rulebook *book, const FileModel *model, ExprId condition) {
    const Expr *call = &model->exprs.items[condition];
    if (call->kind != EXPR_CALL || !name_is(book, NAMED_guarding_call, last_name(model, call->a))) return 0;
    const Expr *callee = &model->exprs.items[call->a];
    ExprId mask = call->list.count ? model->links.items[call->list.first] : callee->a;
    const Expr *name = &model->exprs.items[mask];
    return mask && name->kind == EXPR_NAME ? name->name : 0;
}

/* `if mask.any(): x[mask] = 0` has the same effect as `x[mask] = 0` alone. */
static bool guards_mask(const Rulebook *book, const FileModel *model, const Stmt *stmt) {
    NameId mask = stmt->kind == STMT_IF && !stmt->orelse.count ? mask_of(book, model, stmt->a) : 0;
    for (uint32_t i = 0; mask && i < stmt->body.count; i++) {
        const Stmt *one = stmt_of(model, stmt->body, i);
        bool assigns = one->kind == STMT_ASSIGN || one->kind == STMT_AUGMENT;
        if (!assigns || !speaks_of(model, one, mask)) return false;
    }
    return mask != 0;
}

/* ---- choices ---- */

/* False also where the expression has too many parts to examine. */
static bool calls_nothing(const PurposeAsked *asked, ExprId whole) {
    enum { PARTS_MOST = 128 };
    const FileModel *model = asked->graph->model;
    ExprId first = model_first_part(model, asked->graph->func, whole, PARTS_MOST);
    for (ExprId id = first; id <= whole; id++) {
        ExprKind kind = (ExprKind)model->exprs.items[id].kind;
        if (kind == EXPR_CALL || kind == EXPR_AWAIT || kind == EXPR_YIELD) return false;
    }
    return whole - first + 1 < PARTS_MOST;
}

/* `misses += 1`: a host counter, which later decides something such as when to stop. */
static bool counts(const FileModel *model, const Stmt *stmt) {
    return stmt->kind == STMT_AUGMENT && model->exprs.items[stmt->b].kind == EXPR_INT;
}

static bool only_assigns(const PurposeAsked *asked, List block) {
    for (uint32_t i = 0; i < block.count; i++) {
        const Stmt *stmt = stmt_of(asked->graph->model, block, i);
        if (stmt->kind == STMT_PASS) continue;
        if ((stmt->kind != STMT_ASSIGN && stmt->kind != STMT_AUGMENT) || counts(asked->graph->model, stmt) ||
            !calls_nothing(asked, stmt->b))
            return false;
    }
    return true;
}

/* `x = a if t > 0 else b` or `if t > 0: x = a`: the GPU could select instead. Not where a branch calls
   something, which Python must decide: `x = self.short(x) if t > 0 else self.long(x)`. */
static Word purpose_of_decision(const PurposeAsked *asked, ExprId condition, const Stmt *stmt) {
    const FileModel *model = asked->graph->model;
    ExprId at = condition;
    for (ExprId up = asked->parents[at]; up; at = up, up = asked->parents[at]) {
        const Expr *parent = &model->exprs.items[up];
        if (parent->kind != EXPR_IF || parent->a != at) continue;
        bool plain = calls_nothing(asked, parent->b) && calls_nothing(asked, parent->c);
        return plain ? PURPOSE_selects : PURPOSE_branches;
    }
    bool chosen = stmt->kind == STMT_IF && stmt->a == at && only_assigns(asked, stmt->body) &&
                  only_assigns(asked, stmt->orelse);
    return chosen ? PURPOSE_selects : PURPOSE_branches;
}

/* An assertion, or an `if` that only raises: torch._assert_async can check on the GPU. */
static bool only_checks(const FileModel *model, const Stmt *stmt) {
    if (stmt->kind == STMT_ASSERT) return true;
    if (stmt->kind != STMT_IF || stmt->orelse.count) return false;
    for (uint32_t i = 0; i < stmt->body.count; i++)
        if (stmt_of(model, stmt->body, i)->kind != STMT_RAISE) return false;
    return stmt->body.count > 0;
}

/* The indexed elements are reduced, so a weighted reduction by the mask would do: `x[mask].mean()`,
   `F.l1_loss(x[mask], y[mask])`, `torch.mean((x[mask] - y[mask]) ** 2)`. */
static bool is_reduced(const Rulebook *book, const FileModel *model, const ExprId *parents, ExprId expr) {
    if (model->exprs.items[expr].kind != EXPR_SUBSCRIPT) return false;
    for (ExprId id = expr;;) {
        ExprId up = parents[id];
        const Expr *parent = &model->exprs.items[up];
        if (parent->kind == EXPR_BINARY || parent->kind == EXPR_UNARY) {
            id = up;
            continue;
        }
        bool method = parent->kind == EXPR_ATTRIBUTE;
        ExprId at = method ? parents[up] : up;
        const Expr *call = &model->exprs.items[at];
        bool called = call->kind == EXPR_CALL && (method ? call->a == up : call->a != id);
        Text name = called ? last_name(model, call->a) : (Text){0};
        bool loss = !method && name_is(book, NAMED_loss_function, name);
        if (!called || loss || name_is(book, NAMED_reducing_call, name)) return called;
        if (!name_is(book, NAMED_elementwise_call, name)) return false;
        id = at;
    }
}

/* `best[better] = x[better]`: written to the places that the same mask selects. */
static bool is_merged(const FileModel *model, const Stmt *stmt, ExprId expr) {
    const Expr *from = &model->exprs.items[expr];
    if (stmt->kind != STMT_ASSIGN || stmt->list.count != 1 || from->kind != EXPR_SUBSCRIPT) return false;
    const Expr *to = &model->exprs.items[model->links.items[stmt->list.first]];
    const Expr *picks = &model->exprs.items[from->b];
    const Expr *puts = &model->exprs.items[to->kind == EXPR_SUBSCRIPT ? to->b : 0];
    return picks->kind == EXPR_NAME && puts->kind == EXPR_NAME && picks->name == puts->name;
}

/* `return loss.item()`, `return {"loss": loss.item()}`, `yield loss.item()`. */
static bool is_returned(const PurposeAsked *asked, ExprId id, StmtId stmt) {
    const FileModel *model = asked->graph->model;
    ExprId up = asked->parents[id];
    for (; up; up = asked->parents[up]) {
        switch ((ExprKind)model->exprs.items[up].kind) {
        case EXPR_YIELD: return true;
        case EXPR_TUPLE:
        case EXPR_LIST:
        case EXPR_DICT:
        case EXPR_IF:
        case EXPR_LIST_COMP:
        case EXPR_DICT_COMP: break;
        default: return false;
        }
    }
    return model->stmts.items[stmt].kind == STMT_RETURN;
}

/* `value.numpy().mean()`: the use of the outermost method call on `value` counts. */
static ExprId asked_of(const FileModel *model, const ExprId *parents, ExprId id) {
    for (;;) {
        ExprId method = parents[id], call = method ? parents[method] : 0;
        bool called = call && model->exprs.items[method].kind == EXPR_ATTRIBUTE &&
                      model->exprs.items[call].kind == EXPR_CALL && model->exprs.items[call].a == method;
        if (!called) return id;
        id = call;
    }
}

static Word purpose_of_names(const PurposeAsked *asked, ExprId target, int depth);

/* A call that makes a number or text of its arguments: `max(best, loss)`, `str(loss)`. */
static bool makes_number(const FileModel *model, const Expr *call) {
    const Expr *callee = &model->exprs.items[call->a];
    if (callee->kind != EXPR_NAME) return false;
    Text name = model_name(model, callee->name);
    return python_is(PY_max, name) || python_is(PY_min, name) || python_is(PY_round, name) ||
           python_is(PY_abs, name) || python_is(PY_sum, name) || python_is(PY_float, name) ||
           python_is(PY_int, name) || python_is(PY_str, name);
}

/* `'%.3f' % loss` */
static bool is_formatted(const FileModel *model, const Expr *sum) {
    return sum->op == OP_MOD && model->exprs.items[sum->a].kind == EXPR_STRING;
}

/* `total += loss`, `mean = total / n`: the purpose of the variable that the statement binds. */
static Word purpose_of_made(const PurposeAsked *asked, ExprId id, StmtId stmt_id, int depth) {
    enum { DEEPEST = 2 };
    const FileModel *model = asked->graph->model;
    const Stmt *stmt = &model->stmts.items[stmt_id];
    if (!stmt_id || depth >= DEEPEST) return WORD_NONE;
    if (stmt->kind == STMT_AUGMENT) return id == stmt->b ? PURPOSE_totalled : WORD_NONE;
    if (stmt->kind != STMT_ASSIGN || stmt->list.count != 1 || id != stmt->b) return WORD_NONE;
    return purpose_of_names(asked, model->links.items[stmt->list.first], depth + 1);
}

/* `(truths >= 0) & (truths < n)`: a comparison of each element, after which nothing is decided yet. */
static bool is_mask(const FileModel *model, ExprId id) {
    const Expr *expr = &model->exprs.items[id];
    return expr->kind == EXPR_BINARY && (expr->op == OP_AND || expr->op == OP_OR);
}

/* `(answers == labels).mean()`, `np.sum(answers == labels)`: likewise; numbers have no methods to ask for. */
static bool is_of_elements(const PurposeAsked *asked, ExprId comparison) {
    const FileModel *model = asked->graph->model;
    const Expr *user = &model->exprs.items[asked->parents[comparison]];
    const Expr *callee = &model->exprs.items[user->kind == EXPR_CALL ? user->a : 0];
    return user->kind == EXPR_ATTRIBUTE ||
           (callee->kind == EXPR_ATTRIBUTE && model_is_imported(model, &model->exprs.items[callee->a]));
}

/* The purpose of one use of a variable. `ema is None` does not read the value. Anything computed from it, or
   containing it, has its purpose. */
static Word purpose_of_use(const PurposeAsked *asked, ExprId id, StmtId stmt, int depth) {
    const FileModel *model = asked->graph->model;
    for (bool compared = false;;) {
        id = asked_of(model, asked->parents, id);
        ExprId up = asked->parents[id];
        const Expr *parent = &model->exprs.items[up];
        bool unread = parent->op == OP_IS || parent->op == OP_IS_NOT || is_mask(model, asked->parents[up]);
        Word purpose = WORD_NONE;
        switch ((ExprKind)parent->kind) {
        case EXPR_COMPARE:
            if (unread || !is_of_elements(asked, up)) return unread ? WORD_NONE : PURPOSE_branches;
            compared = true;
            break;
        case EXPR_SLICE: return PURPOSE_sizes;
        case EXPR_INTERPOLATION: return purpose_of_text(asked, up);
        case EXPR_SUBSCRIPT:
            if (parent->b == id) return PURPOSE_looks_up;
            break;
        case EXPR_CALL:
            purpose = purpose_of_call(asked->book, model, parent);
            if (purpose || parent->a == id || !makes_number(model, parent)) return purpose;
            break;
        case EXPR_BINARY:
            if (is_formatted(model, parent)) return PURPOSE_logged;
            break;
        case EXPR_UNARY:
        case EXPR_KEYWORD:
        case EXPR_TUPLE:
        case EXPR_LIST:
        case EXPR_DICT: break;
        default:
            if (stmt && is_returned(asked, id, stmt)) return PURPOSE_returned;
            if (compared && (up || decides(model, id, stmt))) return PURPOSE_branches;
            return up ? WORD_NONE : purpose_of_made(asked, id, stmt, depth);
        }
        id = up;
    }
}

/* Of several uses the one that comes last in effects.def counts: a value that is both logged and tested is
   tested. */
static Word stronger(Word a, Word b) { return a > b ? a : b; }

/* Another function reads the variable, or this one declares it `global` or `nonlocal`; a module variable may be
   read anywhere. */
static bool is_shared(const FlowGraph *graph, const Expr *name, const Expr *expr) {
    const FileModel *model = graph->model;
    FuncId func = (FuncId)(graph->func - model->funcs.items);
    if (expr->kind != EXPR_NAME || expr->slot != name->slot || expr->name != name->name) return false;
    if (expr->binding == BIND_FREE) return expr->func == (name->binding == BIND_FREE ? name->func : func);
    return expr->binding == BIND_GLOBAL && (func == 1 || name->binding == BIND_GLOBAL);
}

/* `n = int(n)`: adds the uses of the rebound variable. */
static void add_rebound(const PurposeAsked *asked, AccessId use, AccessId first, Reaching *uses) {
    enum { USES_MOST = 256 };
    const FlowGraph *graph = asked->graph;
    const FlowStep *step = &graph->steps[graph->accesses[use].step];
    for (AccessId a = use + 1; a < step[1].first_access; a++) {
        bool again = graph_is_def(&graph->accesses[a]) && graph->accesses[a].slot == graph->accesses[use].slot;
        if (!again || a == first || uses->items.count > USES_MOST) continue;
        Reaching more;
        graph_reached(graph, asked->scratch, a, &more);
        for (uint32_t i = 0; i < more.items.count; i++)
            if (graph->accesses[more.items.items[i]].step != graph->accesses[use].step)
                vec_push(asked->scratch, &uses->items, more.items.items[i]);
    }
}

/* `n = t.item()`: the purpose of the variable. */
static Word purpose_of_name(const PurposeAsked *asked, ExprId target, int depth) {
    enum { SHARED_MOST = 4000 }; /* most expressions searched for uses in other functions */
    const FileModel *model = asked->graph->model;
    AccessId def = graph_access(asked->graph, target);
    Reaching uses = {0};
    Word purpose = WORD_NONE;
    if (def) graph_reached(asked->graph, asked->scratch, def, &uses);
    for (uint32_t i = 0; i < uses.items.count; i++) {
        const Access *at = &asked->graph->accesses[uses.items.items[i]];
        purpose = stronger(purpose, purpose_of_use(asked, at->expr, asked->graph->steps[at->step].stmt, depth));
        add_rebound(asked, uses.items.items[i], def, &uses);
    }
    for (ExprId id = target + 1; id < model->exprs.count && id < target + SHARED_MOST; id++)
        if (is_shared(asked->graph, &model->exprs.items[target], &model->exprs.items[id]))
            purpose = stronger(purpose, purpose_of_use(asked, id, 0, depth));
    return purpose;
}

/* `loss, acc = step()`: the strongest purpose of the variables. */
static Word purpose_of_names(const PurposeAsked *asked, ExprId target, int depth) {
    const FileModel *model = asked->graph->model;
    const Expr *expr = &model->exprs.items[target];
    Word purpose = expr->kind == EXPR_NAME ? purpose_of_name(asked, target, depth) : WORD_NONE;
    for (uint32_t i = 0; expr->kind == EXPR_TUPLE && i < expr->list.count; i++) {
        ExprId part = model->links.items[expr->list.first + i];
        if (model->exprs.items[part].kind == EXPR_NAME)
            purpose = stronger(purpose, purpose_of_name(asked, part, depth));
    }
    return purpose;
}

/* `x[..., top:bottom]`: Python reads a slice bound. */
static bool is_slice_bound(const FileModel *model, ExprId id) {
    const Expr *index = &model->exprs.items[model->exprs.items[id].b];
    bool slices = index->kind == EXPR_SLICE;
    if (model->exprs.items[id].kind != EXPR_SUBSCRIPT) return false;
    for (uint32_t i = 0; index->kind == EXPR_TUPLE && i < index->list.count; i++) {
        ExprKind kind = (ExprKind)model->exprs.items[model->links.items[index->list.first + i]].kind;
        if (kind != EXPR_SLICE && kind != EXPR_INT && kind != EXPR_NONE && kind != EXPR_ELLIPSIS) return false;
        slices |= kind == EXPR_SLICE;
    }
    return slices;
}

/* `logs["loss"] = loss.item()`, `save_dict["bank"] = bank.cpu()`: an entry of something that is logged or
   saved. */
static Word purpose_of_entry(const PurposeAsked *asked, ExprId target) {
    const FileModel *model = asked->graph->model;
    const Expr *entry = &model->exprs.items[target], *key = &model->exprs.items[entry->b];
    if (entry->kind != EXPR_SUBSCRIPT || (key->kind != EXPR_STRING && key->kind != EXPR_FSTRING))
        return WORD_NONE;
    return name_is(asked->book, NAMED_saving_call, last_name(model, entry->a)) ? PURPOSE_saved : PURPOSE_kept;
}

/* `losses += [loss.item()]` */
static bool extends(const FileModel *model, const Stmt *stmt) {
    uint8_t kind = model->exprs.items[stmt->b].kind;
    return kind == EXPR_LIST || kind == EXPR_LIST_COMP;
}

static Word purpose_of_place(const PurposeAsked *asked, ExprId expr, StmtId stmt_id) {
    const FileModel *model = asked->graph->model;
    const ExprId *parents = asked->parents;
    const Stmt *stmt = &model->stmts.items[stmt_id];
    ExprId at = expr;
    Word own = model->exprs.items[expr].kind == EXPR_CALL
                   ? purpose_of_call(asked->book, model, &model->exprs.items[expr])
                   : WORD_NONE;
    if (own == PURPOSE_logged || own == PURPOSE_saved || own == PURPOSE_sizes) return own;
    if (is_slice_bound(model, expr)) return PURPOSE_sizes;
    if (only_checks(model, stmt)) return PURPOSE_checked;
    if (guards_mask(asked->book, model, stmt) || is_merged(model, stmt, expr)) return PURPOSE_masked;
    if (is_reduced(asked->book, model, parents, expr)) return PURPOSE_weighed;
    for (ExprId up = parents[at]; up; at = up, up = parents[at]) {
        const Expr *parent = &model->exprs.items[up];
        if (parent->kind == EXPR_COMPARE || parent->kind == EXPR_NOT)
            return purpose_of_decision(asked, up, stmt);
        if (parent->kind == EXPR_IF && parent->a == at) return purpose_of_decision(asked, at, stmt);
        if (parent->kind == EXPR_SLICE) return PURPOSE_sizes;
        if (parent->kind == EXPR_SUBSCRIPT && parent->b == at) return PURPOSE_looks_up;
        if (parent->kind == EXPR_INTERPOLATION) return purpose_of_text(asked, up);
        if (parent->kind != EXPR_CALL || parent->a == at) continue;
        Word purpose = purpose_of_call(asked->book, model, parent);
        if (purpose) return purpose;
    }
    if (decides(model, at, stmt_id)) return purpose_of_decision(asked, at, stmt);
    if (stmt->kind == STMT_AUGMENT) return extends(model, stmt) ? PURPOSE_kept : PURPOSE_totalled;
    if (is_returned(asked, expr, stmt_id)) return PURPOSE_returned;
    if (stmt->kind != STMT_ASSIGN || stmt->list.count != 1) return WORD_NONE;
    ExprId target = model->links.items[stmt->list.first];
    Word entry = purpose_of_entry(asked, target);
    return entry ? entry : purpose_of_names(asked, target, 0);
}

/* `int(lengths.max())`: a size or count, whatever is done with it. */
static bool is_whole(const FileModel *model, ExprId id) {
    const Expr *call = &model->exprs.items[id], *callee = &model->exprs.items[call->a];
    return call->kind == EXPR_CALL && callee->kind == EXPR_NAME &&
           python_is(PY_int, model_name(model, callee->name));
}

Word purpose_of(const PurposeAsked *asked, ExprId expr, StmtId stmt) {
    const FileModel *model = asked->graph->model;
    Word purpose = purpose_of_place(asked, expr, stmt);
    bool whole = is_whole(model, expr);
    for (ExprId up = asked->parents[expr]; up && !whole; up = asked->parents[up]) whole = is_whole(model, up);
    return purpose || !whole ? purpose : PURPOSE_counts;
}

/* ---- what is sent ---- */

/* `range(9)`, `tqdm(reversed(range(9)))`. */
static bool counts_turns(const FileModel *model, ExprId over) {
    const Expr *call = &model->exprs.items[over];
    for (; over && call->kind == EXPR_CALL; call = &model->exprs.items[over]) {
        if (python_is(PY_range, last_name(model, call->a))) return true;
        over = call->list.count ? model->links.items[call->list.first] : 0;
    }
    return false;
}

/* A number that the text shows: a literal, or a loop's counter. */
static bool is_plain_number(const PurposeAsked *asked, ExprId id) {
    const FileModel *model = asked->graph->model;
    const Expr *expr = &model->exprs.items[id];
    AccessId use = expr->kind == EXPR_NAME ? graph_access(asked->graph, id) : 0;
    AccessId def = use ? graph_only_def(asked->graph, asked->scratch, use) : 0;
    bool turn = def && asked->graph->accesses[def].kind == DEF_TURN;
    return expr->kind == EXPR_INT || expr->kind == EXPR_FLOAT ||
           (turn && counts_turns(model, graph_stmt(asked->graph, def)->b));
}

/* The first argument of a module's function: `ones(3)` of `torch.tril(ones(3))`; 0 = it is no call. */
static ExprId first_call(const FileModel *model, const Expr *call) {
    ExprId first = call->list.count ? model->links.items[call->list.first] : 0;
    return first && model->exprs.items[first].kind == EXPR_CALL ? first : 0;
}

/* The value that is changed before it is sent: `x` of `x.float()` and of `x * 2`, never a module; 0 = the
   expression changes nothing. */
static ExprId changed(const PurposeAsked *asked, ExprId id) {
    const FileModel *model = asked->graph->model;
    const Expr *expr = &model->exprs.items[id], *method = &model->exprs.items[expr->a];
    if (expr->kind == EXPR_BINARY)
        return is_plain_number(asked, expr->b) ? expr->a : is_plain_number(asked, expr->a) ? expr->b : 0;
    if (expr->kind != EXPR_CALL || method->kind != EXPR_ATTRIBUTE) return 0;
    ExprId inner = first_call(model, expr);
    return inner && model_is_imported(model, &model->exprs.items[method->a]) ? inner : method->a;
}

Word purpose_sent(const PurposeAsked *asked, ExprId expr, ExprId *root) {
    const FileModel *model = asked->graph->model;
    ExprId sent = changed(asked, expr), next = sent;
    *root = sent;
    for (; next; next = changed(asked, *root)) {
        const Expr *made = &model->exprs.items[ *root = next];
        Text name = made->kind == EXPR_CALL ? last_name(model, made->a) : (Text){0};
        if (name_is(asked->book, NAMED_creating_call, name)) return next == sent ? PURPOSE_made : PURPOSE_built;
        if (name_is(asked->book, NAMED_wrapping_call, name)) return PURPOSE_wrapped;
    }
    const Expr *last = &model->exprs.items[*root];
    bool value =
        *root && last->kind != EXPR_CALL && last->kind != EXPR_STRING && !model_is_imported(model, last);
    return value && *root != sent ? PURPOSE_converted : WORD_NONE;
}

Need purpose_need(Word purpose) {
    static const uint8_t needs[WORD_LIMIT] = {
#define PURPOSE(word, need, meaning) [PURPOSE_##word] = NEED_##need,
#include "effects.def"
    };
    return (Need)needs[purpose];
}
