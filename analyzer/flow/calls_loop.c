/* Loops by what they go over and what a turn of them holds. */
#include "calls_loop.h"

enum { FEW_OPERATIONS = 8 };

/* A call with a tensor in the loop that was not followed: it may be of a model. */
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

/* A handful of operations a turn, and nothing that we do not see. */
bool loop_does_little(const CallGraph *graph, ContextId id, uint32_t at) {
    const Context *context = graph->inference->contexts.items[id];
    const Item *items = graph->flows[id].items.items;
    double operations = 0;
    for (uint32_t i = at + 1; i < items[at].end; i++) {
        if (items[i].kind == ITEM_EFFECT) operations += context->effects.items[items[i].effect].launches;
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
    static const char *const PARTS[] = {"modules",    "named_modules",    "children", "named_children",
                                        "parameters", "named_parameters", "buffers",  "named_buffers"};
    const Expr *expr = &model->exprs.items[item->expr];
    for (int depth = 0; depth < 3 && expr->kind == EXPR_CALL; depth++) {
        const Expr *callee = &model->exprs.items[expr->a];
        Text name = callee->kind == EXPR_ATTRIBUTE ? model_name(model, callee->name) : (Text){0};
        if (name.length && text_is_any(name, PARTS, sizeof PARTS / sizeof *PARTS)) return true;
        if (!expr->list.count) return false;
        expr = &model->exprs.items[model->links.items[expr->list.first]];
    }
    return false;
}

/* `for i in range(count): torch.device("cuda", i)`: each of the devices is tried once. */
bool loop_goes_over_devices(const FileModel *model, FuncId id, const Item *item) {
    const Func *func = &model->funcs.items[id];
    const Stmt *stmt = &model->stmts.items[item->loop ? model->loops.items[item->loop].stmt : 0];
    NameId name = stmt->kind == STMT_FOR ? model->exprs.items[stmt->a].name : 0;
    if (!name) return false;
    for (ExprId e = func->first_expr; e < func->end_expr; e++) {
        const Expr *call = &model->exprs.items[e];
        if (call->kind != EXPR_CALL) continue;
        const Expr *callee = &model->exprs.items[call->a];
        bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
        if (!named || !text_equal(model_name(model, callee->name), TEXT("device"))) continue;
        for (ExprId part = func->first_expr; part < func->end_expr; part++) {
            const Expr *expr = &model->exprs.items[part];
            bool inside = expr->span.start > callee->span.end && expr->span.end <= call->span.end;
            if (inside && expr->kind == EXPR_NAME && expr->name == name) return true;
        }
    }
    return false;
}
