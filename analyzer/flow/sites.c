/* Merges effects to sites: all occurrences of a source expression over contexts and loops become one finding. */
#include "sites.h"
#include "conventions.h"
#include "events.h"
#include "evidence.h"
#include "late_fence.h"
#include "purpose.h"
#include "order_faults.h"
#include "programs.h"
#include "ranking.h"
#include "sent.h"
#include "site_words.h"
#include "way.h"
#include <stdlib.h>

enum { RETURNS_DEEP = 2 };

/* The call that a function's result goes to. */
typedef struct ReturnsTo {
    FileId file;
    ExprId call; /* 0 = not visible */
    StmtId stmt;
} ReturnsTo;

typedef struct Occurrence {
    FileId file;
    ExprId expr;
    uint8_t role;
    HazardId hazard;
    StmtId stmt;
    ContextId context;
    EffectRecord effect;
    double waits, backward_waits;
    Rate rate;
    Confidence confidence;
    const Reason *hot;
    uint32_t hot_count;
    HotLoopId loop;
    VEC(HotLoopId) also;
    ReturnsTo returns[RETURNS_DEEP]; /* the nearest calls on the path */
    FileId home;                     /* of the program it is reported for */
    uint64_t runs;                   /* programs that lead here, see Programs */
} Occurrence;

/* What an occurrence is found by. */
typedef struct FoundAt {
    FileId file;
    ExprId expr;
    HazardId hazard;
    uint8_t role;
} FoundAt;

typedef struct Finder {
    Arena *arena, *scratch;
    Arena occurrences; /* until sites are made of them */
    const Inference *inference;
    const CallGraph *graph;
    VEC(Occurrence) found; /* items[0] unused */
    const FoundAt *places; /* [index in found], once that is gone */
    uint32_t *slots;
    uint32_t slot_count;
    VEC(Rate) loops;       /* items[0] unused */
    HotLoopId *loop_slots; /* by hash */
    uint32_t loop_slot_count;
    OrderFaults faults;
    Programs programs;
    ExprId **parents; /* [FileId] */
} Finder;

static uint64_t key_of(FileId file, ExprId expr, uint8_t role, HazardId hazard) {
    return ((uint64_t)file << 40 ^ (uint64_t)expr << 8 ^ (uint64_t)role << 7 ^ hazard) * 0x9E3779B97F4A7C15u;
}

static FoundAt place_of(const Finder *finder, uint32_t id) {
    if (finder->places) return finder->places[id];
    const Occurrence *one = &finder->found.items[id];
    return (FoundAt){one->file, one->expr, one->hazard, one->role};
}

static uint32_t *find_slot(const Finder *finder, FileId file, ExprId expr, uint8_t role, HazardId hazard) {
    uint32_t at = (uint32_t)(key_of(file, expr, role, hazard) >> 32) & (finder->slot_count - 1);
    for (;; at = (at + 1) & (finder->slot_count - 1)) {
        uint32_t id = finder->slots[at];
        if (!id) return &finder->slots[at];
        FoundAt old = place_of(finder, id);
        if (old.file == file && old.expr == expr && old.role == role && old.hazard == hazard)
            return &finder->slots[at];
    }
}

static void widen(Finder *finder) {
    finder->slot_count *= 2;
    finder->slots = arena_new(finder->scratch, uint32_t, finder->slot_count);
    for (uint32_t id = 1; id < finder->found.count; id++) {
        const Occurrence *old = &finder->found.items[id];
        *find_slot(finder, old->file, old->expr, old->role, old->hazard) = id;
    }
}

/* ---- hot loops ---- */

/* An iteration of a function with statements declared hot is a call of it, whichever statement it is. */
static uint32_t loop_number(const Rate *rate) { return rate->said ? rate->loop_func : rate->loop_head.start; }

