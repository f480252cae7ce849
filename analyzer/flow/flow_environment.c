/* Variables of the environment: a run has none of those that only the program asks for. Example: with
   `DUMP = os.environ.get("DUMP_DIR")`, `if DUMP:` is not taken by default. */
#include "flow_walk.h"
#include "flow_settings.h"

static bool is_environment(const FileModel *model, ExprId id) {
    const Expr *expr = &model->exprs.items[id];
    bool named = expr->kind == EXPR_NAME || expr->kind == EXPR_ATTRIBUTE;
    return named && python_is(PY_environ, model_name(model, expr->name));
}

static void see_set(const SourceFile *file, ExprId owner, ExprId key, bool *set) {
    const Expr *name = &file->model->exprs.items[key];
    if (name->kind == EXPR_STRING && is_environment(file->model, owner)) set[file->syms[name->name]] = true;
}

/* `os.environ["DUMP"] = "1"`, `os.environ.setdefault("DUMP", "1")` */
static void see_sets(const SourceFile *file, bool *set) {
    const FileModel *model = file->model;
    for (StmtId s = 1; s < model->stmts.count; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        for (uint32_t i = 0; stmt->kind == STMT_ASSIGN && i < stmt->list.count; i++) {
            const Expr *target = &model->exprs.items[model->links.items[stmt->list.first + i]];
            if (target->kind == EXPR_SUBSCRIPT) see_set(file, target->a, target->b, set);
        }
    }
    for (ExprId e = 1; e < model->exprs.count; e++) {
        const Expr *call = &model->exprs.items[e], *callee = &model->exprs.items[call->a];
        if (call->kind != EXPR_CALL || callee->kind != EXPR_ATTRIBUTE || !call->list.count) continue;
        if (python_is(PY_setdefault, model_name(model, callee->name)))
            see_set(file, callee->a, model->links.items[call->list.first], set);
    }
}

void flow_find_environment(Arena *arena, const Inference *inference, AroundCalls *around) {
    const Program *program = inference->program;
    around->environment = arena_new(arena, bool, program->names.texts.count + 1);
    for (FileId id = 1; id < program->files.count; id++)
        if (!around->tests[id]) see_sets(&program->files.items[id], around->environment);
}

bool environment_lacks(const Walk *walk, Text name) {
    Sym sym = names_find(&walk->inference->program->names, name);
    return !(sym && walk->around_calls->environment[sym]) &&
           !name_is(walk->inference->book, NAMED_launched_variable, name);
}

bool environment_gives(const FileModel *model, const Expr *call, ExprId called) {
    const Expr *callee = &model->exprs.items[called];
    bool named = callee->kind == EXPR_NAME || callee->kind == EXPR_ATTRIBUTE;
    Text name = named ? model_name(model, callee->name) : (Text){0};
    bool gets = callee->kind == EXPR_ATTRIBUTE && python_is(PY_get, name) && is_environment(model, callee->a);
    return (gets || python_is(PY_getenv, name)) && call->list.count && call->list.count <= 2;
}

bool environment_needs(const Walk *walk, const Expr *expr) {
    const Expr *key = &walk->model->exprs.items[expr->kind == EXPR_SUBSCRIPT ? expr->b : 0];
    return key->kind == EXPR_STRING && is_environment(walk->model, expr->a) &&
           environment_lacks(walk, model_name(walk->model, key->name));
}

Tri usual_is_set(const Walk *walk, const Literal *asked, ExprId in) {
    bool unset =
        asked->kind == LITERAL_TEXT && is_environment(walk->model, in) && environment_lacks(walk, asked->text);
    return unset ? TRI_NO : TRI_UNKNOWN;
}
