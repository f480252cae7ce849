#include "late_fence.h"
#include "memo.h"

/* Limits: uses of the variable that are examined, and expressions between a method's name and its call. */
enum { USES_MOST = 32, APART_MOST = 40 };

typedef struct LateFence {
    const Context *context;
    const FileModel *model;
    const FlowGraph *graph;
    LoopId loop; /* the innermost around the wait */
    uint32_t at; /* start of the wait */
} LateFence;

static const Expr *expr_of(const LateFence *self, ExprId id) { return &self->model->exprs.items[id]; }

/* The call `copied.record()` for the use `copied`; 0 = another use. */
static ExprId method_call(const LateFence *self, ExprId use) {
    ExprId method = use + 1;
    if (method >= self->model->exprs.count || expr_of(self, method)->kind != EXPR_ATTRIBUTE) return 0;
    if (expr_of(self, method)->a != use) return 0;
    for (ExprId id = method + 1; id < self->model->exprs.count && id - method < APART_MOST; id++)
        if (expr_of(self, id)->kind == EXPR_CALL && expr_of(self, id)->a == method) return id;
    return 0;
}

static bool marks(const LateFence *self, ExprId call) {
    uint32_t at = effects_at(self->context, call, EFFECT_OWN);
    for (; at; at = self->context->effects.items[at].next)
        if (self->context->effects.items[at].says & SAYS_MARKS) return true;
    return false;
}

static bool is_in_loop(const LateFence *self, AccessId access) {
    return graph_in_loop(self->graph, graph_block_of(self->graph, access), self->loop);
}

static bool is_bound_in_loop(const LateFence *self, uint32_t slot) {
    Accesses defs = graph_defs(self->graph, slot);
    for (const AccessId *def = defs.first; def < defs.end; def++)
        if (is_in_loop(self, *def)) return true;
    return false;
}

/* Recorded in the loop, and only after the wait. */
static bool is_marked_behind(const LateFence *self, uint32_t slot) {
    Accesses uses = graph_uses(self->graph, slot);
    bool behind = false;
    if (uses.end - uses.first > USES_MOST) return false;
    for (const AccessId *use = uses.first; use < uses.end; use++) {
        ExprId call = method_call(self, self->graph->accesses[*use].expr);
        if (!call) return false;
        if (!marks(self, call) || !is_in_loop(self, *use)) continue;
        if (expr_of(self, call)->span.start < self->at) return false;
        behind = true;
    }
    return behind;
}

bool late_fence_is(const Inference *inference, const Context *context, const EffectRecord *record) {
    const SourceFile *file = &inference->program->files.items[context->file];
    LateFence self = {.context = context, .model = file->model};
    const Expr *call = expr_of(&self, record->expr), *method = expr_of(&self, call->a);
    if (!(record->says & SAYS_FENCE) || call->kind != EXPR_CALL || method->kind != EXPR_ATTRIBUTE) return false;
    const Expr *name = expr_of(&self, method->a);
    self.graph = inference->graphs[file->func_base + model_func_of(self.model, record->expr)];
    uint32_t slot = name->kind == EXPR_NAME ? slot_own(name) : 0;
    AccessId access = slot && self.graph ? graph_access(self.graph, method->a) : 0;
    if (!access) return false;
    self.loop = self.graph->blocks[graph_block_of(self.graph, access)].loop;
    self.at = call->span.start;
    return self.loop && !is_bound_in_loop(&self, slot) && is_marked_behind(&self, slot);
}
