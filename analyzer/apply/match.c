/* Whether a clause's conditions hold: three-valued, an alternative at a time. */
#include "clause.h"
#include "conventions.h"
#include "narrow.h"
#include "python_names.h"
#include <math.h>
#include <stdio.h>

/* How surely an alternative meets a condition, and why. For a container asked about its contents,
   origin and belief are those of the known part that rests on least, weaker if that part may be something else. */
typedef struct Sure {
    bool met;
    uint8_t belief;
    OriginId origin;
    Evidence evidence;
} Sure;

static Tri tri_and(Tri a, Tri b) {
    if (a == TRI_NO || b == TRI_NO) return TRI_NO;
    return a == TRI_YES && b == TRI_YES ? TRI_YES : TRI_UNKNOWN;
}

static Tri tri_or(Tri a, Tri b) { return tri_not(tri_and(tri_not(a), tri_not(b))); }

TermId term_argument(const Eval *eval, const Term *term, uint32_t i) {
    return i < term->count ? eval->inference->book->term_links[term->first + i] : 0;
}

/* A property of a tensor; unknown for an unknown value. */
/* The old tensor types: torch.FloatTensor, torch.cuda.FloatTensor. */
static bool is_old_type(const Rulebook *book, Text name, Device *device) {
    if (!name_is(book, NAMED_old_tensor_type, name)) return false;
    return *device = name_is(book, NAMED_old_gpu_type, name) ? DEVICE_CUDA : DEVICE_CPU, true;
}

bool names_device(Eval *eval, const Alt *alt, Device *device) {
    *device = DEVICE_UNKNOWN;
    if (alt->kind == KIND_DEVICE || alt->kind == KIND_TENSOR) return *device = (Device)alt->device, true;
    if (alt->kind == KIND_NUMBER) {
        bool flag = alt->id && (alt->id == eval->inference->known->true_text ||
                                alt->id == eval->inference->known->false_text);
        return *device = DEVICE_CUDA, !flag;
    }
    if (alt->kind == KIND_ENTRY) {
        const Rulebook *book = eval->inference->book;
        return is_old_type(book, rulebook_text(book, book->entries[alt->id].qualified), device);
    }
    if (alt->kind != KIND_TEXT) return false;
    Text text = names_text(&eval->inference->program->names, alt->id);
    bool accelerated = eval->inference->accelerator.length > 0;
    if (is_old_type(eval->inference->book, text, device)) return true;
    if (name_is(eval->inference->book, NAMED_gpu_place, text)) *device = DEVICE_CUDA;
    if (accelerated && device_named(eval, text) == DEVICE_CUDA) *device = DEVICE_CUDA;
    if (name_is(eval->inference->book, NAMED_host_text, text)) *device = DEVICE_CPU;
    return true;
}

static Tri names(Eval *eval, const Alt *alt, Device want) {
    Device device;
    if (alt->kind == KIND_UNKNOWN) return TRI_UNKNOWN;
    if (alt->kind == KIND_TENSOR || !names_device(eval, alt, &device)) return TRI_NO;
    return device == DEVICE_UNKNOWN ? TRI_UNKNOWN : tri_of(device == want);
}

static Tri any_of(Eval *eval, TermId condition, const Value *value) {
    Match match = match_value(eval, condition, value);
    return match.yes ? TRI_YES : match.unknown ? TRI_UNKNOWN : TRI_NO;
}

static Tri match_each(Eval *eval, TermId condition, const Alt *alt) {
    if (alt->kind == KIND_UNKNOWN) return TRI_UNKNOWN;
    if (alt->kind != KIND_CONTAINER) return TRI_NO;
    Match match = match_value(eval, condition, object_any(eval, alt->object));
    return match.no ? TRI_NO : match.unknown ? TRI_UNKNOWN : tri_of(match.yes);
}

/* model(**batch) */
static Tri match_unnamed(Eval *eval, TermId condition, const Alt *alt) {
    if (alt->kind != KIND_CONTAINER) return TRI_NO;
    SlotId rest = infer_object(eval->inference, alt->object)->rest;
    return any_of(eval, condition, store_read(eval->inference, eval->id, rest));
}

