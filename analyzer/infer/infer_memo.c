/* What a context's last evaluation leaves for the next one. A context that is evaluated again does so because something
   grew that it had read, and most of its statements did not read that: of those the facts, effects, edges and the
   variables that they changed are taken over as they are, and only the others run. A statement of the body (a step)
   runs again when a slot that it read has grown, or a variable that it mentions comes to it with another value, origins
   included; so what is taken over is what running it would have given. */
#include "interpret.h"

enum { LEAST_EXPRS = 16, LOCALS_MOST = 512, MENTIONS_MOST = 64, ASKED_MOST = 32, COUNT_MOST = UINT16_MAX };

typedef struct StepPlan {
    ExprId end;        /* its expressions begin where those of the step before end */
    uint32_t mentions; /* end of its variables and paths in Plan.mentions */
    bool crowded;      /* it mentions too many: it always runs */
} StepPlan;

/* What all contexts of a function have in common. */
struct Plan {
    uint32_t count; /* 0 = the function is not taken apart */
    StepPlan *steps;
    const uint16_t *mentions;
};

/* ---- plans ---- */

/* A plan that is being made. */
typedef struct Planning {
    const Eval *eval;
    struct Plan *plan;
    VEC(uint16_t) mentions;
    uint32_t from;   /* those of this step */
    uint32_t *seen;  /* [slot]: the last step that mentions it, from 1 on */
    uint32_t *paths; /* [slot] of a variable: the last step that mentions it and all paths below it */
} Planning;

static bool is_crowded(const Planning *self) { return self->mentions.count - self->from > MENTIONS_MOST; }

static void mention(Planning *self, uint32_t slot) {
    uint32_t step = self->plan->count + 1;
    if (self->seen[slot] == step || is_crowded(self)) return;
    self->seen[slot] = step;
    vec_push(self->eval->scratch, &self->mentions, (uint16_t)slot);
}

/* Rebinding a variable forgets the paths below it. */
static void mention_with_paths(Planning *self, uint32_t slot) {
    const Eval *eval = self->eval;
    const Local *locals = &eval->model->locals.items[eval->func->first_local];
    uint32_t root = locals[slot - 1].root ? locals[slot - 1].root : slot;
    if (is_crowded(self) || self->paths[root] == self->plan->count + 1) return;
    self->paths[root] = self->plan->count + 1;
    mention(self, slot);
    mention(self, root);
    for (uint32_t s = eval->first_path; eval->first_path && s <= eval->func->local_count; s++)
        if (locals[s - 1].root == root) mention(self, s);
}

/* Its expressions stand in the order of the statements; false = they do not, here. */
static bool plan_step(Planning *self, ExprId first, const Stmt *stmt, bool last) {
    const Eval *eval = self->eval;
    const Expr *exprs = eval->model->exprs.items;
    ExprId e = first;
    self->from = self->mentions.count;
    if (eval->func->param_count && eval->func->local_count) mention(self, 1); /* super() */
    for (; e < eval->func->end_expr && (last || exprs[e].span.start < stmt->span.end); e++) {
        bool here = exprs[e].kind != EXPR_NAME || exprs[e].binding == BIND_LOCAL;
        if (here && exprs[e].slot) mention_with_paths(self, exprs[e].slot);
        if (exprs[e].span.start > stmt->span.end) return false;
    }
    self->plan->steps[self->plan->count++] = (StepPlan){e, self->mentions.count, is_crowded(self)};
    return true;
}

static bool plan_steps(Planning *self) {
    const Eval *eval = self->eval;
    const Func *func = eval->func;
    const uint32_t *ids = &eval->model->links.items[func->body.first];
    ExprId at = func->first_expr;
    for (uint32_t i = 0; i < func->body.count; i++) {
        if (!plan_step(self, at, &eval->model->stmts.items[ids[i]], i + 1 == func->body.count)) return false;
        at = self->plan->steps[i].end;
    }
    return true;
}

