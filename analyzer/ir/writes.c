#include "writes.h"
#include "search.h"
#include <stdlib.h>

typedef struct Finding {
    Arena *scratch;
    const SourceFile *file;
    FuncId func;
    StmtId stmt;
    VEC(Write) items;
} Finding;

static void add_target(Finding *self, ExprId target, AccessKind kind) {
    const FileModel *model = self->file->model;
    const Expr *expr = &model->exprs.items[target];
    uint8_t func_kind = model->funcs.items[self->func].kind;
    bool shared = expr->binding != BIND_LOCAL || func_kind == FUNC_MODULE || func_kind == FUNC_CLASS_BODY;
    if (expr->kind == EXPR_ATTRIBUTE || (expr->kind == EXPR_NAME && shared))
        vec_push(self->scratch, &self->items,
                 ((Write){self->file->syms[expr->name], self->stmt, target, self->func, (uint8_t)kind}));
    AccessKind part = kind == DEF_ASSIGN ? DEF_PART : kind == DEF_TURN ? DEF_TURN_PART : kind;
    bool several = expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST;
    for (uint32_t i = 0; several && i < expr->list.count; i++)
        add_target(self, model->links.items[expr->list.first + i], part);
}

static void add_stmt(Finding *self, const Stmt *stmt) {
    if (stmt->kind == STMT_AUGMENT) add_target(self, stmt->a, DEF_AUGMENT);
    if (stmt->kind == STMT_FOR) add_target(self, stmt->a, DEF_TURN);
    for (uint32_t t = 0; stmt->kind == STMT_ASSIGN && t < stmt->list.count; t++)
        add_target(self, self->file->model->links.items[stmt->list.first + t], DEF_ASSIGN);
}

static int by_name(const void *a, const void *b) {
    const Write *left = a, *right = b;
    if (left->name != right->name) return left->name < right->name ? -1 : 1;
    return left->target < right->target ? -1 : left->target > right->target;
}

const Writes *writes_make(Arena *arena, Arena *scratch, const SourceFile *file) {
    Finding finding = {.scratch = scratch, .file = file};
    const FileModel *model = file->model;
    for (finding.func = 1; finding.func < model->funcs.count; finding.func++) {
        const Func *func = &model->funcs.items[finding.func];
        for (finding.stmt = func->first_stmt; finding.stmt < func->end_stmt; finding.stmt++)
            add_stmt(&finding, &model->stmts.items[finding.stmt]);
    }
    Writes *writes = arena_new(arena, Writes, 1);
    writes->count = finding.items.count;
    if (!writes->count) return writes;
    qsort(finding.items.items, writes->count, sizeof(Write), by_name);
    writes->items = arena_copy(arena, finding.items.items, sizeof(Write) * writes->count);
    return writes;
}

const Write *writes_of_name(const Writes *all, Sym name) {
    uint32_t first = FIRST_FROM(all->items, all->count, name, name);
    return name && first < all->count && all->items[first].name == name ? &all->items[first] : NULL;
}

const Write *write_next(const Writes *all, const Write *write) {
    return write + 1 < all->items + all->count && write[1].name == write->name ? write + 1 : NULL;
}