/* Bounds of a slice, alone or in an index tuple. */
static Tri match_bound(Eval *eval, TermId condition, const Alt *alt) {
    if (alt->kind == KIND_UNKNOWN) return TRI_UNKNOWN;
    if (alt->kind == KIND_SLICE) return any_of(eval, condition, object_any(eval, alt->object));
    if (alt->kind != KIND_CONTAINER) return TRI_NO;
    const Value *parts = object_any(eval, alt->object);
    Tri found = TRI_NO;
    for (uint32_t i = 0; parts && i < parts->count; i++)
        if (parts->alts[i].kind == KIND_SLICE)
            found = tri_or(found, match_bound(eval, condition, &parts->alts[i]));
    return found;
}

static Tri match_sliced(Eval *eval, const Alt *alt) {
    if (alt->kind != KIND_CONTAINER || infer_object(eval->inference, alt->object)->flavour != FLAVOUR_TUPLE)
        return alt->kind == KIND_UNKNOWN ? TRI_UNKNOWN : TRI_NO;
    const Value *parts = object_any(eval, alt->object);
    return tri_of(value_has(parts, KIND_SLICE) || value_has(parts, KIND_NONE));
}

/* A dict of many things (a checkpoint) has more parts than a value has alternatives, so each part is asked. */
static Tri any_part(Eval *eval, TermId condition, ObjectId id) {
    Inference *inference = eval->inference;
    Tri all = any_of(eval, condition, object_any(eval, id));
    for (uint32_t i = 0; all == TRI_UNKNOWN && i < infer_object(inference, id)->key_count; i++) {
        const Value *part = store_read(inference, eval->id, object_keys(infer_object(inference, id))[i].slot);
        if (any_of(eval, condition, part) == TRI_YES) all = TRI_YES;
    }
    return all;
}

static Tri match_has(Eval *eval, TermId condition, const Alt *alt) {
    if (alt->kind == KIND_CONTAINER) return any_part(eval, condition, alt->object);
    if (alt->kind == KIND_OBJECT && alt->object) return any_of(eval, condition, object_any(eval, alt->object));
    if (alt->kind == KIND_OBJECT && alt->device != DEVICE_UNKNOWN && !is_module_alt(eval, alt) &&
        !rulebook_inherits(eval->inference->book, alt->id, eval->inference->known->optimizer)) {
        Alt held = alt_tensor((Device)alt->device, alt->belief, alt->origin); /* a distribution's tensors */
        return match_alt(eval, condition, &held);
    }
    return match_alt(eval, condition, alt);
}

static bool holds_tensor(Eval *eval, const Alt *alt) {
    const Value *inner = object_any(eval, alt->object);
    return value_has(inner, KIND_TENSOR) || value_has(inner, KIND_UNKNOWN);
}

static Tri match_host(Eval *eval, const Alt *alt) {
    switch ((Kind)alt->kind) {
    case KIND_NONE:
    case KIND_NUMBER:
    case KIND_TEXT:
    case KIND_NUMPY:
    case KIND_HOST:
    case KIND_DTYPE:
    case KIND_DEVICE: return TRI_YES;
    case KIND_CONTAINER: return tri_of(!holds_tensor(eval, alt));
    case KIND_UNKNOWN: return TRI_UNKNOWN;
    default: return TRI_NO;
    }
}

static Tri match_module(Eval *eval, const Alt *alt, Device device) {
    if (alt->kind == KIND_UNKNOWN) return TRI_UNKNOWN;
    if (!is_module_alt(eval, alt)) return TRI_NO;
    if (device == DEVICE_UNKNOWN) return TRI_YES;
    return alt->device == DEVICE_UNKNOWN ? TRI_UNKNOWN : tri_of(alt->device == device);
}

static Tri match_is_a(Eval *eval, EntryId entry, const Alt *alt) {
    if (alt->kind == KIND_UNKNOWN) return TRI_UNKNOWN;
    if (alt->kind == KIND_OBJECT) return tri_of(rulebook_inherits(eval->inference->book, alt->id, entry));
    if (alt->kind == KIND_INSTANCE) return tri_of(class_inherits(eval->inference, alt->id, entry));
    return tri_of(alt->kind == KIND_TENSOR && entry == eval->inference->known->tensor);
}

