/* Classifies loops and computes how often each place runs, over the call graph of contexts. */
#include "calls_loop.h"
#include "calls_name.h"
#include "conventions.h"
#include "hints.h"
#include "python_names.h"

enum { CALL_FRAMES = 100, VISITS_A_CONTEXT = 24, FEW_TURNS = 10, OPTIONS_LONG = 120 };

/* ---- how often ---- */

typedef struct Visit {
    Arena *scratch;
    Arena lists; /* of `seen` */
    const CallGraph *graph;
    const Visitor *visitor;
    VEC(uint64_t) * seen; /* [ContextId]: kinds of rate already visited */
    uint32_t depth;
} Visit;

static bool hot(Unit unit) {
    return unit_trains(unit) || unit == UNIT_EVALUATION || unit == UNIT_ITERATION || unit == UNIT_CALL;
}

/* An option says nothing of a loop around which it is asked, since who runs that has chosen it. It does where a default
   chooses another one. */
static void leave_options(Rate *rate) {
    if (!rate->picked) rate->only = (Text){0}, rate->off = rate->made = false;
}

static void enter_said(Visit *visit, Rate *rate, Unit unit, ContextId context, uint32_t item, Span head,
                       FuncId func, bool said) {
    const Context *where = visit->graph->inference->contexts.items[context];
    if (!hot(rate->unit) && unit != UNIT_ITERATION) leave_options(rate); /* else an option within that loop */
    rate->unit = unit;
    rate->loop_file = where->file;
    rate->loop_head = head;
    rate->loop_func = func;
    rate->context = context;
    rate->item = item;
    rate->times = 1;
    rate->every = 1;
    rate->gathered = rate->other = rate->steps = false;
    rate->calls = 0;
    rate->guess = rate->weak = rate->setup = rate->built = false;
    rate->said = said;
    if (visit->visitor->hot_loop) visit->visitor->hot_loop(visit->visitor->self, rate);
}

static void enter_hot(Visit *visit, Rate *rate, Unit unit, ContextId context, uint32_t item, Span head,
                      FuncId func) {
    enter_said(visit, rate, unit, context, item, head, func, false);
}

static void inner_turns(Rate *rate, double turns) {
    rate->times = turns > 0 && rate->times > 0 ? rate->times * turns : 0;
}

static void enter_epoch(Rate *rate, FileId file, Span head, FuncId func) {
    rate->unit = UNIT_EPOCH;
    rate->loop_file = file;
    rate->loop_head = head;
    rate->loop_func = func;
    rate->times = 1;
    rate->every = 1;
    leave_options(rate);
    rate->calls = 0;
    rate->built = false;
    rate->setup = false;
    rate->weak = false;
    rate->whole = false;
}

static void weaken(Rate *rate, unsigned seen) { rate->evidence |= evidence(seen); }

static Text name_of(const Visit *visit, ContextId id) {
    const Context *context = visit->graph->inference->contexts.items[id];
    const FileModel *model = visit->graph->inference->program->files.items[context->file].model;
    NameId name = model->funcs.items[context->func].name;
    return name ? model_name(model, name) : (Text){0};
}

/* What trains of what a loop does: a gradient that explains or attacks a prediction does not, nor does one beside a
   loop that trains, as after each epoch, or `optimizer.zero_grad()` before its first batch; what a module steps in its
   forward pass, such as a codebook, belongs to the step around it. */
static uint16_t trained(const Rulebook *book, Text name, uint16_t does) {
    bool explains = name_says_evaluation(book, name) || (does & HOLDS_TRAINING);
    if (!(does & DOES_STEP) && explains) does &= (uint16_t)~DOES_BACKWARD;
    return name_is(book, NAMED_forward_method, name) ? does & (uint16_t) ~(DOES_STEP | DOES_BACKWARD) : does;
}

