/* Makes the flow of a context: statements and expressions in the order in which they run. */
#include "flow_pick.h"

static void walk_expr(Walk *walk, ExprId id);
static void walk_block(Walk *walk, List block);

static uint32_t push(Walk *walk, Item item) {
    item.stmt = walk->stmt;
    vec_push(walk->arena, &walk->flow->items, item);
    if (item.kind == ITEM_LOOP) vec_push(walk->arena, &walk->open_loops, walk->flow->items.count - 1);
    return walk->flow->items.count - 1;
}

static void close_item(Walk *walk, uint32_t open) {
    uint32_t end = push(walk, (Item){.kind = ITEM_END});
    walk->flow->items.items[open].end = end;
    if (walk->flow->items.items[open].kind == ITEM_LOOP) walk->open_loops.count--;
}

static void walk_list(Walk *walk, List list) {
    for (uint32_t i = 0; i < list.count; i++) walk_expr(walk, walk->model->links.items[list.first + i]);
}

/* What a loader does for each batch, not once for the loop. */
static bool comes_each_turn(const Walk *walk, uint32_t effect) {
    const Rulebook *book = walk->inference->book;
    EntryId entry = walk->context->effects.items[effect].entry;
    EntryId loader = entry_named(book, NAMED_loader_class);
    return entry && loader && book->entries[entry].parent &&
           rulebook_inherits(book, book->entries[entry].parent, loader);
}

static void push_effect(Walk *walk, Item effect) {
    const EffectRecord *record = &walk->context->effects.items[effect.effect];
    Item guard;
    bool off = guard_said_effect(walk, record, &guard) || guard_made_effect(walk, record, &guard);
    uint32_t open = off ? push(walk, guard) : 0;
    push(walk, effect);
    if (off) close_item(walk, open);
}

static void push_effects(Walk *walk, ExprId id, EffectRole role) {
    uint32_t at = effects_at(walk->context, id, role);
    for (; at; at = walk->context->effects.items[at].next) {
        Item effect = {.kind = ITEM_EFFECT, .effect = at, .expr = id, .role = (uint8_t)role};
        if (role == EFFECT_OWN || !comes_each_turn(walk, at))
            push_effect(walk, effect);
        else if (walk->iterable)
            vec_push(walk->arena, &walk->generators, effect);
    }
}

static bool is_generator(const Walk *walk, ContextId id) {
    const Context *context = walk->inference->contexts.items[id];
    return walk->inference->program->files.items[context->file].model->funcs.items[context->func].is_generator;
}

static bool is_exit_method(const Walk *walk, ContextId id) {
    const Context *context = walk->inference->contexts.items[id];
    const FileModel *model = walk->inference->program->files.items[context->file].model;
    return text_ends(model_name(model, model->funcs.items[context->func].name), TEXT("exit__"));
}

static const Func *callee_of(const Walk *walk, const CallEdge *edge) {
    const Context *callee = walk->inference->contexts.items[edge->callee];
    return &walk->inference->program->files.items[callee->file].model->funcs.items[callee->func];
}

/* `x = block(x)` in a loop is first evaluated with the x before the loop, then with the join of it and an
   iteration's: one call. */
static bool is_of_earlier_round(const Walk *walk, const CallEdge *edge) {
    for (uint32_t e = first_edge(walk, edge->expr); e; e = walk->edge_next[e]) {
        const CallEdge *other = &walk->context->edges.items[e - 1];
        if (other->at > edge->at && callee_of(walk, other) == callee_of(walk, edge)) return true;
    }
    return false;
}

static void push_call(Walk *walk, Item call) {
    Item guard;
    bool off = guard_made_callee(walk, call.expr, call.callee, &guard);
    uint32_t open = off ? push(walk, guard) : 0;
    push(walk, call);
    if (off) close_item(walk, open);
}

