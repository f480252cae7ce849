/* Rulebook entries applied to values: which clauses hold, what they do, what comes back. */
#include "interpret.h"
#include <math.h>

Text param_name(const Eval *eval, const RuleParam *param) {
    return rulebook_text(eval->inference->book, param->name);
}

/* ---- parameters that a clause speaks of ---- */

enum { SPEAKS_KNOWN = 63 };

static uint64_t params_in(const Rulebook *book, TermId id) {
    const Term *term = &book->terms[id];
    uint64_t params =
        term->kind == TERM_PARAM && term->value >= 0 && term->value < BOUND_PARAMS ? 1ull << term->value : 0;
    for (uint32_t i = 0; i < term->count; i++) params |= params_in(book, book->term_links[term->first + i]);
    return params;
}

/* Whether a clause says anything of a parameter: what *args holds that nothing asks for is not gathered. */
static bool speaks_of(const Inference *inference, const Clause *clause, uint32_t param) {
    const Rulebook *book = inference->book;
    uint64_t *spoken = &inference->spoken[clause - book->clauses];
    if (!*spoken) {
        *spoken = 1ull << SPEAKS_KNOWN | params_in(book, clause->returns) | params_in(book, clause->when);
        for (uint32_t i = 0; i < clause->effect_count; i++) {
            const RuleEffect *effect = &book->effects[clause->first_effect + i];
            for (uint32_t k = 0; k < effect->count; k++)
                *spoken |= params_in(book, book->term_links[effect->first + k]);
        }
    }
    return book->params[clause->first_param + param].condition || *spoken >> param & 1;
}

static bool any_left(const Args *args, const bool *taken) {
    for (uint32_t i = 0; i < args->named_count; i++)
        if (!taken[i]) return true;
    return args->double_star && args->double_star_value;
}

static const Value *gather(Eval *eval, ExprId expr, const Bound *bound, const Args *args, uint32_t from,
                           const bool *taken) {
    Inference *inference = eval->inference;
    uint32_t clause = (uint32_t)(bound->clause - inference->book->clauses);
    bool named = taken != NULL;
    uint64_t which = 0x80000000u | (uint64_t)(named ? clause : from) << 1 | named;
    ObjectId object = store_object(inference, STORE_PART, eval->id, (uint64_t)expr << 32 | which,
                                   named ? FLAVOUR_DICT : FLAVOUR_TUPLE);
    for (uint32_t i = from; !named && i < args->count; i++)
        if (args->values[i])
            store_write(inference, object_slot(inference, object, position_key(i - from)), args->values[i]);
    for (uint32_t i = 0; named && i < args->named_count; i++)
        if (!taken[i] && args->named[i])
            store_write(inference, object_slot(inference, object, name_key(args->names[i])), args->named[i]);
    if (!named && args->star && args->star_value) object_add(eval, object, args->star_value);
    if (named && args->double_star && args->double_star_value)
        object_add(eval, object, args->double_star_value);
    return object_value(eval, object);
}

static bool bind_named(const Eval *eval, const RuleParam *param, const Args *args, bool *taken, Bound *bound,
                       uint32_t at) {
    Text name = param_name(eval, param);
    for (uint32_t i = 0; i < args->named_count; i++) {
        if (taken[i] || !text_equal(names_text(&eval->inference->program->names, args->names[i]), name))
            continue;
        taken[i] = true;
        bound->values[at] = args->named[i];
        bound->exprs[at] = args->named_exprs[i];
        bound->given[at] = true;
        return true;
    }
    return false;
}

static bool is_receiver(Text name) { return text_equal(name, TEXT("self")) || text_equal(name, TEXT("cls")); }

