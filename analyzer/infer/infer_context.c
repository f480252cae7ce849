/* Contexts: a function with the abstract arguments of a call, found or made, evaluated, and what it returns. */
#include "interpret.h"

/* Numbers other than truth values do not tell contexts apart: f(1) and f(2) do the same. */
static const Value *argument_value(Eval *eval, const Value *value) {
    if (!value) return NULL;
    const Known *known = eval->inference->known;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; i < value->count; i++) {
        alts[i] = value->alts[i];
        bool truth = alts[i].id == known->true_text || alts[i].id == known->false_text;
        if (alts[i].kind == KIND_NUMBER && !truth) alts[i].id = 0;
    }
    return value_from(&eval->inference->values, alts, value->count);
}

static const Value *rest_positional(Eval *eval, ExprId expr, const Args *args, uint32_t from) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 1, FLAVOUR_TUPLE);
    for (uint32_t i = from; i < args->count; i++)
        store_write(inference, object_slot(inference, object, position_key(i - from)), args->values[i]);
    if (args->star) object_add(eval, object, args->star_value);
    return object_value(eval, object);
}

static const Value *rest_named(Eval *eval, ExprId expr, const Args *args, const bool *taken) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_PART, eval->id, (uint64_t)expr << 8 | 2, FLAVOUR_DICT);
    for (uint32_t i = 0; i < args->named_count; i++)
        if (!taken[i])
            store_write(inference, object_slot(inference, object, name_key(args->names[i])), args->named[i]);
    if (args->double_star) object_add(eval, object, args->double_star_value);
    return object_value(eval, object);
}

const Value *named_argument(const Args *args, Sym name, bool *taken) {
    for (uint32_t i = 0; i < args->named_count; i++)
        if (args->names[i] == name) {
            taken[i] = true;
            return args->named[i];
        }
    return NULL;
}

/* f(*args): where numbers, devices and tensors are among them, which comes to a parameter is not known. */
static const Value *any_of_them(Eval *eval, const Value *value) {
    bool tensor = value_has(value, KIND_TENSOR), other = false;
    for (uint32_t i = 0; value && i < value->count; i++) {
        uint8_t kind = value->alts[i].kind;
        other |= kind != KIND_TENSOR && kind != KIND_NONE && kind != KIND_UNKNOWN;
    }
    return tensor && other ? value_lower(&eval->inference->values, value, CONFIDENCE_POSSIBLE) : value;
}

/* **batch, of keys that nobody knows: a tensor among tensors is likely the parameter that is asked for, one among what is
   not known perhaps. */
static const Value *perhaps_passed(Eval *eval, const Value *value) {
    bool other = false;
    for (uint32_t i = 0; value && i < value->count; i++)
        other |= value->alts[i].kind != KIND_TENSOR && value->alts[i].kind != KIND_NONE;
    if (!value_has(value, KIND_TENSOR)) return value;
    return value_lower(&eval->inference->values, value, other ? CONFIDENCE_POSSIBLE : CONFIDENCE_LIKELY);
}

/* What *args or **kwargs of unknown keys pass for a parameter that has a default: perhaps nothing. A number, truth value
   or text by default is one whoever passes it. */
static const Value *spread_value(Eval *eval, GlobalFunc global, uint32_t position, const Param *param,
                                 const Value *value) {
    if (!param->fallback) return any_of_them(eval, value);
    Values *values = &eval->inference->values;
    SlotId slot = store_slot(eval->inference, STORE_DEFAULT, global, position);
    const Value *fallback = store_read(eval->inference, eval->id, slot);
    bool number = value_only(fallback, KIND_NUMBER), text = value_only(fallback, KIND_TEXT);
    if (number || text) value = value_drop(values, value, KIND_TENSOR);
    if (number) value = value_drop(values, value, KIND_TEXT); /* is passed for another parameter */
    if (text) value = value_drop(values, value, KIND_NUMBER);
    return value_join(values, number || text ? value : perhaps_passed(eval, value), fallback);
}

