/* Summarises regions (loops, guards on iterations, whole contexts), through calls. */
#include "calls.h"
#include "conventions.h"

static uint16_t effect_does(const EffectRecord *record) {
    uint16_t does = 0;
    if (record->cost->launches > 0) does |= DOES_GPU;
    if (record->matmul) does |= DOES_HEAVY | DOES_GPU;
    if (record->optimizer_step) does |= DOES_STEP | STEPS_EACH | DOES_GPU;
    if (record->backward_pass) does |= DOES_BACKWARD | BACKS_EACH | DOES_GPU;
    if (record->clears_gradients) does |= DOES_BACKWARD; /* `backprop(loss)` is perhaps out of sight */
    if (record->hazard && !(record->says & SAYS_FOUND)) does |= HOLDS_SITE | DOES_SITE;
    return does;
}

/* Long operations: a layer is one; of a whole model's launches about a seventh are (ResNet-18 and -50: 20 of
   136, 53 of 320). */
double effect_matmuls(const EffectRecord *record) {
    if (!record->matmul || record->cost->launches < 1) return 0;
    bool layers = record->pass || record->cost->launches < 8;
    return layers ? record->cost->launches : record->cost->launches / 7;
}

static const Regions *summarise(const CallGraph *graph, ContextId id);

typedef struct Scan {
    const CallGraph *graph;
    const Flow *flow;
    Regions *regions;
    uint16_t
        yielded; /* what loops with a `yield` do: it is done by the loop that consumes the generator, not by
                         another loop around them */
} Scan;

static void add_work(Work *into, Work work, double times) {
    into->operations += work.operations * times;
    into->backward += work.backward * times;
    into->matmuls += work.matmuls * times;
    into->busies_host |= work.busies_host;
}

static uint16_t loop_kind(uint16_t own, uint16_t inside) {
    uint16_t holds = inside & (HOLDS_STEP | HOLDS_TRAINING | HOLDS_HOT | HOLDS_SITE);
    if (own & (DOES_STEP | DOES_BACKWARD)) holds |= HOLDS_STEP;
    if ((own & DOES_STEP) && (own & DOES_BACKWARD)) holds |= HOLDS_TRAINING;
    if (own & (DOES_HEAVY | DOES_DATA)) holds |= HOLDS_HOT;
    return holds;
}

/* Whether the call is on the loop's target, a hook: `hook.after_step(...)`, `opt.step()`, `getattr(hook,
   name)(...)`, `method(...)`. */
static bool asks(const FileModel *model, NameId target, ExprId id) {
    const Expr *call = &model->exprs.items[id], *callee = &model->exprs.items[call->a];
    if (call->kind != EXPR_CALL) return false;
    if (callee->kind == EXPR_NAME) return callee->binding == BIND_LOCAL;
    if (callee->kind == EXPR_CALL && callee->list.count) /* getattr */
        callee = &model->exprs.items[model->links.items[callee->list.first]];
    while (callee->kind == EXPR_ATTRIBUTE) callee = &model->exprs.items[callee->a];
    return callee->kind == EXPR_NAME && callee->name == target;
}

/* Whether only the hooks that a loop iterates over step an optimizer or go backward in it. */
static bool steps_by_listeners(const Scan *scan, uint32_t at, uint16_t does) {
    const Item *items = scan->flow->items.items;
    if (!(items[at].flags & LOOP_LISTENERS) || !(does & (DOES_STEP | DOES_BACKWARD))) return false;
    const Context *context = scan->graph->inference->contexts.items[scan->regions - scan->graph->regions];
    const FileModel *model = scan->graph->inference->program->files.items[context->file].model;
    NameId target = model->exprs.items[model->stmts.items[model->loops.items[items[at].loop].stmt].a].name;
    for (uint32_t i = at + 1; i < items[at].end; i++) {
        uint16_t here = 0;
        if (items[i].kind == ITEM_EFFECT) here = effect_does(&context->effects.items[items[i].effect]);
        if (items[i].kind == ITEM_CALL) here = scan->graph->regions[items[i].callee].body;
        if (here & (DOES_STEP | DOES_BACKWARD) && !asks(model, target, items[i].expr)) return false;
    }
    return true;
}

