/* Environments: a value for each local slot. Rebinding a variable invalidates the paths below it. Environments
   are joined where control flow meets. */
#include "environment.h"
#include "belief.h"

bool env_path_below(Text path, Text prefix) {
    return path.length > prefix.length && memcmp(path.bytes, prefix.bytes, prefix.length) == 0 &&
           (path.bytes[prefix.length] == '.' || path.bytes[prefix.length] == '[');
}

/* When a is rebound, what was known of a.b and a["k"] is dropped. */
static void forget_paths(Eval *eval, uint32_t slot) {
    const Paths *paths = eval->graph->paths;
    for (uint32_t s = paths ? paths->first[slot] : 0; s; s = paths->next[s]) {
        env_put(eval->env, s, NULL);
        forget_paths(eval, s);
    }
}

void assign_slot(Eval *eval, uint32_t slot, const Value *value) {
    Inference *inference = eval->inference;
    const Local *local = &eval->model->locals.items[eval->func->first_local + slot - 1];
    if (!local->root && value) value = narrowed_by_use(eval, slot, value, eval->func->span);
    forget_paths(eval, slot);
    env_put(eval->env, slot, value);
    if (local->root || !value) return;
    Sym name = sym_of(eval, local->name);
    if (eval->func->kind == FUNC_MODULE) {
        store_write(inference, store_slot(inference, STORE_GLOBAL, eval->file_id, name), value);
    } else if (eval->func->kind == FUNC_CLASS_BODY) {
        write_class_attribute(inference, eval->file->class_base + eval->func->class_id, name, value);
    } else if (eval->shared) {
        GlobalFunc func = global_func(inference, eval->file_id, eval->func_id);
        store_write(inference, store_slot(inference, STORE_VARIABLE, func, slot), value);
        store_write(inference, store_slot(inference, STORE_CAPTURED, eval->id, slot), value);
    }
}

void assign_name(Eval *eval, const Expr *expr, const Value *value) {
    Inference *inference = eval->inference;
    if (expr->binding == BIND_LOCAL && expr->slot) {
        assign_slot(eval, expr->slot, value);
    } else if (expr->binding == BIND_FREE && expr->func > 1) {
        GlobalFunc func = global_func(inference, eval->file_id, expr->func);
        if (value) store_write(inference, store_slot(inference, STORE_VARIABLE, func, expr->slot), value);
        if (value) store_write(inference, captured_slot(eval, expr->func, expr->slot), value);
    } else if (value) {
        store_write(inference, store_slot(inference, STORE_GLOBAL, eval->file_id, sym_of(eval, expr->name)),
                    value);
    }
}

/* A variable bound on only one of two paths keeps its value; a path (a.b) known on only one becomes unknown. */
static void join_slot(Eval *eval, Env *into, const Env *from, uint32_t slot) {
    const Value *a = env_get(into, slot), *b = env_get(from, slot);
    bool path = eval->model->locals.items[eval->func->first_local + slot - 1].root != 0;
    bool unknown = path && (!a || !b);
    env_put(into, slot, unknown ? NULL : value_join(&eval->inference->values, a, b));
}

void env_join(Eval *eval, Env *into, const Env *from) {
    for (uint32_t s = 0; (s = env_differs(into, from, s));) join_slot(eval, into, from, s);
}

void env_join_since(Eval *eval, Env *into, const Env *from, const Env *before) {
    for (uint32_t s = 0; (s = env_differs(from, before, s));) join_slot(eval, into, from, s);
}

/* Equal in the slots of `taken`. */
bool env_same(const Env *a, const Env *b, const Taken *taken) {
    for (uint32_t s = 0; (s = env_differs(a, b, s));)
        if (is_taken(taken, s) && !value_same(env_get(a, s), env_get(b, s))) return false;
    return true;
}

void env_gather(Eval *eval, Env **into) {
    if (!*into)
        *into = env_copy(eval->env);
    else
        env_join(eval, *into, eval->env);
}

/* Joins the other branch's environment, if that branch reaches its end. */
void env_merge(Eval *eval, Env *other, bool other_reachable) {
    if (!other_reachable) return;
    if (eval->reachable)
        env_join(eval, eval->env, other);
    else
        env_assign(eval->env, other);
    eval->reachable = true;
}

/* `if not first: yield batch` in a loop with `batch = coming` further down: the first iteration does not reach
   the yield. */
bool yields_early(const Eval *eval, ExprId id) {
    const Expr *expr = &eval->model->exprs.items[id];
    for (uint32_t i = 0; expr->kind == EXPR_TUPLE && i < expr->list.count; i++)
        if (yields_early(eval, eval->model->links.items[expr->list.first + i])) return true;
    bool unset =
        expr->kind == EXPR_NAME && expr->binding == BIND_LOCAL && expr->slot && !env_get(eval->env, expr->slot);
    return unset && eval->loops && eval->loops->first && (eval->loops->early = true);
}

static uint32_t closure_depth(const Inference *inference, ContextId id) {
    uint32_t depth = 0;
    for (; id; id = inference->contexts.items[id]->closure) depth++;
    return depth;
}

/* A nested function sees the variables of the call in which it is made. */
const Value *function_value(Eval *eval, FuncId func) {
    Inference *inference = eval->inference;
    Alt made = {.kind = KIND_FUNCTION,
                .id = global_func(inference, eval->file_id, func),
                .confidence = CONFIDENCE_CERTAIN};
    bool nested = eval->func->kind == FUNC_DEF || eval->func->kind == FUNC_LAMBDA;
    if (nested && closure_depth(inference, eval->id) <= CLOSURES_DEEP) {
        made.object = store_object(inference, STORE_CLOSURE, eval->id, func, FLAVOUR_PARTS);
        infer_object(inference, made.object)->closure = eval->id;
    }
    return value_of(&inference->values, made);
}
