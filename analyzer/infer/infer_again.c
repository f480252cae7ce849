/* Evaluated again, most of a function is as it was: the value of a statement is kept, with all that it did, while the
   variables that it reads hold what they held and no slot has grown that it read. What a statement does besides
   giving its value (facts of its parts, effects, calls, uses) stands in the context by expression; it is taken over
   from the evaluation before. */
#include "interpret.h"

enum { MOST_READS = 60 };
#define ENV_BITS ((1ull << 53) - 1)

typedef struct Whole {
    ExprId first, root; /* its expressions, the root last; root 0 = not one to keep */
    uint32_t first_slot, slot_count;
} Whole;

struct Wholes {
    Whole *items;    /* [stmt - func.first_stmt] */
    uint32_t *slots; /* of variables and paths that wholes read */
};

struct Memo {
    uint64_t env : 53, turn : 8, truth : 2; /* env 0 = nothing is known */
    uint64_t
        several : 1; /* computed more than once in that turn: what it did stands together with what it did before */
    SlotId *reads;   /* their number, then the slots that were read */
    uint32_t growth; /* Inference.growth when it was computed */
    uint32_t room;   /* of reads */
};

struct Before {
    const Value **facts;
    CallEdge *edges;
    Use *uses;
    EffectRecord *effects;
    EffectHead *heads;
    uint32_t heads_room, edge_count, use_count;
    uint32_t *edge_of, *edge_next, *use_of, *use_next; /* by expression; 0 = none, else index + 1 */
    uint8_t *unseen;
};

/* ---- what a function's statements read ---- */

typedef struct Reading {
    const FileModel *model;
    const Func *func;
    VEC(uint32_t) slots;
    uint32_t from; /* first of the slots of this whole */
    ExprId first;
    bool binds; /* a walrus: the environment changes */
    Arena *scratch;
} Reading;

static void add_slot(Reading *reading, uint32_t slot) {
    const Local *locals = &reading->model->locals.items[reading->func->first_local];
    if (!slot || slot > reading->func->local_count) return;
    uint32_t root = locals[slot - 1].root;
    if (locals[slot - 1].is_comprehension || (root && locals[root - 1].is_comprehension))
        return; /* bound inside */
    for (uint32_t i = reading->from; i < reading->slots.count; i++)
        if (reading->slots.items[i] == slot) return;
    vec_push(reading->scratch, &reading->slots, slot);
}

static void read_expr(Reading *reading, ExprId id) {
    if (!id) return;
    const Expr *expr = &reading->model->exprs.items[id];
    if (id < reading->first) reading->first = id;
    if (expr->kind == EXPR_NAMED) reading->binds = true;
    if (expr->kind == EXPR_NAME && expr->binding == BIND_LOCAL) add_slot(reading, expr->slot);
    if (expr->kind == EXPR_NAME && text_equal(model_name(reading->model, expr->name), TEXT("super")))
        add_slot(reading, 1);
    if (expr->kind == EXPR_ATTRIBUTE || expr->kind == EXPR_SUBSCRIPT) add_slot(reading, expr->slot);
    read_expr(reading, expr->a);
    read_expr(reading, expr->b);
    if (expr->kind != EXPR_COMPARE) read_expr(reading, expr->c);
    for (uint32_t i = 0; i < expr->list.count; i++)
        read_expr(reading, reading->model->links.items[expr->list.first + i]);
}

/* The expression of a statement that is worth keeping: names and literals are looked up sooner than compared. */
static ExprId root_of(const FileModel *model, const Stmt *stmt) {
    ExprId root = 0;
    switch ((StmtKind)stmt->kind) {
    case STMT_EXPR:
    case STMT_RETURN:
    case STMT_IF:
    case STMT_WHILE: root = stmt->a; break;
    case STMT_ASSIGN:
    case STMT_AUGMENT: root = stmt->b; break;
    default: return 0;
    }
    const Expr *expr = &model->exprs.items[root];
    return expr->a || expr->list.count ? root : 0;
}