static Tri match_container(const Eval *eval, const Alt *alt, bool dict) {
    if (alt->kind != KIND_CONTAINER) return alt->kind == KIND_UNKNOWN ? TRI_UNKNOWN : TRI_NO;
    return tri_of((infer_object(eval->inference, alt->object)->flavour == FLAVOUR_DICT) == dict);
}

/* [-1]: one number, and no more. */
static Tri match_single(Eval *eval, const Alt *alt) {
    if (alt->kind != KIND_CONTAINER) return alt->kind == KIND_UNKNOWN ? TRI_UNKNOWN : TRI_NO;
    const Object *object = infer_object(eval->inference, alt->object);
    if (object->flavour != FLAVOUR_LIST || object->open || object->key_count != 1) return TRI_NO;
    return tri_of(value_only(store_read(eval->inference, eval->id, object_keys(object)[0].slot), KIND_NUMBER));
}

static Tri match_filled(const Eval *eval, const Alt *alt) {
    if (alt->kind == KIND_TENSOR) return tri_of(!(alt->flags & ALT_EMPTY));
    if (alt->kind != KIND_CONTAINER) return TRI_YES;
    const Object *object = infer_object(eval->inference, alt->object);
    return tri_of(object->open || object->key_count);
}

static Tri match_word(Eval *eval, const Term *term, const Alt *alt) {
    TermId inner = term_argument(eval, term, 0);
    switch ((Word)term->word) {
    case COND_tensor: return alt_is_kind(alt, KIND_TENSOR);
    case COND_cuda: return alt_is_known(alt, alt->device, DEVICE_CUDA);
    case COND_cpu: return alt_is_known(alt, alt->device, DEVICE_CPU);
    case COND_pinned:
        if (alt->kind == KIND_TENSOR && alt->device == DEVICE_CUDA) return TRI_NO;
        return alt->kind == KIND_TENSOR ? (Tri)alt->pinned : alt_is_kind(alt, KIND_TENSOR);
    case COND_batch:
        if (alt->kind != KIND_TENSOR) return alt_is_kind(alt, KIND_TENSOR);
        return tri_of((alt->flags & ALT_BATCH) && !(alt->flags & ALT_GUESS));
    case COND_dtype_bool: return alt_is_known(alt, alt->dtype, DTYPE_BOOL);
    case COND_dtype_int: return alt_is_known(alt, alt->dtype, DTYPE_INT);
    case COND_dtype_float: return alt_is_known(alt, alt->dtype, DTYPE_FLOAT);
    /* only known dimensions count, so that each tensor falls under exactly one overload of a page */
    case COND_scalar:
        if (alt->kind == KIND_NUMPY) return tri_of(alt->dims == DIMS_SCALAR);
        if (alt->kind != KIND_TENSOR) return alt_is_kind(alt, KIND_TENSOR);
        if (!alt->dims && (alt->flags & ALT_PICKED)) return TRI_UNKNOWN;
        return tri_of(alt->dims == DIMS_SCALAR);
    case COND_array:
        return alt->kind == KIND_TENSOR ? tri_of(alt->dims >= DIMS_ARRAY) : alt_is_kind(alt, KIND_TENSOR);
    case COND_vector:
        return alt->kind == KIND_TENSOR ? tri_of(alt->dims == DIMS_VECTOR) : alt_is_kind(alt, KIND_TENSOR);
    case COND_matrix:
        return alt->kind == KIND_TENSOR ? tri_of(alt->dims == DIMS_MATRIX) : alt_is_kind(alt, KIND_TENSOR);
    case COND_filled: return match_filled(eval, alt);
    case COND_loaded: return tri_of(alt->kind == KIND_TENSOR && (alt->flags & ALT_BATCH));
    case COND_tuple:
        if (alt->kind != KIND_CONTAINER) return alt_is_kind(alt, KIND_CONTAINER);
        return tri_of(infer_object(eval->inference, alt->object)->flavour == FLAVOUR_TUPLE);
    case COND_dimensions:
        if (alt->kind != KIND_CONTAINER) return alt_is_kind(alt, KIND_CONTAINER);
        return tri_of(infer_object(eval->inference, alt->object)->flavour == FLAVOUR_SIZE);
    case COND_sliced: return match_sliced(eval, alt);
    case COND_unsorted:
        return alt->kind == KIND_TENSOR ? tri_of((alt->flags & ALT_UNSORTED) != 0)
                                        : alt_is_kind(alt, KIND_TENSOR);
    case COND_spared: return alt->flags & ALT_SPARED ? TRI_YES : TRI_NO;
    case COND_unknown: return tri_of(alt->kind == KIND_UNKNOWN);
    case COND_numpy: return alt_is_kind(alt, KIND_NUMPY);
    case COND_number: return alt_is_kind(alt, KIND_NUMBER);
    case COND_text: return alt_is_kind(alt, KIND_TEXT);
    case COND_sequence: return match_container(eval, alt, false);
    case COND_single: return match_single(eval, alt);
    case COND_mapping: return match_container(eval, alt, true);
    case COND_none: return alt_is_kind(alt, KIND_NONE);
    case COND_given: return TRI_YES;
    case COND_host: return match_host(eval, alt);
    case COND_names_cuda: return names(eval, alt, DEVICE_CUDA);
    case COND_names_cpu: return names(eval, alt, DEVICE_CPU);
    case COND_names_dtype: return alt_is_kind(alt, KIND_DTYPE);
    case COND_module: return match_module(eval, alt, DEVICE_UNKNOWN);
    case COND_module_cuda: return match_module(eval, alt, DEVICE_CUDA);
    case COND_module_cpu: return match_module(eval, alt, DEVICE_CPU);
    case COND_gradient: /* a CPU tensor requires a gradient only if told to: data does not */
        if (alt->kind == KIND_TENSOR && !(alt->flags & ALT_GRADIENT)) {
            bool whole = alt->dtype == DTYPE_INT || alt->dtype == DTYPE_BOOL;
            return alt->device == DEVICE_CPU || whole ? TRI_NO : TRI_UNKNOWN;
        }
        return alt_is_kind(alt, KIND_TENSOR);
    case COND_has: return match_has(eval, inner, alt);
    case COND_unnamed: return match_unnamed(eval, inner, alt);
    case COND_each: return match_each(eval, inner, alt);
    case COND_bound: return match_bound(eval, inner, alt);
    case COND_is_a: return match_is_a(eval, (EntryId)eval->inference->book->terms[inner].value, alt);
    default: return TRI_UNKNOWN;
    }
}

