/* Kinds of loops, by what they iterate over and what an iteration contains. */
#include "calls_loop.h"
#include "conventions.h"

enum { FEW_OPERATIONS = 8 };

/* The loop has a call of an unknown function with a tensor: it may be a model. */
bool loop_holds_unseen(const CallGraph *graph, ContextId id, uint32_t at) {
    const Context *context = graph->inference->contexts.items[id];
    const FileModel *model = graph->inference->program->files.items[context->file].model;
    const Item *items = graph->flows[id].items.items;
    for (uint32_t i = at + 1; i < items[at].end; i++) {
        if (items[i].kind != ITEM_UNSEEN) continue;
        List arguments = model->exprs.items[items[i].expr].list;
        for (uint32_t a = 0; a < arguments.count; a++)
            if (value_has(infer_fact(context, model, model->links.items[arguments.first + a]), KIND_TENSOR))
                return true;
    }
    return false;
}

/* An iteration has a handful of known operations. */
bool loop_does_little(const CallGraph *graph, ContextId id, uint32_t at) {
    const Context *context = graph->inference->contexts.items[id];
    const Item *items = graph->flows[id].items.items;
    double operations = 0;
    for (uint32_t i = at + 1; i < items[at].end; i++) {
        if (items[i].kind == ITEM_EFFECT) operations += context->effects.items[items[i].effect].cost->launches;
        if (items[i].kind != ITEM_CALL) continue;
        const Regions *callee = &graph->regions[items[i].callee];
        operations += callee->work.operations + callee->per_turn.operations;
    }
    return operations < FEW_OPERATIONS;
}

/* `for module in model.modules():`, `for i, p in enumerate(model.parameters()):` */
bool loop_goes_over_parts(const CallGraph *graph, ContextId id, const Item *item) {
    const Context *context = graph->inference->contexts.items[id];
    const FileModel *model = graph->inference->program->files.items[context->file].model;
    const Expr *expr = &model->exprs.items[item->expr];
    for (int depth = 0; depth < 3 && expr->kind == EXPR_CALL; depth++) {
        const Expr *callee = &model->exprs.items[expr->a];
        Text name = callee->kind == EXPR_ATTRIBUTE ? model_name(model, callee->name) : (Text){0};
        if (name.length && name_is(graph->inference->book, NAMED_parts_method, name)) return true;
        if (!expr->list.count) return false;
        expr = &model->exprs.items[model->links.items[expr->list.first]];
    }
    return false;
}

/* The use is an argument of torch.device("cuda", i), in the same statement. */
static bool makes_device(const Rulebook *book, const FlowGraph *graph, AccessId use) {
    const FileModel *model = graph->model;
    const Expr *exprs = model->exprs.items;
    ExprId argument = graph->accesses[use].expr;
    uint32_t end = graph_stmt(graph, use)->span.end;
    for (ExprId e = argument + 1; e < graph->func->end_expr && exprs[e].span.start < end; e++) {
        const Expr *callee = &exprs[exprs[e].a];
        bool within = exprs[e].kind == EXPR_CALL && callee->span.end < exprs[argument].span.start &&
                      exprs[argument].span.end <= exprs[e].span.end;
        bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
        if (within && named && name_is(book, NAMED_device_constructor, model_name(model, callee->name)))
            return true;
    }
    return false;
}

/* The first access at or after an offset. */
static const AccessId *first_from(const FlowGraph *graph, Accesses all, uint32_t offset) {
    while (all.first < all.end) {
        const AccessId *middle = all.first + (all.end - all.first) / 2;
        if (graph->model->exprs.items[graph->accesses[*middle].expr].span.start < offset)
            all.first = middle + 1;
        else
            all.end = middle;
    }
    return all.first;
}

