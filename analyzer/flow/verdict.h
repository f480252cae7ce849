#ifndef SYNCL_VERDICT_H
#define SYNCL_VERDICT_H
/* Verdicts: what the order of events shows: clocks read too early, copies read too early, streams that nobody
   ordered, waits in the capture of a CUDA graph. Takes the call graph, const; walks every way from every root, each
   loop twice and callees in place, within counted bounds; gives one verdict a place and kind, in the arena. */
#include "order.h"

typedef struct Verdict {
    Place place;
    StmtId stmt;
    Word finds; /* FINDS_... */
    Confidence confidence;
    Place other; /* what it is told with: the first reading, the copy, the stream's region; file 0 = none */
    Rate rate;   /* how often the place runs; filled by `sites` */
} Verdict;

typedef struct Verdicts {
    VEC(Verdict) items;
} Verdicts;

Verdicts verdicts_find(Arena *arena, const CallGraph *graph);

#endif