/* False when the call does not fit this overload. */
static bool bind(Eval *eval, ExprId expr, const Value *receiver, const Args *args, Bound *bound) {
    const Rulebook *book = eval->inference->book;
    const Clause *clause = bound->clause;
    bool taken[ARGUMENTS] = {false}, star_named = false;
    uint32_t next = 0;
    for (uint32_t i = 0; i < clause->param_count; i++) {
        const RuleParam *param = &book->params[clause->first_param + i];
        if (i == 0 && is_receiver(param_name(eval, param))) {
            bound->values[0] = receiver;
            bound->exprs[0] = args->receiver_expr;
            bound->given[0] = receiver != NULL;
        } else if (param->star == 1) {
            bound->given[i] = next < args->count || args->star;
            if (bound->given[i] || speaks_of(eval->inference, clause, i))
                bound->values[i] = gather(eval, expr, bound, args, next, NULL);
            if (next < args->count) bound->exprs[i] = args->exprs[next];
            next = args->count;
        } else if (param->star == 2) {
            star_named = true;
            if (any_left(args, taken) || speaks_of(eval->inference, clause, i))
                bound->values[i] = gather(eval, expr, bound, args, 0, taken);
            bound->given[i] = true;
        } else if (bind_named(eval, param, args, taken, bound, i)) {
            if (!param->keyword_only && next < args->count) return false; /* given twice: another overload */
        } else if (!param->keyword_only && next < args->count) {
            bound->values[i] = args->values[next];
            bound->exprs[i] = args->exprs[next++];
            bound->given[i] = true;
        } else if (!param->has_default && !args->star && !args->double_star) {
            return false;
        } else if (param->fallback) {
            bound->values[i] = fallback_value(eval, param->fallback);
        }
    }
    for (uint32_t i = 0; i < args->named_count; i++)
        if (!taken[i] && !star_named) return false;
    return next >= args->count;
}

/* One parameter's condition; an absent argument is its default, or absent. */
static Match match_param(Eval *eval, const Bound *bound, uint32_t i) {
    const RuleParam *param = &eval->inference->book->params[bound->clause->first_param + i];
    if (bound->given[i] || (bound->values[i] && !param->star)) {
        if (bound->given[i]) return match_value(eval, param->condition, bound->values[i]);
        const Term *term = &eval->inference->book->terms[param->condition];
        bool asks_given = term->kind == TERM_WORD && term->word == COND_given;
        if (!asks_given) return match_value(eval, param->condition, bound->values[i]);
    }
    Tri tri = match_alt(eval, param->condition, NULL);
    return (Match){.yes = tri == TRI_YES,
                   .no = tri == TRI_NO,
                   .unknown = tri == TRI_UNKNOWN,
                   .confidence = CONFIDENCE_CERTAIN};
}

/* Of a whole clause: held by some choice of alternatives, by all of them, and how sure. */
typedef struct Held {
    bool some, all;
    bool open; /* it hangs on which alternative it is, or on what is asked and not known: never certain */
    Confidence confidence;
    uint16_t doubts; /* DOUBT_... */
    OriginId origin;
} Held;

/* Of one condition of a `when`: is_(PARAM, CONDITION), version(...), joined by & | ~. Whether grad is on is not known. */
static Tri when_term(Eval *eval, const Bound *bound, TermId id) {
    const Rulebook *book = eval->inference->book;
    const Term *term = &book->terms[id];
    if (term->kind == TERM_NOT) {
        Tri inner = when_term(eval, bound, book->term_links[term->first]);
        return inner == TRI_UNKNOWN ? inner : inner == TRI_YES ? TRI_NO : TRI_YES;
    }
    if (term->kind == TERM_AND || term->kind == TERM_OR) {
        Tri settled = term->kind == TERM_AND ? TRI_NO : TRI_YES,
            all = term->kind == TERM_AND ? TRI_YES : TRI_NO;
        for (uint32_t i = 0; i < term->count; i++) {
            Tri part = when_term(eval, bound, book->term_links[term->first + i]);
            if (part == settled) return settled;
            if (part == TRI_UNKNOWN) all = TRI_UNKNOWN;
        }
        return all;
    }
    if (term->word == WORD_version) {
        const Term *text = &book->terms[book->term_links[term->first]];
        return rulebook_version_is(book, rulebook_text(book, (TextId)text->value)) ? TRI_YES : TRI_NO;
    }
    if (term->word != WORD_is_ || term->count != 2) return TRI_UNKNOWN;
    const Term *param = &book->terms[book->term_links[term->first]];
    if (param->kind != TERM_PARAM) return TRI_YES;
    Match match = match_value(eval, book->term_links[term->first + 1], bound->values[param->value]);
    return !match.yes ? TRI_NO : match.no ? TRI_UNKNOWN : TRI_YES;
}

