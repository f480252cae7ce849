/* Finds or makes contexts: decides which calls share one; and the call edges between them. */
#include "evaluation.h"

/* Whether some call leads to the context. When the arguments of a call grow, it gets another context, and the
   old one rests until a call leads to it again. Module bodies (func 1) are run by imports, which have no edges. */
bool context_is_live(const Context *context) { return context->callers || context->root || context->func == 1; }

void context_reset(const Inference *inference, Context *context, bool again) {
    for (uint32_t i = 0; i < context->edges.count; i++)
        inference->contexts.items[context->edges.items[i].callee]->callers--;
    if (!again) memset(context->facts, 0, sizeof *context->facts * context->exprs);
    effects_reset(context);
    context->edges.count = context->edges_hashed = 0;
    context->unseen.count = 0;
    context->uses.count = 0;
    context->met_bottom = context->met_unknown = false;
}

/* Evaluations are many and short, so scratch memory is reused. */
Arena *scratch_take(Inference *inference) {
    if (inference->spare.count) return inference->spare.items[--inference->spare.count];
    return arena_new(inference->arena, Arena, 1);
}

void scratch_free(Inference *inference) {
    while (inference->spare.count) arena_free(scratch_take(inference));
}

const Value *infer_fact(const Context *context, const FileModel *model, ExprId expr) {
    const Func *func = &model->funcs.items[context->func];
    bool inside = expr >= func->first_expr && expr < func->end_expr;
    return inside ? value_at(context->values, context->facts[expr - func->first_expr]) : NULL;
}

GlobalFunc global_func(const Inference *inference, FileId file, FuncId func) {
    return inference->program->files.items[file].func_base + func;
}

const Value *not_yet(Eval *eval) {
    eval->context->met_bottom = true;
    return eval->inference->bottom_is_unknown ? kind_value(eval, KIND_UNKNOWN) : NULL;
}

/* The variable of the enclosing `func`, in the context that made this function; joined over all its contexts
   where that one is unknown. */
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

/* How many contexts a function may have. A function that takes functions (a decorator, a factory of steps)
   behaves as they do, so it gets more. So do short helpers like `default(value, d)`, which are called with
   everything: one caller's result must not reach the others, and a context of theirs is cheap. */
static uint32_t contexts_of(const Inference *inference, GlobalFunc id, const Func *func, const Value **args) {
    if (inference->helpers[id]) return CONTEXTS_OF_A_HELPER;
    for (uint32_t i = 0; i < func->param_count; i++)
        if (holds_function(args[i])) return CONTEXTS_GIVEN_FUNCTIONS;
    return CONTEXTS_A_FUNCTION;
}