static Tri literal_is(Eval *eval, const Alt *alt, Kind kind, Text text) {
    if (alt->kind == KIND_UNKNOWN) return TRI_UNKNOWN;
    if (alt->kind != kind) return TRI_NO;
    if (!alt->id) return TRI_UNKNOWN;
    return tri_of(text_equal(names_text(&eval->inference->program->names, alt->id), text));
}

/* 0 is 0.0 as well. */
static bool is_whole(Text text, int number) {
    char digits[16];
    uint32_t at = sizeof digits, left = number < 0 ? 0u - (uint32_t)number : (uint32_t)number;
    do digits[--at] = (char)('0' + left % 10);
    while (left /= 10);
    if (number < 0) digits[--at] = '-';
    if (text_ends(text, TEXT(".0"))) text.length -= 2;
    return text_equal(text, (Text){digits + at, (uint32_t)sizeof digits - at});
}

/* An absent argument meets no condition, so only negations hold for it; an omitted device is the default one. */
static Tri match_leaf(Eval *eval, const Term *term, const Alt *alt) {
    if (term->kind == TERM_WORD && term->word == COND_makes_cuda)
        return alt && alt->kind != KIND_NONE ? names(eval, alt, DEVICE_CUDA)
                                             : tri_of(default_device(eval) == DEVICE_CUDA);
    if (!alt) return TRI_NO;
    switch ((TermKind)term->kind) {
    case TERM_WORD: return match_word(eval, term, alt);
    case TERM_TRUE: return literal_is(eval, alt, KIND_NUMBER, python_text(PY_True));
    case TERM_FALSE: return literal_is(eval, alt, KIND_NUMBER, python_text(PY_False));
    case TERM_NULL: return alt_is_kind(alt, KIND_NONE);
    case TERM_TEXT:
        return literal_is(eval, alt, KIND_TEXT, rulebook_text(eval->inference->book, (TextId)term->value));
    case TERM_INT:
        if (alt->kind == KIND_UNKNOWN) return TRI_UNKNOWN;
        if (alt->kind != KIND_NUMBER) return TRI_NO;
        return alt->id ? tri_of(is_whole(sym_text(eval, alt->id), (int)term->value)) : TRI_UNKNOWN;
    case TERM_ENTRY: return match_is_a(eval, (EntryId)term->value, alt);
    default: return TRI_UNKNOWN;
    }
}

