/* Helpers: functions so short that they get more contexts. Dead code does not make a function longer. */
#include "hints.h"

/* [Local of the file]: number of occurrences of the name, including bindings. */
static uint32_t *count_names(Arena *scratch, const FileModel *model) {
    uint32_t *names = arena_new(scratch, uint32_t, model->locals.count + 1);
    for (FuncId f = 1; f < model->funcs.count; f++) {
        const Func *func = &model->funcs.items[f];
        for (ExprId e = func->first_expr; e < func->end_expr; e++) {
            const Expr *expr = &model->exprs.items[e];
            if (expr->kind != EXPR_NAME || !expr->slot || expr->binding == BIND_GLOBAL) continue;
            const Func *owner = expr->binding == BIND_FREE ? &model->funcs.items[expr->func] : func;
            names[owner->first_local + expr->slot - 1]++;
        }
    }
    return names;
}

/* Counts expressions without effect: of `unread = 0`, and strings that stand alone. */
static uint32_t dead_exprs(const FileModel *model, const Func *func, const uint32_t *names) {
    uint32_t dead = 0;
    for (StmtId s = func->first_stmt; s < func->end_stmt; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        if (!does_nothing(model, stmt) || stmt->kind == STMT_PASS) continue;
        if (stmt->kind == STMT_EXPR) dead++;
        if (stmt->kind != STMT_ASSIGN || stmt->a) continue;
        const Expr *target = &model->exprs.items[model->links.items[stmt->list.first]];
        if (names[func->first_local + target->slot - 1] == 1) dead += 2;
    }
    return dead;
}

const bool *find_helpers(Arena *arena, const Program *program) {
    Arena scratch = {0};
    bool *helpers = arena_new(arena, bool, program->func_count + 1);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        const FileModel *model = source->model;
        const uint32_t *names = count_names(&scratch, model);
        for (FuncId f = 1; f < model->funcs.count; f++) {
            const Func *func = &model->funcs.items[f];
            uint32_t exprs = func->end_expr - func->first_expr;
            helpers[source->func_base + f] = exprs - dead_exprs(model, func, names) <= HELPER_EXPRS;
        }
        arena_reset(&scratch);
    }
    arena_free(&scratch);
    return helpers;
}
