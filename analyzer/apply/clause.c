/* Matches clauses with calls: binds arguments to parameters as Python does, and decides whether the conditions
   hold for some choice of alternatives or for all. */
#include "clause.h"
#include "python_names.h"

Text param_name(const Eval *eval, const RuleParam *param) {
    return rulebook_text(eval->inference->book, param->name);
}

static uint64_t params_in(const Rulebook *book, TermId id) {
    const Term *term = &book->terms[id];
    uint64_t params =
        term->kind == TERM_PARAM && term->value >= 0 && term->value < BOUND_PARAMS ? 1ull << term->value : 0;
    for (uint32_t i = 0; i < term->count; i++) params |= params_in(book, book->term_links[term->first + i]);
    return params;
}

/* The effect asks what the parameter holds, and of how many items, but keeps no reference to the value. */
static bool only_counts(const RuleEffect *effect) {
    Word word = (Word)effect->word;
    return word == EFF_waits || word == EFF_backward_waits || word == EFF_launches || word == EFF_host_work;
}

static const Spoken *spoken_of(const Inference *inference, const Clause *clause) {
    const Rulebook *book = inference->book;
    Spoken *spoken = &inference->spoken[clause - book->clauses];
    if (spoken->known) return spoken;
    spoken->known = true;
    spoken->handed_on = params_in(book, clause->returns);
    spoken->of = params_in(book, clause->when);
    for (uint32_t i = 0; i < clause->effect_count; i++) {
        const RuleEffect *effect = &book->effects[clause->first_effect + i];
        uint64_t *in = only_counts(effect) ? &spoken->of : &spoken->handed_on;
        for (uint32_t k = 0; k < effect->count; k++)
            *in |= params_in(book, book->term_links[effect->first + k]);
    }
    spoken->of |= spoken->handed_on;
    return spoken;
}

/* Whether the clause mentions the parameter: arguments that nothing asks for are not gathered into *args. */
static bool speaks_of(const Inference *inference, const Clause *clause, uint32_t param) {
    bool asks = inference->book->params[clause->first_param + param].condition;
    return asks || spoken_of(inference, clause)->of >> param & 1;
}

/* Neither a tensor, nor an object that may hold one, nor a time point: only a page that mentions the parameter asks
   for such a value. */
static bool is_plain(const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind == KIND_TENSOR || value->alts[i].object) return false;
    return value != NULL;
}

static bool all_plain(const Value *const *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!is_plain(values[i])) return false;
    return true;
}

static bool holds_just(const Inference *inference, ObjectId id, const Value *const *values, uint32_t count) {
    const Object *object = infer_object(inference, id);
    bool same = object->key_count == count;
    for (uint32_t i = 0; same && i < count; i++)
        same = slot_value(inference, object_keys(object)[i].slot) == values[i];
    return same;
}

/* The one tuple of just these values, shared by all calls with the same: each `torch.zeros(1, 3)`. NULL = a hash
   collision: another tuple has its place. */
static const Value *shared_tuple(Eval *eval, const Value *const *values, uint32_t count) {
    Inference *inference = eval->inference;
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) hash = (hash ^ (uintptr_t)values[i]) * 0x9E3779B97F4A7C15u;
    ObjectId object = store_object(inference, STORE_PLAIN, 0, hash, FLAVOUR_TUPLE);
    bool made = infer_object(inference, object)->key_count == 0;
    for (uint32_t i = 0; made && i < count; i++)
        store_fix(inference, object_slot(inference, object, position_key(i)), values[i]);
    if (made) store_fix(inference, infer_object(inference, object)->rest, NULL);
    return holds_just(inference, object, values, count) ? object_value(eval, object) : NULL;
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

static const Value *gather_positional(Eval *eval, ExprId expr, const Bound *bound, const Args *args,
                                      uint32_t from, uint32_t param) {
    const Value *const *values = &args->values[from];
    uint32_t count = args->count - from;
    bool shared =
        count && !args->star && !speaks_of(eval->inference, bound->clause, param) && all_plain(values, count);
    const Value *tuple = shared ? shared_tuple(eval, values, count) : NULL;
    return tuple ? tuple : gather(eval, expr, bound, args, from, NULL);
}