static HotLoopId *loop_slot(const Finder *finder, const Rate *rate) {
    uint64_t key = (uint64_t)rate->loop_file << 40 ^ (uint64_t)loop_number(rate) << 8 ^ rate->unit;
    uint32_t at = (uint32_t)(key * 0x9E3779B97F4A7C15u >> 32) & (finder->loop_slot_count - 1);
    for (;; at = (at + 1) & (finder->loop_slot_count - 1)) {
        const Rate *old = &finder->loops.items[finder->loop_slots[at]];
        bool same = old->loop_file == rate->loop_file && old->unit == rate->unit && old->said == rate->said &&
                    loop_number(old) == loop_number(rate);
        if (!finder->loop_slots[at] || same) return &finder->loop_slots[at];
    }
}

static void widen_loops(Finder *finder) {
    finder->loop_slot_count = finder->loop_slot_count ? finder->loop_slot_count * 2 : 64;
    finder->loop_slots = arena_new(finder->scratch, HotLoopId, finder->loop_slot_count);
    for (HotLoopId id = 1; id < finder->loops.count; id++) *loop_slot(finder, &finder->loops.items[id]) = id;
}

/* A step of several iterations belongs to the loop whose iteration is a batch. */
static HotLoopId loop_of(Finder *finder, const Rate *rate) {
    Rate turn = *rate;
    if (turn.gathered) turn.unit = UNIT_BATCH, turn.gathered = false;
    rate = &turn;
    if (finder->loops.count * 2 >= finder->loop_slot_count) widen_loops(finder);
    HotLoopId *slot = loop_slot(finder, rate);
    if (*slot) return *slot;
    *slot = finder->loops.count;
    vec_push(finder->scratch, &finder->loops, *rate);
    return *slot;
}

/* ---- choosing the dearest path to a line ---- */

static int rank_rate(const Rate *rate) {
    enum { WITHOUT_OPTIONS = 8 };
    int always = rate->off || rate->supposed ? 0 : WITHOUT_OPTIONS;
    if (rate->unit == UNIT_NONE) return 0;
    bool once = rate->evidence >> SEEN_MAKING & 1; /* a loop in something that is created once in a run */
    if (rate->unit == UNIT_EPOCH || once) return always + 1;
    if (rate->every != 1) return always + 2;
    return always + (rate->unit == UNIT_CALL         ? 3
                     : rate->unit == UNIT_ITERATION  ? 4
                     : rate->unit == UNIT_EVALUATION ? 5
                                                     : 6);
}

static void note_also(Finder *finder, Occurrence *old, HotLoopId loop, ContextId context) {
    old->runs |= finder->programs.runs[context];
    if (!loop || loop == old->loop) return;
    for (uint32_t i = 0; i < old->also.count; i++)
        if (old->also.items[i] == loop) return;
    vec_push(finder->arena, &old->also, loop);
}

/* Records the dearest path to a fault. */
static void note_fault(Finder *finder, FileId file, const Item *item, const Rate *rate) {
    for (uint32_t i = 0; i < finder->faults.items.count; i++) {
        OrderFault *fault = &finder->faults.items.items[i];
        if (fault->place.file == file && fault->place.expr == item->expr &&
            rank_rate(rate) >= rank_rate(&fault->rate)) {
            fault->rate = *rate;
            fault->stmt = item->stmt;
        }
    }
}

/* Whether the new path is reported instead of the old one: one that breaks a contract first, else the surer; of
   two that are shown, the dearer. */
static bool tells_more(const Occurrence *old, const Rate *rate, Confidence confidence) {
    bool breaks = rate->sync_free && confidence >= CONFIDENCE_LIKELY, broke = old->rate.sync_free;
    bool surer = confidence > old->confidence, equal = confidence == old->confidence;
    bool visible = confidence >= CONFIDENCE_LIKELY && old->confidence >= CONFIDENCE_LIKELY;
    int dearer = rank_rate(rate) - rank_rate(&old->rate);
    if (!dearer && equal) dearer = rate->only.length < old->rate.only.length; /* it needs fewer options */
    if (breaks != broke) return breaks;
    if (visible) return dearer > 0 || (dearer == 0 && surer);
    return surer || (equal && dearer > 0);
}

static void note_returns(const Frame *frames, ReturnsTo *returns) {
    uint32_t count = 0;
    for (const Frame *at = frames; at && count < RETURNS_DEEP; at = at->outer)
        if (!at->is_loop) returns[count++] = (ReturnsTo){at->file, at->handed ? 0 : at->expr, at->stmt};
}