static bool when_holds(Eval *eval, const Bound *bound, Held *held) {
    if (!bound->clause->when) return true;
    Tri tri = when_term(eval, bound, bound->clause->when);
    if (tri == TRI_UNKNOWN) held->all = false, held->open = true;
    return tri != TRI_NO;
}

static void devices_in(Eval *eval, const Value *value, int depth, bool *cpu, bool *cuda) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_TENSOR) {
            *cpu |= alt->device == DEVICE_CPU;
            *cuda |= alt->device == DEVICE_CUDA;
        } else if (alt->kind == KIND_CONTAINER && depth < 2) {
            devices_in(eval, object_any(eval, alt->object), depth + 1, cpu, cuda);
        }
    }
}

/* Where two arguments are each on the CPU or on the GPU, they come from one choice: both here or both there. The case
   on the GPU is the one that is priced. */
static bool correlated(Eval *eval, const Bound *bound) {
    uint32_t mixed = 0;
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        bool cpu = false, cuda = false;
        devices_in(eval, bound->values[i], 0, &cpu, &cuda);
        mixed += cpu && cuda;
    }
    return mixed > 1;
}

static bool is_gpu_or_unknown(const Value *value) {
    bool gpu = false;
    for (uint32_t i = 0; value && i < value->count; i++)
        gpu |= value->alts[i].kind == KIND_TENSOR && value->alts[i].device == DEVICE_CUDA;
    return gpu && value_has(value, KIND_UNKNOWN);
}

/* The receiver of `.item()`, `.cpu()` or `[index]`: numbers have operators and formats too, but none of these. */
static bool is_asked_as_tensor(const Eval *eval, const Bound *bound, uint32_t i) {
    const Rulebook *book = eval->inference->book;
    Text name = rulebook_text(book, book->entries[bound->entry].name);
    bool own = text_equal(param_name(eval, &book->params[bound->clause->first_param + i]), TEXT("self"));
    return own && (!text_starts(name, TEXT("__")) || text_ends(name, TEXT("item__")));
}

static Held match_together(Eval *eval, const Bound *bound) {
    Held held = {.some = true, .all = true, .confidence = CONFIDENCE_CERTAIN};
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        const RuleParam *param = &eval->inference->book->params[bound->clause->first_param + i];
        if (!param->condition) continue;
        if (!bound->values[i] && bound->given[i]) return (Held){0}; /* not computed yet */
        Match match = match_param(eval, bound, i);
        if (!match.yes && !match.unknown) return (Held){0};
        if (!match.yes || match.no || match.unknown) held.all = false;
        Confidence confidence = match.confidence;
        if (match.no && match.yes && !match.turns)
            confidence = confidence_lower(confidence), match.doubts |= DOUBT_OTHERS;
        if (match.unknown) confidence = confidence_min(confidence, CONFIDENCE_LIKELY);
        held.open |= match.no;
        /* A GPU tensor or who knows what, a number perhaps: of those that were read half waited. */
        if (match.unknown && match.yes && !is_asked_as_tensor(eval, bound, i) &&
            is_gpu_or_unknown(bound->values[i]))
            confidence = confidence_lower(confidence);
        held.confidence = confidence_min(held.confidence, confidence);
        held.doubts |= match.doubts;
        if (match.origin && !held.origin) held.origin = match.origin;
    }
    if (!when_holds(eval, bound, &held)) return (Held){0};
    return held;
}

static Held match_clause(Eval *eval, const Bound *bound) {
    eval->together = eval->fetched || (bound->clause->param_count > 1 && correlated(eval, bound));
    Held held = match_together(eval, bound);
    eval->together = false;
    return held;
}

/* ---- effects ---- */

static bool touches_gpu(const Bound *bound, const Value *result) {
    for (uint32_t i = 0; i <= bound->clause->param_count; i++) {
        const Value *value = i < bound->clause->param_count ? bound->values[i] : result;
        for (uint32_t a = 0; value && a < value->count; a++)
            if (value->alts[a].device == DEVICE_CUDA && value->alts[a].kind != KIND_DEVICE) return true;
    }
    return false;
}

static double count_or(double count) { return isnan(count) ? 0 : count; }