/* f(x, **{name: size for ...}), of def f(x, device=None, **dims): keys that nobody knows go where they are gathered. */
static bool is_caught(const SourceFile *file, const Func *func, const Param *param, const Args *args) {
    const Param *last = &file->model->params.items[func->first_param + func->param_count - 1];
    return param->fallback && last->star == 2 && value_only(args->double_star_value, KIND_NUMBER);
}

static void bind_params(Eval *eval, ExprId expr, const SourceFile *file, GlobalFunc global, const Value *self,
                        const Args *args, const Value **bound) {
    const FileModel *model = file->model;
    const Func *func = &model->funcs.items[global - file->func_base];
    bool taken[ARGUMENTS] = {false};
    uint32_t next = 0, first = 0;
    Args with_self = *args;
    if (self && func->param_count && !model->params.items[func->first_param].star) {
        bound[0] = self;
        first = 1;
    } else if (self && func->param_count &&
               args->count < ARGUMENTS) { /* def inner(*args): self is one of them */
        memmove(with_self.values + 1, args->values, sizeof *args->values * args->count);
        memmove(with_self.exprs + 1, args->exprs, sizeof *args->exprs * args->count);
        with_self.values[0] = self;
        with_self.exprs[0] = expr;
        with_self.count++;
        args = &with_self;
    }
    uint32_t double_star = UINT32_MAX;
    for (uint32_t i = first; i < func->param_count; i++) {
        const Param *param = &model->params.items[func->first_param + i];
        if (param->star == 1) {
            bound[i] = rest_positional(eval, expr, args, next);
            next = args->count;
            continue;
        }
        if (param->star == 2) {
            double_star = i;
            continue;
        }
        const Value *value = named_argument(args, file->syms[param->name], taken);
        if (!value && !param->keyword_only && next < args->count) value = args->values[next++];
        if (!value && !param->keyword_only && args->star)
            value = spread_value(eval, global, i, param, args->star_value);
        if (!value && args->double_star && args->double_star_value && !is_caught(file, func, param, args))
            value = spread_value(eval, global, i, param, args->double_star_value);
        bound[i] = argument_value(eval, value);
    }
    if (double_star != UINT32_MAX) bound[double_star] = rest_named(eval, expr, args, taken);
}

/* The variable as the call of `func` sees it in which this function was made; of all its calls when that is lost. */
SlotId captured_slot(Eval *eval, FuncId func, uint32_t slot) {
    Inference *inference = eval->inference;
    for (ContextId id = eval->context->closure; id; id = inference->contexts.items[id]->closure) {
        const Context *around = inference->contexts.items[id];
        if (around->func == func && around->file == eval->file_id)
            return store_slot(inference, STORE_CAPTURED, id, slot);
    }
    return store_slot(inference, STORE_VARIABLE, global_func(inference, eval->file_id, func), slot);
}

static bool holds_function(const Value *value) {
    return value_has(value, KIND_FUNCTION) || value_has(value, KIND_PARTIAL);
}

/* What takes functions (a decorator, a factory of steps) does as they do: more of its calls are told apart. And
   `default(value, d)` and its like are called with everything: what they give to one caller must not reach the others,
   and being short they are cheap to tell apart. */
static uint32_t contexts_of(const Func *func, const Value **args) {
    if (func->end_expr - func->first_expr <= HELPER_EXPRS) return CONTEXTS_OF_A_HELPER;
    for (uint32_t i = 0; i < func->param_count; i++)
        if (holds_function(args[i])) return CONTEXTS_GIVEN_FUNCTIONS;
    return CONTEXTS_A_FUNCTION;
}

static uint32_t hash_args(const Value **args, uint32_t count) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t a = 0; args[i] && a < args[i]->count; a++) {
            const Alt *alt = &args[i]->alts[a];
            uint64_t head =
                (uint64_t)i << 32 | (uint64_t)alt->kind << 16 | (uint64_t)alt->device << 8 | alt->confidence;
            hash = (hash ^ head ^ (uint64_t)alt->id << 40 ^ alt->object) * 0x9E3779B97F4A7C15u;
            hash ^= hash >> 31;
        }
    return (uint32_t)hash;
}

static bool same_args(const Context *context, const Value **args, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!value_same(context->args[i], args[i])) return false;
    return true;
}