static void see_effect(void *self, ContextId id, const Item *item, const Rate *rate, const Frame *frames) {
    Finder *finder = self;
    const Context *context = finder->inference->contexts.items[id];
    const SourceFile *file = &finder->inference->program->files.items[context->file];
    if (file->whole) note_fault(finder, context->file, item, rate);
    if (item->kind == ITEM_USE) return;
    const EffectRecord *record = &context->effects.items[item->effect];
    if (!record->hazard || !file->whole || rate_is_once(rate, record)) return;
    Rate here = *rate;
    if (!evidence_find(finder->inference, context, item, record, &here)) return;
    if (programs_on_host(&finder->programs, context->file, record->origin))
        here.evidence = (here.evidence | evidence(SEEN_ON_HOST)) & ~evidence(SEEN_KNOWN);
    Confidence confidence = evidence_level(here.evidence);
    if (confidence == CONFIDENCE_NONE) return;
    bool looped = here.unit != UNIT_EPOCH && here.unit != UNIT_NONE;
    HotLoopId loop = looped ? loop_of(finder, &here) : 0;
    if (finder->found.count * 2 >= finder->slot_count) widen(finder);
    uint32_t *slot = find_slot(finder, context->file, item->expr, item->role, record->hazard);
    Occurrence *old = *slot ? &finder->found.items[*slot] : NULL;
    if (old && !tells_more(old, &here, confidence)) {
        note_also(finder, old, loop, id);
        return;
    }
    Occurrence made = {.file = context->file,
                       .expr = item->expr,
                       .role = item->role,
                       .hazard = record->hazard,
                       .stmt = item->stmt,
                       .context = id,
                       .effect = *record,
                       .waits = record->cost->waits,
                       .backward_waits = record->cost->backward_waits,
                       .rate = here,
                       .confidence = confidence,
                       .loop = loop,
                       .home = programs_home(context, frames),
                       .runs = finder->programs.runs[id]};
    made.effect.origin =
        programs_origin(&finder->programs, finder->scratch, id, item->expr, frames, record->origin);
    made.hot = way_reasons(finder->arena, finder->inference, &here, frames, &made.hot_count);
    note_returns(frames, made.returns);
    if (old) {
        made.also.items = old->also.items, made.also.count = old->also.count,
        made.also.capacity = old->also.capacity;
        HotLoopId before = old->loop;
        made.runs |= old->runs;
        *old = made;
        note_also(finder, old, before, id);
        return;
    }
    *slot = finder->found.count;
    vec_push(&finder->occurrences, &finder->found, made);
}

static void see_loop(void *self, const Rate *rate) {
    Finder *finder = self;
    if (finder->inference->program->files.items[rate->loop_file].whole) loop_of(finder, rate);
}

/* ---- the result ---- */

static int by_position(const void *left, const void *right) {
    const Occurrence *a = left, *b = right;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    if (a->effect.expr != b->effect.expr) return a->effect.expr < b->effect.expr ? -1 : 1;
    if (a->hazard != b->hazard) return a->hazard < b->hazard ? -1 : 1;
    return a->role < b->role ? -1 : a->role > b->role;
}

/* `x[m] += 1` reads and writes by the mask: one expression, one finding, both waits. */
static void merge_roles(Finder *finder) {
    uint32_t kept = 1;
    for (uint32_t id = 2; id < finder->found.count; id++) {
        Occurrence *last = &finder->found.items[kept], *next = &finder->found.items[id];
        if (last->file == next->file && last->expr == next->expr && last->hazard == next->hazard) {
            bool several = last->waits <= 0 || next->waits <= 0;
            last->waits = several ? 0 : last->waits + next->waits;
            last->backward_waits += next->backward_waits;
            if (next->confidence > last->confidence)
                last->confidence = next->confidence, last->rate.evidence = next->rate.evidence;
        } else {
            finder->found.items[++kept] = *next;
        }
    }
    if (finder->found.count > 1) finder->found.count = kept + 1;
}