/* Whether **kwargs may hold anything that is not plain: then somebody may ask where its tensors are. */
static bool matters_left(const Args *args, const bool *taken) {
    for (uint32_t i = 0; i < args->named_count; i++)
        if (!taken[i] && !is_plain(args->named[i])) return true;
    return args->double_star && args->double_star_value;
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

static bool is_receiver(Text name) { return python_is(PY_self, name) || python_is(PY_cls, name); }

/* False: the call does not fit this overload. */
bool clause_bind(Eval *eval, ExprId expr, const Value *receiver, const Args *args, Bound *bound) {
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
                bound->values[i] = gather_positional(eval, expr, bound, args, next, i);
            if (next < args->count) bound->exprs[i] = args->exprs[next];
            next = args->count;
        } else if (param->star == 2) {
            star_named = true;
            if (speaks_of(eval->inference, clause, i) || matters_left(args, taken))
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

/* Matches one parameter's condition; an absent argument has its default, or is absent. */
static Match match_param(Eval *eval, const Bound *bound, uint32_t i) {
    const RuleParam *param = &eval->inference->book->params[bound->clause->first_param + i];
    if (bound->given[i] || (bound->values[i] && !param->star)) {
        if (bound->given[i]) return match_value(eval, param->condition, bound->values[i]);
        const Term *term = &eval->inference->book->terms[param->condition];
        bool asks_given = term->kind == TERM_WORD && term->word == COND_given;
        if (!asks_given) return match_value(eval, param->condition, bound->values[i]);
    }
    Tri tri = match_alt(eval, param->condition, NULL);
    return (Match){.yes = tri == TRI_YES, .no = tri == TRI_NO, .unknown = tri == TRI_UNKNOWN};
}

/* One condition of a `when`: is_(PARAM, CONDITION), version(...), joined by & | ~. Whether gradients are
   enabled is unknown. */
static Tri when_term(Eval *eval, const Bound *bound, TermId id) {
    const Rulebook *book = eval->inference->book;
    const Term *term = &book->terms[id];
    if (term->kind == TERM_NOT) {
        Tri inner = when_term(eval, bound, book->term_links[term->first]);
        return inner == TRI_UNKNOWN ? inner : inner == TRI_YES ? TRI_NO : TRI_YES;
    }
    if (term->kind == TERM_AND || term->kind == TERM_OR) {
        Tri decides = term->kind == TERM_AND ? TRI_NO : TRI_YES,
            all = term->kind == TERM_AND ? TRI_YES : TRI_NO;
        for (uint32_t i = 0; i < term->count; i++) {
            Tri part = when_term(eval, bound, book->term_links[term->first + i]);
            if (part == decides) return decides;
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

static bool when_holds(Eval *eval, const Bound *bound, ClauseMatch *matched) {
    if (!bound->clause->when) return true;
    Tri tri = when_term(eval, bound, bound->clause->when);
    if (tri == TRI_UNKNOWN) matched->all = false, matched->open = true;
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

/* Two or more arguments may each be on either device. They come from one choice, so all are on the same device;
   the GPU case counts, as the priced run has a GPU. */
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
    bool own = python_is(PY_self, param_name(eval, &book->params[bound->clause->first_param + i]));
    return own && (!text_starts(name, TEXT("__")) || text_ends(name, TEXT("item__")));
}

static ClauseMatch match_together(Eval *eval, const Bound *bound) {
    ClauseMatch matched = {.some = true, .all = true, .met = true};
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        const RuleParam *param = &eval->inference->book->params[bound->clause->first_param + i];
        if (!param->condition) continue;
        if (!bound->values[i] && bound->given[i]) return (ClauseMatch){0}; /* not computed yet */
        Match match = match_param(eval, bound, i);
        if (!match.yes && !match.unknown) return (ClauseMatch){0};
        if (!match.yes || match.no || match.unknown) matched.all = false;
        uint8_t belief = match.belief;
        if (match.no && match.yes && !match.turns)
            belief = belief_weaker(belief), match.evidence |= evidence(SEEN_OTHERS);
        if (match.unknown) belief |= BELIEVED;
        matched.open |= match.no;
        /* a GPU tensor or an unknown, perhaps a number: when read, half of them waited */
        if (match.unknown && match.yes && !is_asked_as_tensor(eval, bound, i) &&
            is_gpu_or_unknown(bound->values[i]))
            belief = belief_weaker(belief);
        matched.met &= match.met;
        matched.belief |= match.met ? belief : GUESSED;
        matched.evidence |= match.evidence;
        if (match.origin && !matched.origin) matched.origin = match.origin;
    }
    if (!when_holds(eval, bound, &matched)) return (ClauseMatch){0};
    return matched;
}

ClauseMatch clause_match(Eval *eval, const Bound *bound) {
    eval->together = eval->fetched || (bound->clause->param_count > 1 && correlated(eval, bound));
    ClauseMatch matched = match_together(eval, bound);
    eval->together = false;
    return matched;
}
