/* What the name of a function tells of how often somebody calls it, where nobody in sight does. */
#include "calls_name.h"
#include "conventions.h"

/* The next word of a name in snake case: `_batch_act` has batch and act. Empty at its end. */
static Text next_word(Text name, uint32_t *at) {
    while (*at < name.length && name.bytes[*at] == '_') ++*at;
    uint32_t start = *at;
    while (*at < name.length && name.bytes[*at] != '_') ++*at;
    return text_slice(name, start, *at);
}

/* predict, batch_act, compute_loss, evaluate_actions: what a name calls the work of a batch, a step or a request is done
   for each of them, whoever asks; what builds, loads, exports or tests is not. */
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

/* make_samplers, load_weights, train_val_test_split, quantize, __getitem__: of a method, what a run does once, or what Python
   itself calls, a loader's worker among others. */
bool name_says_once(const Rulebook *book, Text name) {
    if (text_starts(name, TEXT("__"))) return true;
    uint32_t at = 0;
    for (Text word = next_word(name, &at); word.length; word = next_word(name, &at))
        if (name_is(book, NAMED_once_word, word) || name_is(book, NAMED_making_word, word)) return true;
    return false;
}
