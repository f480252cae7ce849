/* Collects evidence for a finding, as bits of confidence.def, from its operation and from the path to it. The
   table alone computes levels. */
#include "evidence.h"
#include "conventions.h"

static bool has(const EffectRecord *record, unsigned seen) { return record->evidence >> seen & 1; }

static bool reads_plainly(const EffectRecord *record) {
    return has(record, SEEN_PLAIN) || has(record, SEEN_READ);
}

/* Where `Distribution.set_default_validate_args(False)` is in effect, nothing of the rule waits. */
static bool is_quiet(const Inference *inference, FileId file, const EffectRecord *record, Rate *rate) {
    EntryId module = inference->quieted.count ? rulebook_module(inference->book, record->entry) : 0;
    for (uint32_t i = 0; i < inference->quieted.count; i++) {
        const Quieted *one = &inference->quieted.items[i];
        if (one->hazard != record->hazard || one->module != module) continue;
        bool here = one->file == file || (one->after && one->after[file]);
        if (one->perhaps)
            rate->evidence |= evidence(SEEN_PERHAPS_WISHED);
        else if (here)
            return true;
        else if (!one->around || one->around[file])
            rate->evidence |= evidence(SEEN_WISHED);
    }
    return false;
}

static bool does(const Inference *inference, const EffectRecord *record, uint32_t does_bits) {
    return rulebook_does(inference->book, record->hazard, does_bits);
}

static bool moves_module(const Inference *inference, const EffectRecord *record) {
    return record->to_device &&
           inference->book->entries[record->entry].parent == entry_named(inference->book, NAMED_module_class);
}

/* 0 = none. */
static FuncId func_around(const FileModel *model, ExprId id) {
    FuncId low = model_func_of(model, id);
    const Func *func = &model->funcs.items[low];
    return id >= func->first_expr && id < func->end_expr ? low : 0;
}

/* `Net().to(device)`, or net after `net = Net()` in the same function: a new module each time. A module from
   elsewhere is on the GPU after the first time. */
static bool moves_new_module(const Inference *inference, FileId file, const EffectRecord *record) {
    const FileModel *model = inference->program->files.items[file].model;
    const Expr *call = &model->exprs.items[record->expr];
    const Expr *callee = &model->exprs.items[call->kind == EXPR_CALL ? call->a : 0];
    if (callee->kind != EXPR_ATTRIBUTE) return true;
    if (!name_is(inference->book, NAMED_moving_method, model_name(model, callee->name))) return true;
    const Expr *owner = &model->exprs.items[callee->a];
    if (owner->kind == EXPR_CALL) return true;
    FuncId func = func_around(model, record->expr);
    const FlowGraph *graph = inference->graphs[inference->program->files.items[file].func_base + func];
    if (!func || !graph || owner->kind != EXPR_NAME) return false;
    Accesses defs = graph_defs(graph, slot_own(owner));
    for (const AccessId *d = defs.first; d < defs.end; d++) {
        const Access *def = &graph->accesses[*d];
        ExprId given = graph_value(graph, *d);
        const Expr *value = &model->exprs.items[given];
        bool made = def->kind == DEF_ASSIGN && value->kind == EXPR_CALL;
        if (made && value->span.end <= owner->span.start) return true;
    }
    return false;
}

/* The first origin of the belief in a GPU tensor. */
static OriginKind root_of(const Inference *inference, const EffectRecord *record) {
    return origin_begins(&inference->values, record->origin);
}

/* In a loop that is neither a step, an evaluation nor an epoch: its purpose is unknown, and may be set-up that
   runs once. Likewise a loop around evaluations, which may iterate over whole runs. */
static bool is_of_any_loop(const Rate *rate) {
    return rate->unit == UNIT_ITERATION || (rate->unit == UNIT_EPOCH && rate->weak);
}

/* `x.pin_memory()` and the like are right or wrong depending on what comes before and after. */
static bool is_of_order(const Inference *inference, const EffectRecord *record) {
    return text_is(rulebook_text(inference->book, inference->book->hazards[record->hazard].kind), "async");
}

/* `kept[i] = x`, where kept is made on the CPU and only the convention of a parameter or model says that x is
   on the GPU. Outside of steps and batches this often runs on the CPU only, or kept was moved before. */