static const struct Wholes *wholes_of(Eval *eval) {
    const struct Wholes **known =
        &eval->inference->wholes[global_func(eval->inference, eval->file_id, eval->func_id)];
    if (*known) return *known;
    Arena *arena = eval->inference->arena;
    const Func *func = eval->func;
    Reading reading = {.model = eval->model, .func = func, .scratch = eval->scratch};
    struct Wholes *wholes = arena_new(arena, struct Wholes, 1);
    wholes->items = arena_new(arena, Whole, func->end_stmt - func->first_stmt + 1);
    for (StmtId s = func->first_stmt; s < func->end_stmt; s++) {
        ExprId root = root_of(eval->model, &eval->model->stmts.items[s]);
        reading.first = root, reading.from = reading.slots.count, reading.binds = false;
        read_expr(&reading, root);
        bool own = root && reading.first >= func->first_expr && root < func->end_expr;
        if (own && !reading.binds)
            wholes->items[s - func->first_stmt] = (Whole){.first = reading.first,
                                                          .root = root,
                                                          .first_slot = reading.from,
                                                          .slot_count = reading.slots.count - reading.from};
    }
    wholes->slots = arena_copy(arena, reading.slots.items, sizeof *wholes->slots * reading.slots.count);
    return *known = wholes;
}

/* ---- what was before ---- */

static void link_edges(const Context *context, struct Before *before) {
    for (uint32_t e = before->edge_count; e > 0; e--) {
        ExprId at = before->edges[e - 1].expr - context->first_expr;
        if (at >= context->exprs) continue;
        before->edge_next[e] = before->edge_of[at];
        before->edge_of[at] = e;
    }
    for (uint32_t u = before->use_count; u > 0; u--) {
        ExprId at = before->uses[u - 1].expr - context->first_expr;
        if (at >= context->exprs) continue;
        before->use_next[u] = before->use_of[at];
        before->use_of[at] = u;
    }
    for (uint32_t u = 0; u < context->unseen.count; u++) {
        ExprId at = context->unseen.items[u] - context->first_expr;
        if (at < context->exprs && before->unseen[at] < UINT8_MAX) before->unseen[at]++;
    }
}

void again_begin(Eval *eval) {
    Context *context = eval->context;
    const Func *func = eval->func;
    Arena *scratch = eval->scratch;
    bool first = !context->memos;
    if (func->kind != FUNC_DEF) return;
    eval->wholes = wholes_of(eval);
    if (first)
        context->memos = arena_new(eval->inference->arena, struct Memo, func->end_stmt - func->first_stmt + 1);
    context->turn++;
    for (StmtId s = func->first_stmt; context->era != eval->inference->era && s < func->end_stmt; s++)
        context->memos[s - func->first_stmt].env = 0;
    context->era = eval->inference->era;
    if (first) return;
    struct Before *before = arena_new(scratch, struct Before, 1);
    *before =
        (struct Before){.facts = arena_copy(scratch, context->facts, sizeof *context->facts * context->exprs),
                        .edge_count = context->edges.count,
                        .use_count = context->uses.count,
                        .heads_room = context->effect_count ? context->effect_room : 0};
    before->edges = arena_copy(scratch, context->edges.items, sizeof *before->edges * before->edge_count);
    before->uses = arena_copy(scratch, context->uses.items, sizeof *before->uses * before->use_count);
    before->effects =
        arena_copy(scratch, context->effects.items, sizeof *before->effects * context->effects.count);
    before->heads = arena_copy(scratch, context->effect_heads, sizeof *before->heads * before->heads_room);
    before->edge_of = arena_new(scratch, uint32_t, context->exprs);
    before->edge_next = arena_new(scratch, uint32_t, before->edge_count + 1);
    before->use_of = arena_new(scratch, uint32_t, context->exprs);
    before->use_next = arena_new(scratch, uint32_t, before->use_count + 1);
    before->unseen = arena_new(scratch, uint8_t, context->exprs);
    link_edges(context, before);
    eval->before = before;
}

static void keep_effects(Eval *eval, const struct Before *before, ExprId expr, EffectRole role) {
    uint32_t chain[64], count = 0;
    for (uint32_t at = effects_find(before->heads, before->heads_room, expr, role); at && count < 64;
         at = before->effects[at].next)
        chain[count++] = at;
    while (count) effects_push(eval, role, before->effects[chain[--count]]);
}

static void keep(Eval *eval, const Whole *whole) {
    Inference *inference = eval->inference;
    Context *context = eval->context;
    const struct Before *before = eval->before;
    ExprId from = whole->first - context->first_expr, to = whole->root - context->first_expr;
    memcpy(&context->facts[from], &before->facts[from], sizeof *context->facts * (to - from + 1));
    for (ExprId at = from; at <= to; at++) {
        for (uint32_t e = before->edge_of[at]; e; e = before->edge_next[e]) {
            vec_push(inference->arena, &context->edges, before->edges[e - 1]);
            Context *callee = inference->contexts.items[before->edges[e - 1].callee];
            callee->callers++;
            inference->unsettled |= callee->dirty;
        }
        for (uint32_t u = before->use_of[at]; u; u = before->use_next[u])
            vec_push(inference->arena, &context->uses, before->uses[u - 1]);
        for (uint32_t u = 0; u < before->unseen[at]; u++)
            vec_push(inference->arena, &context->unseen, context->first_expr + at);
        for (int role = 0; before->heads_room && role < EFFECT_ROLES; role++)
            keep_effects(eval, before, context->first_expr + at, (EffectRole)role);
    }
}

