/* Time points: places whose order matters (a clock is read, a copy is under way). A value that comes from one
   carries its object, through variables and calls, to its use. */
#include "clause.h"

ObjectId point_here(Eval *eval, ExprId expr, PointKind kind) {
    Inference *inference = eval->inference;
    ObjectId object =
        store_object(inference, STORE_POINT, eval->file_id, (uint64_t)expr * POINT_KINDS + kind, FLAVOUR_PARTS);
    if (!infer_object(inference, object)->point) {
        infer_object(inference, object)->point = inference->points.count;
        TimePoint point = {.kind = (uint8_t)kind, .file = eval->file_id, .expr = expr, .object = object};
        vec_push(inference->arena, &inference->points, point);
    }
    return object;
}

static bool carries(const Alt *alt) {
    return alt->kind == KIND_NUMBER || alt->kind == KIND_HOST || alt->kind == KIND_TENSOR;
}

const Value *point_mark(Eval *eval, const Value *value, ObjectId point) {
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; value && i < value->count; i++) {
        alts[i] = value->alts[i];
        if (carries(&alts[i])) alts[i].object = point;
    }
    return value ? value_from(&eval->inference->values, alts, value->count) : NULL;
}

static bool is_point(const Eval *eval, const Alt *alt, PointKind kind) {
    const Inference *inference = eval->inference;
    bool may = carries(alt) || (alt->kind == KIND_OBJECT && kind == POINT_STREAM);
    uint32_t point = may && alt->object ? infer_object(inference, alt->object)->point : 0;
    return point && inference->points.items[point].kind == kind;
}

ObjectId point_of(const Eval *eval, const Value *value, PointKind kind) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (is_point(eval, &value->alts[i], kind)) return value->alts[i].object;
    return 0;
}

static void note(Eval *eval, Use use) {
    for (uint32_t i = 0; i < eval->context->uses.count; i++) {
        const Use *old = &eval->context->uses.items[i];
        if (old->expr == use.expr && old->kind == use.kind && old->of == use.of && old->from == use.from)
            return;
    }
    vec_push(eval->inference->arena, &eval->context->uses, use);
}

void point_use(Eval *eval, ExprId expr, PointKind kind, const Value *of, const Value *from) {
    for (uint32_t i = 0; of && i < of->count; i++) {
        if (!is_point(eval, &of->alts[i], kind)) continue;
        Use use = {.expr = expr, .kind = (uint8_t)kind, .of = of->alts[i].object};
        if (kind != POINT_CLOCK) note(eval, use);
        for (uint32_t k = 0; kind == POINT_CLOCK && from && k < from->count; k++) {
            use.from = from->alts[k].object;
            if (is_point(eval, &from->alts[k], kind)) note(eval, use);
        }
    }
}

/* Marks uses of the tensors in an argument, including those in a container. */
void point_use_tensors(Eval *eval, ExprId expr, PointKind kind, const Value *value) {
    point_use(eval, expr, kind, value, NULL);
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind == KIND_CONTAINER)
            point_use(eval, expr, kind, object_any(eval, value->alts[i].object), NULL);
}

static bool has_effect(const Eval *eval, const Clause *clause, Word word) {
    for (uint32_t i = 0; i < clause->effect_count; i++)
        if (eval->inference->book->effects[clause->first_effect + i].word == word) return true;
    return false;
}

static bool holds_cuda(Eval *eval, const Value *value) {
    for (uint32_t i = 0; value && i < value->count; i++) {
        const Alt *alt = &value->alts[i];
        if (alt->kind == KIND_TENSOR && alt->device == DEVICE_CUDA) return true;
        const Value *inner = alt->kind == KIND_CONTAINER ? object_any(eval, alt->object) : NULL;
        for (uint32_t k = 0; inner && k < inner->count; k++)
            if (inner->alts[k].kind == KIND_TENSOR && inner->alts[k].device == DEVICE_CUDA) return true;
    }
    return false;
}

/* A copy to the GPU is ordered after a pending copy from it; any other operation on CPU tensors reads their
   bytes. If one operand is on the GPU, so are the others, whatever alternatives they have. */
