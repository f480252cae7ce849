#include "slot_defs.h"

typedef struct Making {
    Arena *arena;
    const FileModel *model;
    uint32_t slots;
    uint32_t *bound, *copied;
    VEC(SlotDef) items;
} Making;

/* The slot of a name of another scope is not one of this function. */
uint32_t slot_own(const Expr *expr) {
    if (expr->kind == EXPR_NAME) return expr->binding == BIND_LOCAL ? expr->slot : 0;
    return expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_SUBSCRIPT ? expr->slot : 0;
}

static void add(Making *self, uint32_t *first, uint32_t slot, StmtId stmt) {
    if (!slot || slot >= self->slots || (first[slot] && self->items.items[first[slot]].stmt == stmt)) return;
    vec_push(self->arena, &self->items, ((SlotDef){stmt, first[slot]}));
    first[slot] = self->items.count - 1;
}

static void add_target(Making *self, ExprId id, StmtId stmt) {
    const Expr *expr = &self->model->exprs.items[id];
    add(self, self->bound, slot_own(expr), stmt);
    bool several = expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST;
    for (uint32_t i = 0; several && i < expr->list.count; i++)
        add_target(self, self->model->links.items[expr->list.first + i], stmt);
}

static void add_stmt(Making *self, StmtId id) {
    const Stmt *stmt = &self->model->stmts.items[id];
    if (stmt->kind == STMT_AUGMENT || stmt->kind == STMT_FOR) add_target(self, stmt->a, id);
    if (stmt->kind != STMT_ASSIGN) return;
    for (uint32_t t = 0; t < stmt->list.count; t++)
        add_target(self, self->model->links.items[stmt->list.first + t], id);
    add(self, self->copied, slot_own(&self->model->exprs.items[stmt->b]), id);
}

/* Lists begin with what was put there last: from the last statement to the first. */
const SlotDefs *slot_defs_make(Arena *arena, Arena *scratch, const FileModel *model, const Func *func) {
    Making self = {.arena = scratch, .model = model, .slots = func->local_count + 1};
    self.bound = arena_new(arena, uint32_t, self.slots);
    self.copied = arena_new(arena, uint32_t, self.slots);
    vec_push(scratch, &self.items, ((SlotDef){0}));
    for (StmtId s = func->end_stmt; s > func->first_stmt; s--) add_stmt(&self, s - 1);
    SlotDefs *made = arena_new(arena, SlotDefs, 1);
    *made = (SlotDefs){.slots = self.slots, .bound = self.bound, .copied = self.copied};
    made->items = arena_copy(arena, self.items.items, sizeof *made->items * self.items.count);
    return made;
}
