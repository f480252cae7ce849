/* Statements: the environment flows through them in order, is joined where paths meet, and iterated to a
   fixpoint in loops. */
#include "eval.h"
#include "apply.h"
#include "conventions.h"
#include "environment.h"
#include "module.h"
#include "narrow.h"
#include "parts.h"

enum { TURNS_A_VISIT = 5, TURNS_A_LOOP = 10 };

static void exec_if(Eval *eval, const Stmt *stmt) {
    Tri truth;
    eval_truth(eval, stmt->a, &truth);
    OffSide side = off_side(eval, stmt->a);
    bool chosen = eval->chosen;
    eval->chosen |= is_choice(eval, stmt->a);
    Env *before = env_copy(eval->env);
    if (truth != TRI_NO) {
        refine(eval, stmt->a, true);
        exec_block(eval, stmt->body);
    } else {
        eval->reachable = false;
    }
    Env *yes = env_copy(eval->env);
    bool yes_reachable = eval->reachable;
    env_assign(eval->env, before);
    eval->reachable = truth != TRI_YES;
    if (eval->reachable) {
        refine(eval, stmt->a, false);
        exec_block(eval, stmt->orelse);
    }
    eval->chosen = chosen;
    if (side.off == TRI_YES && eval->reachable) doubt_side(eval, yes, eval->env, side.belief);
    if (side.off == TRI_NO && yes_reachable) doubt_side(eval, eval->env, yes, side.belief);
    env_merge(eval, yes, yes_reachable);
}

/* One iteration; leaves the environment as the next iteration begins with it. */
static void loop_turn(Eval *eval, const Stmt *stmt, LoopFrame *frame, const Value *element) {
    if (stmt->kind == STMT_FOR) {
        bind_target(eval, stmt->a, element);
    } else {
        Tri truth;
        eval_truth(eval, stmt->a, &truth);
        if (truth == TRI_NO) {
            eval->reachable = false;
            return;
        }
        refine(eval, stmt->a, true);
    }
    frame->continued = NULL;
    exec_block(eval, stmt->body);
    if (frame->continued) env_merge(eval, frame->continued, true);
}

/* The environment at the head of a loop, joined with what earlier visits (in iterations of outer loops) left
   there, so that their work need not be repeated. Each loop of a nest adds its share to the iterations that the
   nest may take. */
static Env *loop_head(Eval *eval, const Stmt *stmt) {
    const Func *func = eval->func;
    if (!eval->loops->outer) eval->turns = eval->turns_most = 0;
    if (!eval->heads) eval->heads = arena_new(eval->scratch, Env *, func->end_loop - func->first_loop + 1);
    Env **head = &eval->heads[stmt->loop - func->first_loop];
    if (!*head) {
        eval->turns_most += TURNS_A_LOOP;
        return *head = env_copy(eval->env);
    }
    env_join(eval, *head, eval->env);
    env_assign(eval->env, *head);
    return *head;
}

static const Taken *taken_of(const Eval *eval, const Stmt *loop) {
    Inference *inference = eval->inference;
    const Taken ***loops = &inference->taken[global_func(inference, eval->file_id, eval->func_id)];
    uint32_t count = eval->func->end_loop - eval->func->first_loop;
    if (!*loops) *loops = (const Taken **)arena_new(inference->arena, const Taken *, count + 1);
    const Taken **taken = &(*loops)[loop->loop - eval->func->first_loop];
    if (!*taken) *taken = taken_by_turns(inference->arena, eval->scratch, eval->graph, loop->loop);
    return *taken;
}