static void push_calls(Walk *walk, ExprId id) {
    for (uint32_t e = walk->edge_heads[id - walk->func->first_expr]; e; e = walk->edge_next[e]) {
        const CallEdge *edge = &walk->context->edges.items[e - 1];
        Item call = {.kind = ITEM_CALL, .expr = id, .callee = edge->callee, .rate = edge->rate};
        if (edge->times > 1) call.turns = edge->times;
        if (edge->graphs & ALT_CAPTURED) call.flags |= CALL_CAPTURED;
        if (edge->graphs & ALT_COMPILED) call.flags |= CALL_COMPILED;
        if (edge->guessed) call.flags |= CALL_GUESSED;
        if (is_of_earlier_round(walk, edge)) call.flags |= CALL_ROUND;
        if (walk->iterable && is_generator(walk, edge->callee))
            vec_push(walk->arena, &walk->generators, call);
        else if (walk->managing && is_exit_method(walk, edge->callee))
            vec_push(walk->arena, &walk->exits, call);
        else
            push_call(walk, call);
    }
}

static void push_uses(Walk *walk, ExprId id) {
    for (uint32_t u = 0; u < walk->context->uses.count; u++)
        if (walk->context->uses.items[u].expr == id)
            push(walk, (Item){.kind = ITEM_USE, .effect = u, .expr = id});
}

/* The iterable runs once, before the loop; a generator's body, and a loader's work for a batch, runs in each
   iteration. */
static uint32_t walk_iterable(Walk *walk, ExprId iterable) {
    uint32_t before = walk->generators.count;
    bool outer = walk->iterable;
    walk->iterable = true;
    walk_expr(walk, iterable);
    walk->iterable = outer;
    return before;
}

static void push_generators(Walk *walk, uint32_t before) {
    for (uint32_t i = before; i < walk->generators.count; i++) {
        if (walk->generators.items[i].kind == ITEM_CALL) walk->generators.items[i].flags |= CALL_CONSUMED;
        push(walk, walk->generators.items[i]);
    }
    walk->generators.count = before;
}

/* ---- loops ---- */

static void push_data(Walk *walk, ExprId expr, Loads loads) {
    uint8_t flags = loads == LOADS_HERE ? DATA_IN_PROCESS : 0;
    if (loads) push(walk, (Item){.kind = ITEM_DATA, .expr = expr, .flags = flags});
}

/* next(batches) */
static void push_next(Walk *walk, ExprId id) {
    const Expr *expr = &walk->model->exprs.items[id];
    if (expr->kind != EXPR_CALL || !expr->list.count) return;
    const Expr *callee = &walk->model->exprs.items[expr->a];
    if (callee->kind == EXPR_NAME && python_is(PY_next, model_name(walk->model, callee->name)))
        push_data(walk, id, loads_inside(walk, infer_fact(walk->context, walk->model, id), LOADS_DEEP));
}

static double turns_of(const Walk *walk, ExprId iterable) {
    const Expr *expr = &walk->model->exprs.items[iterable];
    if (expr->kind == EXPR_LIST || expr->kind == EXPR_TUPLE) return expr->list.count;
    if (expr->kind == EXPR_CALL && expr->list.count == 1) {
        const Expr *callee = &walk->model->exprs.items[expr->a];
        if (callee->kind == EXPR_NAME && python_is(PY_range, model_name(walk->model, callee->name)))
            return literal_number(walk, walk->model->links.items[expr->list.first]);
    }
    const Value *value = infer_fact(walk->context, walk->model, iterable);
    if (!value || value->count != 1 || !value->alts[0].object) return 0;
    const Object *object = infer_object(walk->inference, value->alts[0].object);
    if (object->length) return object->key_count + object->length;
    return value->alts[0].kind != KIND_CONTAINER || object->open ? 0 : object->key_count;
}