/* The kind of a loop, by what it does and where it is (DESIGN, "How often"). */
static void classify_loop(Visit *visit, Rate *rate, ContextId id, uint32_t at) {
    const Context *context = visit->graph->inference->contexts.items[id];
    const FileModel *model = visit->graph->inference->program->files.items[context->file].model;
    const Item *item = &visit->graph->flows[id].items.items[at];
    uint16_t does = visit->graph->regions[id].loops[at];
    if (item->flags & LOOP_ONCE) return;
    Span head = item->loop ? model->loops.items[item->loop].head : model->exprs.items[item->expr].span;
    FuncId func = context->func;
    bool in_step = unit_trains(rate->unit);
    does = trained(visit->graph->inference->book, name_of(visit, id), does);
    if (((does & BY_LISTENERS) && in_step) || (does & BY_HOOKS)) {
        inner_turns(rate, item->turns);
    } else if (does & DOES_STEP) {
        enter_hot(visit, rate, does_gather(does) ? UNIT_BATCH : UNIT_STEP, id, at, head, func);
        rate->steps = true;
    } else if ((does & DOES_BACKWARD) && (!in_step || (!rate->steps && (does & DOES_DATA))) &&
               !(does & HOLDS_STEP && rate->unit == UNIT_CALL)) {
        enter_hot(visit, rate, UNIT_STEP, id, at, head, func);
    } else if (hot(rate->unit)) {
        /* an occasional evaluation inside the step's loop has batches of its own */
        bool evaluation = in_step && rate->every != 1 && (does & DOES_HEAVY);
        bool gathered = in_step && (does & DOES_BACKWARD); /* batches whose gradients this step accumulates */
        bool parts = in_step && rate->every == 1 && !(does & DOES_HEAVY); /* of a batch */
        if (!gathered && (((does & DOES_DATA) && !parts) || evaluation))
            enter_hot(visit, rate, UNIT_EVALUATION, id, at, head, func);
        else if (!in_step && rate->unit != UNIT_CALL && (does & DOES_HEAVY))
            enter_hot(visit, rate, UNIT_ITERATION, id, at, head, func);
        else
            inner_turns(rate, item->turns);
    } else if (does & HOLDS_STEP) {
        enter_epoch(rate, context->file, head, func);
        rate->whole = loop_makes_runs(visit->graph, id, item);
    } else if (does & DOES_DATA) {
        enter_hot(visit, rate, UNIT_EVALUATION, id, at, head, func);
    } else if ((does & DOES_HEAVY) || ((does & (DOES_GPU | DOES_SITE)) && rate->unit == UNIT_NONE)) {
        bool light = !(does & (DOES_HEAVY | HOLDS_HOT)),
             weak = light && !loop_holds_unseen(visit->graph, id, at);
        bool parts = loop_goes_over_parts(visit->graph, id, item);
        weak |= parts;
        bool built = rate->built && light; /* what a constructor calls repeatedly is no model, or runs once */
        bool setup = rate->setup && (weak || built);
        enter_hot(visit, rate, UNIT_ITERATION, id, at, head, func);
        /* a probe of devices, or a pass over a model's parts: perhaps done once */
        if (parts || (weak && loop_does_little(visit->graph, id, at))) weaken(rate, SEEN_PROBE);
        const Inference *inference = visit->graph->inference;
        const FlowGraph *graph = inference->graphs[global_func(inference, context->file, func)];
        if (weak && loop_goes_over_devices(inference->book, graph, item->loop)) weaken(rate, SEEN_DEVICES);
        rate->weak = weak;
        rate->setup = setup;
        rate->built = built;
    } else if (does & HOLDS_HOT) {
        enter_epoch(rate, context->file, head, func);
        rate->weak = true;
    } else {
        inner_turns(rate, item->turns);
    }
}

/* `for name, backend in (("flash", FLASH), ("math", MATH)):` is a probe and `for _ in range(3):` a warm-up:
   rarely something that a run repeats. */
static void enter_loop(Visit *visit, Rate *rate, ContextId id, uint32_t at) {
    const Item *item = &visit->graph->flows[id].items.items[at];
    bool few = !hot(rate->unit) && item->turns > 0 && item->turns < FEW_TURNS;
    classify_loop(visit, rate, id, at);
    if (few && (unit_trains(rate->unit) || rate->unit == UNIT_EVALUATION)) weaken(rate, SEEN_FEW);
}

