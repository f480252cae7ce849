/* The order in which functions without callers are evaluated. It depends on their names and calls, not on their
   position in the file: functions before methods, and both before functions nested in them; in a class, a
   caller before its callee, and who assigns an attribute before who reads it; else by name. */
#include "hints.h"
#include "ranking.h"
#include <stdlib.h>

enum { GROUP_MOST = 64 }; /* methods of a class; larger classes are ordered by names alone */

typedef struct Standing {
    const SourceFile *source;
    FuncId func;
    uint32_t depth; /* number of enclosing functions; a class counts twice */
} Standing;

static Standing standing_of(const SourceFile *source, FuncId func) {
    const Func *funcs = source->model->funcs.items;
    Standing self = {source, func, 0};
    for (; func > 1; func = funcs[func].parent) self.depth += funcs[func].class_id ? 2 : 1;
    return self;
}

static uint32_t class_of(const Standing *self) {
    const Func *func = &self->source->model->funcs.items[self->func];
    return func->class_id;
}

static int by_rank(const void *a, const void *b) {
    const Standing *left = a, *right = b;
    if (left->depth != right->depth) return left->depth < right->depth ? -1 : 1;
    uint32_t l = class_of(left), r = class_of(right);
    if (l != r) return l < r ? -1 : 1;
    return rank_funcs(left->source, left->func, right->func);
}

/* ---- the methods of one class, or the functions of a module ---- */

typedef struct Group {
    const FileModel *model;
    Standing *items;
    uint32_t count;
    uint64_t *named,
        *given; /* [NameId]: a bit for each member that is called so, or gives an attribute of that name */
    uint64_t *callers, *givers; /* [member]: a bit for each of the others that comes before it */
} Group;

static bool is_self(const FileModel *model, const Func *func, const Expr *expr) {
    return func->param_count && expr->kind == EXPR_NAME && expr->binding == BIND_LOCAL && expr->slot &&
           expr->slot == model->params.items[func->first_param].slot;
}

/* The name in `self.name` or, in a module, in `name`. */
static NameId own_mention(const Group *self, const Func *func, const Expr *expr) {
    if (!func->class_id) return expr->kind == EXPR_NAME && expr->binding != BIND_LOCAL ? expr->name : 0;
    return expr->kind == EXPR_ATTRIBUTE && is_self(self->model, func, &self->model->exprs.items[expr->a])
               ? expr->name
               : 0;
}

/* Records the member's name and the attributes that it assigns. */
static void note_names(Group *self, uint32_t member) {
    const FileModel *model = self->model;
    const Func *func = &model->funcs.items[self->items[member].func];
    uint64_t bit = 1ull << member;
    self->named[func->name] |= bit;
    for (StmtId s = func->first_stmt; func->class_id && s < func->end_stmt; s++) {
        const Stmt *stmt = &model->stmts.items[s];
        for (uint32_t t = 0; stmt->kind == STMT_ASSIGN && t < stmt->list.count; t++)
            self->given[own_mention(self, func,
                                    &model->exprs.items[model->links.items[stmt->list.first + t]])] |= bit;
    }
}

static void note_mentions(Group *self, uint32_t member) {
    const Func *func = &self->model->funcs.items[self->items[member].func];
    uint64_t bit = 1ull << member;
    for (ExprId e = func->first_expr; e < func->end_expr; e++) {
        NameId name = own_mention(self, func, &self->model->exprs.items[e]);
        if (!name) continue;
        if (!(self->given[name] & bit)) self->givers[member] |= self->given[name];
        for (uint64_t called = self->named[name] & ~bit; called; called &= called - 1)
            self->callers[__builtin_ctzll(called)] |= bit;
    }
}

static void forget_names(Group *self, uint32_t member) {
    const Func *func = &self->model->funcs.items[self->items[member].func];
    self->named[func->name] = 0;
    for (ExprId e = func->first_expr; e < func->end_expr; e++)
        self->given[own_mention(self, func, &self->model->exprs.items[e])] = 0;
}

static uint32_t waits_for(const Group *self, uint32_t member, uint64_t left) {
    return (uint32_t)__builtin_popcountll(self->callers[member] & left) * 2 +
           (uint32_t)__builtin_popcountll(self->givers[member] & left);
}

/* Next comes the member that the fewest remaining others must precede. */
static void put_group(Arena *scratch, Group *self, FuncId *sequence) {
    if (self->count == 1 || self->count > GROUP_MOST) {
        for (uint32_t i = 0; i < self->count; i++) sequence[i] = self->items[i].func;
        return;
    }
    self->callers = arena_new(scratch, uint64_t, self->count);
    self->givers = arena_new(scratch, uint64_t, self->count);
    for (uint32_t i = 0; i < self->count; i++) note_names(self, i);
    for (uint32_t i = 0; i < self->count; i++) note_mentions(self, i);
    for (uint32_t i = 0; i < self->count; i++) forget_names(self, i);
    uint64_t left = self->count == 64 ? ~0ull : (1ull << self->count) - 1;
    for (uint32_t n = 0; n < self->count; n++) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < self->count; i++)
            if ((left >> i & 1) &&
                (best == UINT32_MAX || waits_for(self, i, left) < waits_for(self, best, left)))
                best = i;
        left &= ~(1ull << best);
        sequence[n] = self->items[best].func;
    }
}

static void put_in_order(Arena *scratch, const SourceFile *source, FuncId *sequence) {
    const Func *funcs = source->model->funcs.items;
    Standing *standing = arena_new(scratch, Standing, source->model->funcs.count);
    uint32_t count = 0;
    for (FuncId func = 2; func < source->model->funcs.count; func++)
        if (funcs[func].kind == FUNC_DEF) standing[count++] = standing_of(source, func);
    qsort(standing, count, sizeof *standing, by_rank);
    uint64_t *named = arena_new(scratch, uint64_t, source->model->names.count),
             *given = arena_new(scratch, uint64_t, source->model->names.count);
    for (uint32_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && standing[end].depth == standing[first].depth &&
                              class_of(&standing[end]) == class_of(&standing[first]);)
            end++;
        Group group = {source->model, &standing[first], end - first, named, given, NULL, NULL};
        put_group(scratch, &group, &sequence[first]);
    }
}

const FuncId *find_sequence(Arena *arena, const Program *program) {
    Arena scratch = {0};
    FuncId *sequence = arena_new(arena, FuncId, program->func_count + 1);
    for (FileId file = 1; file < program->files.count; file++) {
        const SourceFile *source = &program->files.items[file];
        if (source->whole && source->reaches_torch)
            put_in_order(&scratch, source, &sequence[source->func_base]);
        arena_reset(&scratch);
    }
    arena_free(&scratch);
    return sequence;
}
