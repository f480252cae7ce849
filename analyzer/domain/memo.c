/* Memoised evaluation: when a context is evaluated again, a statement whose inputs are unchanged is taken over
   from the last evaluation; the others run again. */
#include "memo.h"

/* State while a plan is made. */
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

/* Rebinding a variable also changes the paths below it. */
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

/* The ranges of expressions follow the order of the statements; false = not in this function. */
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

void memo_change(Replay *self, uint32_t slot, const Value *value) {
    vec_push(self->eval->scratch, &self->new_values, value);
    vec_push(self->eval->scratch, &self->new_slots, (uint16_t)slot);
}

/* Sets `was` to the variables after the step. */
void memo_skip_changes(Replay *self, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) self->was[self->slots[i]] = self->values[i];
    self->slots += count;
    self->values += count;
}

uint32_t step_effects_end(const Context *context) {
    return context->effects.count ? context->effects.count : 1;
}

static uint32_t first_mention(const Replay *self, uint32_t i) {
    return i ? self->plan->steps[i - 1].mentions : 0;
}

bool step_comes_alike(const Replay *self, uint32_t i) {
    const StepPlan *plan = &self->plan->steps[i];
    for (uint32_t m = first_mention(self, i); m < plan->mentions; m++) {
        uint32_t slot = self->plan->mentions[m];
        if (env_get(self->eval->env, slot) != self->was[slot]) return false;
    }
    return true;
}

void step_take(Replay *self, const Step *step) {
    Eval *eval = self->eval;
    kept_take(eval->inference, eval->context, &self->kept, &step->counts);
    for (uint32_t i = 0; i < step->changes; i++) {
        env_put(eval->env, self->slots[i], self->values[i]);
        memo_change(self, self->slots[i], self->values[i]);
    }
    memo_skip_changes(self, step->changes);
    eval->inference->steps_taken++;
    eval->context->met_bottom |= step->bottom;
    eval->context->met_unknown |= step->unknown;
    eval->reachable = step->goes_on;
    self->memo->next = (uint32_t)(step - self->memo->steps) + 1;
}

void step_clear_facts(const Replay *self, uint32_t i) {
    const Context *context = self->eval->context;
    ExprId first = i ? self->plan->steps[i - 1].end : context->first_expr, end = self->plan->steps[i].end;
    memset(&context->facts[first - context->first_expr], 0, sizeof *context->facts * (end - first));
}

void step_save(Replay *self, uint32_t i) {
    const StepPlan *plan = &self->plan->steps[i];
    uint32_t first = first_mention(self, i);
    if (plan->crowded) self->all_before = env_copy(self->eval->env);
    for (uint32_t m = first; !plan->crowded && m < plan->mentions; m++)
        self->before[m - first] = env_get(self->eval->env, self->plan->mentions[m]);
}

void step_note(Replay *self, uint32_t i) {
    const StepPlan *plan = &self->plan->steps[i];
    uint32_t first = first_mention(self, i);
    const Env *env = self->eval->env;
    for (uint32_t s = 0; plan->crowded && (s = env_differs(env, self->all_before, s));)
        memo_change(self, s, env_get(env, s));
    for (uint32_t m = first; !plan->crowded && m < plan->mentions; m++) {
        uint32_t slot = self->plan->mentions[m];
        const Value *value = env_get(env, slot);
        if (value != self->before[m - first]) memo_change(self, slot, value);
    }
}

uint16_t step_counted(Memo *memo, uint32_t count) {
    memo->stale |= count > COUNT_MOST;
    return (uint16_t)count;
}

/* Whether no class that was asked about, nor any of its ancestors, has changed. */
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

void memo_keep_asked(const Replay *self) {
    Memo *memo = self->memo;
    uint32_t count = self->asked.count;
    if (count > memo->asked_room) {
        memo->asked = arena_new(self->eval->inference->working, GlobalClass, count);
        memo->asked_room = (uint16_t)count;
    }
    if (count) memcpy(memo->asked, self->asked.items, sizeof *memo->asked * count);
    memo->asked_count = (uint16_t)count;
}

void memo_keep_changes(Replay *self) {
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

/* Clears the steps that the last evaluation reached and this one does not. */
void memo_end_unreached(Replay *self, uint32_t first) {
    for (uint32_t i = first; i < self->plan->count; i++) {
        if (self->was) step_clear_facts(self, i);
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
        memo_skip_changes(self, memo->bound);
        for (uint32_t i = 0; i < memo->asked_count; i++) vec_push(eval->scratch, &self->asked, memo->asked[i]);
    }
    self->guesses = inference->guessing != memo->guessing;
    self->bottom_resolved = inference->bottom_is_unknown != memo->bottom_is_unknown;
    memo->guessing = inference->guessing;
    memo->bottom_is_unknown = inference->bottom_is_unknown;
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