/* The surroundings of a place within a context: the rate of its innermost loop, and that of the context; in a
   generator that a loop consumes also that of an iteration of the loop. */
typedef struct Around {
    const Rate *loop, *entry, *turn;
} Around;

/* What leaves a loop, or runs in one of its iterations, runs once for the whole loop: perhaps once in a run, so
   never certain. */
static void leave_loop(const Item *item, const Around *around, Rate *rate) {
    bool all = (item->flags & GUARD_RETURNS) || item->role == PINS_FUNCTION;
    const Rate *outer = all ? around->entry : around->loop;
    if (!outer) return;
    Rate inner = *rate;
    *rate = *outer;
    rate->evidence |= inner.evidence;
    rate->rank |= inner.rank;
    weaken(rate, SEEN_LEAVES);
}

static bool yields_between(const Flow *flow, uint32_t at, uint32_t end) {
    for (; at < end; at++)
        if (flow->items.items[at].kind == ITEM_LOOP && (flow->items.items[at].flags & LOOP_YIELDS)) return true;
    return false;
}

bool calls_yields_in_loop(const Flow *flow) { return yields_between(flow, 0, flow->items.count); }

/* An iteration of a generator's loop is one of the loop that consumes it. */
static void enter_turn(const Rate *turn, Rate *rate) {
    Rate before = *rate;
    *rate = *turn;
    rate->evidence |= before.evidence;
    rate->rank |= before.rank;
}

/* What is created when missing runs once in a run: only loops inside it are reported. */
static void enter_making(Rate *rate) {
    rate->unit = UNIT_NONE;
    rate->times = rate->every = 1;
    rate->guess = rate->weak = false;
    rate->setup = true;
    weaken(rate, SEEN_MAKING);
}

static uint32_t find(Text text, Text part) {
    uint32_t at = 0;
    while (at < text.length && !text_starts(text_slice(text, at, text.length), part)) at++;
    return at;
}

/* Negates a single comparison: "where `x is not None`" instead of "without `x is None`". Longer operators come
   first. */
static Text option_text(Arena *scratch, Text said, bool without) {
    static const char *const operators[][2] = {
        {" is not ", " is "}, {" is ", " is not "}, {" == ", " != "}, {" != ", " == "}};
    bool one = find(said, TEXT(" and ")) == said.length && find(said, TEXT(" or ")) == said.length;
    for (size_t i = 0; one && without && i < sizeof operators / sizeof *operators; i++) {
        Text is = text_of(operators[i][0]);
        uint32_t at = find(said, is);
        if (at == said.length) continue;
        Text right = text_slice(said, at + is.length, said.length);
        if (python_is(PY_False, right)) return text_format(scratch, "`%.*s`", (int)at, said.bytes);
        return text_format(scratch, "where `%.*s%s%.*s`", (int)at, said.bytes, operators[i][1],
                           (int)right.length, right.bytes);
    }
    return text_format(scratch, "%s`%.*s`", without ? "without " : "", (int)said.length, said.bytes);
}

/* "`--amp` and `args.clip > 0`": the options, the outer ones first. */
static void enter_option(Arena *scratch, const Item *item, Rate *rate) {
    Text said = infer_line(scratch, (Text){item->only, item->only_length});
    Text one = (item->rate & GUARD_ANOTHER) == GUARD_ANOTHER
                   ? text_format(scratch, "another `%.*s`", (int)said.length, said.bytes)
               : item->rate & GUARD_WORDS ? said
                                          : option_text(scratch, said, item->rate & GUARD_WITHOUT);
    if (!rate->only.length)
        rate->only = one;
    else if (!text_holds(rate->only, one.bytes) && rate->only.length < OPTIONS_LONG)
        rate->only = text_format(scratch, "%.*s and %.*s", (int)rate->only.length, rate->only.bytes,
                                 (int)one.length, one.bytes);
}

