#ifndef SYNCL_CALLS_NAME_H
#define SYNCL_CALLS_NAME_H
/* What the name of a function tells of how often somebody calls it, where nobody in sight does. For calls.c. */
#include "conventions.h"

bool name_says_work(const Rulebook *book, Text name);
bool name_says_evaluation(const Rulebook *book, Text name);
bool name_says_once(const Rulebook *book, Text name);

#endif