static PurposeAsked ask_purpose(Finder *finder, FileId file, ExprId expr) {
    const SourceFile *source = &finder->inference->program->files.items[file];
    ExprId *parents = finder->parents[file];
    if (!parents) parents = finder->parents[file] = purpose_parents(finder->scratch, source->model);
    GlobalFunc func = source->func_base + model_func_of(source->model, expr);
    return (PurposeAsked){finder->inference->book, finder->inference->graphs[func], parents, finder->scratch};
}

/* `return loss.item()`: depends on what the callers on the path do with it. */
static Need need_of_callers(Finder *finder, const Occurrence *found) {
    Word purpose = PURPOSE_returned;
    for (uint32_t i = 0; purpose == PURPOSE_returned && i < RETURNS_DEEP && found->returns[i].call; i++) {
        const ReturnsTo *to = &found->returns[i];
        PurposeAsked asked = ask_purpose(finder, to->file, to->call);
        purpose = purpose_of(&asked, to->call, to->stmt);
    }
    Need need = purpose_need(purpose);
    return need == NEED_AVOIDABLE ? need : NEED_UNKNOWN; /* another path may lead elsewhere */
}

static Site make_site(Finder *finder, const Occurrence *found) {
    const Inference *inference = finder->inference;
    const FileModel *model = inference->program->files.items[found->file].model;
    PurposeAsked asked = ask_purpose(finder, found->file, found->expr);
    Site site = {.file = found->file,
                 .span = model->exprs.items[found->expr].span,
                 .expr = found->expr,
                 .hazard = found->hazard,
                 .clause = found->effect.clause,
                 .confidence = found->confidence,
                 .evidence = found->rate.evidence,
                 .waits = found->waits,
                 .backward_waits = found->backward_waits,
                 .copy_to_device = found->effect.to_device,
                 .unpriced = (found->effect.says & SAYS_FOUND) && !found->effect.copies,
                 .other = found->rate.other,
                 .loop = found->loop};
    site.statement = found->stmt ? model->stmts.items[found->stmt].head : site.span;
    site.entry = rulebook_text(inference->book, inference->book->entries[found->effect.entry].qualified);
    if (found->effect.copies) site.copied_bytes_low = 256, site.copied_bytes_high = 1 << 24;
    bool back = !found->effect.to_device; /* otherwise the host gets nothing back */
    site.purpose = (uint16_t)(back ? purpose_of(&asked, found->expr, found->stmt)
                                   : sent_purpose(inference, found->file, found->context, found->expr, &asked));
    if (back && sent_by_elements(inference, found->file, found->context, found->expr))
        site.purpose = PURPOSE_elements;
    site.need = found->effect.need                 ? (Need)found->effect.need
                : !back                            ? NEED_AVOIDABLE
                : site.purpose == PURPOSE_returned ? need_of_callers(finder, found)
                                                   : purpose_need((Word)site.purpose);
    site.frequency = (Frequency){.unit = found->rate.unit,
                                 .times = found->rate.times,
                                 .every = found->rate.every,
                                 .rank_guarded = found->rate.rank,
                                 .only = found->rate.only,
                                 .gathered = found->rate.gathered,
                                 .batches = found->rate.gathered ? found->rate.batches : 0,
                                 .whole = found->rate.unit == UNIT_EPOCH && found->rate.whole};
    Text only = found->rate.only; /* it lives in scratch */
    if (only.length) site.frequency.only.bytes = arena_copy(finder->arena, only.bytes, only.length);
    site.frequency.text = frequency_text(finder->arena, &site.frequency);
    if (late_fence_is(inference, inference->contexts.items[found->context], &found->effect))
        site.unpriced = true, site.purpose = PURPOSE_late, site.need = NEED_NEEDED;
    bool each_turn = found->rate.unit != UNIT_EPOCH && found->rate.every == 1 && !found->rate.off;
    bool minor = (found->effect.says & SAYS_MINOR) || site.purpose == PURPOSE_late;
    site.level = each_turn && !minor ? LEVEL_WARNING : LEVEL_NOTE;
    if (found->rate.sync_free && found->confidence >= CONFIDENCE_LIKELY) site.level = LEVEL_ERROR;
    Reason *reasons = arena_new(finder->arena, Reason, 5 + found->hot_count);
    uint32_t count = infer_explain(finder->arena, inference, found->effect.origin, reasons, 4);
    if (found->hot_count) memcpy(reasons + count, found->hot, sizeof *reasons * found->hot_count);
    count += found->hot_count;
    Reason others = {.role = ROLE_HOT};
    others.text = programs_others(finder->arena, &finder->programs, found->runs, found->home, &others.file);
    if (others.text.length) reasons[count++] = others;
    site.reasons = reasons;
    site.reason_count = count;
    site.also = found->also.items;
    site.also_count = found->also.count;
    return site;
}