/* Whether all that a loop over hooks does is done by methods that are named as hooks: on_train_begin, after_step. */
static bool calls_hooks(const Scan *scan, uint32_t at, uint16_t does) {
    if (does & (DOES_STEP | DOES_BACKWARD | DOES_DATA | HOLDS_STEP)) return false;
    const Inference *inference = scan->graph->inference;
    const Item *items = scan->flow->items.items;
    bool hooks = false;
    for (uint32_t i = at + 1; (items[at].flags & LOOP_LISTENERS) && i < items[at].end; i++) {
        if (items[i].kind == ITEM_EFFECT || items[i].kind == ITEM_LOOP || items[i].kind == ITEM_DATA)
            return false;
        if (items[i].kind != ITEM_CALL || !scan->graph->regions[items[i].callee].body) continue;
        const Context *callee = inference->contexts.items[items[i].callee];
        const FileModel *model = inference->program->files.items[callee->file].model;
        const Func *func = &model->funcs.items[callee->func];
        hooks =
            func->class_id && func->name && name_is(inference->book, NAMED_hook, model_name(model, func->name));
        if (!hooks) return false;
    }
    return hooks;
}

/* Loads weights from a file, as a torch.load nearby shows. */
static bool puts_weights_back(const Rulebook *book, const EffectRecord *record) {
    return name_is(book, NAMED_restoring_method, rulebook_text(book, book->entries[record->entry].name));
}

/* A guard on iterations, `if (i + 1) % n == 0:`; not `if i == n - 1:`, which holds once in a loop. */
static bool guards_turns(const Item *item) {
    return (item->flags & GUARD_EVERY) && item->every != 1 && !item->role;
}

/* `if train:` where the calls of this context pass train=False, `if optimizer is not None:` where they leave it
   out: whatever loop is around, this context trains nothing there. */
static bool is_off_here(const Context *context, const Item *item) {
    bool handed = (item->rate & (GUARD_HANDED | GUARD_PICKED)) == GUARD_HANDED;
    return !context->root && item->expr && (item->flags & GUARD_OFF || handed);
}

static uint16_t without_training(uint16_t does) {
    return (uint16_t)(does & ~(DOES_STEP | DOES_BACKWARD | STEPS_EACH | STEPS_SELDOM | BACKS_EACH));
}

static uint16_t done_seldom(uint16_t does) {
    uint16_t steps = does & DOES_STEP ? STEPS_SELDOM : 0;
    return (uint16_t)(does & ~(STEPS_EACH | BACKS_EACH)) | steps;
}

static uint16_t asked_step(const Scan *scan, const Context *context, const Item *item, uint16_t does) {
    uint16_t whole = DOES_STEP | DOES_BACKWARD;
    const FileModel *model = scan->graph->inference->program->files.items[context->file].model;
    uint8_t kind = model->exprs.items[item->expr].kind;
    return (does & whole) == whole && (kind == EXPR_CALL || kind == EXPR_NAME) ? ASKED_STEP : 0;
}

/* Summarises items from `at` to `end` outside of nested loops, which are summarised on the way. into: their
   work. */