static ContextId new_context(Inference *inference, FileId file, FuncId func, ContextId closure,
                             const Value **args) {
    const FileModel *model = inference->program->files.items[file].model;
    const Func *f = &model->funcs.items[func];
    Context *context = arena_new(inference->arena, Context, 1);
    context->file = file;
    context->func = func;
    context->closure = closure;
    context->arg_count = f->param_count;
    context->args = arena_copy(inference->arena, args, sizeof *args * (f->param_count ? f->param_count : 1));
    uint32_t exprs = f->end_expr > f->first_expr ? f->end_expr - f->first_expr : 1;
    context->first_expr = f->first_expr;
    context->exprs = exprs;
    context->facts = arena_new(inference->arena, const Value *, exprs);
    context->makes = f->kind == FUNC_DEF || f->kind == FUNC_LAMBDA;
    ContextId id = inference->contexts.count;
    vec_push(inference->arena, &inference->contexts, context);
    context->returns = store_new_slot(inference);
    context->yields = store_new_slot(inference);
    GlobalFunc global = global_func(inference, file, func);
    ContextLink link = {.next = inference->func_contexts[global],
                        .closure = closure,
                        .args_hash = hash_args(args, f->param_count)};
    vec_push(inference->arena, &inference->context_links, link);
    inference->func_contexts[global] = id;
    return id;
}

/* So many as contexts_of says are told apart, for each closure; what comes later shares one whose arguments are joined
   in slots. */
ContextId context_for(Eval *eval, FileId file, FuncId func, ContextId closure, const Value **args) {
    Inference *inference = eval->inference;
    const Func *f = &inference->program->files.items[file].model->funcs.items[func];
    uint32_t count = 0, hash = hash_args(args, f->param_count);
    ContextId merged = 0;
    for (ContextId id = inference->func_contexts[global_func(inference, file, func)]; id;
         id = inference->context_links.items[id].next) {
        const ContextLink *link = &inference->context_links.items[id];
        if (link->closure != closure) continue;
        if (link->merged)
            merged = id;
        else if (link->args_hash == hash && same_args(inference->contexts.items[id], args, f->param_count))
            return id;
        count++;
    }
    if (!merged && count < contexts_of(f, args)) return new_context(inference, file, func, closure, args);
    if (!merged) {
        merged = new_context(inference, file, func, closure, args);
        inference->contexts.items[merged]->merged = inference->context_links.items[merged].merged = true;
    }
    for (uint32_t i = 0; i < f->param_count; i++)
        if (args[i]) store_write(inference, store_slot(inference, STORE_ARGUMENT, merged, i), args[i]);
    return merged;
}

enum { FIRST_EDGES = 2 }; /* most have one or two */

void add_edge(Eval *eval, ExprId expr, ContextId callee, CallRate rate) {
    Context *context = eval->context;
    double times = eval->times > 1 ? eval->times : 1;
    for (uint32_t i = context->edges.count; i > 0; i--) {
        CallEdge *edge = &context->edges.items[i - 1];
        if (edge->expr != expr || edge->callee != callee) continue;
        if (eval->pass && edge->pass == eval->pass) edge->times += times;
        edge->guessed &= eval->guessed;
        edge->at = context->executed;
        return;
    }
    CallEdge edge = {.expr = expr,
                     .callee = callee,
                     .rate = (uint8_t)rate,
                     .guessed = eval->guessed,
                     .graphs = eval->graphs,
                     .pass = eval->pass,
                     .at = context->executed,
                     .times = times};
    if (!context->edges.capacity) {
        context->edges.items = arena_raw(eval->inference->arena, sizeof edge * FIRST_EDGES);
        context->edges.capacity = FIRST_EDGES;
    }
    vec_push(eval->inference->arena, &context->edges, edge);
    Context *called = eval->inference->contexts.items[callee];
    called->callers++;
    if (called->dirty) eval->inference->unsettled = true;
}

static const Value *generator_value(Eval *eval, ContextId callee) {
    Inference *inference = eval->inference;
    ObjectId object = store_object(inference, STORE_GENERATOR, callee, 0, FLAVOUR_ITERATOR);
    inference->objects.items[object].open = true;
    const Value *yielded = store_read(inference, eval->id, inference->contexts.items[callee]->yields);
    if (yielded) store_write(inference, inference->objects.items[object].rest, yielded);
    return object_value(eval, object);
}