/* ---- ranks ---- */

typedef struct Ranked {
    const Program *program;
    SiteId id;
    FileId file;
    FuncId func;
    ExprId at;
} Ranked;

static int by_rank(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    if (a->file != b->file) return a->file < b->file ? -1 : 1;
    int order = a->func == b->func ? 0 : rank_funcs(&a->program->files.items[a->file], a->func, b->func);
    if (order) return order;
    return a->at != b->at ? (a->at < b->at ? -1 : 1) : (a->id > b->id) - (a->id < b->id);
}

static void rank_sites(Finder *finder, Findings *findings) {
    const Program *program = finder->inference->program;
    Ranked *ranked = arena_new(finder->scratch, Ranked, finder->found.count);
    for (SiteId id = 1; id < finder->found.count; id++) {
        const Occurrence *found = &finder->found.items[id];
        FuncId func = model_func_of(program->files.items[found->file].model, found->expr);
        ranked[id] = (Ranked){program, id, found->file, func, found->expr};
    }
    qsort(ranked + 1, finder->found.count - 1, sizeof *ranked, by_rank);
    for (uint32_t i = 1; i < finder->found.count; i++) findings->sites.items[ranked[i].id].rank = i;
}

/* The slots of the occurrences stay. */
static void forget_occurrences(Finder *finder) {
    FoundAt *places = arena_new(finder->scratch, FoundAt, finder->found.count);
    for (uint32_t id = 1; id < finder->found.count; id++) places[id] = place_of(finder, id);
    finder->places = places;
    finder->found.items = NULL;
    arena_free(&finder->occurrences);
}

/* ---- faults ---- */

static const char *told_with(uint16_t finds) {
    switch ((Word)finds) {
    case FINDS_reading_unfenced: return "the time is counted from `%.*s`";
    case FINDS_start_unfenced:
    case FINDS_no_warmup: return "the time is read at `%.*s`";
    case FINDS_stale_read: return "`%.*s` may still be under way";
    case FINDS_fence_for_stream: return "the other stream uses the result in `%.*s`";
    case FINDS_wait_in_capture: return "captured by `%.*s`";
    case FINDS_wait_in_compiled: return "compiled, and called by `%.*s`";
    case FINDS_fence_for_timer: return "only the clock `%.*s` needs it";
    default: return "made on the stream `%.*s`";
    }
}

static const Reason *fault_reason(Finder *finder, const OrderFault *fault) {
    if (!fault->other.file) return NULL;
    const SourceFile *file = &finder->inference->program->files.items[fault->other.file];
    Reason *reason = arena_new(finder->arena, Reason, 1);
    reason->role = ROLE_WAIT;
    reason->file = fault->other.file;
    reason->span = file->model->exprs.items[fault->other.expr].span;
    Text source = infer_source(finder->arena, file, reason->span);
    reason->text = text_format(finder->arena, told_with(fault->finds), (int)source.length, source.bytes);
    return reason;
}

static void add_evidence(Site *site, unsigned seen) {
    site->evidence |= evidence(seen);
    site->confidence = evidence_level(site->evidence);
}

/* A synchronisation that only a clock or a stream's order needs is reported by that page. Outside of training
   and evaluation, one for a clock is right. */