static const struct Plan *make_plan(const Eval *eval) {
    Arena *arena = eval->inference->working;
    const Func *func = eval->func;
    struct Plan *plan = arena_new(arena, struct Plan, 1);
    bool apart = func->kind == FUNC_DEF && func->body.count > 1 && func->local_count < LOCALS_MOST &&
                 func->end_expr - func->first_expr >= LEAST_EXPRS;
    if (!apart) return plan;
    plan->steps = arena_new(arena, StepPlan, func->body.count);
    Planning planning = {.eval = eval,
                         .plan = plan,
                         .seen = arena_new(eval->scratch, uint32_t, func->local_count + 1),
                         .paths = arena_new(eval->scratch, uint32_t, func->local_count + 1)};
    if (!plan_steps(&planning)) plan->count = 0;
    plan->mentions =
        arena_copy(arena, planning.mentions.items, sizeof *plan->mentions * planning.mentions.count);
    return plan;
}

static const struct Plan *plan_of(const Eval *eval) {
    const struct Plan **plan =
        &eval->inference->plans[global_func(eval->inference, eval->file_id, eval->func_id)];
    if (!*plan) *plan = make_plan(eval);
    return *plan;
}

/* ---- what is kept ---- */

EvaluationId memo_reader(Inference *inference, ContextId context, uint32_t step) {
    vec_push(inference->working, &inference->readers, ((Reader){context, step}));
    return inference->readers.count - 1;
}

bool memo_touch(const Inference *inference, EvaluationId id) {
    const Reader *reader = &inference->readers.items[id];
    Context *context = inference->contexts.items[reader->context];
    if (!reader->step) return context->evaluation == id;
    Step *step = &context->memo->steps[reader->step - 1];
    if (step->reader != id) return false;
    step->dirty = true;
    return !context->evaluating ||
           reader->step <= context->memo->next; /* else it runs in this evaluation still */
}

typedef struct Replay {
    Eval *eval;
    const struct Plan *plan;
    Memo *memo;
    bool guesses, settles; /* now, and not in the last evaluation */
    Kept kept;             /* of the last evaluation, and where in it the next step begins */
    const Value **was;     /* [slot], at the same place in the last evaluation */
    const Value **before;  /* room for the variables of a step, unless it mentions too many */
    Env *all_before;
    const Value *const *values;
    const uint16_t *slots;
    VEC(GlobalClass) asked; /* in this evaluation and those before it, each once */
    VEC(const Value *) new_values;
    VEC(uint16_t) new_slots;
} Replay;

static void add_change(Replay *self, uint32_t slot, const Value *value) {
    vec_push(self->eval->scratch, &self->new_values, value);
    vec_push(self->eval->scratch, &self->new_slots, (uint16_t)slot);
}

/* The variables as they were behind the step. */
static void pass_changes(Replay *self, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) self->was[self->slots[i]] = self->values[i];
    self->slots += count;
    self->values += count;
}

static uint32_t effects_end(const Context *context) {
    return context->effects.count ? context->effects.count : 1;
}

/* ---- one step ---- */

static uint32_t first_mention(const Replay *self, uint32_t i) {
    return i ? self->plan->steps[i - 1].mentions : 0;
}

static bool comes_alike(const Replay *self, uint32_t i) {
    const StepPlan *plan = &self->plan->steps[i];
    for (uint32_t m = first_mention(self, i); m < plan->mentions; m++) {
        uint32_t slot = self->plan->mentions[m];
        if (env_get(self->eval->env, slot) != self->was[slot]) return false;
    }
    return true;
}

/* Where contexts come to rest, a callee that is about to be evaluated again is so before its caller looks. */
static void look_at_callees(Replay *self, const Step *step) {
    for (uint32_t i = 0; i < step->counts.edges && !step->dirty; i++) {
        ContextId callee = self->kept.edges[i].callee;
        if (self->eval->inference->contexts.items[callee]->dirty) look_at(self->eval, callee);
    }
}

static bool may_take(Replay *self, uint32_t i) {
    const Step *step = &self->memo->steps[i];
    if ((step->unknown && self->guesses) || (step->bottom && self->settles)) return false;
    if (!self->was || !step->reader || step->dirty || self->plan->steps[i].crowded || !comes_alike(self, i))
        return false;
    look_at_callees(self, step);
    return !step->dirty;
}

