/* Callables that a call is given and calls itself: hooks, transforms, collate functions. */
#include "interpret.h"

/* The dataset that a loader is made with. */
static const Value *dataset_of(const Eval *eval, const Bound *bound) {
    for (uint32_t i = 0; i < bound->clause->param_count; i++) {
        const RuleParam *param = &eval->inference->book->params[bound->clause->first_param + i];
        if (text_equal(param_name(eval, param), TEXT("dataset"))) return bound->values[i];
    }
    return NULL;
}

/* A list of callables is called one by one; of layers a framework's word stays what it is. */
static void call_each(Eval *eval, ExprId expr, const Value *callee, const Args *args) {
    const Value *lists = only_kind(eval, callee, KIND_CONTAINER);
    for (uint32_t i = 0; lists && i < lists->count; i++) {
        const Object *object = &eval->inference->objects.items[lists->alts[i].object];
        for (uint32_t k = 0; k < object->keys.count; k++) {
            const Value *one = object_get(eval, lists->alts[i].object, object->keys.items[k]);
            if (one && one->count == 1 && !is_module_alt(eval, &one->alts[0]))
                call_value(eval, expr, one, args);
            object = &eval->inference->objects.items[lists->alts[i].object];
        }
    }
    if (!lists) call_value(eval, expr, callee, args);
}

/* A hook that a module registers while it is made sees tensors of the place that the module is moved to later. */
static const Value *moved_by_then(Eval *eval, ExprId expr, const Value *value) {
    Alt alts[VALUE_ALTS];
    OriginId origin =
        origin_add(&eval->inference->values, (Origin){.kind = ORIGIN_MODEL,
                                                      .confidence = CONFIDENCE_LIKELY,
                                                      .file = eval->file_id,
                                                      .span = eval->model->exprs.items[expr].span});
    for (uint32_t i = 0; value && i < value->count; i++) {
        Alt *alt = &alts[i];
        *alt = value->alts[i];
        if (alt->kind != KIND_TENSOR || alt->device == DEVICE_CUDA) continue;
        alt->device = DEVICE_CUDA;
        alt->pinned = TRI_NO;
        alt->confidence = (uint8_t)confidence_min((Confidence)alt->confidence, CONFIDENCE_LIKELY);
        alt->origin = origin;
    }
    return value ? value_from(&eval->inference->values, alts, value->count) : NULL;
}

static bool moves_later(Eval *eval, const Bound *bound) {
    const Value *self = bound->clause->param_count ? bound->values[0] : NULL;
    const RuleParam *first = &eval->inference->book->params[bound->clause->first_param];
    return self && self->count == 1 && text_equal(param_name(eval, first), TEXT("self")) &&
           is_moved_later(eval, &self->alts[0]);
}

void do_calls(Eval *eval, ExprId expr, const RuleEffect *effect, const Bound *bound) {
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
    const Value *dataset = eval->rate == RATE_WORKER ? dataset_of(eval, bound) : NULL;
    if (dataset) args.values[args.count++] = dataset_rows(eval, expr, dataset);
    call_each(eval, expr, bound->values[param->value], &args);
    eval->rate = before;
}
