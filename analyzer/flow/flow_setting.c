/* Settings that no visible code decides: read from a file, or handed in. Example: after `cfg = yaml.safe_load(file)`,
   nobody can know whether `if cfg["train"]["check"]:` is taken. */
#include "flow_walk.h"
#include "flow_settings.h"

/* It is of no kind that the program makes: a host object of a library, or unknown. */
static bool is_foreign(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        uint8_t kind = value->alts[i].kind;
        if (kind != KIND_HOST && kind != KIND_UNKNOWN && kind != KIND_NONE) return false;
    }
    return value && value->count;
}

/* cfg.check, cfg["check"], cfg.get("check"): the expression for cfg; 0 = it is none of these. */
static ExprId asked_of(const FileModel *model, const Expr *expr) {
    if (expr->kind == EXPR_ATTRIBUTE) return expr->a;
    if (expr->kind == EXPR_SUBSCRIPT) return model->exprs.items[expr->b].kind == EXPR_STRING ? expr->a : 0;
    const Expr *callee = &model->exprs.items[expr->kind == EXPR_CALL ? expr->a : 0];
    bool gets = callee->kind == EXPR_ATTRIBUTE && python_is(PY_get, model_name(model, callee->name));
    ExprId key = gets && expr->list.count ? model->links.items[expr->list.first] : 0;
    return key && model->exprs.items[key].kind == EXPR_STRING ? callee->a : 0;
}

/* `yaml.safe_load(file)`, `OmegaConf.merge(given, DEFAULTS)` */
static bool reads_settings(const Walk *walk, const Expr *call) {
    const Expr *callee = &walk->model->exprs.items[call->kind == EXPR_CALL ? call->a : 0];
    return callee->kind == EXPR_ATTRIBUTE &&
           name_is(walk->inference->book, NAMED_settings_module, last_name(walk, callee->a));
}

/* By its name a rank or a choice of GPUs, which whoever starts the processes knows. */
static bool is_of_processes(const Walk *walk, ExprId id) {
    const Rulebook *book = walk->inference->book;
    Text name = last_name(walk, id);
    return name_is(book, NAMED_rank, name) || name_is(book, NAMED_first_rank_flag, name) ||
           name_is(book, NAMED_gpu_flag, name) || name_is(book, NAMED_host_flag, name) ||
           name_is(book, NAMED_gpu_number, name) || name_is(book, NAMED_gpu_numbers, name);
}

bool usual_holds_choices(const Walk *walk, ExprId id) {
    const Rulebook *book = walk->inference->book;
    Text holder = last_name(walk, id);
    return name_is(book, NAMED_options_name, holder) || name_is(book, NAMED_settings_name, holder);
}

bool usual_holds_settings(const Walk *walk, ExprId id, int depth) {
    const Value *value = infer_fact(walk->context, walk->model, id);
    return usual_holds_choices(walk, id) || usual_some_parsed(walk, value) ||
           usual_at(walk, id, depth + 1).kind == LITERAL_OPEN;
}

Literal usual_open(const Walk *walk, ExprId id, int depth) {
    const Expr *expr = &walk->model->exprs.items[id];
    const Literal open = {.kind = LITERAL_OPEN};
    if (environment_needs(walk, expr)) return open;
    if (!is_foreign(infer_fact(walk->context, walk->model, id))) return (Literal){0};
    if (reads_settings(walk, expr)) return open;
    ExprId owner = asked_of(walk->model, expr);
    if (!owner || is_of_processes(walk, id)) return (Literal){0};
    return usual_holds_settings(walk, owner, depth) ? open : (Literal){0};
}
