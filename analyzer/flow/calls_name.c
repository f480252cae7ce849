/* What the name of a function tells of how often somebody calls it, where nobody in sight does. */
#include "calls_name.h"

/* The next word of a name in snake case: `_batch_act` has batch and act. Empty at its end. */
static Text next_word(Text name, uint32_t *at) {
    while (*at < name.length && name.bytes[*at] == '_') ++*at;
    uint32_t start = *at;
    while (*at < name.length && name.bytes[*at] != '_') ++*at;
    return text_slice(name, start, *at);
}

/* What prepares a run, ends it, or lies outside of it. */
static bool is_of_once(Text word) {
    static const char *const ONCE[] = {"build", "collate", "create",   "demo",  "export",
                                       "init",  "onnx",    "register", "setup", "test"};
    return text_is_any(word, ONCE, sizeof ONCE / sizeof *ONCE);
}

/* predict, batch_act, compute_loss, evaluate_actions: what a name calls the work of a batch, a step or a request is done
   for each of them, whoever asks; what builds, loads, exports or tests is not. */
bool name_says_work(Text name) {
    static const char *const WORK[] = {"act",     "action",   "actions", "batch",     "batched", "detect",
                                       "forward", "forecast", "infer",   "inference", "loss",    "losses",
                                       "metric",  "metrics",  "observe", "predict",   "step",    "steps"};
    static const char *const LAST[] = {"compute", "sample", "update"};
    static const char *const FIRST[] = {"after", "before", "configure", "load",     "make",
                                        "on",    "reset",  "set",       "transform"};
    uint32_t at = 0;
    bool works = false;
    Text word = next_word(name, &at);
    if (text_is_any(word, FIRST, sizeof FIRST / sizeof *FIRST)) return false;
    for (Text next; word.length; word = next) {
        next = next_word(name, &at);
        if (is_of_once(word)) return false;
        works |= text_is_any(word, WORK, sizeof WORK / sizeof *WORK) ||
                 (!next.length && text_is_any(word, LAST, sizeof LAST / sizeof *LAST));
    }
    return works;
}

/* make_samplers, load_weights, train_val_test_split, quantize, __getitem__: of a method, what a run does once, or what Python
   itself calls, a loader's worker among others. */
bool name_says_once(Text name) {
    static const char *const MAKES[] = {"convert",     "download",   "fit",         "fold",     "initialise",
                                        "initialised", "initialize", "initialized", "load",     "make",
                                        "parse",       "prepare",    "quantise",    "quantize", "resize",
                                        "set",         "split",      "warm",        "warmup"};
    if (text_starts(name, TEXT("__"))) return true;
    uint32_t at = 0;
    for (Text word = next_word(name, &at); word.length; word = next_word(name, &at))
        if (is_of_once(word) || text_is_any(word, MAKES, sizeof MAKES / sizeof *MAKES)) return true;
    return false;
}