static bool is_kept_by_convention(const Inference *inference, const EffectRecord *record, const Rate *rate) {
    const Entry *api = &inference->book->entries[record->entry];
    OriginKind root = root_of(inference, record);
    return does(inference, record, DOES_BIT(fetches)) &&
           api->parent == entry_named(inference->book, NAMED_tensor_class) &&
           text_is(rulebook_text(inference->book, api->name), "__setitem__") &&
           (rate->unit == UNIT_CALL || rate->unit == UNIT_ITERATION) && !rate->sync_free &&
           (root == ORIGIN_PARAMETER || root == ORIGIN_MODEL);
}

typedef struct Folders {
    bool data, others, transforms;
} Folders;

/* Folders of code for data: `data/features`, `augmentations.py`; but what a model, an environment or a replay
   buffer keeps there is computed with. */
static void read_folders(const Rulebook *book, Folders *folders, Text path, char between) {
    for (uint32_t start = 0, at = 0; at <= path.length; at++) {
        if (at < path.length && path.bytes[at] != between) continue;
        Text part = text_slice(path, start, at);
        folders->data |= name_is(book, NAMED_data_folder, part);
        folders->others |= name_is(book, NAMED_model_folder, part);
        folders->transforms |= name_is(book, NAMED_transforms_folder, part);
        start = at + 1;
    }
}

/* By the module's dotted name and, outside of packages, by the folders up to the project's top. */
static Folders folders_of(const Inference *inference, FileId id) {
    const Names *names = &inference->program->names;
    const SourceFile *file = &inference->program->files.items[id];
    uint32_t top = file->root.length;
    for (uint32_t i = 0; i < file->root_count; i++) {
        Text root = names_text(names, file->roots[i]);
        if (root.length < top && text_starts(file->root, root)) top = root.length;
    }
    Folders folders = {0};
    read_folders(inference->book, &folders, text_slice(file->root, top, file->root.length), '/');
    read_folders(inference->book, &folders, names_text(names, file->module), '.');
    return folders;
}

static bool is_for_data(const Inference *inference, FileId id) {
    Folders folders = folders_of(inference, id);
    return folders.data && !folders.others;
}

/* `image: Tensor`, unlike the parameters of `def forward(self, x):`. */
static bool is_annotated(const Inference *inference, const Origin *origin) {
    const SourceFile *file = &inference->program->files.items[origin->file];
    if (origin->kind != ORIGIN_PARAMETER || origin->span.end > file->bytes.length) return false;
    Text says = text_slice(file->bytes, origin->span.start, origin->span.end);
    return !text_starts(says, TEXT("def ")) && !text_starts(says, TEXT("async "));
}

/* In code for data, a tensor by annotation only: samples, augmentations and features, of which a loader makes a
   batch; no visible caller passes a GPU tensor. (In a step or an evaluation batch it may have been moved
   already; and whoever writes x.cpu() knows it is on the GPU.) */
static bool is_before_moving(const Inference *inference, FileId file, const EffectRecord *record,
                             const Rate *rate) {
    OriginId root = origin_root(&inference->values, record->origin);
    const Origin *origin = &inference->values.origins.items[root];
    if (does(inference, record, DOES_BIT(fetches))) return false;
    return root && (rate->unit == UNIT_CALL || rate->unit == UNIT_ITERATION) && !rate->sync_free &&
           is_annotated(inference, origin) && is_for_data(inference, file) &&
           is_for_data(inference, origin->file);
}

/* In a function without visible callers that takes no tensor: a call on a tensor of which more than a
   parameter's convention is known, or an explicit wait, is in somebody's loop. Not for copies to the GPU, which
   too often are start-up. */
static bool is_work_of_caller(const Inference *inference, const EffectRecord *record, const Rate *rate,
                              Evidence doubts) {
    if (rate->aside || reads_plainly(record) || record->converts) return false;
    if (!doubts && does(inference, record, DOES_BIT(waits))) return true;
    OriginKind root = root_of(inference, record);
    if (root == ORIGIN_NO || root == ORIGIN_PARAMETER || (doubts & ~evidence(SEEN_OTHERS))) return false;
    return does(inference, record, DOES_BIT(decides) | (doubts ? 0 : DOES_BIT(reads)));
}