typedef const Value *AskSubclasses(Eval *eval, ExprId expr, Sym name, GlobalClass base, const Args *args);

/* self.step() where the class of self leaves it to subclasses. */
static const Value *call_of_subclasses(Eval *eval, ExprId expr, Sym name, const Value *self, const Args *args,
                                       AskSubclasses *ask) {
    const Value *result = NULL;
    for (uint32_t i = 0; self && i < self->count; i++)
        if (self->alts[i].kind == KIND_INSTANCE)
            result = join_values(eval, result, ask(eval, expr, name, self->alts[i].id, args));
    return result;
}

/* A callee that has not been evaluated is evaluated before its result is read. So is one that is about to be again, where
   contexts come to rest: the caller would have to look again otherwise. */
void look_at(Eval *eval, ContextId id) {
    const Inference *inference = eval->inference;
    const Context *context = inference->contexts.items[id];
    bool again = context->dirty && inference->draining && context->evaluations < EVALUATIONS_A_CONTEXT;
    if (context->evaluating || (context->evaluations && !again)) return;
    if (eval->depth < CALL_DEPTH)
        evaluate_context(eval->inference, id, eval->depth + 1);
    else /* met too deep in the stack: later, from the top */
        store_queue(eval->inference, id);
}

static bool holds_tensor(const Value *const *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (value_has(values[i], KIND_TENSOR) || value_has(values[i], KIND_CONTAINER)) return true;
    return false;
}

/* What a helper's context gives that many calls share came from another of them where this one gives it no tensor. */
static const Value *own_result(Eval *eval, ContextId id, const Func *func, const Value *const *bound,
                               const Value *result) {
    if (!eval->inference->contexts.items[id]->merged || !value_has(result, KIND_TENSOR)) return result;
    bool helper = func->end_expr - func->first_expr <= HELPER_EXPRS;
    if (!helper || !func->param_count || holds_tensor(bound, func->param_count)) return result;
    return value_lower(&eval->inference->values, result, CONFIDENCE_POSSIBLE);
}

const Value *call_function(Eval *eval, ExprId expr, const Alt *function, const Value *self, const Args *args) {
    Inference *inference = eval->inference;
    FileId file_id = file_of_func(inference, function->id);
    const SourceFile *file = &inference->program->files.items[file_id];
    FuncId func_id = function->id - file->func_base;
    const Func *func = &file->model->funcs.items[func_id];
    const Value *bound[256];
    if (args->bottom) return NULL;
    if (func_is_unread(func)) return unknown_result(eval, expr, args);
    if (func->param_count > 256) return kind_value(eval, KIND_UNKNOWN);
    memset(bound, 0, sizeof *bound * func->param_count);
    if (self && left_to_subclasses(file->model, func)) {
        const Value *theirs =
            call_of_subclasses(eval, expr, file->syms[func->name], self, args, subclasses_result);
        if (theirs) return theirs;
    }
    const Value *filled = NULL;
    if (self && filled_by_subclasses(eval, file, func))
        filled = call_of_subclasses(eval, expr, file->syms[func->name], self, args, subclasses_told);
    bind_params(eval, expr, file, function->id, self, args, bound);
    evidence_of_call(eval, file_id, func_id, self != NULL, args);
    keep_by_name(eval, expr, function->id, bound);
    ContextId closure = inference->objects.items[function->object].closure;
    ContextId id = context_for(eval, file_id, func_id, closure, bound);
    add_edge(eval, expr, id, (CallRate)eval->rate);
    look_at(eval, id);
    if (func->is_generator) return generator_value(eval, id);
    const Value *result = store_read(inference, eval->id, inference->contexts.items[id]->returns);
    result = own_result(eval, id, func, bound, result);
    if (filled) return join_values(eval, result, filled);
    bool open = self && left_open(eval, file->model, func, file->syms[func->name], self);
    return open ? join_values(eval, result, kind_value(eval, KIND_UNKNOWN)) : result;
}
