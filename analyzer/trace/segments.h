#ifndef SYNCL_SEGMENTS_H
#define SYNCL_SEGMENTS_H
/* Cuts a burst of a recording into stretches of one hot loop each, by the stacks of the calls that can wait: a
   rollout and the update after it, or steps and an evaluation between them, are loops with steps of their own.
   Takes a trace with stacks, the program and its findings; owned by the arena. Of a loop with many stretches
   the longest are taken. */
#include "site.h"
#include "sources.h"
#include "trace.h"

typedef struct TraceSegment {
    HotLoopId part; /* stretches of one loop share a number; 0 = of no known loop */
    HotLoopId loop; /* the loop whose iterations are its steps; 0 = one of several functions that a framework calls
                       in turn */
    const Trace *trace;
    bool cut;       /* it is only part of the burst */
} TraceSegment;

typedef VEC(TraceSegment) TraceSegments;

TraceSegments segments_of(Arena *arena, const Trace *trace, Sources *sources, const Program *program,
                     const Findings *findings);

#endif