/* In a method without visible callers: objects with state are made to be called repeatedly, by loops of the
   library's users. Not for copies to the GPU, too often start-up; nor for values believed by their use alone,
   which are rarely on the GPU; nor for callees, of which the rest of the program tells more. */
static bool is_asked_again(const Inference *inference, const EffectRecord *record, const Rate *rate,
                           Evidence doubts) {
    OriginKind root = root_of(inference, record);
    bool itself = rate->asked && rate->calls <= 1;
    return !doubts && itself && !rate->aside && root != ORIGIN_NO && root != ORIGIN_USE &&
           !does(inference, record, DOES_BIT(sends));
}

/* In a function without visible callers that, by its parameters or name, is called for each batch, step or
   request. (A module is usually moved only once there.) */
static bool is_done_each_call(const Inference *inference, const EffectRecord *record, const Rate *rate,
                              Evidence doubts) {
    bool each = rate->computes || (rate->works && !moves_module(inference, record));
    return (each && record->origin) || is_asked_again(inference, record, rate, doubts) ||
           is_work_of_caller(inference, record, rate, doubts);
}

/* `x.detach().cpu()` or `kept[mask]` where only such uses say GPU tensor: in a training step x is one, as
   batches and results of a model are. So is what the step's own loop body reads; but in callees `x.item()` may
   be of an array. Not for copies to x's device, which may be a no-op, nor for decisions, which may be on a
   flag. */
static bool is_used_in_step(const Inference *inference, const EffectRecord *record, const Rate *rate) {
    bool body = !rate->calls && rate->item != UINT32_MAX;
    if (effect_confidence(record) != CONFIDENCE_POSSIBLE ||
        evidence_of_match(record->evidence) != evidence(SEEN_VALUE) || reads_plainly(record) ||
        record->converts || !unit_trains(rate->unit) || root_of(inference, record) != ORIGIN_USE)
        return false;
    return does(inference, record, DOES_BIT(fetches) | DOES_BIT(sizes) | DOES_BIT(indexes)) ||
           (body && does(inference, record, DOES_BIT(reads)));
}

/* `if self.scale:` where it is merely possibly a tensor: nobody tests a bare tensor, but whether something is
   there. */
static bool asks_if_there(const Inference *inference, const FileModel *model, const Item *item,
                          const EffectRecord *record) {
    const Entry *api = &inference->book->entries[record->entry];
    uint8_t kind = model->exprs.items[item->expr].kind;
    bool bare = kind == EXPR_NAME || kind == EXPR_ATTRIBUTE || kind == EXPR_SUBSCRIPT;
    return bare && item->role == EFFECT_USE && !has(record, SEEN_READ) &&
           api->parent == entry_named(inference->book, NAMED_tensor_class) &&
           text_equal(rulebook_text(inference->book, api->name), TEXT("__bool__"));
}

static Text source_of(const SourceFile *file, ExprId id) {
    Span span = file->model->exprs.items[id].span;
    return text_slice(file->bytes, span.start, span.end);
}

static bool makes_object(const FileModel *model, const Func *func) {
    Text name = func->name ? model_name(model, func->name) : (Text){0};
    return text_equal(name, TEXT("__init__")) || text_equal(name, TEXT("__post_init__"));
}

/* Besides `but`, only the constructor assigns that attribute of its class. */
static bool is_made_once(const Inference *inference, FileId file_id, ClassId class_id, NameId name,
                         StmtId but) {
    const SourceFile *file = &inference->program->files.items[file_id];
    const Writes *writes = inference->writes[file_id];
    for (const Write *w = writes_of_name(writes, file->syms[name]); w; w = write_next(writes, w)) {
        const Func *func = &file->model->funcs.items[w->func];
        bool kept = w->kind == DEF_ASSIGN && file->model->exprs.items[w->target].kind == EXPR_ATTRIBUTE;
        if (kept && w->stmt != but && func->class_id == class_id && !makes_object(file->model, func))
            return false;
    }
    return true;
}

/* `self.weights = self.weights.to(x.device)` of something that the constructor makes: it is on the device after
   the first time. */
