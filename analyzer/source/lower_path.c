/* Gives slots to paths such as `self.x`, `batch["x"]`, `a.b[0]` that a function assigns, deletes or tests.
   First, the expressions that make a path a slot are entered into one trie of steps per function; then every
   expression of the function that matches a marked trie node gets its slot. */
#include "lowering.h"
#include <stdio.h>

enum { STEP_LIMIT = 4, ROOT = 0x80000000u };
/* Binding a variable invalidates all its paths, so (bindings x paths) must stay small: a variable bound more
   than BOUND_OFTEN times has at most PATHS_MOST paths. */
enum { BOUND_OFTEN = 16, PATHS_MOST = 256 };

typedef struct Step {
    uint32_t parent; /* index of the parent step, or ROOT | slot of the variable */
    NameId name;     /* attribute, string or int */
    uint8_t kind;    /* ExprKind: EXPR_ATTRIBUTE, EXPR_STRING, EXPR_INT */
    uint8_t depth;
    uint32_t root; /* slot of the variable */
    uint32_t slot; /* 0 = only a prefix of a path with a slot */
    NameId text;
} Step;

typedef struct Paths {
    Lowering *lowering;
    const Expr *exprs;
    VEC(Step) steps; /* items[0] unused */
    uint32_t *slots; /* open addressing over steps */
    uint32_t slot_count;
    VEC(ExprId) wanted;
    uint32_t *bound, *paths; /* [slot] of a variable: how often it is bound; how many of its paths have slots */
} Paths;

static uint32_t hash_of(const Step *step) {
    uint32_t hash = step->parent * 0x9E3779B1u ^ (step->name * 4 + step->kind % 4) * 0x85EBCA77u;
    return hash ^ hash >> 15;
}

/* The hash slot of an equal step, else the free one where it would go. */
static uint32_t place_of(const Paths *self, const Step *step) {
    uint32_t mask = self->slot_count - 1, place = hash_of(step) & mask;
    for (; self->slots[place]; place = (place + 1) & mask) {
        const Step *other = &self->steps.items[self->slots[place]];
        if (other->parent == step->parent && other->name == step->name && other->kind == step->kind) break;
    }
    return place;
}

/* The last step of an expression, without its object: .b of a.b. False where the expression is no path. */
static bool last_step(const Paths *self, const Expr *expr, Step *out) {
    if (expr->kind == EXPR_ATTRIBUTE && expr->name) {
        *out = (Step){.kind = EXPR_ATTRIBUTE, .name = expr->name};
        return true;
    }
    if (expr->kind != EXPR_SUBSCRIPT) return false;
    const Expr *key = &self->exprs[expr->b];
    if (key->kind != EXPR_STRING && key->kind != EXPR_INT) return false;
    *out = (Step){.kind = key->kind, .name = key->name};
    return true;
}

static uint32_t step_slot(const Paths *self, uint32_t step) { return step ? self->steps.items[step].slot : 0; }

/* The trie node of an expression; 0 = none. `add` creates the missing steps. */
static uint32_t find(Paths *self, ExprId id, bool add, uint32_t depth) {
    const Expr *expr = &self->exprs[id];
    Step step;
    if (depth > STEP_LIMIT || !last_step(self, expr, &step)) return 0;
    const Expr *object = &self->exprs[expr->a];
    if (object->kind == EXPR_NAME) {
        if (object->binding != BIND_LOCAL || !object->slot) return 0;
        step.parent = ROOT | object->slot;
        step.root = object->slot;
        step.depth = 1;
    } else {
        step.parent = find(self, expr->a, add, depth + 1);
        if (!step.parent) return 0;
        step.root = self->steps.items[step.parent].root;
        step.depth = (uint8_t)(self->steps.items[step.parent].depth + 1);
    }
    uint32_t place = place_of(self, &step);
    if (!self->slots[place] && add) {
        vec_push(self->lowering->scratch, &self->steps, step);
        self->slots[place] = self->steps.count - 1;
    }
    return self->slots[place];
}

/* ---- the text of a path ---- */

static NameId text_of_step(Paths *self, uint32_t index) {
    Lowering *lowering = self->lowering;
    Step *step = &self->steps.items[index];
    if (step->text) return step->text;
    NameId before =
        step->parent & ROOT ? lowering->locals.items[step->root - 1].name : text_of_step(self, step->parent);
    Text base = names_text(&lowering->names, before), name = names_text(&lowering->names, step->name);
    const char *format = step->kind == EXPR_ATTRIBUTE ? "%.*s.%.*s" : "%.*s[%.*s]";
    if (step->kind == EXPR_STRING) format = "%.*s[\"%.*s\"]";
    char bytes[512]; /* keys are short; a longer name is cut, as identity is by step */
    int length = snprintf(bytes, sizeof bytes, format, SHOWN(base), SHOWN(name));
    if (length < 0) length = 0;
    if ((size_t)length >= sizeof bytes) length = sizeof bytes - 1;
    step->text = lower_name(lowering, (Text){bytes, (uint32_t)length});
    return step->text;
}

