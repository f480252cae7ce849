/* Classes of evidence and frequency that were wrong too often where people read what syncl had said of real code
   (corpus/count), or on a GPU (tests/truth): they are less sure than their facts alone. */
#include "sureness.h"
#include "conventions.h"

static bool has(const EffectRecord *record, unsigned seen) { return record->evidence >> seen & 1; }

static Confidence doubted(Rate *rate, Confidence confidence, uint16_t doubt) {
    rate->doubts |= doubt;
    return confidence_min(confidence, CONFIDENCE_POSSIBLE);
}

static Confidence unless_quiet(const Inference *inference, FileId file, const EffectRecord *record, Rate *rate,
                               Confidence confidence) {
    EntryId module = inference->quieted.count ? rulebook_module(inference->book, record->entry) : 0;
    for (uint32_t i = 0; i < inference->quieted.count; i++) {
        const Quieted *one = &inference->quieted.items[i];
        if (one->hazard != record->hazard || one->module != module) continue;
        if (one->perhaps) {
            rate->evidence |= evidence(SEEN_PERHAPS_WISHED);
            confidence = confidence_min(confidence, CONFIDENCE_LIKELY);
            continue;
        }
        bool here = one->file == file || (one->after && one->after[file]);
        if (!here && one->around && !one->around[file]) continue;
        rate->evidence |= evidence(SEEN_WISHED);
        if (here) return CONFIDENCE_NONE;
        confidence = doubted(rate, confidence, DOUBT_WISHED);
    }
    return confidence;
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

/* `Net().to(device)`, or net after `net = Net()` in the same function: each time another one. A module that a variable has from
   elsewhere is on the GPU from the first time on. */
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
    for (AccessId d = graph_defs(graph, slot_own(owner)); d; d = graph->accesses[d].next) {
        const Access *def = &graph->accesses[d];
        ExprId given = graph_value(graph, d);
        const Expr *value = &model->exprs.items[given];
        bool made = def->kind == DEF_ASSIGN && value->kind == EXPR_CALL;
        if (made && value->span.end <= owner->span.start) return true;
    }
    return false;
}

/* Where a module is kept for the next time, only the first move copies: never certain, and where it was not made just before
   it is as often there. A layer that a loop of no step and no batch moves is doubted more: models are built so, and parts of
   them exchanged. */
static Confidence sure_of_module(const Inference *inference, FileId file, const EffectRecord *record,
                                 Rate *rate, Confidence confidence) {
    if (!moves_module(inference, record)) return confidence;
    if (!rate->sync_free && !moves_new_module(inference, file, record))
        confidence = doubted(rate, confidence, DOUBT_SIDES);
    if (rate->unit == UNIT_ITERATION && confidence > CONFIDENCE_POSSIBLE) return confidence - 1;
    return confidence_min(confidence, CONFIDENCE_LIKELY);
}

/* What the belief in a GPU tensor starts from. */
static OriginKind root_of(const Inference *inference, const EffectRecord *record) {
    return origin_begins(&inference->values, record->origin);
}

/* `x.cpu()` alone says that x is on the GPU, in a loop of which nothing else is known: a plot, a checkpoint's parts. */
static bool is_guess_of_use(const Inference *inference, const EffectRecord *record, const Rate *rate) {
    return rate->unit == UNIT_ITERATION && rate->weak && root_of(inference, record) == ORIGIN_USE;
}

/* In a loop that is neither a step, an evaluation nor an epoch: what it is for is not known, set-up that runs once among them.
   So is a loop around evaluations, which may go over whole runs. */
static bool is_of_any_loop(const Rate *rate) {
    return rate->unit == UNIT_ITERATION || (rate->unit == UNIT_EPOCH && rate->weak);
}

/* `x.pin_memory()` and its like: right or wrong by what is done before and after. */
static bool is_of_order(const Inference *inference, const EffectRecord *record) {
    return text_is(rulebook_text(inference->book, inference->book->hazards[record->hazard].kind), "async");
}

/* A GPU tensor by the word of a library's page alone, say what a framework has logged. */
static bool is_of_library(const Inference *inference, const EffectRecord *record) {
    return root_of(inference, record) == ORIGIN_RESULT;
}

/* What is only possible and stands in a loop of which nothing more is known: a tensor of unknown device, unless
   it is copied to the host, and a number that is read in a loop without long work. In steps, batches and calls it is there
   more often. */
static bool is_seldom_there(const Inference *inference, const EffectRecord *record, const Rate *rate) {
    if (rate->unit != UNIT_ITERATION || record->to_device || does(inference, record, DOES_BIT(fetches)))
        return false;
    return (rate->doubts & DOUBT_PROPERTY) || (rate->weak && does(inference, record, DOES_BIT(reads)));
}