static void retell(Finder *finder, const OrderFault *fault, HazardId hazard, Findings *findings) {
    const FileModel *model = finder->inference->program->files.items[fault->place.file].model;
    Span span = model->exprs.items[fault->place.expr].span;
    for (SiteId id = 1; id < findings->sites.count; id++) {
        Site *site = &findings->sites.items[id];
        if (site->file != fault->place.file || site->span.start != span.start || site->span.end != span.end)
            continue;
        bool wanted = unit_trains(site->frequency.unit) || site->frequency.unit == UNIT_EVALUATION ||
                      site->frequency.unit == UNIT_EPOCH;
        if (fault->finds == FINDS_fence_for_timer && !wanted) {
            add_evidence(site, SEEN_FOR_CLOCK);
            continue;
        }
        add_evidence(site, SEEN_SEQUENCE); /* its purpose is never certain */
        const Reason *told = fault_reason(finder, fault);
        Reason *reasons = arena_new(finder->arena, Reason, site->reason_count + 1);
        if (told) reasons[0] = *told;
        memcpy(reasons + (told != NULL), site->reasons, sizeof *reasons * site->reason_count);
        site->reasons = reasons;
        site->reason_count += told != NULL;
        site->hazard = hazard;
        site->need = NEED_AVOIDABLE;
    }
}

/* A clock read once, or once an epoch: unknown calls on the path between the readings may have waited. */
static Evidence evidence_of_fault(const OrderFault *fault) {
    bool looped = fault->rate.unit != UNIT_NONE && fault->rate.unit != UNIT_EPOCH;
    bool seldom_read =
        fault->finds == FINDS_reading_unfenced && fault->confidence != CONFIDENCE_CERTAIN && !looped;
    return evidence(SEEN_SEQUENCE) |
           evidence_if(fault->confidence < CONFIDENCE_LIKELY || seldom_read, SEEN_UNFOLLOWED);
}

static void add_fault(Finder *finder, const OrderFault *fault, Findings *findings) {
    const Inference *inference = finder->inference;
    const SourceFile *file = &inference->program->files.items[fault->place.file];
    HazardId hazard = rulebook_finds(inference->book, (Word)fault->finds);
    if (!hazard || !file->whole) return;
    if (fault->finds == FINDS_fence_for_timer || fault->finds == FINDS_fence_for_stream) {
        retell(finder, fault, hazard, findings);
        return;
    }
    const Rate *rate = &fault->rate;
    bool looped = rate->unit != UNIT_NONE && rate->unit != UNIT_EPOCH;
    Site site = {.file = fault->place.file,
                 .span = file->model->exprs.items[fault->place.expr].span,
                 .expr = fault->place.expr,
                 .hazard = hazard,
                 .evidence = evidence_of_fault(fault),
                 .need = NEED_AVOIDABLE,
                 .unpriced = true,
                 .loop = looped ? loop_of(finder, rate) : 0,
                 .level = LEVEL_WARNING};
    site.statement = fault->stmt ? file->model->stmts.items[fault->stmt].head : site.span;
    site.frequency = (Frequency){.unit = rate->unit, .times = rate->times, .every = rate->every};
    if (rate->unit == UNIT_NONE) site.frequency.times = site.frequency.every = 1;
    site.frequency.text = frequency_text(finder->arena, &site.frequency);
    site.confidence = evidence_level(site.evidence);
    bool minor = fault->finds == FINDS_start_unfenced || fault->finds == FINDS_no_warmup ||
                 fault->finds == FINDS_stream_freed;
    if (minor) site.level = LEVEL_NOTE;
    bool fails = fault->finds == FINDS_wait_in_capture; /* it breaks the program instead of slowing it down */
    if (fails && fault->confidence >= CONFIDENCE_LIKELY) site.level = LEVEL_ERROR;
    site.reasons = fault_reason(finder, fault);
    site.reason_count = site.reasons != NULL;
    vec_push(finder->arena, &findings->sites, site);
}

static SiteId site_of(const void *self, FileId file, const Item *item, HazardId hazard) {
    const Finder *finder = self;
    SiteId site = *find_slot(finder, file, item->expr, item->role, hazard);
    return site ? site
                : *find_slot(finder, file, item->expr, item->role == EFFECT_OWN ? EFFECT_USE : EFFECT_OWN,
                             hazard);
}

