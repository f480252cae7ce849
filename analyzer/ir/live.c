/* Which variables a turn of a loop may take from the turn before. A loop is walked again while those change: one that a
   turn binds before it reads it makes no difference to the next turn. */
#include "live.h"
#include "python_names.h"
#include <stdlib.h>

typedef struct Live {
    const FileModel *model;
    const Func *func;
    const Paths *paths;
    const uint32_t *bits; /* [slot]: which bit it is, from 1 on; 0 = nothing in the loop names it */
    uint32_t words;
    uint64_t *taken; /* read before they are bound, on some path */
    Arena *scratch;
    bool inner;  /* within a loop in this one, whose `break` stays within the turn */
    bool in_try; /* a handler sees what a `raise` leaves */
} Live;

typedef uint64_t Bits;

static void set(const Live *live, Bits *bound, uint32_t slot) {
    uint32_t bit = live->bits[slot];
    if (bit) bound[bit / 64] |= 1ull << bit % 64;
}

static void take(const Live *live, const Bits *bound, uint32_t slot) {
    uint32_t bit = live->bits[slot];
    if (bit) live->taken[bit / 64] |= ~bound[bit / 64] & 1ull << bit % 64;
}

/* Where a path leaves the loop with what it has, everything that it has not bound is taken along. */
static void take_rest(const Live *live, const Bits *bound) {
    for (uint32_t w = 0; w < live->words; w++) live->taken[w] |= ~bound[w];
}

static void set_below(const Live *live, Bits *bound, uint32_t slot) {
    for (uint32_t s = live->paths ? live->paths->first[slot] : 0; s; s = live->paths->next[s]) {
        set(live, bound, s);
        set_below(live, bound, s);
    }
}

static void bind(const Live *live, Bits *bound, uint32_t slot) {
    set(live, bound, slot);
    set_below(live, bound, slot); /* what was known of its parts is forgotten */
}

static void walk_expr(const Live *live, Bits *bound, ExprId id);

static void walk_target(const Live *live, Bits *bound, ExprId id) {
    if (!id) return;
    const Expr *expr = &live->model->exprs.items[id];
    switch ((ExprKind)expr->kind) {
    case EXPR_NAME:
        if (expr->binding == BIND_LOCAL && expr->slot) bind(live, bound, expr->slot);
        break;
    case EXPR_SUBSCRIPT:
    case EXPR_ATTRIBUTE:
        walk_expr(live, bound, expr->a);
        if (expr->kind == EXPR_SUBSCRIPT) walk_expr(live, bound, expr->b);
        if (expr->slot) set(live, bound, expr->slot);
        break;
    case EXPR_STAR: walk_target(live, bound, expr->a); break;
    default:
        for (uint32_t i = 0; i < expr->list.count; i++)
            walk_target(live, bound, live->model->links.items[expr->list.first + i]);
    }
}

static void walk_expr(const Live *live, Bits *bound, ExprId id) {
    if (!id) return;
    const Expr *expr = &live->model->exprs.items[id];
    const uint32_t *links = live->model->links.items;
    if (expr->kind == EXPR_NAME) {
        if (expr->binding == BIND_LOCAL && expr->slot) take(live, bound, expr->slot);
        if (python_is(PY_super, model_name(live->model, expr->name)) && live->func->local_count)
            take(live, bound, 1); /* super() is asked of self */
        return;
    }
    if ((expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_SUBSCRIPT) && expr->slot)
        take(live, bound, expr->slot);
    for (uint32_t i = 0; i < expr->list.count; i++) walk_expr(live, bound, links[expr->list.first + i]);
    if (expr->kind == EXPR_COMP_FOR) {
        walk_expr(live, bound, expr->b);
        walk_target(live, bound, expr->a);
        return;
    }
    walk_expr(live, bound, expr->a);
    walk_expr(live, bound, expr->b);
    if (expr->kind == EXPR_IF || expr->kind == EXPR_SLICE) walk_expr(live, bound, expr->c);
}

/* Gives whether the end is not reached. */
static bool walk_block(const Live *live, Bits *bound, List block);

static Bits *copy(const Live *live, const Bits *bound) {
    return arena_copy(live->scratch, bound, sizeof *bound * live->words);
}

/* Of two ways to the same place, what both bind; a way that does not arrive does not count. */
static bool meet(const Live *live, Bits *bound, bool ends, const Bits *other, bool other_ends) {
    for (uint32_t w = 0; w < live->words; w++)
        bound[w] = ends ? other[w] : other_ends ? bound[w] : bound[w] & other[w];
    return ends && other_ends;
}