/* `for i in range(count): torch.device("cuda", i)` tries each device once. */
bool loop_goes_over_devices(const Rulebook *book, const FlowGraph *graph, LoopId loop) {
    StmtId id = graph->model->loops.items[loop].stmt;
    const Stmt *stmt = &graph->model->stmts.items[id];
    const Expr *name = &graph->model->exprs.items[id && stmt->kind == STMT_FOR ? stmt->a : 0];
    Accesses uses = graph_uses(graph, name->kind == EXPR_NAME ? slot_own(name) : 0);
    for (const AccessId *u = first_from(graph, uses, stmt->span.start); u < uses.end; u++) {
        if (graph->model->exprs.items[graph->accesses[*u].expr].span.start >= stmt->span.end) break;
        if (graph_in_loop(graph, graph_block_of(graph, *u), loop) && makes_device(book, graph, *u)) return true;
    }
    return false;
}

typedef struct Making {
    EntryId module_class;
    bool model, optimizer;
} Making;

static bool is_model(const Inference *inference, const Value *value, EntryId module) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_OBJECT && rulebook_inherits(inference->book, alt->id, module)) return true;
        if (alt->kind == KIND_INSTANCE && inference->classes[alt->id].is_module == TRI_YES) return true;
    }
    return false;
}

static bool is_optimizer(const Inference *inference, const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (is_optimizer_alt(inference, &value->alts[i])) return true;
    return false;
}

/* A call that makes something: Net(...), torch.optim.Adam(...), nets.build(...); not a method, which may return
   an existing object. */
static bool is_maker(const Inference *inference, const Context *context, const FileModel *model, ExprId id) {
    const Expr *callee = &model->exprs.items[id];
    const Value *value = infer_fact(context, model, callee->kind == EXPR_ATTRIBUTE ? callee->a : id);
    if (!value || value->count != 1) return false;
    const Alt *alt = &value->alts[0];
    const Entry *entries = inference->book->entries;
    if (callee->kind == EXPR_ATTRIBUTE)
        return alt->kind == KIND_MODULE || (alt->kind == KIND_ENTRY && entries[alt->id].kind == ENTRY_MODULE);
    return alt->kind == KIND_CLASS ||
           (alt->kind == KIND_ENTRY && entries[entries[alt->id].parent].kind == ENTRY_MODULE);
}

enum { MAKERS_DEEP = 3 };

/* Collects what is made within a span of a context's function, and in its callees from there. */
static void gather_made(const CallGraph *graph, ContextId id, Span within, uint32_t depth, Making *made) {
    const Inference *inference = graph->inference;
    const Context *context = inference->contexts.items[id];
    const FileModel *model = inference->program->files.items[context->file].model;
    const Func *func = &model->funcs.items[context->func];
    ExprId end = model_expr_behind(model, func, within.end);
    for (ExprId e = model_expr_behind(model, func, within.start); e < end; e++) {
        const Expr *call = &model->exprs.items[e];
        if (call->kind != EXPR_CALL || call->span.start < within.start || call->span.end > within.end) continue;
        if (!is_maker(inference, context, model, call->a)) continue;
        const Value *value = infer_fact(context, model, e);
        made->model |= is_model(inference, value, made->module_class);
        made->optimizer |= is_optimizer(inference, value);
    }
    const Flow *flow = &graph->flows[id];
    for (uint32_t i = 0; depth < MAKERS_DEEP && i < flow->items.count; i++) {
        const Item *item = &flow->items.items[i];
        if (item->kind != ITEM_CALL || item->rate != RATE_CALL || !item->expr ||
            graph->flows[item->callee].constructor)
            continue;
        Span at = model->exprs.items[item->expr].span;
        if (at.start < within.start || at.end > within.end) continue;
        gather_made(graph, item->callee, (Span){0, UINT32_MAX}, depth + 1, made);
    }
}

/* A loop over folds, seeds or trials: each iteration makes the model that it trains, and its optimizer. */
bool loop_makes_runs(const CallGraph *graph, ContextId id, const Item *item) {
    const Context *context = graph->inference->contexts.items[id];
    const FileModel *model = graph->inference->program->files.items[context->file].model;
    if (!item->loop) return false;
    Making made = {.module_class = entry_named(graph->inference->book, NAMED_module_class)};
    gather_made(graph, id, model->stmts.items[model->loops.items[item->loop].stmt].span, 0, &made);
    return made.model && made.optimizer;
}

