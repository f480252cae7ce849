#ifndef SYNCL_CALLS_NAME_H
#define SYNCL_CALLS_NAME_H
/* What the name of a function tells of how often somebody calls it, where nobody in sight does. For calls.c. */
#include "text.h"

bool name_says_work(Text name);
bool name_says_once(Text name);

#endif