/* `if a > b:`, `range(n)`, f"{x}", which numbers know as well: never certain; a tensor by the convention of a parameter or a
   model alone is doubted outside of steps and batches, and what is only possible is told in steps alone. The reads that only
   tensors know need none of this. A contract is told of all. */
static Confidence sure_of_plain(const Inference *inference, const EffectRecord *record, Rate *rate,
                                Confidence confidence) {
    bool about = rate->unit == UNIT_CALL || rate->unit == UNIT_ITERATION;
    OriginKind root = root_of(inference, record);
    bool convention = root == ORIGIN_PARAMETER || root == ORIGIN_MODEL;
    if (rate->sync_free) return confidence;
    if (record->confidence == CONFIDENCE_CERTAIN) return confidence_min(confidence, CONFIDENCE_LIKELY);
    if (record->confidence == CONFIDENCE_POSSIBLE)
        return rate->unit == UNIT_STEP ? confidence : CONFIDENCE_NONE;
    return about && convention && !has(record, SEEN_COMPUTED) ? doubted(rate, confidence, DOUBT_OTHERS)
                                                              : confidence;
}

/* `kept[i] = x` of what is made on the CPU, and an x that is on the GPU by the convention of a parameter or a model alone:
   outside of steps and batches it often runs on the CPU only, or kept is moved before. */
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

/* `data/features`, `augmentations.py`; what a model, an environment or a replay buffer keeps there is computed with. */
static void read_folders(const Rulebook *book, Folders *folders, Text path, char between) {
    static const char *const TRANSFORMS[] = {"transform", "preprocess", "augment"};
    for (uint32_t start = 0, at = 0; at <= path.length; at++) {
        if (at < path.length && path.bytes[at] != between) continue;
        Text part = text_slice(path, start, at);
        folders->data |= name_is(book, NAMED_data_folder, part);
        folders->others |= name_is(book, NAMED_model_folder, part);
        folders->transforms |= text_holds_any(part, TRANSFORMS, sizeof TRANSFORMS / sizeof *TRANSFORMS);
        start = at + 1;
    }
}

/* By its module's name and, of what is no package, the folders around it up to the project's top. */
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

/* `image: Tensor`, and not all that `def forward(self, x):` is given. */
static bool is_annotated(const Inference *inference, const Origin *origin) {
    const SourceFile *file = &inference->program->files.items[origin->file];
    if (origin->kind != ORIGIN_PARAMETER || origin->span.end > file->bytes.length) return false;
    Text says = text_slice(file->bytes, origin->span.start, origin->span.end);
    return !text_starts(says, TEXT("def ")) && !text_starts(says, TEXT("async "));
}

/* A tensor by an annotation alone, in code for data: the samples, augmentations and features that a loader makes a batch of.
   Nobody in sight gives it one that is on the GPU. In a step, or a batch of an evaluation, it may be moved already; who writes
   x.cpu() has seen it there. */
static bool is_before_moving(const Inference *inference, FileId file, const EffectRecord *record,
                             const Rate *rate) {
    OriginId root = origin_root(&inference->values, record->origin);
    const Origin *origin = &inference->values.origins.items[root];
    if (does(inference, record, DOES_BIT(fetches))) return false;
    return root && (rate->unit == UNIT_CALL || rate->unit == UNIT_ITERATION) && !rate->sync_free &&
           is_annotated(inference, origin) && is_for_data(inference, file) &&
           is_for_data(inference, origin->file);
}

/* In a function that nobody in sight calls and that takes no tensor. What is asked there of a tensor of which more is
   known than a parameter's convention, and what waits in so many words, is in somebody's loop. What is sent to
   the GPU there is start-up too often. */
static bool is_work_of_caller(const Inference *inference, const EffectRecord *record, const Rate *rate) {
    if (rate->aside || has(record, SEEN_PLAIN) || record->converts) return false;
    uint16_t doubts = rate->doubts & (uint16_t)~DOUBT_CALLER;
    if (!doubts && does(inference, record, DOES_BIT(waits))) return true;
    OriginKind root = root_of(inference, record);
    if (root == ORIGIN_NO || root == ORIGIN_PARAMETER || (doubts & ~DOUBT_OTHERS)) return false;
    return does(inference, record, DOES_BIT(decides) | (doubts ? 0 : DOES_BIT(reads)));
}

/* In a method that nobody in sight calls: objects with state are made to be asked again and again, by the loops of who uses
   the library. What is copied to the GPU there is a start-up's too often, what is believed by its use alone is seldom
   there, and of what such a method calls the rest of the program knows more. */
static bool is_asked_again(const Inference *inference, const EffectRecord *record, const Rate *rate) {
    OriginKind root = root_of(inference, record);
    bool itself = rate->asked && rate->calls <= 1;
    if (rate->doubts & ~DOUBT_CALLER) return false;
    return itself && !rate->aside && root != ORIGIN_NO && root != ORIGIN_USE &&
           !does(inference, record, DOES_BIT(sends));
}

