/* Applies entries of the rulebook to values: finds the clauses that hold, records their effects, gives their
   results. Functions that a clause calls (hooks, transforms, collate functions) are called here. */
#include "apply.h"
#include "belief.h"
#include "conventions.h"
#include "eval.h"
#include "hints.h"
#include "narrow.h"
#include "weigh.h"
#include <math.h>

typedef struct Outcome {
    EffectRecord record;
    EffectCost cost;
    bool any, waits_none;
} Outcome;

/* One application of an entry: the results so far of its clauses, and of those of the same method in base
   classes. */
typedef struct Applying {
    ExprId expr;
    EffectRole role;
    const Value *receiver;
    const Args *args;
    uint32_t done[32], done_count; /* pages that have spoken for every alternative */
    const Value *result;
    bool have_result, says;
    PendingResult pending;
} Applying;

static const Value *return_value(Eval *eval, ExprId expr, TermId id, const Bound *bound);
static bool point_say(Eval *eval, const RuleEffect *effect, const Bound *bound, EffectRecord *record);
static void do_calls(Eval *eval, ExprId expr, const RuleEffect *effect, const Bound *bound);

static bool touches_gpu(const Bound *bound, const Value *result) {
    for (uint32_t i = 0; i <= bound->clause->param_count; i++) {
        const Value *value = i < bound->clause->param_count ? bound->values[i] : result;
        for (uint32_t a = 0; value && a < value->count; a++)
            if (value->alts[a].device == DEVICE_CUDA && value->alts[a].kind != KIND_DEVICE) return true;
    }
    return false;
}

static double count_or(double count) { return isnan(count) ? 0 : count; }

/* A mutating call changes only the alternative that has the method: gives the other alternatives of the
   variable. */
static const Value *not_changed(Eval *eval, ExprId target, const Value *changed) {
    uint32_t slot = slot_of(eval, target), count = 0;
    const Value *value = slot ? env_get(eval->env, slot) : NULL;
    Alt rest[VALUE_ALTS];
    for (uint32_t i = 0; value && changed && i < value->count; i++) {
        bool same = false;
        for (uint32_t k = 0; k < changed->count; k++) same |= alt_same(&value->alts[i], &changed->alts[k]);
        if (!same) rest[count++] = value->alts[i];
    }
    return value && count < value->count ? value_from(&eval->inference->values, rest, count) : NULL;
}

static void do_mutates(Eval *eval, ExprId expr, const RuleEffect *effect, const Bound *bound) {
    const Rulebook *book = eval->inference->book;
    const Term *param = &book->terms[book->term_links[effect->first]];
    if (param->kind != TERM_PARAM) return;
    const Value *value = return_value(eval, expr, book->term_links[effect->first + 1], bound);
    ExprId target = bound->exprs[param->value];
    if (!target || !value) return;
    assign_back(eval, target, join_values(eval, value, not_changed(eval, target, bound->values[param->value])));
}

/* @level("likely"): as a rule, says the page; @level("possible"): so much depends on what is given. */
static void state_level(const Rulebook *book, TermId id, EffectRecord *made) {
    bool mostly = text_equal(rulebook_text(book, (TextId)book->terms[id].value), TEXT("likely"));
    made->evidence |= evidence(mostly ? SEEN_MOSTLY : SEEN_PAGE);
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
        bool loss = name_is(eval->inference->book, NAMED_loss_parameter, name);
        if (loss && bound->exprs[i]) evidence_add(eval, bound->exprs[i], USE_BACKWARD);
    }
}