/* Walks the loop's condition, its body, and what follows the last iteration. */
static void walk_turns(Walk *walk, const Stmt *stmt, uint32_t open) {
    if (!graph_repeats(walk->graph, stmt->loop)) { /* for batch in loader: model(batch); break */
        walk->flow->items.items[open].flags |= LOOP_ONCE;
        walk->flow->items.items[open].turns = 1;
    }
    walk_expr(walk, stmt->a);
    if (stmt->kind == STMT_FOR && goes_over_listeners(walk, stmt->a))
        walk->flow->items.items[open].flags |= LOOP_LISTENERS;
    if (walk->loops < LOOPS_KEPT) walk->around[walk->loops] = walk->stmt;
    walk->loops++;
    walk_block(walk, stmt->body);
    walk->loops--;
    close_item(walk, open);
    walk_block(walk, stmt->orelse);
}

static void walk_for(Walk *walk, const Stmt *stmt) {
    uint32_t before = walk_iterable(walk, stmt->b);
    Item guard;
    uint32_t around = guard_no_turns(walk, stmt->b, &guard) ? push(walk, guard) : 0;
    uint32_t open = push(
        walk, (Item){.kind = ITEM_LOOP, .loop = stmt->loop, .expr = stmt->b, .turns = turns_of(walk, stmt->b)});
    push_generators(walk, before);
    push_data(walk, stmt->b, loads_of(walk, stmt->b));
    walk_turns(walk, stmt, open);
    if (around) close_item(walk, around);
}

static void walk_while(Walk *walk, const Stmt *stmt) {
    uint32_t open = push(walk, (Item){.kind = ITEM_LOOP, .loop = stmt->loop, .expr = stmt->a});
    walk_turns(walk, stmt, open);
}

static void walk_comprehension(Walk *walk, const Expr *expr) {
    uint32_t opens[16], depth = 0;
    for (uint32_t i = 0; i < expr->list.count; i++) {
        ExprId id = walk->model->links.items[expr->list.first + i];
        const Expr *clause = &walk->model->exprs.items[id];
        if (clause->kind == EXPR_COMP_FOR) {
            uint32_t before = walk_iterable(walk, clause->b);
            if (depth < 16)
                opens[depth++] = push(walk, (Item){.kind = ITEM_LOOP,
                                                   .loop = expr->loop,
                                                   .expr = clause->b,
                                                   .turns = turns_of(walk, clause->b)});
            push_generators(walk, before);
            push_data(walk, clause->b, loads_of(walk, clause->b));
        } else {
            walk_expr(walk, clause->a);
        }
    }
    walk_expr(walk, expr->a);
    if (expr->kind == EXPR_DICT_COMP) walk_expr(walk, expr->b);
    while (depth > 0) close_item(walk, opens[--depth]);
}

/* ---- expressions ---- */

/* In `step % 10 == 0 and t > 1` the first operand guards the second. */
static void walk_bool(Walk *walk, const Expr *expr) {
    uint32_t opens[16], depth = 0;
    for (uint32_t i = 0; i < expr->list.count; i++) {
        ExprId operand = walk->model->links.items[expr->list.first + i];
        walk_expr(walk, operand);
        Item guard = {.kind = ITEM_GUARD, .expr = operand};
        guard_condition(walk, operand, expr->kind == EXPR_AND, &guard);
        guard.role = (uint8_t)guard_pins(walk, operand, expr->kind == EXPR_AND);
        bool says = guard.flags || guard.rate;
        if (i + 1 < expr->list.count && says && depth < 16) opens[depth++] = push(walk, guard);
    }
    while (depth > 0) close_item(walk, opens[--depth]);
}

/* `loss.item() if args.verbose else 0` */
static void walk_choice(Walk *walk, ExprId condition, bool truth, ExprId value) {
    Item guard = {.kind = ITEM_GUARD, .expr = condition};
    guard_condition(walk, condition, truth, &guard);
    guard.role = (uint8_t)guard_first(walk, condition, truth, &walk->model->stmts.items[walk->stmt]);
    bool says = guard.flags || guard.rate || guard.role;
    uint32_t open = says ? push(walk, guard) : 0;
    walk_expr(walk, value);
    if (says) close_item(walk, open);
}