static bool moves_once(const Inference *inference, const Context *context, const Item *item,
                       const EffectRecord *record) {
    const SourceFile *file = &inference->program->files.items[context->file];
    const FileModel *model = file->model;
    const Stmt *stmt = &model->stmts.items[item->stmt];
    const Func *func = &model->funcs.items[context->func];
    if (!record->to_device || !item->stmt || stmt->kind != STMT_ASSIGN || stmt->list.count != 1) return false;
    const ExprId target = model->links.items[stmt->list.first];
    const Expr *kept = &model->exprs.items[target], *call = &model->exprs.items[item->expr];
    if (kept->kind != EXPR_ATTRIBUTE || call->kind != EXPR_CALL || !func->class_id) return false;
    const Expr *callee = &model->exprs.items[call->a];
    return callee->kind == EXPR_ATTRIBUTE && text_equal(source_of(file, callee->a), source_of(file, target)) &&
           is_made_once(inference, context->file, func->class_id, kept->name, item->stmt);
}

/* `self.average.to(device)` with an unused result: it moves itself, so it is no tensor but holds some, as
   modules do, and is on the device after the first time. */
static bool moves_itself(const Inference *inference, FileId file, const Item *item,
                         const EffectRecord *record) {
    const Stmt *stmt = &inference->program->files.items[file].model->stmts.items[item->stmt];
    bool alone = item->stmt && stmt->kind == STMT_EXPR && stmt->a == item->expr;
    return alone && record->to_device && has(record, SEEN_GUESSED) &&
           !moves_new_module(inference, file, record);
}

/* ---- evidence ---- */

static Evidence root_evidence(const Inference *inference, const EffectRecord *record) {
    const OriginId first = origin_root(&inference->values, record->origin);
    if (is_annotated(inference, &inference->values.origins.items[first])) return evidence(SEEN_ROOT_ANNOTATED);
    switch (root_of(inference, record)) {
    case ORIGIN_RESULT: return evidence(SEEN_ROOT_RESULT);
    case ORIGIN_MOVED: return evidence(SEEN_ROOT_MOVED);
    case ORIGIN_MADE: return evidence(SEEN_ROOT_MADE);
    case ORIGIN_DEVICE: return evidence(SEEN_ROOT_DEVICE);
    case ORIGIN_PARAMETER: return evidence(SEEN_ROOT_PARAMETER);
    default:
        return 0; /* an origin in a name, an argument or an attribute made no difference in the judged findings */
    }
}

/* From the operation alone. */
static Evidence of_effect(const Inference *inference, FileId file, const EffectRecord *record) {
    Evidence seen = record->evidence | root_evidence(inference, record);
    bool old = moves_module(inference, record) && !moves_new_module(inference, file, record);
    return seen | evidence_if(is_of_order(inference, record), SEEN_ORDER) |
           evidence_if(moves_module(inference, record), SEEN_MODULE) | evidence_if(old, SEEN_HERE_ALREADY) |
           evidence_if(inference->broken[file] && !(record->says & SAYS_ANYWHERE), SEEN_BROKEN) |
           evidence_if(is_for_data(inference, file), SEEN_DATA) |
           evidence_if(folders_of(inference, file).transforms, SEEN_TRANSFORMS) |
           evidence_if(inference->silent[file], SEEN_NO_DEVICE) |
           evidence_if(inference->unplaced, SEEN_UNPLACED);
}

/* From the path alone. */
static Evidence of_rate(const Rate *rate) {
    return rate->evidence | evidence_if(rate->setup, SEEN_SETUP) | evidence_if(rate->weak, SEEN_WEAK) |
           evidence_if(rate_is_far(rate) || is_of_any_loop(rate), SEEN_LOOSE) |
           evidence_if(rate->aside, SEEN_ASIDE) |
           evidence_if(unit_trains(rate->unit) || rate->unit == UNIT_EVALUATION, SEEN_STEP);
}