Tri match_alt(Eval *eval, TermId condition, const Alt *alt) {
    if (!condition) return TRI_YES;
    const Term *term = &eval->inference->book->terms[condition];
    if (term->kind == TERM_NOT) return tri_not(match_alt(eval, term_argument(eval, term, 0), alt));
    if (term->kind != TERM_AND && term->kind != TERM_OR) return match_leaf(eval, term, alt);
    Tri result = term->kind == TERM_AND ? TRI_YES : TRI_NO;
    for (uint32_t i = 0; i < term->count; i++) {
        Tri part = match_alt(eval, term_argument(eval, term, i), alt);
        result = term->kind == TERM_AND ? tri_and(result, part) : tri_or(result, part);
    }
    return result;
}

static Sure surer(Sure a, Sure b) { return b.met && (!a.met || b.belief < a.belief) ? b : a; }

static Sure sure_of_part(Eval *eval, TermId condition, SlotId slot) {
    Match match = match_value(eval, condition, store_read(eval->inference, eval->id, slot));
    if (!match.yes) return (Sure){0};
    if (match.no)
        return (Sure){match.met, belief_weaker(match.belief), match.origin,
                      match.evidence | evidence(SEEN_OTHERS)};
    return (Sure){match.met, match.belief, match.origin, match.evidence};
}

static Sure sure_of_parts(Eval *eval, TermId condition, TermId inside, ObjectId id) {
    Sure best = {0};
    for (uint32_t k = 0; k < infer_object(eval->inference, id)->key_count; k++)
        best = surer(best, sure_of_part(eval, inside, object_keys(infer_object(eval->inference, id))[k].slot));
    best = surer(best, sure_of_part(eval, inside, infer_object(eval->inference, id)->rest));
    if (best.met || !value_has(object_any(eval, id), KIND_SLICE)) return best;
    Match match = match_value(eval, condition, object_any(eval, id));
    return (Sure){match.met, match.belief, match.origin, match.evidence};
}

static bool negates_spared(Eval *eval, const Term *term) {
    const Term *inner = &eval->inference->book->terms[term_argument(eval, term, 0)];
    return inner->kind == TERM_WORD && inner->word == COND_spared;
}

static Sure sure_of(Eval *eval, TermId condition, const Alt *alt) {
    const Term *term = &eval->inference->book->terms[condition];
    Sure own = {true, alt->belief, alt->origin, 0}, result = {0};
    if (own.belief == GUESSED) own.evidence = evidence(SEEN_VALUE);
    if (term->kind == TERM_AND || term->kind == TERM_OR) {
        for (uint32_t i = 0; i < term->count; i++) {
            TermId part = term_argument(eval, term, i);
            if (match_alt(eval, part, alt) != TRI_YES) continue;
            Sure next = sure_of(eval, part, alt);
            bool less = term->kind == TERM_AND && next.belief > result.belief;
            if (!result.met || less || (term->kind == TERM_OR && next.belief < result.belief))
                result = (Sure){true, next.belief, next.origin ? next.origin : result.origin, next.evidence};
            else if (!result.origin)
                result.origin = next.origin;
        }
        return result;
    }
    /* an optimizer whose construction is not visible may be a fused one */
    if (alt->kind == KIND_UNKNOWN && term->kind == TERM_NOT && negates_spared(eval, term))
        own.belief |= BELIEVED;
    /* an unknown number: mostly a rank */
    if (alt->kind == KIND_NUMBER && !alt->id && term->kind == TERM_WORD &&
        (term->word == COND_names_cuda || term->word == COND_makes_cuda))
        own.belief |= BELIEVED;
    TermId inside = term->kind == TERM_WORD ? term_argument(eval, term, 0) : 0;
    bool holds = alt->kind == KIND_CONTAINER || alt->kind == KIND_SLICE;
    if (holds && inside) result = sure_of_parts(eval, condition, inside, alt->object);
    return result.met ? result : own;
}