/* Iterates until an iteration changes nothing that the next one reads. */
static void loop_turns(Eval *eval, const Stmt *stmt, LoopFrame *frame, const Value *element) {
    Env *head = loop_head(eval, stmt);
    const Taken *taken = taken_of(eval, stmt);
    for (int turn = 0; turn < TURNS_A_VISIT; turn++) {
        frame->first = turn == 0;
        eval->turns++, eval->inference->turns++;
        loop_turn(eval, stmt, frame, element);
        if (eval->reachable)
            env_join(eval, eval->env, head);
        else
            env_assign(eval->env, head);
        eval->reachable = true;
        bool again = frame->first && frame->early;
        if (!again && env_same(eval->env, head, taken)) return;
        env_assign(head, eval->env);
        if (eval->turns < eval->turns_most) continue;
        eval->inference->given_up += !eval->context->cut_short;
        eval->context->cut_short = true;
        return;
    }
}

static void exec_loop(Eval *eval, const Stmt *stmt) {
    const Value *element = NULL;
    if (stmt->kind == STMT_FOR) {
        const Value *iterable = eval_expr(eval, stmt->b);
        element = contracted(eval, stmt, turn_of(eval, stmt->a, stmt->b, iterable, stmt->span));
        if (!element && (!iterable || value_only(iterable, KIND_CONTAINER)))
            return; /* empty, or not known yet */
    }
    LoopFrame frame = {.outer = eval->loops};
    eval->loops = &frame;
    loop_turns(eval, stmt, &frame, element);
    eval->loops = frame.outer;
    const Expr *condition = &eval->model->exprs.items[stmt->a];
    bool forever = stmt->kind == STMT_WHILE && (condition->kind == EXPR_TRUE || condition->kind == EXPR_INT);
    if (forever)
        eval->reachable = false;
    else if (stmt->kind == STMT_WHILE)
        refine(eval, stmt->a, false);
    if (eval->reachable) exec_block(eval, stmt->orelse);
    if (frame.broken) env_merge(eval, frame.broken, true);
}

/* The first handlers are each joined with the environment so far; further ones count as if one of them changed
   nothing. */
enum { HANDLERS_APART = 16 };

static void exec_handler(Eval *eval, const Stmt *handler, Env *raised) {
    env_assign(eval->env, raised);
    eval->reachable = true;
    if (handler->a) eval_expr(eval, handler->a);
    if (handler->b) assign(eval, handler->b, kind_value(eval, KIND_HOST));
    exec_block(eval, handler->body);
}

static void exec_try(Eval *eval, const Stmt *stmt) {
    Env *outer = eval->raised;
    Env *raised = env_copy(eval->env);
    eval->raised = raised;
    exec_block(eval, stmt->body);
    env_join(eval, raised, eval->env);
    eval->raised = outer;
    if (eval->reachable) exec_block(eval, stmt->orelse);
    Env *done = env_copy(eval->env);
    bool done_reachable = eval->reachable;
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        if (i == HANDLERS_APART) env_join(eval, done, raised);
        exec_handler(eval, &eval->model->stmts.items[eval->model->links.items[stmt->list.first + i]], raised);
        if (i >= HANDLERS_APART) {
            if (eval->reachable) env_join_since(eval, done, eval->env, raised);
            done_reachable |= eval->reachable;
            continue;
        }
        env_merge(eval, done, done_reachable);
        done = env_copy(eval->env);
        done_reachable = eval->reachable;
    }
    env_assign(eval->env, done);
    eval->reachable = true; /* `finally` runs however it ends */
    if (!done_reachable) env_join(eval, eval->env, raised);
    exec_block(eval, stmt->final);
    eval->reachable = eval->reachable && done_reachable;
}

static const Value *entered(Eval *eval, ExprId expr, const Value *manager) {
    const Value *result = NULL;
    for (uint32_t i = 0; manager && i < manager->count; i++) {
        const Alt *alt = &manager->alts[i];
        EntryId entry = 0;
        const Value *value = alt_value(eval, alt);
        Sym enter = eval->inference->known->enter;
        if (alt->kind == KIND_INSTANCE && value_has(class_member(eval, alt->id, enter, &entry), KIND_FUNCTION))
            value = call_method(eval, expr, value, enter, &(Args){0});
        else if (alt->kind == KIND_OBJECT && (entry = member_of(eval->inference, alt->id, TEXT("__enter__"))))
            value = apply_entry(eval, expr, EFFECT_USE, entry, value, &(Args){0});
        else if (alt->kind == KIND_CONTAINER &&
                 infer_object(eval->inference, alt->object)->flavour == FLAVOUR_ITERATOR)
            value = object_any(eval, alt->object); /* @contextmanager */
        result = value_join(&eval->inference->values, result, value);
    }
    return result;
}