typedef struct Doing {
    EffectRecord record;
    bool any, waits_none;
} Doing;

static void do_mutates(Eval *eval, ExprId expr, const RuleEffect *effect, const Bound *bound) {
    const Rulebook *book = eval->inference->book;
    const Term *param = &book->terms[book->term_links[effect->first]];
    if (param->kind != TERM_PARAM) return;
    const Value *value = return_value(eval, expr, book->term_links[effect->first + 1], bound);
    ExprId target = bound->exprs[param->value];
    if (target && value) assign_back(eval, target, value);
}

static Confidence stated_level(const Rulebook *book, TermId id) {
    Text text = rulebook_text(book, (TextId)book->terms[id].value);
    return text_equal(text, TEXT("certain"))  ? CONFIDENCE_CERTAIN
           : text_equal(text, TEXT("likely")) ? CONFIDENCE_LIKELY
                                              : CONFIDENCE_POSSIBLE;
}

static double named_or(Eval *eval, const RuleEffect *effect, const Bound *bound, double otherwise) {
    const Rulebook *book = eval->inference->book;
    if (effect->count < 2) return otherwise;
    const Term *term = &book->terms[book->term_links[effect->first + 1]];
    TermId inner =
        term->kind == TERM_NAMED ? book->term_links[term->first] : book->term_links[effect->first + 1];
    return count_or(term_count(eval, inner, bound));
}

/* accelerator.backward(loss) */
static void note_loss(Eval *eval, const Bound *bound) {
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        Text name = param_name(eval, &eval->inference->book->params[bound->clause->first_param + i]);
        bool loss = text_equal(name, TEXT("loss")) || text_equal(name, TEXT("tensor"));
        if (loss && bound->exprs[i]) evidence_add(eval, bound->exprs[i], USE_BACKWARD);
    }
}

static void do_effect(Eval *eval, const RuleEffect *effect, const Bound *bound, Doing *doing) {
    const Rulebook *book = eval->inference->book;
    EffectRecord *record_ = &doing->record;
    TermId first = effect->count ? book->term_links[effect->first] : 0;
    doing->any = true;
    switch ((Word)effect->word) {
    case EFF_waits: {
        double count = term_count(eval, first, bound);
        record_->waits = count_or(count);
        doing->waits_none = count == 0;
        record_->hazard = bound->clause->hazard;
        break;
    }
    case EFF_backward_waits:
        record_->backward_waits = count_or(term_count(eval, first, bound));
        record_->hazard = bound->clause->hazard;
        break;
    case EFF_copies:
        record_->copies = true;
        record_->to_device = book->terms[book->term_links[effect->first + 1]].word == WORD_to_device;
        break;
    case EFF_launches:
        moment_use_all(eval, doing->record.expr, bound);
        record_->launches = count_or(term_count(eval, first, bound));
        record_->backward_launches = named_or(eval, effect, bound, record_->launches);
        break;
    case EFF_host_work: { /* several may be stated, of which the arguments make some nothing */
        double count = named_or(eval, effect, bound, 1);
        if (count <= 0) break;
        record_->host_quantity = rulebook_text(book, (TextId)book->terms[first].value);
        record_->host_count = count;
        break;
    }
    case EFF_busies_host: record_->busies_host = true; break;
    case EFF_matmul: record_->matmul = true; break;
    case EFF_converts: record_->converts = true; break;
    case EFF_setup: record_->setup = true; break;
    case EFF_instead: break;
    case EFF_optimizer_step: record_->optimizer_step = true; break;
    case EFF_backward_pass:
        record_->backward_pass = true;
        note_loss(eval, bound);
        break;
    case EFF_need:
        record_->need = text_equal(rulebook_text(book, (TextId)book->terms[first].value), TEXT("needed"))
                            ? NEED_NEEDED
                            : NEED_AVOIDABLE;
        break;
    case EFF_level:
        record_->confidence =
            (uint8_t)confidence_min((Confidence)record_->confidence, stated_level(book, first));
        record_->doubts |= DOUBT_PAGE;
        break;
    case EFF_found:
        record_->says |= moment_found(eval, effect);
        record_->hazard = bound->clause->hazard;
        break;
    default: doing->any = moment_say(eval, effect, bound, record_); break;
    }
}