/* ---- values of statements ---- */

static uint64_t hash_env(const Eval *eval, const Whole *whole) {
    uint64_t hash = 0x632BE59BD9B4E019u;
    for (uint32_t i = 0; i < whole->slot_count; i++) {
        const Value *value = eval->env[eval->wholes->slots[whole->first_slot + i]];
        hash = (hash ^ (value ? value->hash | 1ull << 32 : 0)) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    hash >>= 11;
    return hash ? hash : 1;
}

static const Value *compute(Eval *eval, ExprId root, Tri *truth) {
    return truth ? eval_truth(eval, root, truth) : eval_expr(eval, root);
}

/* Keeps the slots that were read; false when one has grown since, or there are too many. */
static bool note_reads(Inference *inference, struct Memo *memo, uint32_t from) {
    SlotId slots[MOST_READS];
    uint32_t count = 0;
    for (uint32_t i = from; i < inference->reads.count; i++) {
        SlotRead read = inference->reads.items[i];
        if (infer_slot(inference, read.slot)->grown > read.growth) return false;
        uint32_t k = 0;
        while (k < count && slots[k] != read.slot) k++;
        if (k < count) continue;
        if (count == MOST_READS) return false;
        slots[count++] = read.slot;
    }
    if (count > memo->room) {
        memo->reads = arena_new(inference->arena, SlotId, count + 1);
        memo->room = count;
    }
    if (memo->room) memo->reads[0] = count;
    if (count) memcpy(memo->reads + 1, slots, sizeof *slots * count);
    memo->growth = inference->growth;
    return true;
}

static bool reads_hold(const Inference *inference, const struct Memo *memo) {
    uint32_t count = memo->room ? memo->reads[0] : 0;
    for (uint32_t i = 1; i <= count; i++)
        if (infer_slot(inference, memo->reads[i])->grown > memo->growth) return false;
    return true;
}

/* What met a value that is not there yet, raised an exception or changed a variable, is computed anew each time. */
static const Value *compute_noting(Eval *eval, const Whole *whole, struct Memo *memo, uint64_t env,
                                   Tri *truth) {
    Context *context = eval->context;
    bool bottom = context->met_bottom, unknown = context->met_unknown;
    uint32_t read = eval->inference->reads.count;
    context->met_bottom = context->met_unknown = eval->unsteady = false;
    const Value *value = compute(eval, whole->root, truth);
    bool steady = !context->met_bottom && !context->met_unknown && !eval->unsteady && !eval->fails &&
                  hash_env(eval, whole) == env && note_reads(eval->inference, memo, read);
    memo->env = steady ? env & ENV_BITS : 0;
    memo->truth = truth ? (unsigned)*truth & 3 : 0;
    context->met_bottom |= bottom, context->met_unknown |= unknown;
    eval->inference->reads.count = read;
    return value;
}

const Value *again_value(Eval *eval, const Stmt *stmt, ExprId root, Tri *truth) {
    Context *context = eval->context;
    if (!eval->wholes) return compute(eval, root, truth);
    StmtId at = (StmtId)(stmt - eval->model->stmts.items) - eval->func->first_stmt;
    const Whole *whole = &eval->wholes->items[at];
    struct Memo *memo = &context->memos[at];
    if (whole->root != root) return compute(eval, root, truth);
    bool first = memo->turn != context->turn;
    memo->turn = context->turn;
    if (eval->muted || eval->on_cuda || eval->stream) {
        memo->env = 0;
        return compute(eval, root, truth);
    }
    uint64_t env = hash_env(eval, whole);
    bool same = memo->env == env && context->era == eval->inference->era && reads_hold(eval->inference, memo);
    if (!same || (first && memo->several)) {
        memo->several = !first;
        return compute_noting(eval, whole, memo, env, truth);
    }
    eval->inference->kept++;
    if (first) keep(eval, whole);
    if (truth) *truth = (Tri)memo->truth;
    return context->facts[root - context->first_expr];
}