static void leave(Eval *eval, ExprId expr, const Value *manager) {
    for (uint32_t i = 0; manager && i < manager->count; i++) {
        const Alt *alt = &manager->alts[i];
        EntryId entry = 0;
        Sym name = eval->inference->known->exit_name;
        if (alt->kind != KIND_INSTANCE || !value_has(class_member(eval, alt->id, name, &entry), KIND_FUNCTION))
            continue;
        Args args = {
            .values = {kind_value(eval, KIND_NONE), kind_value(eval, KIND_NONE), kind_value(eval, KIND_NONE)},
            .count = 3};
        call_method(eval, expr, alt_value(eval, alt), name, &args);
    }
}

/* The stream that `with torch.cuda.stream(s)` enters; else the current one. */
static ObjectId stream_entered(const Eval *eval, ExprId expr, ObjectId current) {
    if (expr < eval->func->first_expr || expr >= eval->func->end_expr) return current;
    uint32_t at = effects_at(eval->context, expr, EFFECT_OWN);
    for (; at; at = eval->context->effects.items[at].next)
        if (eval->context->effects.items[at].says & SAYS_STREAM)
            return eval->context->effects.items[at].subject;
    return current;
}

static bool is_cuda_device(const Value *value) {
    return value && value->count == 1 && value->alts[0].kind == KIND_DEVICE &&
           value->alts[0].device == DEVICE_CUDA;
}

static void exec_with(Eval *eval, const Stmt *stmt) {
    uint8_t before = eval->on_cuda;
    ObjectId stream = eval->stream;
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Stmt *item = &eval->model->stmts.items[eval->model->links.items[stmt->list.first + i]];
        const Value *manager = eval_expr(eval, item->a);
        const Value *value = entered(eval, item->a, manager);
        if (item->b) assign(eval, item->b, value);
        eval->stream = stream_entered(eval, item->a, eval->stream);
        if (is_cuda_device(manager)) eval->on_cuda = 1;
    }
    exec_block(eval, stmt->body);
    eval->stream = stream;
    eval->on_cuda = before;
    for (uint32_t i = 0; eval->reachable && i < stmt->list.count; i++) {
        const Stmt *item = &eval->model->stmts.items[eval->model->links.items[stmt->list.first + i]];
        leave(eval, item->a, infer_fact(eval->context, eval->model, item->a));
    }
}

static void exec_match(Eval *eval, const Stmt *stmt) {
    const Value *subject = eval_expr(eval, stmt->a);
    Env *before = env_copy(eval->env);
    Env *done = env_copy(eval->env);
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Stmt *one = &eval->model->stmts.items[eval->model->links.items[stmt->list.first + i]];
        env_assign(eval->env, before);
        eval->reachable = true;
        for (uint32_t p = 0; p < one->list.count; p++) {
            ExprId pattern = eval->model->links.items[one->list.first + p];
            if (eval->model->exprs.items[pattern].kind == EXPR_NAME) assign(eval, pattern, subject);
        }
        Tri truth;
        if (one->a) eval_truth(eval, one->a, &truth);
        exec_block(eval, one->body);
        if (eval->reachable) env_join_since(eval, done, eval->env, before);
    }
    env_assign(eval->env, done);
    eval->reachable = true;
}

