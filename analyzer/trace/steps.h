#ifndef SYNCL_STEPS_H
#define SYNCL_STEPS_H
/* Where the steps of a trace begin: by the marks that profiler.step() leaves, else by the sequence of queued work, which
   recurs. Takes a Trace, const. Fails (NULL, error) when fewer than two whole steps can be told apart. */
#include "trace.h"

typedef struct Steps {
    uint32_t count;
    double *starts_us; /* [count + 1]: a step ends where the next one begins */
    Text how;          /* "5 steps by ProfilerStep marks" */
} Steps;

Steps *steps_find(Arena *arena, const Trace *trace, uint32_t given, Text *error); /* given: how many it holds; 0 = not known */

#endif