static void do_effect(Eval *eval, const RuleEffect *effect, const Bound *bound, Outcome *outcome) {
    const Rulebook *book = eval->inference->book;
    EffectRecord *record_ = &outcome->record;
    TermId first = effect->count ? book->term_links[effect->first] : 0;
    outcome->any = true;
    switch ((Word)effect->word) {
    case EFF_waits: {
        double count = term_count(eval, first, bound);
        outcome->cost.waits = count_or(count);
        outcome->waits_none = count == 0;
        record_->hazard = bound->clause->hazard;
        break;
    }
    case EFF_backward_waits:
        outcome->cost.backward_waits = count_or(term_count(eval, first, bound));
        record_->hazard = bound->clause->hazard;
        break;
    case EFF_copies:
        record_->copies = true;
        record_->to_device = book->terms[book->term_links[effect->first + 1]].word == WORD_to_device;
        break;
    case EFF_launches:
        point_use_all(eval, outcome->record.expr, bound);
        outcome->cost.launches = count_or(term_count(eval, first, bound));
        outcome->cost.backward_launches = named_or(eval, effect, bound, outcome->cost.launches);
        break;
    case EFF_host_work: { /* several host_work effects may be stated; the arguments may make the count of some 0:
                             those are skipped */
        double count = named_or(eval, effect, bound, 1);
        if (count <= 0) break;
        outcome->cost.host_quantity = rulebook_text(book, (TextId)book->terms[first].value);
        outcome->cost.host_count = count;
        break;
    }
    case EFF_busies_host: record_->busies_host = true; break;
    case EFF_matmul: record_->matmul = true; break;
    case EFF_converts: record_->converts = true; break;
    case EFF_setup: record_->setup = true; break;
    case EFF_instead:
    case EFF_only: break;
    case EFF_optimizer_step: record_->optimizer_step = true; break;
    case EFF_clears_gradients: record_->clears_gradients = true; break;
    case EFF_backward_pass:
        record_->backward_pass = true;
        note_loss(eval, bound);
        break;
    case EFF_need:
        record_->need = text_equal(rulebook_text(book, (TextId)book->terms[first].value), TEXT("needed"))
                            ? NEED_NEEDED
                            : NEED_AVOIDABLE;
        break;
    case EFF_level: state_level(book, first, record_); break;
    case EFF_found:
        record_->says |= point_found(eval, effect);
        record_->hazard = bound->clause->hazard;
        break;
    default: outcome->any = point_say(eval, effect, bound, record_); break;
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

/* Counts a place once, however often it is evaluated. */
static void count_unknown(Eval *eval, ExprId expr) {
    Inference *inference = eval->inference;
    uint64_t **places = &inference->unknown[eval->file_id], bit = 1ull << (expr % 64);
    if (!*places) *places = arena_new(inference->arena, uint64_t, eval->model->exprs.count / 64 + 1);
    if ((*places)[expr / 64] & bit) return;
    (*places)[expr / 64] |= bit;
    inference->unknown_receivers++;
}

static void apply_effects(Eval *eval, ExprId expr, EffectRole role, EntryId entry, const Bound *bound,
                          const ClauseMatch *matched, const Value *result) {
    const Rulebook *book = eval->inference->book;
    Outcome outcome = {.record = {.expr = expr,
                                  .clause = (ClauseId)(bound->clause - book->clauses),
                                  .entry = entry,
                                  .evidence = matched->evidence | matched->belief,
                                  .origin = matched->origin}};
    bool any = false;
    for (uint32_t i = 0; i < bound->clause->effect_count; i++) {
        const RuleEffect *effect = &book->effects[bound->clause->first_effect + i];
        if (effect->word == EFF_calls)
            do_calls(eval, expr, effect, bound);
        else if (effect->word == EFF_mutates)
            do_mutates(eval, expr, effect, bound);
        else if (effect->word == EFF_quiets)
            note_quiet(eval, bound->clause->hazard, entry, !matched->all);
        else if (effect->word == EFF_fails)
            eval->fails |= matched->all;
        else if (effect->word == EFF_sets_default_device) {
            const Term *param = &book->terms[book->term_links[effect->first]];
            Device device;
            const Value *named = param->kind == TERM_PARAM ? bound->values[param->value] : NULL;
            if (named && named->count == 1 && names_device(eval, &named->alts[0], &device) &&
                device == DEVICE_CUDA && !eval->chosen)
                set_default_cuda(eval->inference, eval->file_id, eval->func->kind == FUNC_MODULE);
        } else {
            do_effect(eval, effect, bound, &outcome);
            any |= outcome.any;
        }
    }
    if (!any || outcome.waits_none) return;
    EffectRecord *made = &outcome.record;
    if (made->hazard && !matched->met) {
        count_unknown(eval, expr);
        return;
    }
    weigh_effect(eval, made, role, bound, matched);
    bool gpu = touches_gpu(bound, result);
    EffectCost *cost = &outcome.cost;
    if (!gpu) cost->launches = cost->backward_launches = 0, made->matmul = false;
    bool marks = made->setup || made->optimizer_step || made->backward_pass || made->clears_gradients ||
                 cost->launches > 0;
    bool perhaps = made->hazard && hardly_waits(eval, made, bound);
    bool number = made->hazard && perhaps_number(eval, made, role);
    made->evidence |= evidence_if(perhaps || number, SEEN_HARDLY);
    if (perhaps) {
        count_unknown(eval, expr);
        made->hazard = 0, made->says |= SAYS_PERHAPS;
    }
    if (made->hazard || marks || cost->host_count > 0 || made->busies_host || made->says)
        effects_add(eval, role, *made, *cost);
}

static bool page_done(const uint32_t *pages, uint32_t count, uint32_t page) {
    for (uint32_t i = 0; i < count; i++)
        if (pages[i] == page) return true;
    return false;
}

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
    if (!clause_bind(eval, applying->expr, applying->receiver, applying->args, &bound)) return;
    for (uint32_t i = 0; i < clause->param_count; i++) {
        bool several = bound.values[i] && bound.values[i]->count > 1; /* else it has one place at most */
        if (several && !device_of_tensor(eval, bound.exprs[i]))
            bound.values[i] = priced_place(eval, bound.exprs[i], bound.values[i]);
    }
    ClauseMatch matched = clause_match(eval, &bound);
    if (!matched.some) return;
    const Value *value = wants_result ? return_value(eval, applying->expr, clause->returns, &bound) : NULL;
    applying->says |= clause->returns != 0;
    if (wants_result) applying->result = value_join(&eval->inference->values, applying->result, value);
    if (wants_result && matched.all) applying->have_result = true;
    if (shadowed) return;
    if (matched.belief != GUESSED) point_expect(eval, applying->expr, &bound, &applying->pending);
    apply_effects(eval, applying->expr, applying->role, entry, &bound, &matched,
                  value ? value : applying->result);
    if (matched.all && applying->done_count < 32) applying->done[applying->done_count++] = clause->page;
}

/* A base class's facts about a method hold for its overrides too, unless a nearer class states others. */
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
    return applying.says ? point_arrive(eval, applying.result, &applying.pending)
                         : kind_value(eval, KIND_UNKNOWN);
}