static void take_step(Replay *self, const Step *step) {
    Eval *eval = self->eval;
    kept_take(eval->inference, eval->context, &self->kept, &step->counts);
    for (uint32_t i = 0; i < step->changes; i++) {
        env_put(eval->env, self->slots[i], self->values[i]);
        add_change(self, self->slots[i], self->values[i]);
    }
    pass_changes(self, step->changes);
    eval->inference->steps_taken++;
    eval->context->met_bottom |= step->bottom;
    eval->context->met_unknown |= step->unknown;
    eval->reachable = step->goes_on;
    self->memo->next = (uint32_t)(step - self->memo->steps) + 1;
}

static void clear_facts(const Replay *self, uint32_t i) {
    const Context *context = self->eval->context;
    ExprId first = i ? self->plan->steps[i - 1].end : context->first_expr, end = self->plan->steps[i].end;
    memset(&context->facts[first - context->first_expr], 0, sizeof *context->facts * (end - first));
}

static void save_variables(Replay *self, uint32_t i) {
    const StepPlan *plan = &self->plan->steps[i];
    uint32_t first = first_mention(self, i);
    if (plan->crowded) self->all_before = env_copy(self->eval->env);
    for (uint32_t m = first; !plan->crowded && m < plan->mentions; m++)
        self->before[m - first] = env_get(self->eval->env, self->plan->mentions[m]);
}

static void note_changes(Replay *self, uint32_t i) {
    const StepPlan *plan = &self->plan->steps[i];
    uint32_t first = first_mention(self, i);
    const Env *env = self->eval->env;
    for (uint32_t s = 0; plan->crowded && (s = env_differs(env, self->all_before, s));)
        add_change(self, s, env_get(env, s));
    for (uint32_t m = first; !plan->crowded && m < plan->mentions; m++) {
        uint32_t slot = self->plan->mentions[m];
        const Value *value = env_get(env, slot);
        if (value != self->before[m - first]) add_change(self, slot, value);
    }
}

static uint16_t counted(Memo *memo, uint32_t count) {
    memo->stale |= count > COUNT_MOST;
    return (uint16_t)count;
}

static void run_step(Replay *self, uint32_t i, const Stmt *stmt) {
    Eval *eval = self->eval;
    Context *context = eval->context;
    Memo *memo = self->memo;
    Step *step = &memo->steps[i];
    if (self->was) clear_facts(self, i), eval->inference->steps_again++;
    kept_pass(&self->kept, &step->counts);
    if (self->was) pass_changes(self, step->changes);
    save_variables(self, i);
    bool bottom = context->met_bottom, unknown = context->met_unknown;
    uint32_t effects = effects_end(context), edges = context->edges.count, unseen = context->unseen.count,
             uses = context->uses.count, changes = self->new_slots.count;
    context->met_bottom = context->met_unknown = step->dirty = false;
    step->reader = context->reader = memo_reader(eval->inference, eval->id, i + 1);
    memo->next = i + 1;
    exec_stmt(eval, stmt);
    note_changes(self, i);
    step->counts = (StepCounts){.effects = counted(memo, effects_end(context) - effects),
                                .edges = counted(memo, context->edges.count - edges),
                                .unseen = counted(memo, context->unseen.count - unseen),
                                .uses = counted(memo, context->uses.count - uses)};
    step->changes = counted(memo, self->new_slots.count - changes);
    step->goes_on = eval->reachable;
    step->bottom = context->met_bottom, step->unknown = context->met_unknown;
    context->met_bottom |= bottom, context->met_unknown |= unknown;
}

/* ---- what classes are, which no slot says ---- */

void memo_ask(const Inference *inference, GlobalClass id) {
    Replay *self = inference->replay;
    if (!self) return;
    for (uint32_t i = self->asked.count; i > 0; i--)
        if (self->asked.items[i - 1] == id) return;
    if (self->asked.count <= ASKED_MOST) vec_push(self->eval->scratch, &self->asked, id);
}

/* None of those that were asked about, nor what they inherit, is another than it was. */
static bool classes_stand(Inference *inference, const Memo *memo) {
    if (inference->classes_changed == memo->clock) return true;
    if (memo->asked_count > ASKED_MOST) return false;
    for (uint32_t i = 0; i < memo->asked_count; i++) {
        uint32_t count;
        const uint32_t *order = class_order(inference, memo->asked[i], &count);
        for (uint32_t c = 0; c < count; c++)
            if (!(order[c] & 1) && inference->classes[order[c] >> 1].changed_at > memo->clock) return false;
    }
    return true;
}

