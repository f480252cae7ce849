#ifndef SYNCL_STEPS_H
#define SYNCL_STEPS_H
/* Finds where the steps of a trace begin: by the marks that profiler.step() leaves, else by the recurring
   sequence of queued work. Fails (NULL, *error) when fewer than two whole steps can be told apart. */
#include "trace.h"

typedef struct Steps {
    uint32_t count;
    double *starts_us; /* [count + 1]: a step ends where the next one begins */
    Text how;          /* "5 steps by ProfilerStep marks" */
} Steps;

/* given: the number of steps in it; 0 = unknown */
Steps *steps_find(Arena *arena, const Trace *trace, uint32_t given, Text *error);

#endif