/* A model handed out by a trainer, learner or runner has been moved by then; a module's own parts are on its
   device. */
static const Value *handed_out(Eval *eval, ExprId expr, const Value *receiver, const Value *value) {
    if (!value || !receiver || value->count != 1 || receiver->count != 1) return value;
    Alt alt = value->alts[0];
    bool module = alt.kind == KIND_OBJECT && alt.device == DEVICE_CPU && is_module_alt(eval, &alt);
    if (!module || is_module_alt(eval, &receiver->alts[0])) return value;
    alt.device = DEVICE_CUDA;
    alt.belief = BELIEVED;
    if (expr) alt.origin = origin_of(eval, ORIGIN_MODEL, expr, 0);
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
            owner = infer_object(inference, alt->object)->flavour == FLAVOUR_DICT ? dict : list;
        EntryId entry = owner ? member_of(inference, owner, text_of(method)) : 0;
        if (entry) apply_entry(eval, expr, EFFECT_USE, entry, alt_value(eval, alt), &args);
    }
    eval->unseen = unseen;
}

static const Value *return_structure(Eval *eval, ExprId expr, const Term *term, const Bound *bound) {
    Inference *inference = eval->inference;
    Flavour flavour = term->word == RET_tuple        ? FLAVOUR_TUPLE
                      : term->word == RET_list       ? FLAVOUR_LIST
                      : term->word == RET_dimensions ? FLAVOUR_SIZE
                      : term->word == RET_dict       ? FLAVOUR_DICT
                                                     : FLAVOUR_ITERATOR;
    ObjectId object = term_part(eval, expr, term, flavour);
    if (term->word != RET_tuple && !infer_object(inference, object)->open) {
        infer_object(inference, object)->open = true;
        infer_object(inference, object)->supposed = term->word == RET_dict;
    }
    for (uint32_t i = 0; i < term->count; i++) {
        const Term *part = &inference->book->terms[term_argument(eval, term, i)];
        TermId inner = part->kind == TERM_NAMED ? term_argument(eval, part, 0) : term_argument(eval, term, i);
        const Value *value = return_value(eval, expr, inner, bound);
        if (part->kind == TERM_NAMED && value) { /* a named tuple: also by name */
            Sym name = names_intern(inference->names, rulebook_text(inference->book, (TextId)part->value));
            store_write(inference, object_slot(inference, object, name_key(name)), value);
        }
        if (part->kind == TERM_NAMED && term->word == RET_dict) continue;
        SlotId slot = term->word == RET_tuple ? object_slot(inference, object, position_key(i))
                                              : infer_object(inference, object)->rest;
        if (value) store_write(inference, slot, value);
    }
    return object_value(eval, object);
}