/* What is done in each call of a function that nobody in sight calls, which by what it takes or by its name is called for each
   batch, step or request. A module is moved there once, as a rule. */
static bool is_done_each_call(const Inference *inference, const EffectRecord *record, const Rate *rate) {
    bool each = rate->computes || (rate->works && !moves_module(inference, record));
    return (each && record->origin) || is_asked_again(inference, record, rate) ||
           is_work_of_caller(inference, record, rate);
}

/* `x.detach().cpu()`, `kept[mask]` of what only such uses say is a GPU tensor: in a training step it is one, as its batches and
   what a model makes of them are. So is what the body of the step's own loop reads; in what it calls `x.item()` is as well asked
   of an array's number. What is sent to its device there is as often at home already, and a decision is of a flag. */
static bool is_used_in_step(const Inference *inference, const EffectRecord *record, const Rate *rate) {
    bool body = !rate->calls && rate->item != UINT32_MAX;
    if (record->confidence != CONFIDENCE_POSSIBLE || record->doubts != DOUBT_VALUE || has(record, SEEN_PLAIN) ||
        record->converts || rate->unit != UNIT_STEP || root_of(inference, record) != ORIGIN_USE)
        return false;
    return does(inference, record, DOES_BIT(fetches) | DOES_BIT(sizes) | DOES_BIT(indexes)) ||
           (body && does(inference, record, DOES_BIT(reads)));
}