/* From both together. */
static Evidence of_both(const Inference *inference, const Context *context, const Item *item,
                        const EffectRecord *record, const Rate *rate) {
    const SourceFile *file = &inference->program->files.items[context->file];
    bool there =
        is_kept_by_convention(inference, record, rate) || moves_itself(inference, context->file, item, record);
    return evidence_if(there, SEEN_HERE_ALREADY) |
           evidence_if(is_before_moving(inference, context->file, record, rate), SEEN_SAMPLE) |
           evidence_if(is_used_in_step(inference, record, rate), SEEN_IN_STEP) |
           evidence_if((record->says & SAYS_ANYWHERE) && rate->chosen, SEEN_OPTION) |
           evidence_if(asks_if_there(inference, file->model, item, record), SEEN_IF_THERE) |
           evidence_if(moves_module(inference, record) && rate->unit == UNIT_ITERATION && rate->weak,
                       SEEN_SETUP);
}

/* In a function without visible callers. */
static Evidence of_caller(const Inference *inference, const EffectRecord *record, const Rate *rate,
                          Evidence seen) {
    const Evidence weighed = evidence_of_match(seen) | evidence(SEEN_RARE) | evidence(SEEN_RAISES) |
                             evidence(SEEN_TEST) | evidence(SEEN_PREPARES) | evidence(SEEN_FORGOTTEN);
    return evidence(is_done_each_call(inference, record, rate, seen & weighed) ? SEEN_AGAIN : SEEN_CALLER);
}

/* A contract, or a rule reported anywhere, holds in code that runs once, that nobody calls, or that may read
   numbers too: drops the evidence of use. */
static Evidence but_of_use(Evidence seen) {
    return seen & ~(evidence(SEEN_CALLER) | evidence(SEEN_AGAIN) | evidence(SEEN_PLAIN) | evidence(SEEN_READ) |
                    evidence(SEEN_WEAK) | evidence(SEEN_SETUP));
}

/* `torch.tensor(1.0, device=g.device)` in a function under `@torch.compile`. */
static bool is_constant_of_graph(const Inference *inference, const Context *context,
                                 const EffectRecord *record) {
    const SourceFile *file = &inference->program->files.items[context->file];
    List decorators = file->model->funcs.items[context->func].decorators;
    for (uint32_t i = 0; does(inference, record, DOES_BIT(makes)) && i < decorators.count; i++) {
        ExprId id = file->model->links.items[decorators.first + i];
        const Expr *expr = &file->model->exprs.items[id];
        if (name_is(inference->book, NAMED_tracing_decorator,
                    source_of(file, expr->kind == EXPR_CALL ? expr->a : id)))
            return true;
    }
    return false;
}

/* Runs too rarely to be a finding: start-up work, a move that has an effect only the first time, and what
   pytest collects. */
static bool runs_once(const Inference *inference, const Context *context, const Item *item,
                      const EffectRecord *record, const Rate *rate) {
    const SourceFile *file = &inference->program->files.items[context->file];
    bool tests = rate->evidence >> SEEN_TEST & 1;
    return (rate->setup && !(record->says & SAYS_ANYWHERE)) || moves_once(inference, context, item, record) ||
           (tests && calls_is_test(inference->book, file));
}

static bool is_forward(const Inference *inference, const Context *context) {
    const SourceFile *file = &inference->program->files.items[context->file];
    const Func *func = &file->model->funcs.items[context->func];
    return func->class_id && file->syms[func->name] == inference->known->forward &&
           inference->classes[file->class_base + func->class_id].is_module == TRI_YES;
}

bool evidence_find(const Inference *inference, const Context *context, const Item *item,
                   const EffectRecord *record, Rate *rate) {
    bool anywhere = record->says & SAYS_ANYWHERE;
    bool told = !runs_once(inference, context, item, record, rate);
    Evidence seen = of_rate(rate) | of_effect(inference, context->file, record);
    if (rate->unit == UNIT_NONE && !anywhere && !(rate->sync_free && !rate->guess)) {
        /* a model runs for each input, whatever the function is called that calls it and that nobody calls */
        bool runs = !rate->setup && is_forward(inference, context);
        rate->works |= runs;
        rate->supposed |= runs;
        seen |= of_caller(inference, record, rate, seen);
        rate->unit = UNIT_CALL;
    }
    seen |= of_both(inference, context, item, record, rate);
    rate->evidence = rate->sync_free || anywhere ? but_of_use(seen) : seen;
    told &=
        !is_quiet(inference, context->file, record, rate) && !is_constant_of_graph(inference, context, record);
    if (!evidence_veils(rate->evidence)) rate->evidence |= evidence(SEEN_KNOWN);
    return told;
}