const Value *made_function(Eval *eval, FuncId id) {
    const Func *func = &eval->model->funcs.items[id];
    const Value *function = function_value(eval, id);
    GlobalFunc global = global_func(eval->inference, eval->file_id, id);
    for (uint32_t i = 0; i < func->param_count; i++) {
        const Param *param = &eval->model->params.items[func->first_param + i];
        if (!param->fallback) continue;
        const Value *value = eval_expr(eval, param->fallback);
        if (value) store_write(eval->inference, store_slot(eval->inference, STORE_DEFAULT, global, i), value);
    }
    return function;
}

/* `@torch.compile(mode="reduce-overhead")`: the result is the function, marked as compiled. */
static const Value *with_graphs(Eval *eval, const Value *function, const Value *decorator) {
    uint16_t graphs = 0;
    for (uint32_t i = 0; decorator && i < decorator->count; i++)
        graphs |= decorator->alts[i].flags & (ALT_CAPTURED | ALT_COMPILED);
    if (!graphs || !function) return function;
    Alt alt = function->alts[0];
    alt.flags |= graphs;
    return value_of(&eval->inference->values, alt);
}

/* The result of a decorator of the program, if that is a single callable; else the function itself. A registry,
   an event or a hook stores the function and calls it later. */
static const Value *decorated(Eval *eval, ExprId id, const Value *decorator, const Value *function) {
    Inference *inference = eval->inference;
    Args args = {.values = {function}, .exprs = {id}, .count = 1};
    if (!decorator || decorator->count != 1) return function;
    const Alt *alt = &decorator->alts[0];
    if (alt->kind == KIND_ENTRY && inference->book->entries[alt->id].kind == ENTRY_FUNCTION)
        return with_graphs(eval, function, call_value(eval, id, decorator, &args));
    if (alt->kind == KIND_OBJECT) call_value(eval, id, decorator, &args); /* @trainer.on(Events.STARTED) */
    if (alt->kind != KIND_FUNCTION && alt->kind != KIND_CLASS && alt->kind != KIND_INSTANCE) return function;
    const Value *made = call_value(eval, id, decorator, &args);
    if (!made || made->count != 1) return function;
    const Alt *result = &made->alts[0];
    if (result->kind != KIND_FUNCTION) return function;
    ContextId closure = infer_object(inference, result->object)->closure;
    return closure && inference->contexts.items[closure]->merged ? function : made;
}

static void exec_function(Eval *eval, const Stmt *stmt) {
    const Func *func = &eval->model->funcs.items[stmt->func];
    const Value *value = made_function(eval, stmt->func);
    for (uint32_t i = func->decorators.count; i > 0; i--) {
        ExprId id = eval->model->links.items[func->decorators.first + i - 1];
        const Value *decorator = eval_expr(eval, id);
        value = decorated(eval, id, decorator, with_graphs(eval, value, decorator));
    }
    if (stmt->b) assign(eval, stmt->b, value);
}

static void exec_imports(Eval *eval, const Stmt *stmt) {
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Import *import = &eval->model->imports.items[eval->model->links.items[stmt->list.first + i]];
        if (import->target) assign(eval, import->target, import_value(eval, import));
    }
}