/* `sum(epoch())`, `list(epoch())`: they take all that an iterable gives. */
static bool drains(const Walk *walk, const Expr *call) {
    static const PythonName TAKES_ALL[] = {PY_sum,  PY_list,   PY_tuple, PY_set,
                                           PY_dict, PY_sorted, PY_max,   PY_min};
    const Expr *callee = &walk->model->exprs.items[call->a];
    return callee->kind == EXPR_NAME && callee->binding == BIND_GLOBAL && !callee->slot &&
           python_any(TAKES_ALL, sizeof TAKES_ALL / sizeof *TAKES_ALL, model_name(walk->model, callee->name));
}

/* Generators among the arguments run as in a loop over them. */
static void walk_drained(Walk *walk, const Expr *call) {
    uint32_t before = walk->generators.count;
    bool outer = walk->iterable;
    walk->iterable = true;
    walk_list(walk, call->list);
    walk->iterable = outer;
    if (walk->generators.count == before) return;
    uint32_t open = push(walk, (Item){.kind = ITEM_LOOP, .expr = walk->model->links.items[call->list.first]});
    push_generators(walk, before);
    close_item(walk, open);
}

static void mark_yield(Walk *walk) {
    uint32_t loops = walk->open_loops.count;
    if (loops) walk->flow->items.items[walk->open_loops.items[loops - 1]].flags |= LOOP_YIELDS;
}

static void walk_children(Walk *walk, const Expr *expr) {
    switch ((ExprKind)expr->kind) {
    case EXPR_LIST_COMP:
    case EXPR_SET_COMP:
    case EXPR_GENERATOR:
    case EXPR_DICT_COMP: walk_comprehension(walk, expr); return;
    case EXPR_LAMBDA: return;
    case EXPR_AND:
    case EXPR_OR: walk_bool(walk, expr); return;
    case EXPR_IF:
        walk_expr(walk, expr->a);
        walk_choice(walk, expr->a, true, expr->b);
        walk_choice(walk, expr->a, false, expr->c);
        return;
    case EXPR_COMPARE:
    case EXPR_LIST:
    case EXPR_TUPLE:
    case EXPR_SET:
    case EXPR_DICT:
    case EXPR_FSTRING: walk_list(walk, expr->list); return;
    case EXPR_CALL:
        walk_expr(walk, expr->a);
        if (drains(walk, expr))
            walk_drained(walk, expr);
        else
            walk_list(walk, expr->list);
        return;
    default:
        walk_expr(walk, expr->a);
        walk_expr(walk, expr->b);
        walk_expr(walk, expr->c);
        return;
    }
}

static void walk_expr(Walk *walk, ExprId id) {
    if (!id || id < walk->func->first_expr || id >= walk->func->end_expr) return;
    const Expr *expr = &walk->model->exprs.items[id];
    walk_children(walk, expr);
    if (expr->kind == EXPR_YIELD) mark_yield(walk), push(walk, (Item){.kind = ITEM_YIELD, .expr = id});
    push_next(walk, id);
    uint8_t marks = walk->marks[id - walk->func->first_expr];
    if (!marks) return;
    if (marks & MARK_CALLS) push_calls(walk, id);
    if (marks & MARK_OWN) push_effects(walk, id, EFFECT_OWN);
    if (marks & MARK_USE) push_effects(walk, id, EFFECT_USE);
    if (marks & MARK_USES) push_uses(walk, id);
    if (marks & MARK_UNSEEN) push(walk, (Item){.kind = ITEM_UNSEEN, .expr = id});
}

/* ---- branches ---- */