static void keep_asked(const Replay *self) {
    Memo *memo = self->memo;
    uint32_t count = self->asked.count;
    if (count > memo->asked_room) {
        memo->asked = arena_new(self->eval->inference->working, GlobalClass, count);
        memo->asked_room = (uint16_t)count;
    }
    if (count) memcpy(memo->asked, self->asked.items, sizeof *memo->asked * count);
    memo->asked_count = (uint16_t)count;
}

/* ---- an evaluation ---- */

static void keep_changes(Replay *self) {
    Memo *memo = self->memo;
    Arena *arena = self->eval->inference->working;
    uint32_t count = self->new_slots.count;
    if (count > memo->room) {
        memo->values = arena_alloc(arena, sizeof *memo->values * count);
        memo->slots = arena_alloc(arena, sizeof *memo->slots * count);
        memo->room = count;
    }
    if (!count) return;
    memcpy(memo->values, self->new_values.items, sizeof *memo->values * count);
    memcpy(memo->slots, self->new_slots.items, sizeof *memo->slots * count);
}

/* Those that another evaluation reached and this one does not. */
static void end_unreached(Replay *self, uint32_t first) {
    for (uint32_t i = first; i < self->plan->count; i++) {
        if (self->was) clear_facts(self, i);
        self->memo->steps[i] = (Step){0};
    }
}

static bool begin(Replay *self, Eval *eval) {
    Context *context = eval->context;
    Inference *inference = eval->inference;
    *self = (Replay){.eval = eval, .plan = plan_of(eval)};
    if (!self->plan->count) return false;
    bool first = !context->memo;
    if (first) context->memo = arena_alloc(inference->working, sizeof(Memo) + sizeof(Step) * self->plan->count);
    Memo *memo = self->memo = context->memo;
    uint32_t variables = eval->func->local_count + 1;
    self->before = arena_new(eval->scratch, const Value *, MENTIONS_MOST + 1);
    bool again = !first && !memo->stale && memo->default_cuda == is_default_cuda(inference, eval->file_id) &&
                 classes_stand(inference, memo);
    if (again) {
        kept_open(&self->kept, eval->scratch, context);
        self->was = arena_new(eval->scratch, const Value *, variables);
        uint32_t count = memo->bound;
        for (uint32_t i = 0; i < self->plan->count; i++) count += memo->steps[i].changes;
        self->values = arena_copy(eval->scratch, memo->values, sizeof *memo->values * count);
        self->slots = arena_copy(eval->scratch, memo->slots, sizeof *memo->slots * count);
        pass_changes(self, memo->bound);
        for (uint32_t i = 0; i < memo->asked_count; i++) vec_push(eval->scratch, &self->asked, memo->asked[i]);
    }
    self->guesses = inference->guessing != memo->guessing;
    self->settles = inference->settling != memo->settling;
    memo->guessing = inference->guessing;
    memo->settling = inference->settling;
    memo->stale = false;
    memo->next = 0;
    memo->default_cuda = is_default_cuda(inference, eval->file_id);
    memo->clock = inference->classes_changed;
    return true;
}

Replay *memo_begin(Eval *eval) {
    Replay *self = arena_new(eval->scratch, Replay, 1);
    return begin(self, eval) ? self : NULL;
}

bool memo_again(const Replay *self) { return self && self->was; }

void memo_run(Replay *self) {
    Eval *eval = self->eval;
    const uint32_t *ids = &eval->model->links.items[eval->func->body.first];
    for (uint32_t s = 1; s <= eval->func->local_count; s++)
        if (env_get(eval->env, s)) add_change(self, s, env_get(eval->env, s));
    self->memo->bound = self->new_slots.count;
    uint32_t i = 0;
    for (; i < self->plan->count && eval->reachable; i++)
        if (may_take(self, i))
            take_step(self, &self->memo->steps[i]);
        else
            run_step(self, i, &eval->model->stmts.items[ids[i]]);
    end_unreached(self, i);
    keep_changes(self);
    keep_asked(self);
    eval->context->reader = eval->context->evaluation;
}
