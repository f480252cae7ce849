/* Environments: a value for each local slot. Rebinding a variable invalidates the paths below it. */
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
    Alt made = {.kind = KIND_FUNCTION, .id = global_func(inference, eval->file_id, func)};
    bool nested = eval->func->kind == FUNC_DEF || eval->func->kind == FUNC_LAMBDA;
    if (nested && closure_depth(inference, eval->id) <= CLOSURES_DEEP) {
        made.object = store_object(inference, STORE_CLOSURE, eval->id, func, FLAVOUR_PARTS);
        infer_object(inference, made.object)->closure = eval->id;
    }
    return value_of(&inference->values, made);
}