void point_use_all(Eval *eval, ExprId expr, const Bound *bound) {
    bool copies = has_effect(eval, bound->clause, EFF_copies);
    for (uint32_t i = 0; i < bound->clause->param_count; i++) copies |= holds_cuda(eval, bound->values[i]);
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        if (!copies) point_use_tensors(eval, expr, POINT_STALE, bound->values[i]);
        point_use_tensors(eval, expr, POINT_STREAM, bound->values[i]);
    }
}

const Term *effect_operand(const Eval *eval, const RuleEffect *effect, uint32_t i) {
    const Rulebook *book = eval->inference->book;
    return i < effect->count ? &book->terms[book->term_links[effect->first + i]] : NULL;
}

bool effect_operand_is(const Eval *eval, const RuleEffect *effect, const char *text) {
    const Term *term = effect_operand(eval, effect, 0);
    return term && text_equal(rulebook_text(eval->inference->book, (TextId)term->value), text_of(text));
}

uint16_t point_found(const Eval *eval, const RuleEffect *effect) {
    if (!effect->count) return SAYS_FOUND;
    return effect_operand_is(eval, effect, "note") ? SAYS_FOUND | SAYS_MINOR : SAYS_FOUND | SAYS_ANYWHERE;
}

const Value *effect_operand_value(const Eval *eval, const RuleEffect *effect, uint32_t i, const Bound *bound) {
    const Term *term = effect_operand(eval, effect, i);
    return term && term->kind == TERM_PARAM ? bound->values[term->value] : NULL;
}

/* An unknown stream may be any. */
ObjectId stream_waited_for(const Eval *eval, const RuleEffect *effect, const Bound *bound) {
    const Value *stream = effect_operand_value(eval, effect, 0, bound);
    return !effect->count || !stream || value_has(stream, KIND_UNKNOWN) ? SUBJECT_ALL
                                                                        : point_of(eval, stream, POINT_STREAM);
}

void point_expect(Eval *eval, ExprId expr, const Bound *bound, PendingResult *pending) {
    const Rulebook *book = eval->inference->book;
    const Clause *clause = bound->clause;
    for (uint32_t i = 0; i < clause->effect_count; i++) {
        const RuleEffect *effect = &book->effects[clause->first_effect + i];
        switch ((Word)effect->word) {
        case EFF_reads_clock: pending->point = point_here(eval, expr, POINT_CLOCK); break;
        case EFF_distinct: pending->point = point_here(eval, expr, POINT_STREAM); break;
        case EFF_stale:
            if (!effect->count) pending->point = point_here(eval, expr, POINT_STALE);
            break;
        case EFF_compiles:
            pending->graphs |= effect_operand_is(eval, effect, "capture") ? ALT_CAPTURED : ALT_COMPILED;
            break;
        case EFF_launches:
        case EFF_waits:
        case EFF_copies: pending->queues = true; break;
        default: break;
        }
    }
    ObjectId stale = point_of(eval, bound->values[0], POINT_STALE);
    pending->same = stale ? stale : point_of(eval, bound->values[0], POINT_STREAM);
}

static bool is_callable(const Alt *alt) {
    return alt->kind == KIND_FUNCTION || alt->kind == KIND_INSTANCE || alt->kind == KIND_OBJECT ||
           alt->kind == KIND_UNKNOWN;
}

const Value *point_arrive(Eval *eval, const Value *result, const PendingResult *pending) {
    ObjectId point = pending->point;
    if (!point && pending->queues) point = eval->stream;
    if (!point && !pending->queues) point = pending->same;
    bool anything = point || pending->graphs;
    Alt alts[VALUE_ALTS];
    for (uint32_t i = 0; anything && result && i < result->count; i++) {
        alts[i] = result->alts[i];
        bool tensor_only = point != pending->point;
        if (point && carries(&alts[i]) && (!tensor_only || alts[i].kind == KIND_TENSOR)) alts[i].object = point;
        if (is_callable(&alts[i])) alts[i].flags |= pending->graphs;
    }
    return anything && result ? value_from(&eval->inference->values, alts, result->count) : result;
}