static void make_slot(Paths *self, uint32_t index) {
    uint32_t root = self->steps.items[index].root;
    if (!index || self->steps.items[index].slot) return;
    if (self->bound[root] > BOUND_OFTEN && self->paths[root] >= PATHS_MOST) return;
    self->paths[root]++;
    NameId name = text_of_step(self, index);
    Local local = {.name = name, .root = root};
    vec_push(self->lowering->scratch, &self->lowering->locals, local);
    self->steps.items[index].slot = self->lowering->locals.count;
}

/* ---- which expressions make a path a slot ---- */

static void want(Paths *self, ExprId id) {
    if (!id) return;
    const Expr *expr = &self->exprs[id];
    if (expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_SUBSCRIPT) {
        vec_push(self->lowering->scratch, &self->wanted, id);
    } else if (expr->kind == EXPR_NAME) {
        self->bound[expr->binding == BIND_LOCAL ? expr->slot : 0]++;
    } else if (expr->kind == EXPR_TUPLE || expr->kind == EXPR_LIST || expr->kind == EXPR_STAR) {
        want(self, expr->a);
        for (uint32_t i = 0; i < expr->list.count; i++)
            want(self, self->lowering->model.links.items[expr->list.first + i]);
    }
}

static void want_list(Paths *self, List list) {
    for (uint32_t i = 0; i < list.count; i++) want(self, self->lowering->model.links.items[list.first + i]);
}

static void want_of_stmt(Paths *self, const Stmt *stmt) {
    switch (stmt->kind) {
    case STMT_ASSIGN:
    case STMT_DELETE: want_list(self, stmt->list); break;
    case STMT_AUGMENT:
    case STMT_IF:
    case STMT_WHILE:
    case STMT_ASSERT:
    case STMT_FOR: want(self, stmt->a); break;
    case STMT_WITH_ITEM: want(self, stmt->b); break;
    default: break;
    }
}

static bool is_test_function(const Paths *self, ExprId callee) {
    const Expr *expr = &self->exprs[callee];
    if (expr->kind != EXPR_NAME && expr->kind != EXPR_ATTRIBUTE) return false;
    Text name = names_text(&self->lowering->names, expr->name);
    return text_equal(name, TEXT("isinstance")) || text_equal(name, TEXT("is_tensor"));
}

static void want_of_expr(Paths *self, const Expr *expr) {
    const uint32_t *links = self->lowering->model.links.items;
    switch (expr->kind) {
    case EXPR_AND:
    case EXPR_OR: want_list(self, expr->list); break;
    case EXPR_NOT:
    case EXPR_IF:
    case EXPR_COMP_IF: want(self, expr->a); break;
    case EXPR_COMPARE:
        if (expr->op == OP_IS || expr->op == OP_IS_NOT ||
            self->exprs[links[expr->list.first + 1]].kind == EXPR_NONE)
            want_list(self, expr->list);
        break;
    case EXPR_CALL:
        if (expr->list.count && is_test_function(self, expr->a)) want(self, links[expr->list.first]);
        break;
    default: break;
    }
}

static void collect(Paths *self, const Func *func) {
    const FileModel *model = &self->lowering->model;
    for (StmtId id = func->first_stmt; id < model->stmts.count; id++)
        want_of_stmt(self, &model->stmts.items[id]);
    for (ExprId id = func->first_expr; id < model->exprs.count; id++)
        want_of_expr(self, &model->exprs.items[id]);
}

static void set_above(Paths *self) {
    for (uint32_t i = 1; i < self->steps.count; i++) {
        const Step *step = &self->steps.items[i];
        if (!step->slot) continue;
        uint32_t parent = step->parent;
        while (!(parent & ROOT) && !self->steps.items[parent].slot) parent = self->steps.items[parent].parent;
        self->lowering->locals.items[step->slot - 1].above =
            parent & ROOT ? step->root : self->steps.items[parent].slot;
    }
}

void lower_paths(Lowering *lowering) {
    const Func *func = &lowering->model.funcs.items[lowering->func];
    Paths self = {.lowering = lowering, .exprs = lowering->model.exprs.items};
    self.bound = arena_new(lowering->scratch, uint32_t, lowering->locals.count + 1);
    self.paths = arena_new(lowering->scratch, uint32_t, lowering->locals.count + 1);
    collect(&self, func);
    if (!self.wanted.count) return;
    self.slot_count = 16;
    while (self.slot_count < self.wanted.count * STEP_LIMIT * 2) self.slot_count *= 2;
    self.slots = arena_new(lowering->scratch, uint32_t, self.slot_count);
    vec_push(lowering->scratch, &self.steps, (Step){0});
    for (uint32_t i = 0; i < self.wanted.count; i++)
        make_slot(&self, find(&self, self.wanted.items[i], true, 1));
    set_above(&self);
    for (ExprId id = func->first_expr; id < lowering->model.exprs.count; id++) {
        Expr *expr = &lowering->model.exprs.items[id];
        if (expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_SUBSCRIPT)
            expr->slot = step_slot(&self, find(&self, id, false, 1));
    }
}