/* Gives the item of the guard; 0 = an empty block. */
static uint32_t walk_guarded(Walk *walk, List block, Item guard) {
    if (!block.count) return 0;
    guard_ending(walk, block, &guard);
    guard.kind = ITEM_GUARD;
    uint32_t open = push(walk, guard);
    walk_block(walk, block);
    close_item(walk, open);
    return open;
}

/* Marks two branches of which one runs, when nothing tells how often which. */
static void note_either(Walk *walk, uint32_t yes, uint32_t no) {
    Item *items = walk->flow->items.items;
    const uint8_t other = (uint8_t)~GUARD_CHOICE;
    if (!yes || !no || ((items[yes].flags | items[no].flags) & other)) return;
    if (items[yes].role || items[no].role || items[yes].rate || items[no].rate) return;
    items[yes].rate = items[no].rate = GUARD_EITHER;
    items[yes].every = no, items[no].every = yes;
}

/* `if __name__ == "__main__":` is no choice of the user. */
static bool asks_for_main(const Walk *walk, ExprId condition) {
    const Expr *expr = &walk->model->exprs.items[condition];
    for (uint32_t i = 0; expr->kind == EXPR_COMPARE && i < expr->list.count; i++) {
        const Expr *side = &walk->model->exprs.items[walk->model->links.items[expr->list.first + i]];
        if (side->kind == EXPR_NAME && text_equal(model_name(walk->model, side->name), TEXT("__name__")))
            return true;
    }
    return false;
}

static void walk_if(Walk *walk, const Stmt *stmt) {
    walk_expr(walk, stmt->a);
    Item yes = {.expr = stmt->a}, no = {.expr = stmt->a};
    if (!asks_for_main(walk, stmt->a)) yes.flags = no.flags = GUARD_CHOICE;
    guard_condition(walk, stmt->a, true, &yes);
    guard_condition(walk, stmt->a, false, &no);
    guard_length(walk, stmt, &yes);
    guard_lazy_init(walk, stmt, &yes);
    if (!yes.role) yes.role = (uint8_t)guard_pins(walk, stmt->a, true);
    if (!yes.role) yes.role = (uint8_t)guard_first(walk, stmt->a, true, stmt);
    no.role = (uint8_t)guard_pins(walk, stmt->a, false);
    if (!no.role) no.role = (uint8_t)guard_first(walk, stmt->a, false, stmt);
    uint32_t body = walk_guarded(walk, stmt->body, yes);
    note_either(walk, body, walk_guarded(walk, stmt->orelse, no));
}

/* An exception handler runs where the intended path failed. */
static void walk_try(Walk *walk, const Stmt *stmt) {
    Item failing = guard_seldom(TEXT("an exception"));
    walk_block(walk, stmt->body);
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Stmt *handler = &walk->model->stmts.items[walk->model->links.items[stmt->list.first + i]];
        walk_guarded(walk, handler->body, failing);
    }
    walk_block(walk, stmt->orelse);
    walk_block(walk, stmt->final);
}

static bool runs_apart(const Walk *walk, ExprId id) {
    if (id < walk->func->first_expr || id >= walk->func->end_expr) return false;
    uint32_t at = effects_at(walk->context, id, EFFECT_OWN);
    for (; at; at = walk->context->effects.items[at].next)
        if (walk->context->effects.items[at].says & (SAYS_STREAM | SAYS_CAPTURE | SAYS_PROFILED)) return true;
    return false;
}

/* The generator in `with timer(name):` runs around the body: its call gets the end of the body. */
static void close_wraps(Walk *walk, uint32_t first, uint32_t body) {
    uint32_t end = 0;
    for (uint32_t i = first; i < body; i++) {
        Item *item = &walk->flow->items.items[i];
        if (item->kind != ITEM_CALL || item->end || !is_generator(walk, item->callee)) continue;
        if (!end) end = push(walk, (Item){.kind = ITEM_END});
        walk->flow->items.items[i].end = end;
    }
}