/* `if self.scale:`, of what is only perhaps a tensor: nobody decides by a bare one, but by whether something is there. */
static bool asks_if_there(const Inference *inference, const FileModel *model, const Item *item,
                          const EffectRecord *record) {
    const Entry *api = &inference->book->entries[record->entry];
    uint8_t kind = model->exprs.items[item->expr].kind;
    bool bare = kind == EXPR_NAME || kind == EXPR_ATTRIBUTE || kind == EXPR_SUBSCRIPT;
    return bare && item->role == EFFECT_USE &&
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

/* Beside `but`, only what makes the object assigns that attribute in its class. */
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

/* `self.weights = self.weights.to(x.device)`, of what the constructor made: it is there from the first time on. */
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

/* A contract holds for what runs once, and for what nobody in sight calls. */
static Confidence level_of(const Inference *inference, FileId file, const EffectRecord *record, Rate *rate) {
    bool anywhere = record->says & SAYS_ANYWHERE;
    bool used = is_used_in_step(inference, record, rate);
    Confidence confidence =
        confidence_min(used ? CONFIDENCE_LIKELY : (Confidence)record->confidence, rate->most);
    rate->doubts |= used ? 0 : record->doubts;
    if (rate->setup && !anywhere) return CONFIDENCE_NONE; /* most such lines run once in a run */
    if (rate->setup) confidence = confidence_min(confidence, CONFIDENCE_POSSIBLE);
    confidence = sure_of_module(inference, file, record, rate, confidence);
    if (is_guess_of_use(inference, record, rate)) confidence = doubted(rate, confidence, DOUBT_VALUE);
    if (anywhere && rate->chosen) confidence = doubted(rate, confidence, DOUBT_BRANCH);
    if (rate->unit == UNIT_NONE && !anywhere && !(rate->sync_free && !rate->guess)) {
        rate->unit = UNIT_CALL;
        bool computes = is_done_each_call(inference, record, rate);
        if (!rate->sync_free && !computes) confidence = doubted(rate, confidence, DOUBT_CALLER);
        if (!rate->sync_free) confidence = confidence_min(confidence, CONFIDENCE_LIKELY);
        bool doubtful = ((rate->doubts & DOUBT_CALLER) || rate->works) && (rate->doubts & DOUBT_PROPERTY);
        if (doubtful && !record->to_device) return CONFIDENCE_NONE; /* seldom there */
    }
    if (confidence == CONFIDENCE_POSSIBLE && !anywhere && is_seldom_there(inference, record, rate))
        return CONFIDENCE_NONE;
    if (is_of_any_loop(rate) || rate_is_far(rate) || is_of_order(inference, record) ||
        is_of_library(inference, record))
        confidence = confidence_min(confidence, CONFIDENCE_LIKELY);
    if (is_kept_by_convention(inference, record, rate)) confidence = doubted(rate, confidence, DOUBT_SIDES);
    if (is_before_moving(inference, file, record, rate)) confidence = doubted(rate, confidence, DOUBT_DATA);
    if (inference->broken[file] && !anywhere) confidence = doubted(rate, confidence, DOUBT_BRANCH);
    if (has(record, SEEN_PLAIN)) confidence = sure_of_plain(inference, record, rate, confidence);
    return unless_quiet(inference, file, record, rate, confidence);
}

/* ---- evidence ---- */

static Evidence root_evidence(const Inference *inference, const EffectRecord *record) {
    static const uint8_t ROOTS[] = {[ORIGIN_NO] = SEEN_ROOT_NONE,
                                    [ORIGIN_RESULT] = SEEN_ROOT_RESULT,
                                    [ORIGIN_MOVED] = SEEN_ROOT_MOVED,
                                    [ORIGIN_MADE] = SEEN_ROOT_MADE,
                                    [ORIGIN_DEVICE] = SEEN_ROOT_DEVICE,
                                    [ORIGIN_MODEL] = SEEN_ROOT_MODEL,
                                    [ORIGIN_PARAMETER] = SEEN_ROOT_PARAMETER,
                                    [ORIGIN_ARGUMENT] = SEEN_ROOT_ARGUMENT,
                                    [ORIGIN_ATTRIBUTE] = SEEN_ROOT_ATTRIBUTE,
                                    [ORIGIN_USE] = SEEN_ROOT_USE,
                                    [ORIGIN_NAME] = SEEN_ROOT_NAME,
                                    [ORIGIN_ASSIGNED] = SEEN_ROOT_ASSIGNED};
    const OriginId first = origin_root(&inference->values, record->origin);
    const Origin *root = &inference->values.origins.items[first];
    return evidence(is_annotated(inference, root) ? SEEN_ROOT_ANNOTATED : ROOTS[root_of(inference, record)]);
}

/* What an operation alone says. */
static Evidence evidence_of_effect(const Inference *inference, FileId file, const EffectRecord *record) {
    Evidence seen = record->evidence | root_evidence(inference, record);
    for (unsigned bit = 0; bit < DOUBTS_OF_EFFECT; bit++)
        seen |= evidence_if(record->doubts >> bit & 1, SEEN_VALUE + bit);
    return seen | evidence_if(is_of_order(inference, record), SEEN_ORDER) |
           evidence_if(moves_module(inference, record), SEEN_MODULE) |
           evidence_if(inference->broken[file], SEEN_BROKEN) |
           evidence_if(is_for_data(inference, file), SEEN_DATA) |
           evidence_if(folders_of(inference, file).transforms, SEEN_TRANSFORMS) |
           evidence_if(inference->silent[file], SEEN_NO_DEVICE);
}

/* What the way to it says. */
static Evidence evidence_of_rate(const Rate *rate) {
    return rate->evidence | evidence_if(rate->setup, SEEN_SETUP) | evidence_if(rate->weak, SEEN_WEAK) |
           evidence_if(rate_is_far(rate), SEEN_FAR) | evidence_if(is_of_any_loop(rate), SEEN_ANY_LOOP) |
           evidence_if(rate->aside, SEEN_ASIDE) | evidence_if(rate->chosen, SEEN_CHOSEN) |
           evidence_if(rate->unit == UNIT_NONE, SEEN_CALLER) | evidence_if(rate->computes, SEEN_COMPUTES) |
           evidence_if(rate->unit == UNIT_STEP || rate->unit == UNIT_EVALUATION, SEEN_STEP);
}

Confidence sureness_of(const Inference *inference, const Context *context, const Item *item,
                       const EffectRecord *record, Rate *rate) {
    const SourceFile *file = &inference->program->files.items[context->file];
    bool once = moves_once(inference, context, item, record);
    bool there = asks_if_there(inference, file->model, item, record);
    bool old = moves_module(inference, record) && !moves_new_module(inference, context->file, record);
    rate->evidence =
        evidence_of_rate(rate) | evidence_of_effect(inference, context->file, record) |
        evidence_if(once || old || is_kept_by_convention(inference, record, rate), SEEN_HERE_ALREADY) |
        evidence_if(there, SEEN_IF_THERE);
    if (once || has(record, SEEN_HARDLY)) return CONFIDENCE_NONE;
    Confidence confidence = level_of(inference, context->file, record, rate);
    bool tested = calls_is_test(inference->book, file); /* of a test's own lines nobody cares */
    return confidence == CONFIDENCE_POSSIBLE && (there || tested) ? CONFIDENCE_NONE : confidence;
}

/* A clock that is read once or once an epoch: calls that nobody follows may have waited before, where the way between the
   clocks is not known for certain. Nothing said of clocks is. */
Confidence sureness_of_reading(const Rate *rate, Confidence confidence) {
    if (confidence == CONFIDENCE_CERTAIN) return CONFIDENCE_LIKELY;
    bool looped = rate->unit != UNIT_NONE && rate->unit != UNIT_EPOCH;
    return looped ? confidence : confidence_min(confidence, CONFIDENCE_POSSIBLE);
}