/* The hot loop contains the call of this function, which has a loop of its own around the place. Its counter
   restarts in each iteration of the hot loop: `while err > limit: if n % 50 == 0:`. */
static bool is_counted_within(const Around *around, const Rate *rate) {
    const Rate *entry = around->entry;
    return entry && around->loop && hot(rate->unit) && entry->loop_file == rate->loop_file &&
           entry->loop_head.start == rate->loop_head.start && entry->unit == rate->unit;
}

/* does: what a guard on iterations contains. The guard around the optimizer step makes a step of several
   batches. */
static void enter_guard(Arena *scratch, const Item *item, uint16_t does, const Around *around, Rate *rate,
                        bool *skip) {
    if (item->role == PINS_RUN)
        enter_making(rate);
    else if ((item->flags & (GUARD_BREAKS | GUARD_RETURNS)) || item->role)
        leave_loop(item, around, rate);
    if (item->flags & GUARD_LEAVES) *skip = true;
    bool every = (item->flags & GUARD_EVERY) && !(item->role && !item->every);
    every &= !(rate->unit == UNIT_STEP && does & ASKED_STEP);
    if (every && (item->rate & GUARD_ANEW) && is_counted_within(around, rate)) {
        rate->times = rate->times > item->every && item->every ? rate->times / item->every : rate->times > 0;
        every = false;
    }
    if (every && rate->unit == UNIT_BATCH && rate->every == 1 && (does & DOES_STEP)) {
        rate->unit = UNIT_STEP, rate->gathered = true, rate->batches = item->every;
        every = false;
    }
    if (every) rate->every *= item->every; /* 0 = unknown */
    if (every && !item->every) weaken(rate, SEEN_NOW_AND_THEN);
    if (item->rate & GUARD_DOUBTED) weaken(rate, SEEN_GUARDED);
    bool off = item->flags & GUARD_OFF;
    if ((off || (item->rate & GUARD_HANDED)) && item->only_length) enter_option(scratch, item, rate);
    rate->off |= off;
    rate->picked |= off && (item->rate & GUARD_ANOTHER) == GUARD_ANOTHER;
    rate->made |= (item->rate & GUARD_MADE) != 0;
    if (item->flags & GUARD_RANK) rate->rank = true;
    if (item->flags & GUARD_CHOICE) rate->chosen = true;
    if (item->flags & (GUARD_RARE | GUARD_OFF)) weaken(rate, SEEN_RARE);
}

static uint64_t rate_key(const Rate *rate) {
    uint64_t loop = ((uint64_t)rate->loop_file << 32 | rate->loop_head.start) * 0x9E3779B97F4A7C15u ^
                    (uint64_t)rate->other << 32 ^ (uint64_t)(rate->only.length > 0) << 40;
    return (loop & ~(uint64_t)0xffff) | (uint64_t)rate->unit << 12 | (uint64_t)(rate->every == 1) << 8 |
           (uint64_t)evidence_level(rate->evidence) << 4 | (uint64_t)(rate->times == 1) << 3 |
           (uint64_t)rate->consumed << 2 | (uint64_t)(rate->sync_free != 0) << 9 | (uint64_t)rate->chosen << 6 |
           (uint64_t)rate->worker << 1 | (uint64_t)(rate->guess || rate->setup) |
           (uint64_t)(rate->computes || rate->works) << 7 | (uint64_t)rate_is_far(rate) << 10 |
           (uint64_t)(rate->asked && rate->calls <= 1) << 11 | (uint64_t)rate->off << 15;
}

static bool seen_before(Visit *visit, ContextId id, const Rate *rate) {
    uint64_t key = rate_key(rate);
    for (uint32_t i = 0; i < visit->seen[id].count; i++)
        if (visit->seen[id].items[i] == key) return true;
    if (visit->seen[id].count >= VISITS_A_CONTEXT) return true;
    vec_push(&visit->lists, &visit->seen[id], key);
    return false;
}