bool may_meet(Eval *eval, const Alt *alt) {
    return alt->kind == KIND_TENSOR ||
           (alt->kind == KIND_CONTAINER && value_has(object_any(eval, alt->object), KIND_TENSOR));
}

/* `x.device` of a tensor that may be anywhere: in the run that we price it names the GPU. */
static bool may_name_gpu(Eval *eval, TermId condition, const Alt *alt) {
    Alt gpu = *alt;
    gpu.device = DEVICE_CUDA;
    return alt->kind == KIND_DEVICE && match_alt(eval, condition, &gpu) == TRI_YES;
}

/* `def to(self, device)` of a class of records: each is moved once, so a GPU value there came from this method. */
static bool moves_its_record(Eval *eval) {
    const Func *func = eval->func;
    if (!func->class_id || !func->name) return false;
    if (!name_is(eval->inference->book, NAMED_record_moving_method, model_name(eval->model, func->name)))
        return false;
    return class_info(eval->inference, eval->file->class_base + func->class_id)->is_module != TRI_YES;
}

static bool some_on_cpu(const Value *value) {
    for (uint32_t i = 0; i < value->count; i++)
        if (value->alts[i].kind == KIND_TENSOR && value->alts[i].device == DEVICE_CPU) return true;
    return false;
}

/* The alternative is this method's own result, or comes from an annotation, which tells no device. */
static bool made_here(Eval *eval, const Alt *alt) {
    if (!alt->origin) return false;
    const Origin *origin = &eval->inference->values.origins.items[alt->origin];
    bool inside = origin->file == eval->file_id && origin->span.start >= eval->func->span.start &&
                  origin->span.end <= eval->func->span.end;
    return origin->kind == ORIGIN_PARAMETER || (origin->kind == ORIGIN_MOVED && inside);
}

Match match_value(Eval *eval, TermId condition, const Value *value) {
    Match match = {0};
    bool record = value && value->count > 1 && some_on_cpu(value) && moves_its_record(eval);
    bool on_cpu = false;   /* it is met by a CPU tensor */
    bool contrary = false; /* and a GPU tensor fails it */
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (eval->together && value->count > 1 && alt->kind == KIND_TENSOR && alt->device == DEVICE_CPU)
            continue;
        if (record && alt->kind == KIND_TENSOR && made_here(eval, alt)) continue;
        Tri tri = match_alt(eval, condition, alt);
        match.yes |= tri == TRI_YES;
        match.no |= tri == TRI_NO;
        match.turns |= tri == TRI_YES && (alt->flags & ALT_TURNS);
        match.unknown |= tri == TRI_UNKNOWN;
        Sure sure = tri == TRI_YES && condition ? sure_of(eval, condition, alt) : (Sure){0};
        if (sure.met && (!match.met || sure.belief < match.belief)) {
            match.met = true, match.belief = sure.belief, match.origin = sure.origin,
            match.evidence = sure.evidence;
            on_cpu = (alt->kind == KIND_TENSOR && alt->device == DEVICE_CPU) || alt->kind == KIND_NUMBER;
        }
        contrary |= tri == TRI_NO && alt->kind == KIND_TENSOR && alt->device == DEVICE_CUDA;
        /* a tensor with an unknown property is possible; an unknown value is only counted */
        if (tri == TRI_UNKNOWN && !match.met && (may_meet(eval, alt) || may_name_gpu(eval, condition, alt))) {
            match.met = true, match.belief = GUESSED;
            match.evidence = evidence(SEEN_PROPERTY);
            match.origin = alt->origin;
        }
    }
    /* The tensor may as surely be on the GPU already, and in the priced run mostly is, except where it is being
       moved. The same for a sum that starts as the number 0. */
    if (on_cpu && contrary && !record) {
        match.belief = GUESSED;
        match.evidence |= evidence(SEEN_SIDES);
    }
    return match;
}

