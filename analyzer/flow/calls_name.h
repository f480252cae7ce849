#ifndef SYNCL_CALLS_NAME_H
#define SYNCL_CALLS_NAME_H
/* What a function's name says about how often unseen callers call it. For calls.c. */
#include "conventions.h"
#include "inference.h"

bool name_says_work(const Rulebook *book, Text name);
bool name_says_evaluation(const Rulebook *book, Text name);
bool name_says_once(const Rulebook *book, Text name);

/* `def _test():` beside a model: 5 of 5 judged places in such functions are in no run but a test. */
bool is_self_test(const Inference *inference, ContextId id);

#endif