static void visit_context(Visit *visit, ContextId id, Rate rate, const Rate *outside, const Frame *frames);

/* The rate of something that a framework's or an unseen loop calls. */
static Rate rate_of_handed(Visit *visit, const Item *item, Rate rate) {
    const Rate before = rate;
    const Context *callee = visit->graph->inference->contexts.items[item->callee];
    const FileModel *model = visit->graph->inference->program->files.items[callee->file].model;
    StmtId stmt = model->funcs.items[callee->func].stmt;
    Span head = stmt ? model->stmts.items[stmt].head : model->funcs.items[callee->func].span;
    switch ((CallRate)item->rate) {
    case RATE_WORKER: rate.worker = true; break;
    case RATE_STEP: enter_hot(visit, &rate, UNIT_STEP, item->callee, UINT32_MAX, head, callee->func); break;
    case RATE_EVALUATION:
        enter_hot(visit, &rate, UNIT_EVALUATION, item->callee, UINT32_MAX, head, callee->func);
        break;
    case RATE_FORWARD: enter_hot(visit, &rate, UNIT_CALL, item->callee, UINT32_MAX, head, callee->func); break;
    case RATE_EPOCH: enter_epoch(&rate, callee->file, head, callee->func); break;
    case RATE_CALL:
    case RATE_ONCE: break;
    }
    if (before.made) rate.made = true, rate.off = before.off, rate.only = before.only;
    return rate;
}

static Rate rate_of_call(Visit *visit, const Item *item, Rate rate) {
    rate.consumed = (item->flags & CALL_CONSUMED) != 0;
    rate.calls++;
    if (item->flags & CALL_GUESSED) weaken(&rate, SEEN_BY_NAME);
    if (item->rate == RATE_CALL) { /* nearly every item: no need to look at the callee */
        if (item->turns > 1) inner_turns(&rate, item->turns);
        return rate;
    }
    return rate_of_handed(visit, item, rate);
}

/* Applies contract comments at the item's place: whether a wait would break a contract, and how often it runs.
   False: it is cold. */
static bool apply_contracts(Visit *visit, ContextId id, const Item *item, Rate *rate) {
    const Inference *inference = visit->graph->inference;
    const Contracts *contracts = inference->contracts;
    const Context *context = inference->contexts.items[id];
    if (contracts->first[context->file] == contracts->first[context->file + 1] || !item->stmt) return true;
    const FileModel *model = inference->program->files.items[context->file].model;
    uint32_t offset = model->stmts.items[item->stmt].span.start;
    if (contract_around(contracts, context->file, offset, CONTRACT_COLD)) return false;
    ContractId sync_free = contract_around(contracts, context->file, offset, CONTRACT_SYNC_FREE);
    if (sync_free) rate->sync_free = sync_free;
    ContractId said = contract_around(contracts, context->file, offset, CONTRACT_HOT);
    if (said && (!hot(rate->unit) || rate->guess || rate->setup)) {
        StmtId stmt = contracts->items.items[said].stmt, own = model->funcs.items[context->func].stmt;
        /* a contract on a class holds for each method: an iteration is a call of that method */
        if (own && model->stmts.items[own].span.start > model->stmts.items[stmt].span.start) stmt = own;
        rate->evidence = 0;
        rate->setup = false;
        enter_said(visit, rate, UNIT_CALL, id, UINT32_MAX, model->stmts.items[stmt].head, context->func,
                   stmt != own);
    }
    return true;
}

static GlobalFunc function_of(const Visit *visit, ContextId id) {
    const Context *context = visit->graph->inference->contexts.items[id];
    return visit->graph->inference->program->files.items[context->file].func_base + context->func;
}