static void note_quiet(Eval *eval, HazardId hazard, EntryId entry, bool perhaps) {
    Inference *inference = eval->inference;
    EntryId module = rulebook_module(inference->book, entry);
    bool at_top = eval->func->kind == FUNC_MODULE;
    for (uint32_t i = 0; i < inference->quieted.count; i++) {
        const Quieted *one = &inference->quieted.items[i];
        bool same = one->hazard == hazard && one->module == module && one->file == eval->file_id &&
                    (perhaps || !one->perhaps);
        if (same && (one->after || !at_top)) return;
    }
    const bool *after = find_importers(inference->arena, inference->program, eval->file_id), *around = NULL;
    uint32_t importers = 0;
    for (FileId file = 1; file < inference->program->files.count; file++) importers += after[file];
    if (importers == 1) around = find_imported(inference->arena, inference->program, eval->file_id);
    vec_push(inference->arena, &inference->quieted,
             ((Quieted){hazard, module, eval->file_id, at_top ? after : NULL, around, perhaps}));
}

/* A place counts once, however often it is evaluated. */
static void count_unknown(Eval *eval, ExprId expr) {
    Inference *inference = eval->inference;
    uint64_t **places = &inference->unknown[eval->file_id], bit = 1ull << (expr % 64);
    if (!*places) *places = arena_new(inference->arena, uint64_t, eval->model->exprs.count / 64 + 1);
    if ((*places)[expr / 64] & bit) return;
    (*places)[expr / 64] |= bit;
    inference->unknown_receivers++;
}

static void apply_effects(Eval *eval, ExprId expr, EffectRole role, EntryId entry, const Bound *bound,
                          const Held *held, const Value *result) {
    const Rulebook *book = eval->inference->book;
    Doing doing = {.record = {.expr = expr,
                              .clause = (ClauseId)(bound->clause - book->clauses),
                              .entry = entry,
                              .confidence = (uint8_t)held->confidence,
                              .doubts = held->doubts,
                              .origin = held->origin}};
    bool any = false, surely = held->all && held->confidence >= CONFIDENCE_LIKELY;
    for (uint32_t i = 0; i < bound->clause->effect_count; i++) {
        const RuleEffect *effect = &book->effects[bound->clause->first_effect + i];
        if (effect->word == EFF_calls)
            do_calls(eval, expr, effect, bound);
        else if (effect->word == EFF_mutates)
            do_mutates(eval, expr, effect, bound);
        else if (effect->word == EFF_quiets)
            note_quiet(eval, bound->clause->hazard, entry, !surely);
        else if (effect->word == EFF_fails)
            eval->fails |= surely;
        else if (effect->word == EFF_sets_default_device) {
            const Term *param = &book->terms[book->term_links[effect->first]];
            Device device;
            const Value *named = param->kind == TERM_PARAM ? bound->values[param->value] : NULL;
            if (named && named->count == 1 && names_device(eval, &named->alts[0], &device) &&
                device == DEVICE_CUDA)
                set_default_cuda(eval->inference, eval->file_id, eval->func->kind == FUNC_MODULE);
        } else {
            do_effect(eval, effect, bound, &doing);
            any |= doing.any;
        }
    }
    if (!any || doing.waits_none) return;
    EffectRecord *made = &doing.record;
    if (made->hazard && eval->doubt) {
        Confidence lowered = (Confidence)made->confidence;
        lowered = confidence_lower(lowered);
        made->confidence = (uint8_t)lowered;
        made->doubts |= DOUBT_OTHERS;
    }
    if (eval->unseen || eval->apart || held->open)
        made->confidence = (uint8_t)confidence_min((Confidence)made->confidence, CONFIDENCE_LIKELY);
    if (made->hazard && prints_unknown(eval, made->hazard, bound))
        made->confidence = (uint8_t)confidence_min((Confidence)made->confidence, CONFIDENCE_POSSIBLE);
    bool gpu = touches_gpu(bound, result);
    if (!gpu) made->launches = made->backward_launches = 0, made->matmul = false;
    bool marks = made->setup || made->optimizer_step || made->backward_pass || made->launches > 0;
    if (made->hazard && asked_as_tensor(eval, made, role, bound)) made->confidence = CONFIDENCE_LIKELY;
    if (made->hazard && trained_with(eval, made, role, bound)) made->confidence = CONFIDENCE_LIKELY;
    if (made->hazard && believed_number(eval, made, role, bound))
        made->confidence = CONFIDENCE_POSSIBLE, made->doubts |= DOUBT_VALUE;
    else
        made->plain = made->hazard && reads_plainly(eval, made, role, bound);
    made->computed = made->plain && reads_computed(eval, made, bound);
    bool perhaps = made->hazard && hardly_waits(eval, made, role, bound);
    if (made->hazard && (perhaps || made->confidence == CONFIDENCE_NONE)) {
        count_unknown(eval, expr);
        if (!perhaps) return;
        made->hazard = 0, made->says |= SAYS_PERHAPS;
    }
    if (made->hazard || marks || made->host_count > 0 || made->busies_host || made->says)
        effects_add(eval, role, *made);
}