static void walk_with(Walk *walk, const Stmt *stmt) {
    uint32_t opens[8], depth = 0, first = walk->flow->items.count, before = walk->exits.count;
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Stmt *item = &walk->model->stmts.items[walk->model->links.items[stmt->list.first + i]];
        walk->managing = true;
        walk_expr(walk, item->a);
        walk->managing = false;
        walk_expr(walk, item->b);
        if (runs_apart(walk, item->a) && depth < 8)
            opens[depth++] = push(walk, (Item){.kind = ITEM_WITH, .expr = item->a});
    }
    uint32_t body = walk->flow->items.count;
    walk_block(walk, stmt->body);
    while (depth > 0) close_item(walk, opens[--depth]);
    close_wraps(walk, first, body);
    for (uint32_t i = before; i < walk->exits.count; i++) push(walk, walk->exits.items[i]);
    walk->exits.count = before;
}

static void walk_cases(Walk *walk, const Stmt *stmt) {
    walk_expr(walk, stmt->a);
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Stmt *item = &walk->model->stmts.items[walk->model->links.items[stmt->list.first + i]];
        walk_expr(walk, item->a);
        walk_guarded(walk, item->body, (Item){0});
    }
}

static void walk_function(Walk *walk, const Stmt *stmt) {
    const Func *func = &walk->model->funcs.items[stmt->func];
    walk_list(walk, func->decorators);
    for (uint32_t i = 0; i < func->param_count; i++)
        walk_expr(walk, walk->model->params.items[func->first_param + i].fallback);
}

static void walk_class(Walk *walk, const Stmt *stmt) {
    const Class *class_ = &walk->model->classes.items[stmt->class_id];
    walk_list(walk, class_->decorators);
    for (uint32_t b = flow_first_body(walk, class_->body);
         b < walk->bodies.count && walk->bodies.items[b].func == class_->body; b++) /* the body runs here */
        push(walk, (Item){.kind = ITEM_CALL,
                          .callee = walk->context->edges.items[walk->bodies.items[b].edge].callee});
}

/* The message of an exception is made when the program ends, or abandons its work. */
static void walk_message(Walk *walk, ExprId condition, ExprId message) {
    if (!message) return;
    uint32_t open = push(walk, (Item){.kind = ITEM_GUARD, .flags = GUARD_LEAVES, .expr = condition});
    walk_expr(walk, message);
    close_item(walk, open);
}

static void walk_stmt(Walk *walk, StmtId id) {
    const Stmt *stmt = &walk->model->stmts.items[id];
    StmtId outer = walk->stmt;
    walk->stmt = id;
    switch ((StmtKind)stmt->kind) {
    case STMT_ASSIGN:
        walk_expr(walk, stmt->b);
        walk_list(walk, stmt->list);
        break;
    case STMT_AUGMENT:
        walk_expr(walk, stmt->b);
        walk_expr(walk, stmt->a);
        break;
    case STMT_IF: walk_if(walk, stmt); break;
    case STMT_FOR: walk_for(walk, stmt); break;
    case STMT_WHILE: walk_while(walk, stmt); break;
    case STMT_TRY: walk_try(walk, stmt); break;
    case STMT_WITH: walk_with(walk, stmt); break;
    case STMT_MATCH: walk_cases(walk, stmt); break;
    case STMT_FUNCTION: walk_function(walk, stmt); break;
    case STMT_CLASS: walk_class(walk, stmt); break;
    case STMT_ASSERT:
        walk_expr(walk, stmt->a);
        walk_message(walk, stmt->a, stmt->b);
        break;
    case STMT_RAISE:
        if (raises_exit(walk, stmt)) /* raise SystemExit(main()) */
            walk_expr(walk, stmt->a);
        else
            walk_message(walk, stmt->a, stmt->a);
        walk_message(walk, stmt->b, stmt->b);
        break;
    case STMT_EXPR:
        if (warns_if(walk, stmt)) {
            uint32_t open = push(walk, guard_seldom(TEXT("a warning")));
            walk_expr(walk, stmt->a);
            close_item(walk, open);
            break;
        }
        walk_expr(walk, stmt->a);
        break;
    case STMT_RETURN:
        walk_expr(walk, stmt->a);
        walk_expr(walk, stmt->b);
        break;
    default: break;
    }
    walk->stmt = outer;
}