static void visit_range(Visit *visit, ContextId id, uint32_t at, uint32_t end, Rate rate, Around around,
                        const Frame *frames) {
    const Context *context = visit->graph->inference->contexts.items[id];
    const FileModel *model = visit->graph->inference->program->files.items[context->file].model;
    const Flow *flow = &visit->graph->flows[id];
    while (at < end) {
        const Item *item = &flow->items.items[at];
        Rate here = rate;
        bool brackets = item->kind == ITEM_LOOP || item->kind == ITEM_GUARD;
        if (!brackets && raises_beside(visit->graph->inference, function_of(visit, id), item->stmt))
            weaken(&here, SEEN_RAISES);
        if (!apply_contracts(visit, id, item, &here)) {
            at = brackets ? item->end + 1 : at + 1;
            continue;
        }
        if (brackets) {
            Rate inner = here;
            bool skip = false;
            Frame frame = {
                .outer = frames, .context = id, .file = context->file, .func = context->func, .is_loop = true};
            Around inside = around;
            if (item->kind == ITEM_LOOP) {
                inside.loop = &here;
                frame.span =
                    item->loop ? model->loops.items[item->loop].head : model->exprs.items[item->expr].span;
                if ((item->flags & LOOP_YIELDS) && around.turn)
                    enter_turn(around.turn, &inner);
                else if (around.turn && !hot(inner.unit) && yields_between(flow, at + 1, item->end))
                    enter_epoch(&inner, context->file, frame.span, context->func);
                else
                    enter_loop(visit, &inner, id, at);
            } else if (!contract_on(visit->graph->inference->contracts, context->file, item->stmt,
                                    CONTRACT_HOT)) {
                enter_guard(visit->scratch, item, visit->graph->regions[id].loops[at], &around, &inner, &skip);
                inner.other |= branch_is_other(visit->graph, id, at);
                if (item->role == PINS_RUN) inside = (Around){.entry = &inner};
            }
            if (!skip)
                visit_range(visit, id, at + 1, item->end, inner, inside,
                            item->kind == ITEM_LOOP ? &frame : frames);
            at = item->end + 1;
            continue;
        }
        if (item->kind == ITEM_EFFECT || item->kind == ITEM_USE)
            visit->visitor->effect(visit->visitor->self, id, item, &here, frames);
        if (item->kind == ITEM_CALL) {
            Frame frame = {.outer = frames,
                           .context = id,
                           .expr = item->expr,
                           .stmt = item->stmt,
                           .file = context->file,
                           .func = context->func,
                           .handed = item->rate != RATE_CALL && item->rate != RATE_ONCE,
                           .span = item->expr ? model->exprs.items[item->expr].span
                                              : model->funcs.items[context->func].span};
            visit_context(visit, item->callee, rate_of_call(visit, item, here),
                          item->flags & CALL_CONSUMED ? around.loop : NULL, &frame);
        }
        at++;
    }
}

/* Constructing objects in every step or batch is no set-up; in a loop over parts it is. */
static bool is_strong(const Rate *rate) { return hot(rate->unit) && !rate->weak; }

/* outside: of a generator that a loop consumes, the rate around that loop: there runs what a generator does
   before, between and behind its loops with a `yield`. Else NULL. */
static void visit_context(Visit *visit, ContextId id, Rate rate, const Rate *outside, const Frame *frames) {
    if (rate.worker || visit->depth >= CALL_FRAMES || seen_before(visit, id, &rate)) return;
    visit->depth++;
    bool constructor = visit->graph->flows[id].constructor;
    rate.built |= constructor && !is_strong(&rate);
    const Regions *regions = &visit->graph->regions[id];
    /* in a visible loop, a model gets weights repeatedly: in a server, by averaging, from the best epoch */
    bool looped = rate.unit != UNIT_NONE && rate.unit != UNIT_CALL && !rate.guess;
    rate.setup |= regions->setup || (regions->restores && !looped) || rate.built;
    if (constructor && rate.unit == UNIT_ITERATION) weaken(&rate, SEEN_CONSTRUCTOR);
    if (is_self_test(visit->graph->inference, id)) weaken(&rate, SEEN_TEST);
    const Flow *flow = &visit->graph->flows[id];
    Around around = {.entry = &rate};
    Rate turn = rate;
    if (outside && calls_yields_in_loop(flow)) {
        around.turn = &turn;
        rate = *outside;
        rate.evidence |= turn.evidence;
        rate.setup |= regions->setup;
    }
    visit_range(visit, id, 0, flow->items.count, rate, around, frames);
    visit->depth--;
}