static bool page_done(const uint32_t *pages, uint32_t count, uint32_t page) {
    for (uint32_t i = 0; i < count; i++)
        if (pages[i] == page) return true;
    return false;
}

/* One application of an entry: what its clauses, and those of the same method in base classes, have said so far. */
typedef struct Applying {
    ExprId expr;
    EffectRole role;
    const Value *receiver;
    const Args *args;
    uint32_t done[32], done_count; /* pages that have spoken for every alternative */
    const Value *result;
    bool have_result, says;
    Coming coming;
} Applying;

static void apply_clause(Eval *eval, Applying *applying, EntryId entry, const Clause *clause) {
    Bound bound; /* as much of it as there are parameters */
    bool shadowed = page_done(applying->done, applying->done_count, clause->page);
    bool wants_result = clause->returns && !applying->have_result;
    if ((shadowed && !wants_result) || clause->param_count > BOUND_PARAMS) return;
    bound.clause = clause;
    bound.entry = entry;
    bound.values[0] = NULL, bound.given[0] = false; /* of no parameters too */
    memset(bound.values, 0, sizeof *bound.values * clause->param_count);
    memset(bound.exprs, 0, sizeof *bound.exprs * clause->param_count);
    memset(bound.given, 0, sizeof *bound.given * clause->param_count);
    if (!bind(eval, applying->expr, applying->receiver, applying->args, &bound)) return;
    for (uint32_t i = 0; i < clause->param_count; i++) {
        bool several = bound.values[i] && bound.values[i]->count > 1; /* else it has one place at most */
        if (several && !device_of_tensor(eval, bound.exprs[i]))
            bound.values[i] = priced_place(eval, bound.exprs[i], bound.values[i]);
    }
    Held held = match_clause(eval, &bound);
    if (!held.some) return;
    const Value *value = wants_result ? return_value(eval, applying->expr, clause->returns, &bound) : NULL;
    applying->says |= clause->returns != 0;
    if (wants_result) applying->result = value_join(&eval->inference->values, applying->result, value);
    if (wants_result && held.all) applying->have_result = true;
    if (shadowed) return;
    if (held.confidence >= CONFIDENCE_LIKELY) moment_expect(eval, applying->expr, &bound, &applying->coming);
    apply_effects(eval, applying->expr, applying->role, entry, &bound, &held, value ? value : applying->result);
    if (held.all && applying->done_count < 32) applying->done[applying->done_count++] = clause->page;
}

/* A base class's facts about a method hold for its overrides too, where a nearer class says nothing else. */
static void apply_along(Eval *eval, Applying *applying, EntryId entry, uint32_t depth) {
    const Rulebook *book = eval->inference->book;
    const Entry *found = &book->entries[entry], *owner = &book->entries[found->parent];
    if (found->kind != ENTRY_FUNCTION) return;
    for (uint32_t c = 0; c < found->clause_count; c++)
        apply_clause(eval, applying, entry, &book->clauses[found->first_clause + c]);
    for (uint32_t b = 0; owner->kind == ENTRY_CLASS && depth < 8 && b < owner->base_count; b++) {
        EntryId base = book->entry_links[owner->first_base + b];
        EntryId above = member_of(eval->inference, base, rulebook_text(book, found->name));
        if (above) apply_along(eval, applying, above, depth + 1);
    }
}