static bool walk_if(const Live *live, Bits *bound, const Stmt *stmt) {
    walk_expr(live, bound, stmt->a);
    Bits *no = copy(live, bound);
    bool ends = walk_block(live, bound, stmt->body);
    bool no_ends = walk_block(live, no, stmt->orelse);
    return meet(live, bound, ends, no, no_ends);
}

static bool walk_try(const Live *live, Bits *bound, const Stmt *stmt) {
    Bits *before = copy(live, bound);
    Live body = *live;
    body.in_try = true;
    bool ends = walk_block(&body, bound, stmt->body);
    if (!ends) ends = walk_block(live, bound, stmt->orelse);
    for (uint32_t i = 0; i < stmt->list.count; i++) {
        const Stmt *handler = &live->model->stmts.items[live->model->links.items[stmt->list.first + i]];
        Bits *way = copy(live, before);
        walk_expr(live, way, handler->a);
        walk_target(live, way, handler->b);
        bool way_ends = walk_block(live, way, handler->body);
        ends = meet(live, bound, ends, way, way_ends);
    }
    walk_block(live, before, stmt->final);
    return ends;
}

static void walk_inner(const Live *live, Bits *bound, const Stmt *stmt) {
    walk_expr(live, bound, stmt->kind == STMT_FOR ? stmt->b : stmt->a);
    Live inner = *live;
    inner.inner = true;
    Bits *turn = copy(live, bound);
    if (stmt->kind == STMT_FOR) walk_target(live, turn, stmt->a);
    walk_block(&inner, turn, stmt->body);
    walk_block(live, bound, stmt->orelse);
}

static void walk_definition(const Live *live, Bits *bound, const Stmt *stmt) {
    const uint32_t *links = live->model->links.items;
    if (stmt->kind == STMT_FUNCTION) {
        const Func *func = &live->model->funcs.items[stmt->func];
        for (uint32_t i = 0; i < func->decorators.count; i++)
            walk_expr(live, bound, links[func->decorators.first + i]);
        for (uint32_t i = 0; i < func->param_count; i++)
            walk_expr(live, bound, live->model->params.items[func->first_param + i].fallback);
    } else {
        const Class *class_ = &live->model->classes.items[stmt->class_id];
        for (uint32_t i = 0; i < class_->bases.count; i++)
            walk_expr(live, bound, links[class_->bases.first + i]);
        for (uint32_t i = 0; i < class_->decorators.count; i++)
            walk_expr(live, bound, links[class_->decorators.first + i]);
    }
    walk_target(live, bound, stmt->b);
}

static bool walk_stmt(const Live *live, Bits *bound, const Stmt *stmt) {
    const uint32_t *links = live->model->links.items;
    switch ((StmtKind)stmt->kind) {
    case STMT_IF: return walk_if(live, bound, stmt);
    case STMT_TRY: return walk_try(live, bound, stmt);
    case STMT_WHILE:
    case STMT_FOR: walk_inner(live, bound, stmt); return false;
    case STMT_FUNCTION:
    case STMT_CLASS: walk_definition(live, bound, stmt); return false;
    case STMT_WITH:
        for (uint32_t i = 0; i < stmt->list.count; i++) {
            const Stmt *item = &live->model->stmts.items[links[stmt->list.first + i]];
            walk_expr(live, bound, item->a);
            walk_target(live, bound, item->b);
        }
        return walk_block(live, bound, stmt->body);
    case STMT_MATCH:
        walk_expr(live, bound, stmt->a);
        for (uint32_t i = 0; i < stmt->list.count; i++) {
            const Stmt *one = &live->model->stmts.items[links[stmt->list.first + i]];
            Bits *way = copy(live, bound);
            for (uint32_t p = 0; p < one->list.count; p++) walk_target(live, way, links[one->list.first + p]);
            walk_expr(live, way, one->a);
            walk_block(live, way, one->body);
        }
        return false;
    case STMT_ASSIGN:
        walk_expr(live, bound, stmt->b);
        for (uint32_t i = 0; stmt->b && i < stmt->list.count; i++)
            walk_target(live, bound, links[stmt->list.first + i]);
        return false;
    case STMT_AUGMENT:
        walk_expr(live, bound, stmt->a);
        walk_expr(live, bound, stmt->b);
        walk_target(live, bound, stmt->a);
        return false;
    case STMT_IMPORT:
        for (uint32_t i = 0; i < stmt->list.count; i++)
            walk_target(live, bound, live->model->imports.items[links[stmt->list.first + i]].target);
        return false;
    case STMT_DELETE: return false;
    case STMT_BREAK:
        if (!live->inner) take_rest(live, bound);
        return true;
    case STMT_RAISE:
        walk_expr(live, bound, stmt->a);
        if (live->in_try) take_rest(live, bound);
        return true;
    case STMT_RETURN: walk_expr(live, bound, stmt->a); return true;
    case STMT_CONTINUE: return true;
    default:
        walk_expr(live, bound, stmt->a);
        walk_expr(live, bound, stmt->b);
        return false;
    }
}