static const Value *return_result(Eval *eval, ExprId expr, const Term *term, const Bound *bound) {
    Args args = {0};
    for (uint32_t i = 1; i < term->count && args.count < ARGUMENTS; i++)
        args.values[args.count++] = return_value(eval, expr, term_argument(eval, term, i), bound);
    return call_value(eval, expr, term_param(eval, term_argument(eval, term, 0), bound), &args);
}

/* An element of a return term: a parameter, or another term. */
static const Value *part_value(Eval *eval, ExprId expr, const Term *term, uint32_t i, const Bound *bound) {
    TermId id = term_argument(eval, term, i);
    if (!id) return NULL;
    bool param = eval->inference->book->terms[id].kind == TERM_PARAM;
    return param ? term_param(eval, id, bound) : return_value(eval, expr, id, bound);
}

static bool takes_return(const Term *term) {
    return term->word == RET_on_cuda || term->word == RET_on_cpu || term->word == RET_counted;
}

static const Value *return_word(Eval *eval, ExprId expr, const Term *term, const Bound *bound) {
    const Value *first = takes_return(term) ? part_value(eval, expr, term, 0, bound)
                         : term->count      ? term_param(eval, term_argument(eval, term, 0), bound)
                                            : NULL;
    switch ((Word)term->word) {
    case COND_number:
    case RET_number: return kind_value(eval, KIND_NUMBER);
    case COND_text:
    case RET_text: return kind_value(eval, KIND_TEXT);
    case RET_other_accelerator: return device_truth(eval, device_other(eval));
    case COND_numpy:
    case RET_numpy:
        return value_of(&eval->inference->values,
                        (Alt){.kind = KIND_NUMPY, .dims = term_shape(eval, term, bound).dims});
    case COND_none:
    case RET_none: return kind_value(eval, KIND_NONE);
    case COND_host:
    case RET_host: return kind_value(eval, KIND_HOST);
    case RET_like: return term_like(eval, expr, term, bound);
    case COND_cuda:
    case RET_cuda: return term_fixed(eval, expr, term, bound, DEVICE_CUDA);
    case COND_cpu:
    case RET_cpu: return term_fixed(eval, expr, term, bound, DEVICE_CPU);
    case RET_on_cuda:
        return term_move(eval, expr, first, DEVICE_CUDA, 0, origin_of(eval, ORIGIN_MOVED, expr, 0), 0);
    case RET_on_cpu: return term_move(eval, expr, first, DEVICE_CPU, 0, 0, 0);
    case RET_on: return term_on(eval, expr, first, term_param(eval, term_argument(eval, term, 1), bound));
    case RET_made: return term_made(eval, expr, term, bound);
    case COND_pinned:
    case RET_pinned: return term_pinned(eval, first);
    case RET_graded: return value_flagged(&eval->inference->values, first, ALT_GRADIENT);
    case RET_counted:
        return counted_value(eval, first, term->count > 1 ? part_value(eval, expr, term, 1, bound) : NULL);
    case RET_element: return taken_apart(eval, bound->entry, first);
    case RET_tuple:
    case RET_list:
    case RET_dimensions:
    case RET_dict:
    case RET_iterator: return return_structure(eval, expr, term, bound);
    case RET_part: return part_of_module(eval, first);
    case RET_device_of: return term_device_of(eval, expr, first);
    case RET_dtype:
        return value_of(&eval->inference->values,
                        (Alt){.kind = KIND_DTYPE, .dtype = term_shape(eval, term, bound).dtype});
    case RET_instance: return instances_of_class(eval, first);
    case RET_result: return return_result(eval, expr, term, bound);
    case COND_names_cuda:
        return value_of(&eval->inference->values, (Alt){.kind = KIND_DEVICE,
                                                        .device = DEVICE_CUDA,
                                                        .belief = BELIEVED,
                                                        .origin = origin_of(eval, ORIGIN_DEVICE, expr, 0)});
    default: return kind_value(eval, KIND_UNKNOWN);
    }
}