static uint32_t hash_args(const Value **args, uint32_t count) {
    uint64_t hash = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t a = 0; args[i] && a < args[i]->count; a++) {
            const Alt *alt = &args[i]->alts[a];
            uint64_t head = (uint64_t)i << 32 | (uint64_t)alt->kind << 16 | (uint64_t)alt->device << 8;
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
    context->values = &inference->values;
    context->facts = arena_new(inference->arena, ValueRef, exprs);
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

/* What the function's parameter holds where a call leaves it out. */
static const Value *default_of(Eval *eval, const Context *context, uint32_t param) {
    GlobalFunc global = global_func(eval->inference, context->file, context->func);
    return store_read(eval->inference, eval->id, store_slot(eval->inference, STORE_DEFAULT, global, param));
}

/* Joins a call's arguments into those of a context that calls share, which goes on the worklist where they grow. An argument
   that only some calls leave out holds its default as well; one that all leave out stays NULL. */
static void join_args(Eval *eval, ContextId id, const Value **args) {
    Inference *inference = eval->inference;
    Context *context = inference->contexts.items[id];
    bool grew = false;
    for (uint32_t i = 0; i < context->arg_count; i++) {
        const Value *old = context->args[i], *given = args[i];
        if (!old && !given) continue;
        if (!old || !given) given = value_join(&inference->values, given, default_of(eval, context, i));
        const Value *joined = value_join(&inference->values, old, given);
        grew |= !value_settled(joined, old);
        context->args[i] = joined;
    }
    if (grew) store_queue(inference, id);
}

/* Which parameters with a default a call leaves out, or gives None: `loss_of(x, optimizer=None)` does not step. */
static uint32_t hash_left_out(const FileModel *model, const Func *func, const Value **args) {
    uint32_t hash = 0;
    for (uint32_t i = 0; i < func->param_count; i++) {
        if (!model->params.items[func->first_param + i].fallback) continue;
        bool given = args[i] && !value_only(args[i], KIND_NONE);
        hash = (hash ^ (given ? i + 1 : 0)) * 0x9E3779B1u;
    }
    return hash;
}

/* Each closure has up to contexts_of contexts of its own, apart from those whose arguments nobody in sight passes;
   further calls share CONTEXTS_SHARED whose arguments are joined, by the parameters that they leave out. Calls whose
   arguments differ only in provenance share one too: what it finds rests on what any of them does. */
ContextId context_for(Eval *eval, FileId file, FuncId func, ContextId closure, const Value **args) {
    Inference *inference = eval->inference;
    const SourceFile *source = &inference->program->files.items[file];
    const Func *f = &source->model->funcs.items[func];
    bool makes = f->class_id && source->syms[f->name] == inference->known->init; /* objects that others share */
    uint32_t count = 0, shared = 0, hash = hash_args(args, f->param_count);
    uint32_t left_out = makes ? 0 : hash_left_out(source->model, f, args);
    ContextId merged = 0, other = 0;
    for (ContextId id = inference->func_contexts[global_func(inference, file, func)]; id;
         id = inference->context_links.items[id].next) {
        const ContextLink *link = &inference->context_links.items[id];
        if (link->closure != closure) continue;
        if (link->merged) {
            if (link->args_hash == left_out) merged = id;
            other = id, shared++;
        } else if (link->args_hash == hash && same_args(inference->contexts.items[id], args, f->param_count)) {
            join_args(eval, id, args);
            return id;
        }
        count += !inference->contexts.items[id]->root;
    }
    if (!shared && count < contexts_of(inference, global_func(inference, file, func), f, args))
        return new_context(inference, file, func, closure, args);
    if (!merged && shared < CONTEXTS_SHARED) {
        merged = new_context(inference, file, func, closure, args);
        inference->contexts.items[merged]->merged = inference->context_links.items[merged].merged = true;
        inference->context_links.items[merged].args_hash = left_out;
    } else if (!merged) {
        merged = other;
    }
    join_args(eval, merged, args);
    return merged;
}

enum { FIRST_EDGES = 2, EDGES_SEARCHED = 16 }; /* most have one or two */

static uint32_t *edge_place(const Context *context, ExprId expr, ContextId callee) {
    uint32_t at = (expr * 0x9E3779B1u ^ callee * 0x85EBCA77u) >> 7;
    for (;; at++) {
        uint32_t *place = &context->edge_slots[at & (context->edge_room - 1)];
        const CallEdge *edge = *place ? &context->edges.items[*place - 1] : NULL;
        if (!edge || (edge->expr == expr && edge->callee == callee)) return place;
    }
}

/* Adds the edges that are new since the last call to the table. */
static void hash_edges(Arena *arena, Context *context) {
    if (context->edge_room < context->edges.count * 2) {
        context->edge_room = context->edge_room ? context->edge_room : EDGES_SEARCHED;
        while (context->edge_room < context->edges.count * 2) context->edge_room *= 2;
        context->edge_slots = arena_raw(arena, sizeof *context->edge_slots * context->edge_room);
        context->edges_hashed = 0;
    }
    if (!context->edges_hashed)
        memset(context->edge_slots, 0, sizeof *context->edge_slots * context->edge_room);
    for (; context->edges_hashed < context->edges.count; context->edges_hashed++) {
        const CallEdge *edge = &context->edges.items[context->edges_hashed];
        uint32_t *place = edge_place(context, edge->expr, edge->callee);
        if (!*place) *place = context->edges_hashed + 1;
    }
}

static CallEdge *find_edge(Arena *arena, Context *context, ExprId expr, ContextId callee) {
    if (context->edges.count > EDGES_SEARCHED) {
        hash_edges(arena, context);
        uint32_t place = *edge_place(context, expr, callee);
        return place ? &context->edges.items[place - 1] : NULL;
    }
    for (uint32_t i = context->edges.count; i > 0; i--) {
        CallEdge *edge = &context->edges.items[i - 1];
        if (edge->expr == expr && edge->callee == callee) return edge;
    }
    return NULL;
}

void add_edge(Eval *eval, ExprId expr, ContextId callee, CallRate rate) {
    Context *context = eval->context;
    double times = eval->times > 1 ? eval->times : 1;
    CallEdge *known = find_edge(eval->inference->working, context, expr, callee);
    if (known) {
        if (eval->pass && known->pass == eval->pass) known->times += times;
        known->guessed &= eval->guessed;
        known->at = context->executed;
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
        context->edges.items = arena_raw(eval->inference->store, sizeof edge * FIRST_EDGES);
        context->edges.capacity = FIRST_EDGES;
    }
    vec_push(eval->inference->store, &context->edges, edge);
    Context *called = eval->inference->contexts.items[callee];
    called->callers++;
    if (called->dirty) eval->inference->any_dirty = true;
}