static void exec_augment(Eval *eval, const Stmt *stmt) {
    const Value *before = eval_expr(eval, stmt->a), *value = eval_expr(eval, stmt->b);
    const Value *result = stmt->op == OP_ADD ? add_to_tuple(eval, stmt->b, before, value) : NULL;
    if (result) {
        assign(eval, stmt->a, result);
        return;
    }
    const Value *lists = only_kind(eval, before, KIND_CONTAINER);
    for (uint32_t i = 0; lists && i < lists->count; i++) {
        const Value *element = element_of(eval, 0, value, false);
        if (element && stmt->op == OP_ADD) object_add(eval, lists->alts[i].object, element);
        result = lists;
    }
    const Value *left = value_drop(&eval->inference->values, before, KIND_CONTAINER);
    if (left) {
        bool tensor = value_has(left, KIND_TENSOR) || value_has(value, KIND_TENSOR);
        bool number = value_only(left, KIND_NUMBER) && value_only(value, KIND_NUMBER);
        const Value *sum = tensor ? NULL : number ? kind_value(eval, KIND_NUMBER) : left;
        if (value_has(left, KIND_UNKNOWN)) sum = kind_value(eval, KIND_UNKNOWN);
        if (tensor) { /* as the operator; in place, a tensor stays where it is */
            const Value *own = only_kind(eval, left, KIND_TENSOR), *other = only_kind(eval, value, KIND_TENSOR);
            sum = own ? own : other;
            if (value_has(left, KIND_NUMBER) && !value_only(value, KIND_TENSOR))
                sum = value_join(&eval->inference->values, sum, kind_value(eval, KIND_NUMBER));
        }
        result = value_join(&eval->inference->values, result, sum);
    }
    assign(eval, stmt->a, result);
}

/* The call has tensor arguments, all on the CPU. */
static bool given_on_cpu(const Eval *eval) {
    bool here = false;
    for (uint32_t i = 0; i < eval->context->arg_count; i++) {
        const Value *value = eval->context->args[i];
        for (uint32_t a = 0; value && a < value->count; a++) {
            if (value->alts[a].kind == KIND_CONTAINER) return false;
            if (value->alts[a].kind != KIND_TENSOR) continue;
            if (value->alts[a].device != DEVICE_CPU) return false;
            here = true;
        }
    }
    return here && !eval->context->merged;
}

/* x.to(device), x.cuda(), f(x, device=d): the result may be on another device. */
static bool moves_some(const Eval *eval) {
    for (ExprId e = eval->func->first_expr; e < eval->func->end_expr; e++) {
        const Expr *expr = &eval->model->exprs.items[e];
        bool named = expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_NAME || expr->kind == EXPR_KEYWORD;
        Text name = named ? model_name(eval->model, expr->name) : (Text){0};
        if (name_is(eval->inference->book, NAMED_placing_word, name)) return true;
    }
    return false;
}

/* The tensor that `-> Tensor` makes of an unknown result: on the device of the arguments. */
static const Value *given_back(Eval *eval, const Value *value) {
    const Value *declared = checked_by_annotation(eval, eval->func->returns, value);
    if (declared == value || !declared || !given_on_cpu(eval) || moves_some(eval)) return declared;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < declared->count; i++) {
        alts[i] = declared->alts[i];
        if (alts[i].kind == KIND_TENSOR && alts[i].device == DEVICE_CUDA)
            alts[i].device = DEVICE_CPU, alts[i].origin = 0;
    }
    return value_from(&eval->inference->values, alts, declared->count);
}

/* `return x` after `if torch.is_tensor(x): return x.to(device)`: that x is no tensor, and callers with tensors
   do not get it. */
static const Value *without_rest(Eval *eval, const Value *value) {
    Alt alts[VALUE_ALTS];
    uint32_t count = 0;
    for (uint32_t i = 0; value && i < value->count; i++)
        if (!(value->alts[i].flags & ALT_REST)) alts[count++] = value->alts[i];
    return value_from(&eval->inference->values, alts, count);
}

static void exec_return(Eval *eval, const Stmt *stmt) {
    const Value *value = stmt->a ? eval_expr(eval, stmt->a) : kind_value(eval, KIND_NONE);
    if (stmt->a && eval->model->exprs.items[stmt->a].kind == EXPR_NAME) value = without_rest(eval, value);
    value = contracted(eval, stmt, given_back(eval, value));
    if (eval->func->stmt) value = contracted(eval, &eval->model->stmts.items[eval->func->stmt], value);
    if (value) store_write(eval->inference, eval->context->returns, value);
    eval->reachable = false;
}

static void exec_jump(Eval *eval, bool is_break) {
    if (eval->loops) env_gather(eval, is_break ? &eval->loops->broken : &eval->loops->continued);
    eval->reachable = false;
}