static const Value *return_value(Eval *eval, ExprId expr, TermId id, const Bound *bound) {
    const Term *term = &eval->inference->book->terms[id];
    const Value *result = NULL;
    switch ((TermKind)term->kind) {
    case TERM_PARAM: return term_param(eval, id, bound);
    case TERM_WORD: return return_word(eval, expr, term, bound);
    case TERM_ENTRY: return stub_instance(eval, (EntryId)term->value);
    case TERM_OR:
        for (uint32_t i = 0; i < term->count; i++)
            result = join_values(eval, result, return_value(eval, expr, term_argument(eval, term, i), bound));
        return result;
    case TERM_TRUE:
    case TERM_FALSE: {
        Alt answer = fallback_value(eval, id)->alts[0];
        answer.flags |= ALT_AVAILABLE;
        return value_of(&eval->inference->values, answer);
    }
    default: {
        const Value *literal = fallback_value(eval, id);
        return literal ? literal : kind_value(eval, KIND_UNKNOWN);
    }
    }
}

/* Calls each element of a list of callables. For a list of layers the framework's own word stays. */
static void call_each(Eval *eval, ExprId expr, const Value *callee, const Args *args) {
    const Value *lists = only_kind(eval, callee, KIND_CONTAINER);
    for (uint32_t i = 0; lists && i < lists->count; i++) {
        const Object *object = infer_object(eval->inference, lists->alts[i].object);
        for (uint32_t k = 0; k < object->key_count; k++) {
            const Value *one = object_get(eval, lists->alts[i].object, object_keys(object)[k].key);
            if (one && one->count == 1 && !is_module_alt(eval, &one->alts[0]))
                call_value(eval, expr, one, args);
            object = infer_object(eval->inference, lists->alts[i].object);
        }
    }
    if (!lists) call_value(eval, expr, callee, args);
}