static uint16_t scan_range(Scan *scan, uint32_t at, uint32_t end, double times, Work *into) {
    uint16_t own = 0;
    while (at < end) {
        const Item *item = &scan->flow->items.items[at];
        const Context *context = scan->graph->inference->contexts.items[scan->regions - scan->graph->regions];
        if (item->kind == ITEM_LOOP) {
            double turns = item->turns > 0 ? item->turns : 1;
            Work *inside = item->turns > 0 || item->flags & LOOP_YIELDS ? into : &scan->regions->per_turn;
            uint16_t inner = scan_range(scan, at + 1, item->end, times * turns, inside);
            scan->regions->loops[at] = inner;
            if (steps_by_listeners(scan, at, inner)) scan->regions->loops[at] |= BY_LISTENERS;
            if (calls_hooks(scan, at, inner)) scan->regions->loops[at] |= BY_HOOKS;
            bool here = item->flags & LOOP_ONCE || scan->regions->loops[at] & BY_LISTENERS;
            uint16_t done = item->flags & LOOP_ONCE ? inner & (uint16_t)~DOES_DATA : inner;
            own |= here ? done | loop_kind(done, done) : loop_kind(inner, inner);
            if (item->flags & LOOP_YIELDS) scan->yielded |= done;
            at = item->end + 1;
            continue;
        }
        if (item->kind == ITEM_GUARD && guards_turns(item)) {
            uint16_t does = scan_range(scan, at + 1, item->end, times, into);
            scan->regions->loops[at] = does | asked_step(scan, context, item, does);
            own |= done_seldom(does);
            at = item->end + 1;
            continue;
        }
        if (item->kind == ITEM_GUARD && is_off_here(context, item)) {
            own |= without_training(scan_range(scan, at + 1, item->end, times, into));
            at = item->end + 1;
            continue;
        }
        if (item->kind == ITEM_EFFECT) {
            const EffectRecord *record = &context->effects.items[item->effect];
            own |= effect_does(record);
            bool restores = record->setup && puts_weights_back(scan->graph->inference->book, record);
            scan->regions->setup |= record->setup && !restores;
            scan->regions->restores |= restores;
            add_work(into,
                     (Work){record->cost->launches, record->cost->backward_launches, effect_matmuls(record),
                            record->busies_host},
                     times);
        } else if (item->kind == ITEM_DATA) {
            own |= DOES_DATA;
        } else if (item->kind == ITEM_UNSEEN) {
            scan->regions->unseen |= 1;
        } else if (item->kind == ITEM_CALL && item->rate == RATE_CALL) {
            const Regions *callee = summarise(scan->graph, item->callee);
            own |= callee->body & (uint16_t)~DOES_DATA;
            scan->regions->unseen |= callee->unseen;
            double alike = item->flags & CALL_ROUND ? 0 : item->turns > 1 ? item->turns : 1;
            add_work(into, callee->work, times * alike);
            add_work(&scan->regions->per_turn, callee->per_turn, times * alike);
        }
        at++;
    }
    return own;
}

/* The context is `step` of a class of the program that inherits torch.optim.Optimizer, whatever it consists of. */
static bool steps_itself(const Inference *inference, const Context *context) {
    const SourceFile *file = &inference->program->files.items[context->file];
    const Func *func = &file->model->funcs.items[context->func];
    Alt own = {.kind = KIND_INSTANCE, .id = file->class_base + func->class_id};
    return func->class_id && func->kind == FUNC_DEF && text_is(model_name(file->model, func->name), "step") &&
           is_optimizer_alt(inference, &own);
}

static const Regions *summarise(const CallGraph *graph, ContextId id) {
    Regions *regions = &graph->regions[id];
    if (regions->done || regions->busy) return regions;
    regions->busy = true;
    Scan scan = {.graph = graph, .flow = &graph->flows[id], .regions = regions};
    regions->body = scan_range(&scan, 0, scan.flow->items.count, 1, &regions->work) | scan.yielded;
    if (steps_itself(graph->inference, graph->inference->contexts.items[id]))
        regions->body |= DOES_STEP | STEPS_EACH | DOES_GPU;
    regions->busy = false;
    regions->done = true;
    return regions;
}

CallGraph *calls_summarise(Arena *arena, const Inference *inference, uint32_t threads) {
    CallGraph *graph = arena_new(arena, CallGraph, 1);
    graph->inference = inference;
    graph->flows = flow_of_contexts(arena, inference, threads);
    graph->regions = arena_new(arena, Regions, inference->contexts.count);
    for (ContextId id = 1; id < inference->contexts.count; id++)
        graph->regions[id].loops = arena_new(arena, uint16_t, graph->flows[id].items.count + 1);
    for (ContextId id = 1; id < inference->contexts.count; id++) summarise(graph, id);
    return graph;
}