static void exec_delete(Eval *eval, const Stmt *stmt) {
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        uint32_t slot = slot_of(eval, eval->model->links.items[stmt->list.first + i]);
        if (slot) env_put(eval->env, slot, NULL);
    }
}

/* The call under methods that only move or switch a module: `make(...)` in `make(...).to(device).eval()`. */
static ExprId making_call(const Eval *eval, ExprId id) {
    const Expr *exprs = eval->model->exprs.items;
    for (bool deeper = true; deeper && exprs[id].kind == EXPR_CALL;) {
        const Expr *callee = &exprs[exprs[id].a];
        deeper = callee->kind == EXPR_ATTRIBUTE &&
                 name_is(eval->inference->book, NAMED_keeping_method, model_name(eval->model, callee->name));
        if (deeper) id = callee->a;
    }
    return exprs[id].kind == EXPR_CALL ? id : 0;
}

/* `policy: Policy = registry[name](size).to(device)`: an unknown result is of the declared class. */
static const Value *eval_declared(Eval *eval, ExprId id, const Value *declared) {
    bool one = declared && declared->count == 1 && declared->alts[0].kind == KIND_INSTANCE;
    ExprId before = eval->promised;
    const Value *class_before = eval->promised_class;
    eval->promised = one ? making_call(eval, id) : 0;
    if (one)
        eval->promised_class =
            value_of(&eval->inference->values,
                     (Alt){.kind = KIND_CLASS, .id = declared->alts[0].id, .belief = BELIEVED});
    const Value *value = eval_expr(eval, id);
    eval->promised = before, eval->promised_class = class_before;
    return value;
}

/* `self.model: Encoder` in a subclass of a library class, which has a model of its own. */
static void declare_attribute(Eval *eval, const Stmt *stmt, const Value *declared) {
    ExprId target = stmt->list.count ? eval->model->links.items[stmt->list.first] : 0;
    const Value *self = eval->func->param_count ? env_get(eval->env, 1) : NULL;
    bool own = eval->func->class_id && value_only(self, KIND_INSTANCE) &&
               class_info(eval->inference, self->alts[0].id)->entry_base;
    if (own && value_only(declared, KIND_INSTANCE) && eval->model->exprs.items[target].kind == EXPR_ATTRIBUTE)
        assign(eval, target, declared);
}

/* `x: Tensor` gives x no value; `x: Tensor | None = None` in a class body does. */
static void declare(Eval *eval, const Stmt *stmt, const Value *declared) {
    const Expr *target = &eval->model->exprs.items[eval->model->links.items[stmt->list.first]];
    bool body = eval->func->kind == FUNC_CLASS_BODY;
    if (!body && !stmt->b) declare_attribute(eval, stmt, declared);
    if (body && declared && target->kind == EXPR_NAME)
        declare_member(eval->inference, eval->file->class_base + eval->func->class_id,
                       sym_of(eval, target->name), declared);
}

/* `image: Tensor = batch["image"]`: no dict or list of tensors. */
static const Value *one_tensor(Eval *eval, const Value *value, const Value *declared) {
    if (!value || !value_only(declared, KIND_TENSOR)) return value;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < value->count; i++) {
        alts[i] = value->alts[i];
        if (alts[i].kind == KIND_TENSOR) alts[i].flags &= (uint16_t)~ALT_BATCH;
    }
    return value_from(&eval->inference->values, alts, value->count);
}

/* `device: str` names the run's device. */
static const Value *declared_value_of(Eval *eval, const Stmt *stmt) {
    const Value *declared = annotated(eval, stmt->a);
    ExprId target = eval->model->links.items[stmt->list.first];
    const Expr *expr = &eval->model->exprs.items[target];
    if (!value_only(declared, KIND_TEXT) || (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE))
        return declared;
    const Value *place =
        place_by_name(eval, target, model_name(eval->model, expr->name), kind_value(eval, KIND_UNKNOWN));
    return value_only(place, KIND_DEVICE) ? place : declared;
}