bool calls_is_test(const Rulebook *book, const SourceFile *file) {
    Text path = file->path;
    uint32_t start = path.length;
    while (start > 0 && path.bytes[start - 1] != '/') start--;
    return name_is(book, NAMED_test_file, text_slice(path, start, path.length));
}

/* A loop around training steps or their loops, here or in a callee, with a model that is constructed visibly:
   the function is a whole run, which nobody repeats. */
static bool is_whole_run(const Visit *visit, ContextId id) {
    const Flow *flow = &visit->graph->flows[id];
    const Context *context = visit->graph->inference->contexts.items[id];
    bool makes = !context->takes_parts;
    bool calls = visit->graph->regions[id].body & HOLDS_STEP; /* perhaps in what it calls */
    if (makes && calls && !context->takes_tensor) return true;
    for (uint32_t at = 0; at < flow->items.count; at++)
        if (flow->items.items[at].kind == ITEM_LOOP &&
            (visit->graph->regions[id].loops[at] & (HOLDS_STEP | (makes ? DOES_STEP : 0))))
            return true;
    return false;
}

/* Called only by debuggers or by printing the object; for modules also extra_repr. */
static bool is_for_people(const Visit *visit, ContextId id) {
    Text name = name_of(visit, id);
    return text_is(name, "__repr__") || text_is(name, "__str__") ||
           name_is(visit->graph->inference->book, NAMED_describing_method, name);
}

typedef enum Hook { HOOK_NO, HOOK_TURNS, HOOK_ENDS, HOOK_ONCE } Hook;

/* before_backward, after_train_iter, on_batch_end, shared_step: methods that an unseen loop calls each
   iteration. on_fit_start, before_run: once in a run. The names of other hooks say that they are called at the start
   or end of something longer than an iteration. */
static Hook hook_of(const Visit *visit, ContextId id) {
    const Rulebook *book = visit->graph->inference->book;
    const Context *context = visit->graph->inference->contexts.items[id];
    const FileModel *model = visit->graph->inference->program->files.items[context->file].model;
    const Func *func = &model->funcs.items[context->func];
    if (!func->class_id || !func->name) return HOOK_NO;
    Text name = model_name(model, func->name);
    while (name.length && name.bytes[0] == '_') name = text_slice(name, 1, name.length);
    bool hook = name_is(book, NAMED_hook, name);
    bool turns = hook && name_is(book, NAMED_hook_of_turns, name);
    if (turns || name_is(book, NAMED_step_method, name)) return context->takes_parts ? HOOK_TURNS : HOOK_NO;
    if (hook && name_is(book, NAMED_hook_of_run, name)) return HOOK_ONCE;
    return hook ? HOOK_ENDS : HOOK_NO;
}

/* What an image processor or feature extractor (no module) does to its inputs: on the CPU, unless its caller
   asks for a GPU. Not what it does to a model's outputs. */
static bool prepares(const Visit *visit, ContextId id) {
    const Inference *inference = visit->graph->inference;
    const Context *context = inference->contexts.items[id];
    const SourceFile *file = &inference->program->files.items[context->file];
    const Func *func = &file->model->funcs.items[context->func];
    if (!func->class_id || inference->classes[file->class_base + func->class_id].is_module == TRI_YES)
        return false;
    Text class_name = model_name(file->model, file->model->classes.items[func->class_id].name);
    Text name = model_name(file->model, func->name);
    return name_is(inference->book, NAMED_preparing_class, class_name) &&
           !name_is(inference->book, NAMED_showing_method, name);
}

/* Some visible code calls it with arguments of its own. */
static bool has_callers(const Visit *visit, ContextId id) {
    const Inference *inference = visit->graph->inference;
    ContextId other = inference->func_contexts[function_of(visit, id)];
    for (; other; other = inference->context_links.items[other].next) {
        const Context *context = inference->contexts.items[other];
        if (other != id && !context->root && context_is_live(context)) return true;
    }
    return false;
}