static void do_calls(Eval *eval, ExprId expr, const RuleEffect *effect, const Bound *bound) {
    const Rulebook *book = eval->inference->book;
    const Term *param = &book->terms[book->term_links[effect->first]];
    const Term *rate = &book->terms[book->term_links[effect->first + 1]];
    if (param->kind != TERM_PARAM) return;
    static const struct {
        uint16_t word;
        uint8_t rate;
    } RATES[] = {{WORD_here, RATE_CALL},
                 {WORD_once, RATE_ONCE},
                 {WORD_step, RATE_STEP},
                 {WORD_epoch, RATE_EPOCH},
                 {WORD_evaluation, RATE_EVALUATION},
                 {WORD_forward, RATE_FORWARD},
                 {WORD_worker, RATE_WORKER}};
    uint8_t before = eval->rate;
    for (size_t i = 0; i < sizeof RATES / sizeof *RATES; i++)
        if (RATES[i].word == rate->word) eval->rate = RATES[i].rate;
    Args args = {0};
    bool later = eval->rate != RATE_CALL && moves_later(eval, bound);
    for (uint32_t i = 2; i < effect->count && args.count < ARGUMENTS; i++) {
        const Value *value = return_value(eval, expr, book->term_links[effect->first + i], bound);
        args.values[args.count++] = later ? moved_by_then(eval, expr, value) : value;
    }
    const Value *dataset = eval->rate == RATE_WORKER ? loader_dataset(eval, bound) : NULL;
    if (dataset) args.values[args.count++] = dataset_rows(eval, expr, dataset);
    call_each(eval, expr, bound->values[param->value], &args);
    eval->rate = before;
}

static void say_stale(Eval *eval, const RuleEffect *effect, const Bound *bound, EffectRecord *record) {
    record->says |= SAYS_STALE;
    record->subject = point_here(eval, record->expr, POINT_STALE);
    const Value *filled = effect_operand_value(eval, effect, 0, bound);
    ExprId target = effect->count ? bound->exprs[effect_operand(eval, effect, 0)->value] : 0;
    if (filled && target) assign_back(eval, target, point_mark(eval, filled, record->subject));
}

static bool point_say(Eval *eval, const RuleEffect *effect, const Bound *bound, EffectRecord *record) {
    switch ((Word)effect->word) {
    case EFF_reads_clock:
        record->says |= SAYS_CLOCK;
        record->subject = point_here(eval, record->expr, POINT_CLOCK);
        return true;
    case EFF_fences:
        record->says |= effect_operand_is(eval, effect, "ranks") || effect_operand_is(eval, effect, "memory")
                            ? SAYS_FENCE | SAYS_ASIDE
                            : SAYS_FENCE;
        return true;
    case EFF_stale: say_stale(eval, effect, bound, record); return true;
    case EFF_reads:
        for (uint32_t i = 0; i < effect->count; i++)
            point_use_tensors(eval, record->expr, POINT_STALE, effect_operand_value(eval, effect, i, bound));
        return false;
    case EFF_orders:
        record->says |= SAYS_ORDERS;
        record->subject = stream_waited_for(eval, effect, bound);
        return true;
    case EFF_marks: record->says |= SAYS_MARKS; return true;
    case EFF_keeps:
        record->says |= SAYS_KEEPS;
        record->subject = point_of(eval, effect_operand_value(eval, effect, 0, bound), POINT_STREAM);
        return true;
    case EFF_region:
        record->says |= effect_operand_is(eval, effect, "stream")    ? SAYS_STREAM
                        : effect_operand_is(eval, effect, "capture") ? SAYS_CAPTURE
                                                                     : SAYS_PROFILED;
        record->subject = point_of(eval, effect_operand_value(eval, effect, 1, bound), POINT_STREAM);
        return true;
    case EFF_capture:
        record->says |= effect_operand_is(eval, effect, "breaks") ? SAYS_BREAKS : SAYS_SURVIVES;
        return true;
    default: return false;
    }
}
