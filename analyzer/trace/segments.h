#ifndef SYNCL_SEGMENTS_H
#define SYNCL_SEGMENTS_H
/* A burst of a recording cut into stretches of one hot loop each, told by the stacks of the calls that can wait: a rollout and
   the update behind it, steps and an evaluation between them, are loops with steps of their own. Takes a trace with
   stacks, the program and its findings, const; owned by the arena. Of a loop with many stretches the longest are taken. */
#include "site.h"
#include "sources.h"
#include "trace.h"

typedef struct TraceSegment {
    HotLoopId part; /* stretches of one loop have one number; 0 = of no loop that is known */
    HotLoopId loop; /* whose turns its steps are; 0 = one of several that a framework calls in turn */
    const Trace *trace;
    bool cut;       /* a part of the burst */
} TraceSegment;

typedef VEC(TraceSegment) TraceSegments;

TraceSegments segments_of(Arena *arena, const Trace *trace, Sources *sources, const Program *program,
                     const Findings *findings);

#endif