/* Whether it has a loop around loops that train: a step outside of them, as one that warms a scheduler up when a
   checkpoint is loaded, is none of training. */
static bool has_epochs(const Visit *visit, ContextId id) {
    const Flow *flow = &visit->graph->flows[id];
    for (uint32_t at = 0; at < flow->items.count; at++)
        if (flow->items.items[at].kind == ITEM_LOOP && (visit->graph->regions[id].loops[at] & HOLDS_STEP))
            return true;
    return false;
}

static void visit_root(Visit *visit, ContextId id) {
    const Context *context = visit->graph->inference->contexts.items[id];
    Item call = {.kind = ITEM_CALL, .callee = id, .rate = (uint8_t)(context->root - 1)};
    Rate rate = {.unit = UNIT_NONE, .times = 1, .every = 1};
    rate = rate_of_call(visit, &call, rate);
    rate.setup |= context->root - 1 == RATE_ONCE && context->func != 1;
    rate.supposed = has_callers(visit, id);
    if (calls_is_test(visit->graph->inference->book,
                      &visit->graph->inference->program->files.items[context->file]))
        weaken(&rate, SEEN_TEST);
    if (prepares(visit, id)) weaken(&rate, SEEN_PREPARES);
    bool called = context->root - 1 == RATE_CALL || context->root - 1 == RATE_FORWARD;
    if (called && visit->graph->inference->forgotten[function_of(visit, id)]) weaken(&rate, SEEN_FORGOTTEN);
    if (context->root - 1 == RATE_CALL) {
        if (is_for_people(visit, id)) return;
        const FileModel *model = visit->graph->inference->program->files.items[context->file].model;
        StmtId stmt = model->funcs.items[context->func].stmt;
        Span head = stmt ? model->stmts.items[stmt].head : model->funcs.items[context->func].span;
        uint16_t does = visit->graph->regions[id].body;
        /* nobody visible calls it, but what steps an optimizer is called in somebody's loop */
        bool anew = call_steps_new_optimizer(visit->graph, id);
        if ((does & DOES_STEP) && !anew && !has_epochs(visit, id)) {
            enter_hot(visit, &rate, does_gather(does) ? UNIT_BATCH : UNIT_STEP, id, UINT32_MAX, head,
                      context->func);
            weaken(&rate, SEEN_ROOT_STEPS);
            visit_context(visit, id, rate, NULL, NULL);
            return;
        }
        if (is_whole_run(visit, id) || (anew && !context->takes_tensor)) {
            visit_context(visit, id, rate, NULL, NULL);
            return;
        }
        rate.guess = true;
        Hook hook = hook_of(visit, id);
        rate.computes = (context->takes_tensor && !context->takes_array) || hook == HOOK_TURNS;
        rate.works = !rate.computes && name_says_work(visit->graph->inference->book, name_of(visit, id));
        rate.aside = context->takes_array || hook == HOOK_ENDS || hook == HOOK_ONCE;
        rate.setup |= hook == HOOK_ONCE;
        rate.asked = model->funcs.items[context->func].class_id &&
                     !name_says_once(visit->graph->inference->book, name_of(visit, id));
        rate.loop_file = context->file;
        rate.loop_head = head;
        rate.loop_func = context->func;
        rate.context = id;
        rate.item = UINT32_MAX;
    }
    visit_context(visit, id, rate, NULL, NULL);
}

void calls_visit(Arena *scratch, const CallGraph *graph, const Visitor *visitor) {
    Visit visit = {.scratch = scratch, .graph = graph, .visitor = visitor};
    visit.seen = arena_alloc(&visit.lists, sizeof *visit.seen * graph->inference->contexts.count);
    for (ContextId id = 1; id < graph->inference->contexts.count; id++)
        if (graph->inference->contexts.items[id]->root) visit_root(&visit, id);
    arena_free(&visit.lists);
}