const Value *apply_entry(Eval *eval, ExprId expr, EffectRole role, EntryId entry, const Value *receiver,
                         const Args *args) {
    const Rulebook *book = eval->inference->book;
    if (!entry) return kind_value(eval, KIND_UNKNOWN);
    const Entry *found = &book->entries[entry];
    if (found->kind == ENTRY_CLASS) return construct(eval, expr, entry, args);
    if (found->kind == ENTRY_VALUE) return apply_attribute(eval, expr, entry, receiver);
    Applying applying = {.expr = expr, .role = role, .receiver = receiver, .args = args};
    apply_along(eval, &applying, entry, 0);
    EntryId fallback = book->entries[found->parent].fallback; /* a page that only says when it waits */
    if (!applying.says && fallback && fallback != entry) apply_along(eval, &applying, fallback, 8);
    return applying.says ? moment_arrive(eval, applying.result, &applying.coming)
                         : kind_value(eval, KIND_UNKNOWN);
}

/* The model that a trainer, learner or runner hands out has been moved by then; a module's own parts follow it. */
static const Value *handed_out(Eval *eval, ExprId expr, const Value *receiver, const Value *value) {
    if (!value || !receiver || value->count != 1 || receiver->count != 1) return value;
    Alt alt = value->alts[0];
    bool module = alt.kind == KIND_OBJECT && alt.device == DEVICE_CPU && is_module_alt(eval, &alt);
    if (!module || is_module_alt(eval, &receiver->alts[0])) return value;
    alt.device = DEVICE_CUDA;
    alt.confidence = CONFIDENCE_LIKELY;
    if (expr)
        alt.origin =
            origin_add(&eval->inference->values, (Origin){.kind = ORIGIN_MODEL,
                                                          .confidence = CONFIDENCE_LIKELY,
                                                          .file = eval->file_id,
                                                          .span = eval->model->exprs.items[expr].span});
    return value_of(&eval->inference->values, alt);
}

const Value *apply_attribute(Eval *eval, ExprId expr, EntryId entry, const Value *receiver) {
    Bound bound = {.values = {receiver}, .given = {true}};
    Clause clause = {.param_count = 1};
    bound.clause = &clause;
    TermId value = eval->inference->book->entries[entry].value;
    if (!value) return kind_value(eval, KIND_UNKNOWN);
    return handed_out(eval, expr, receiver, return_value(eval, expr, value, &bound));
}

void use_protocol(Eval *eval, ExprId expr, const Value *value, const char *method, const Value *argument) {
    if (!expr || !value) return;
    Inference *inference = eval->inference;
    effects_clear(eval, expr, EFFECT_USE);
    Args args = {0};
    if (argument) args.values[args.count++] = argument;
    const Value *tensors = only_kind(eval, value, KIND_TENSOR);
    bool doubt = eval->doubt, unseen = eval->unseen;
    eval->unseen |= value_has(value, KIND_UNKNOWN);
    eval->doubt = tensors && value_drop(&inference->values, value_drop(&inference->values, value, KIND_UNKNOWN),
                                        KIND_NONE) != tensors;
    if (tensors) {
        EntryId entry = member_of(inference, inference->known->tensor, text_of(method));
        if (entry) apply_entry(eval, expr, EFFECT_USE, entry, tensors, &args);
    }
    eval->doubt = doubt;
    EntryId list = inference->known->list, dict = inference->known->dict;
    bool as_text =
        strcmp(method, "__format__") == 0 || strcmp(method, "__str__") == 0 || strcmp(method, "__repr__") == 0;
    for (uint32_t i = 0; i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (as_text) run_text_method(eval, expr, alt);
        EntryId owner = alt->kind == KIND_OBJECT ? alt->id : 0;
        if (alt->kind == KIND_CONTAINER)
            owner = inference->objects.items[alt->object].flavour == FLAVOUR_DICT ? dict : list;
        EntryId entry = owner ? member_of(inference, owner, text_of(method)) : 0;
        if (entry) apply_entry(eval, expr, EFFECT_USE, entry, alt_value(eval, alt), &args);
    }
    eval->unseen = unseen;
}