static HotLoop make_loop(Finder *finder, const Sizes *sizes, const Rate *rate, bool told) {
    HotLoop loop = {.unit = rate->unit,
                    .file = rate->loop_file,
                    .head = rate->loop_head,
                    .name = loop_name(finder->arena, finder->inference->program, rate)};
    if (!told) return loop;
    EventList list = events_of_loop(finder->arena, finder->graph, sizes, rate,
                                    (uint32_t)(rate - finder->loops.items), site_of, finder);
    loop.events = list.events.items;
    loop.event_count = list.events.count;
    loop.unseen = list.unseen;
    loop.unseen_text = list.unseen_text;
    return loop;
}

static void make_loops(Finder *finder, Findings *findings, Confidence told, const SizeOptions *given) {
    bool *wanted = arena_new(finder->scratch, bool, finder->loops.count);
    for (SiteId id = 1; id < findings->sites.count; id++) {
        const Site *site = &findings->sites.items[id];
        if (site->confidence < told) continue;
        wanted[site->loop] = true;
        for (uint32_t i = 0; i < site->also_count; i++) wanted[site->also[i]] = true;
    }
    for (uint32_t id = 1; id < finder->loops.count; id++) wanted[id] |= !told;
    const Sizes *sizes =
        sizes_find(finder->scratch, finder->graph, finder->loops.items, finder->loops.count, wanted, given);
    for (uint32_t id = 1; id < finder->loops.count; id++)
        vec_push(finder->arena, &findings->loops,
                 make_loop(finder, sizes, &finder->loops.items[id], wanted[id]));
}

const Findings *sites_find(Arena *arena, const Inference *inference, uint32_t threads, Confidence told,
                           const SizeOptions *sizes) {
    Arena scratch = {.supply = arena->supply};
    Finder finder = {.arena = arena, .scratch = &scratch, .inference = inference, .slot_count = 1024};
    finder.slots = arena_new(&scratch, uint32_t, finder.slot_count);
    finder.parents = arena_new(&scratch, ExprId *, inference->program->files.count);
    vec_push(&finder.occurrences, &finder.found, (Occurrence){0});
    vec_push(&scratch, &finder.loops, (Rate){0});
    finder.graph = calls_summarise(&scratch, inference, threads);
    finder.programs = programs_find(&scratch, inference);
    finder.faults = order_faults_find(&scratch, finder.graph);
    if (inference->store != inference->arena) arena_free(inference->store);
    Visitor visitor = {.self = &finder, .effect = see_effect, .hot_loop = see_loop};
    calls_visit(&scratch, finder.graph, &visitor);
    qsort(finder.found.items + 1, finder.found.count - 1, sizeof *finder.found.items, by_position);
    merge_roles(&finder);
    memset(finder.slots, 0, sizeof *finder.slots * finder.slot_count);
    for (uint32_t id = 1; id < finder.found.count; id++) {
        const Occurrence *one = &finder.found.items[id];
        *find_slot(&finder, one->file, one->expr, one->role, one->hazard) = id;
    }
    Findings *findings = arena_new(arena, Findings, 1);
    vec_room(arena, &findings->sites, finder.found.count + finder.faults.items.count + 1);
    vec_push(arena, &findings->sites, (Site){0});
    vec_push(arena, &findings->loops, (HotLoop){0});
    for (uint32_t id = 1; id < finder.found.count; id++)
        vec_push(arena, &findings->sites, make_site(&finder, &finder.found.items[id]));
    rank_sites(&finder, findings);
    forget_occurrences(&finder);
    for (uint32_t i = 0; i < finder.faults.items.count; i++)
        add_fault(&finder, &finder.faults.items.items[i], findings);
    make_loops(&finder, findings, told, sizes);
    if (inference->accelerated) findings->accelerator = inference->accelerator;
    findings->given_up = inference->given_up;
    findings->unknown_receivers = inference->unknown_receivers;
    arena_free(&scratch);
    return findings;
}