static void exec_assign(Eval *eval, const Stmt *stmt) {
    const Value *declared = stmt->a ? declared_value_of(eval, stmt) : NULL;
    const Value *value = stmt->b ? eval_declared(eval, stmt->b, declared) : NULL;
    if (stmt->a) {
        declare(eval, stmt, declared);
        if (!stmt->b) return;
        if (value_has(value, KIND_UNKNOWN) && declared) value = declared;
        value = one_tensor(eval, value, declared);
    }
    value = contracted(eval, stmt, value);
    uint8_t right = eval->model->exprs.items[stmt->b].kind;
    for (uint32_t i = 0; (value || stmt->b) && i < stmt->list.count; i++) {
        ExprId target = eval->model->links.items[stmt->list.first + i];
        uint8_t left = eval->model->exprs.items[target].kind;
        eval->unpacks =
            (left == EXPR_TUPLE || left == EXPR_LIST) && (right == EXPR_NAME || right == EXPR_ATTRIBUTE);
        assign(eval, target, value);
        eval->unpacks = false;
    }
}

/* Code that the flow graph does not reach is not evaluated: after a `match` whose cases all return, in a
   handler after one that catches all. */
void exec_stmt(Eval *eval, const Stmt *stmt) {
    Tri truth;
    eval->fails = false;
    eval->reachable =
        graph_reachable(eval->graph, graph_block(eval->graph, (StmtId)(stmt - eval->model->stmts.items)));
    if (!eval->reachable) return;
    eval->context->executed++;
    switch ((StmtKind)stmt->kind) {
    case STMT_EXPR: eval_expr(eval, stmt->a); break;
    case STMT_ASSIGN: exec_assign(eval, stmt); break;
    case STMT_AUGMENT: exec_augment(eval, stmt); break;
    case STMT_RETURN: exec_return(eval, stmt); break;
    case STMT_RAISE:
        eval_expr(eval, stmt->a);
        eval->fails = true;
        break;
    case STMT_ASSERT:
        eval_truth(eval, stmt->a, &truth);
        eval->muted = true; /* the message is made once, when the program ends */
        if (stmt->b) eval_expr(eval, stmt->b);
        eval->muted = false;
        refine(eval, stmt->a, true);
        eval->reachable = true;
        break;
    case STMT_DELETE: exec_delete(eval, stmt); break;
    case STMT_BREAK: exec_jump(eval, true); break;
    case STMT_CONTINUE: exec_jump(eval, false); break;
    case STMT_IMPORT: exec_imports(eval, stmt); break;
    case STMT_IF: exec_if(eval, stmt); break;
    case STMT_WHILE:
    case STMT_FOR: exec_loop(eval, stmt); break;
    case STMT_TRY: exec_try(eval, stmt); break;
    case STMT_WITH: exec_with(eval, stmt); break;
    case STMT_FUNCTION: exec_function(eval, stmt); break;
    case STMT_CLASS: {
        const Value *value = eval_class(eval, stmt->class_id);
        if (stmt->b) assign(eval, stmt->b, value);
        break;
    }
    case STMT_MATCH: exec_match(eval, stmt); break;
    case STMT_NONE_ID:
    case STMT_ERROR:
    case STMT_PASS:
    case STMT_GLOBAL:
    case STMT_NONLOCAL:
    case STMT_HANDLER:
    case STMT_WITH_ITEM:
    case STMT_CASE: break;
    }
    if (!eval->fails) return;
    if (eval->raised && eval->reachable) env_join(eval, eval->raised, eval->env);
    eval->fails = eval->reachable = false;
}

void exec_block(Eval *eval, List block) {
    for (uint32_t i = 0; i < block.count && eval->reachable; i++)
        exec_stmt(eval, &eval->model->stmts.items[eval->model->links.items[block.first + i]]);
}
