/* What a function's name says about how often unseen callers call it. */
#include "calls_name.h"
#include "conventions.h"

/* The next word of a name in snake case: `_batch_act` has batch and act. Empty at its end. */
static Text next_word(Text name, uint32_t *at) {
    while (*at < name.length && name.bytes[*at] == '_') ++*at;
    uint32_t start = *at;
    while (*at < name.length && name.bytes[*at] != '_') ++*at;
    return text_slice(name, start, *at);
}

/* Names of work on a batch, step or request, which is repeated for each: predict, batch_act, compute_loss,
   evaluate_actions; not names of building, loading, exporting or testing. */
bool name_says_work(const Rulebook *book, Text name) {
    uint32_t at = 0;
    bool works = false;
    Text word = next_word(name, &at);
    if (name_is(book, NAMED_idle_first_word, word)) return false;
    for (Text next; word.length; word = next) {
        next = next_word(name, &at);
        if (name_is(book, NAMED_once_word, word)) return false;
        works |=
            name_is(book, NAMED_work_word, word) || (!next.length && name_is(book, NAMED_work_last_word, word));
    }
    return works;
}

/* evaluation, valid_step, forward, sample_loop */
bool name_says_evaluation(const Rulebook *book, Text name) {
    uint32_t at = 0;
    return name_is(book, NAMED_evaluating_word, next_word(name, &at));
}

/* Names of what a run does once, or, for methods, of what Python itself calls (e.g. in a loader's worker):
   make_samplers, load_weights, train_val_test_split, quantize, __getitem__. */
bool name_says_once(const Rulebook *book, Text name) {
    if (text_starts(name, TEXT("__"))) return true;
    uint32_t at = 0;
    for (Text word = next_word(name, &at); word.length; word = next_word(name, &at))
        if (name_is(book, NAMED_once_word, word) || name_is(book, NAMED_making_word, word)) return true;
    return false;
}

bool is_self_test(const Inference *inference, ContextId id) {
    const Context *context = inference->contexts.items[id];
    const FileModel *model = inference->program->files.items[context->file].model;
    const Func *func = &model->funcs.items[context->func];
    return func->kind == FUNC_DEF && func->parent == 1 && !func->class_id && !func->param_count &&
           name_is(inference->book, NAMED_self_test, model_name(model, func->name));
}