/* `optimizer = torch.optim.Adam(...)`, a local variable, outside of loops and in every call. */
static bool makes_optimizer(const CallGraph *graph, ContextId id) {
    const Inference *inference = graph->inference;
    const Context *context = inference->contexts.items[id];
    const FlowGraph *code = inference->graphs[global_func(inference, context->file, context->func)];
    for (AccessId a = 1; a < code->access_count; a++) {
        const Expr *name = &code->model->exprs.items[code->accesses[a].expr];
        if (code->accesses[a].kind != DEF_ASSIGN || name->kind != EXPR_NAME || name->binding != BIND_LOCAL)
            continue;
        BlockId block = graph_block_of(code, a);
        ExprId made = graph_value(code, a);
        Guard guard;
        if (code->blocks[block].loop || graph_guard(code, block, &guard)) continue;
        const Expr *call = &code->model->exprs.items[made];
        if (call->kind == EXPR_CALL && is_maker(inference, context, code->model, call->a) &&
            is_optimizer(inference, infer_fact(context, code->model, made)))
            return true;
    }
    return false;
}

/* `optimizer.step(closure)`, which perhaps calls it until the loss is small. */
static bool gets_function(const Inference *inference, const Context *context, ExprId id) {
    const FileModel *model = inference->program->files.items[context->file].model;
    List arguments = model->exprs.items[id].list;
    for (uint32_t i = 0; model->exprs.items[id].kind == EXPR_CALL && i < arguments.count; i++)
        if (value_has(infer_fact(context, model, model->links.items[arguments.first + i]), KIND_FUNCTION))
            return true;
    return false;
}

static bool steps_new(const CallGraph *graph, ContextId id, bool made, uint32_t depth) {
    const Context *context = graph->inference->contexts.items[id];
    const Flow *flow = &graph->flows[id];
    bool steps = false;
    made = made || makes_optimizer(graph, id);
    for (uint32_t at = 0; at < flow->items.count; at++) {
        const Item *item = &flow->items.items[at];
        if (item->kind == ITEM_LOOP) at = item->end;
        bool step = item->kind == ITEM_EFFECT && context->effects.items[item->effect].optimizer_step;
        bool call = item->kind == ITEM_CALL && (graph->regions[item->callee].body & DOES_STEP);
        if (step && (!made || gets_function(graph->inference, context, item->expr))) return false;
        if (call && (depth >= MAKERS_DEEP || !steps_new(graph, item->callee, made, depth + 1))) return false;
        steps |= step || call;
    }
    return steps;
}

bool call_steps_new_optimizer(const CallGraph *graph, ContextId id) {
    return (graph->regions[id].body & DOES_STEP) && steps_new(graph, id, false, 0);
}

/* The number of waiting places, up to a limit. */
static uint32_t count_waits(const CallGraph *graph, ContextId id, uint32_t at) {
    enum { ITEMS_COUNTED = 64 };
    const Context *context = graph->inference->contexts.items[id];
    const Item *items = graph->flows[id].items.items;
    uint32_t count = 0;
    for (uint32_t i = at + 1; i < items[at].end && i - at < ITEMS_COUNTED; i++) {
        if (items[i].kind == ITEM_EFFECT) count += context->effects.items[items[i].effect].hazard != 0;
        if (items[i].kind == ITEM_CALL) count += (graph->regions[items[i].callee].body & HOLDS_SITE) != 0;
    }
    return count;
}

bool branch_is_other(const CallGraph *graph, ContextId id, uint32_t at) {
    const Item *item = &graph->flows[id].items.items[at];
    if (!(item->rate & GUARD_EITHER)) return false;
    uint32_t own = count_waits(graph, id, at), others = own ? count_waits(graph, id, item->every) : 0;
    return others && (own < others || (own == others && item->every < at));
}