static bool walk_block(const Live *live, Bits *bound, List block) {
    for (uint32_t i = 0; i < block.count; i++)
        if (walk_stmt(live, bound, &live->model->stmts.items[live->model->links.items[block.first + i]]))
            return true;
    return false;
}

/* The slots that a loop names, and what lies below them; each has a bit while the loop is looked at. */
typedef struct NamedSlots {
    const Eval *eval;
    uint32_t *bits;
    VEC(uint32_t) slots; /* [bit] */
} NamedSlots;

static void name_slot(NamedSlots *self, uint32_t slot) {
    if (!slot || self->bits[slot]) return;
    self->bits[slot] = self->slots.count;
    vec_push(self->eval->scratch, &self->slots, slot);
    const Paths *paths = self->eval->paths;
    for (uint32_t s = paths ? paths->first[slot] : 0; s; s = paths->next[s]) name_slot(self, s);
}

static void name_slots(NamedSlots *self, const Stmt *loop) {
    const Eval *eval = self->eval;
    vec_push(eval->scratch, &self->slots, 0);
    if (eval->func->local_count) name_slot(self, 1); /* super() */
    ExprId end = model_expr_behind(eval->model, eval->func, loop->span.end);
    for (ExprId e = model_expr_behind(eval->model, eval->func, loop->span.start); e < end; e++)
        name_slot(self, slot_own(&eval->model->exprs.items[e]));
}

static int by_number(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static Taken *find_taken(Eval *eval, const Stmt *stmt) {
    if (!eval->bits) eval->bits = arena_new(eval->scratch, uint32_t, eval->func->local_count + 1);
    NamedSlots named = {.eval = eval, .bits = eval->bits};
    name_slots(&named, stmt);
    uint32_t words = named.slots.count / 64 + 1;
    Live live = {.model = eval->model,
                 .func = eval->func,
                 .paths = eval->paths,
                 .bits = eval->bits,
                 .words = words,
                 .taken = arena_new(eval->scratch, Bits, words),
                 .scratch = eval->scratch,
                 .in_try = eval->raised != NULL};
    Bits *bound = arena_new(eval->scratch, Bits, words);
    if (stmt->kind == STMT_FOR)
        walk_target(&live, bound, stmt->a);
    else
        walk_expr(&live, bound, stmt->a);
    walk_block(&live, bound, stmt->body);
    Taken *taken = arena_new(eval->inference->arena, Taken, 1);
    for (uint32_t b = 1; b < named.slots.count; b++) {
        uint32_t slot = named.slots.items[b];
        eval->bits[slot] = 0;
        if (live.taken[b / 64] >> b % 64 & 1) vec_push(eval->inference->arena, &taken->slots, slot);
    }
    if (taken->slots.count)
        qsort(taken->slots.items, taken->slots.count, sizeof *taken->slots.items, by_number);
    return taken;
}

bool is_taken(const Taken *taken, uint32_t slot) {
    return taken->slots.count &&
           bsearch(&slot, taken->slots.items, taken->slots.count, sizeof slot, by_number) != NULL;
}

const Taken *taken_by_turns(Eval *eval, const Stmt *stmt) {
    Inference *inference = eval->inference;
    const Taken ***loops = &inference->taken[global_func(inference, eval->file_id, eval->func_id)];
    uint32_t count = eval->func->end_loop - eval->func->first_loop;
    if (!*loops) *loops = (const Taken **)arena_new(inference->arena, const Taken *, count + 1);
    const Taken **taken = &(*loops)[stmt->loop - eval->func->first_loop];
    if (!*taken) *taken = find_taken(eval, stmt);
    return *taken;
}

const SlotDefs *slot_defs_of(const Eval *eval) {
    GlobalFunc func = global_func(eval->inference, eval->file_id, eval->func_id);
    const SlotDefs **made = &eval->inference->slot_defs[func];
    if (!*made) *made = slot_defs_make(eval->inference->arena, eval->scratch, eval->model, eval->func);
    return *made;
}
