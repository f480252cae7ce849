#ifndef SYNCL_CALLS_NAME_H
#define SYNCL_CALLS_NAME_H
/* What a function's name says about how often unseen callers call it. For calls.c. */
#include "conventions.h"

bool name_says_work(const Rulebook *book, Text name);
bool name_says_evaluation(const Rulebook *book, Text name);
bool name_says_once(const Rulebook *book, Text name);

#endif