static const Value *find_fallback(Eval *eval, TermId literal) {
    const Term *term = &eval->inference->book->terms[literal];
    Names *table = eval->inference->names;
    char digits[16];
    switch ((TermKind)term->kind) {
    case TERM_TRUE: return literal_value(eval, KIND_NUMBER, eval->inference->known->true_text);
    case TERM_FALSE: return literal_value(eval, KIND_NUMBER, eval->inference->known->false_text);
    case TERM_NULL: return kind_value(eval, KIND_NONE);
    case TERM_INT:
        snprintf(digits, sizeof digits, "%d", (int)term->value);
        return literal_value(eval, KIND_NUMBER, names_intern(table, text_of(digits)));
    case TERM_TEXT:
        return literal_value(eval, KIND_TEXT,
                             names_intern(table, rulebook_text(eval->inference->book, (TextId)term->value)));
    default: return NULL;
    }
}

const Value *fallback_value(Eval *eval, TermId literal) {
    const Value **known = &eval->inference->fallbacks[literal];
    if (!*known) *known = find_fallback(eval, literal);
    return *known;
}

static double count_parts(Eval *eval, TermId condition, const Value *value) {
    double count = 0;
    for (uint32_t i = 0; value && i < value->count && i < 1; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind != KIND_CONTAINER && alt->kind != KIND_SLICE)
            return any_of(eval, condition, value) != TRI_NO ? 1 : 0;
        uint32_t keys = infer_object(eval->inference, alt->object)->key_count;
        for (uint32_t k = 0; k < keys; k++) {
            SlotId slot = object_keys(infer_object(eval->inference, alt->object))[k].slot;
            const Value *part = store_read(eval->inference, eval->id, slot);
            if (value_has(part, KIND_SLICE))
                count += count_parts(eval, condition, part);
            else
                count += any_of(eval, condition, part) == TRI_YES;
        }
        const Value *rest =
            store_read(eval->inference, eval->id, infer_object(eval->inference, alt->object)->rest);
        if (rest && any_of(eval, condition, rest) == TRI_YES) return (double)NAN;
    }
    return count;
}

static double length_of(const Eval *eval, const Value *value) {
    if (!value || value->count != 1) return (double)NAN;
    if (value->alts[0].kind != KIND_CONTAINER) return value->alts[0].kind == KIND_TENSOR ? 1 : (double)NAN;
    const Object *object = infer_object(eval->inference, value->alts[0].object);
    return object->open ? (double)NAN : object->key_count;
}

double term_count(Eval *eval, TermId id, const Bound *bound) {
    const Term *term = &eval->inference->book->terms[id];
    if (term->kind == TERM_INT) return term->value;
    if (term->kind == TERM_ADD || term->kind == TERM_MULTIPLY) {
        double total = term->kind == TERM_ADD ? 0 : 1;
        for (uint32_t i = 0; i < term->count; i++) {
            double part = term_count(eval, term_argument(eval, term, i), bound);
            total = term->kind == TERM_ADD ? total + part : total * part;
        }
        return total;
    }
    if (term->kind != TERM_WORD || !term->count) return (double)NAN;
    const Term *param = &eval->inference->book->terms[term_argument(eval, term, 0)];
    if (param->kind != TERM_PARAM || param->value >= BOUND_PARAMS) return (double)NAN;
    const Value *value = bound->values[param->value];
    if (term->word == WORD_count) return count_parts(eval, term_argument(eval, term, 1), value);
    return length_of(eval, value);
}