static void walk_block(Walk *walk, List block) {
    uint32_t opens[8], depth = 0;
    for (uint32_t i = 0; i < block.count; i++) {
        Item behind[8];
        walk_stmt(walk, walk->model->links.items[block.first + i]);
        uint32_t count = guard_behind(walk, block, i, behind, 8 - depth);
        while (count > 0) opens[depth++] = push(walk, behind[--count]);
    }
    while (depth > 0) close_item(walk, opens[--depth]);
}

static bool is_constructor(const Walk *walk) {
    Text name = walk->func->name ? model_name(walk->model, walk->func->name) : (Text){0};
    return walk->func->class_id &&
           (text_equal(name, TEXT("__init__")) || text_equal(name, TEXT("__post_init__")));
}

static void walk_body(Walk *walk) {
    Item guard = {0};
    if (flow_compiled(walk)) return;
    if (guard_memoised(walk, &guard) || guard_made_self(walk, &guard))
        walk_guarded(walk, walk->func->body, guard);
    else
        walk_block(walk, walk->func->body);
}

static void mark(uint8_t *marks, const Context *context, ExprId expr, uint8_t what) {
    if (expr - context->first_expr < context->exprs) marks[expr - context->first_expr] |= what;
}

static void mark_all(uint8_t *marks, const Context *context) {
    for (uint32_t i = 0; i < context->effect_room; i++) {
        const EffectHead *head = &context->effect_heads[i];
        if (head->head)
            mark(marks, context, head->of / EFFECT_ROLES,
                 head->of % EFFECT_ROLES == EFFECT_OWN ? MARK_OWN : MARK_USE);
    }
    for (uint32_t u = 0; u < context->uses.count; u++)
        mark(marks, context, context->uses.items[u].expr, MARK_USES);
    for (uint32_t u = 0; u < context->unseen.count; u++)
        mark(marks, context, context->unseen.items[u], MARK_UNSEEN);
}

void flow_walk_context(Arena *scratch, const Inference *inference, const AroundCalls *around_calls,
                       ContextId id, KeptUsuals *kept, Flow *flow) {
    const Context *context = inference->contexts.items[id];
    const SourceFile *file = &inference->program->files.items[context->file];
    const Func *func = &file->model->funcs.items[context->func];
    uint32_t *heads = arena_raw(scratch, sizeof *heads * context->exprs),
             *next = arena_raw(scratch, sizeof *next * (context->edges.count + 1));
    uint8_t *marks = arena_new(scratch, uint8_t, context->exprs);
    mark_all(marks, context);
    for (uint32_t e = context->edges.count; e > 0; e--) {
        uint32_t at = context->edges.items[e - 1].expr - func->first_expr;
        if (at >= context->exprs) continue;
        next[e] = marks[at] & MARK_CALLS ? heads[at] : 0;
        heads[at] = e;
        marks[at] |= MARK_CALLS;
    }
    Walk walk = {.arena = scratch,
                 .inference = inference,
                 .around_calls = around_calls,
                 .id = id,
                 .kept = kept,
                 .context = context,
                 .file = file,
                 .model = file->model,
                 .func = func,
                 .graph = inference->graphs[file->func_base + context->func],
                 .flow = flow,
                 .marks = marks,
                 .edge_heads = heads,
                 .edge_next = next};
    flow->constructor = is_constructor(&walk);
    flow_find_bodies(&walk);
    walk_body(&walk);
}
