#ifndef SYNCL_JOIN_H
#define SYNCL_JOIN_H
/* Matches the waits of a trace with findings: a sequence alignment. The waits of a hot loop's events, in
   program order and repeated, are aligned with the waits of the trace, in time order. The alignment with the
   highest score agrees best in kind (a scalar read, a copy, a synchronisation), in operators and Python
   functions where the trace has them, and skips least on either side. Owned by the arena. */
#include "frames.h"
#include "rulebook.h"
#include "site.h"
#include "waits.h"

typedef struct Join {
    HotLoopId loop;     /* the loop that was traced; 0 = none fits */
    HotLoopId rival;    /* a loop of another file that fits as well, though only one of them ran; 0 = none */
    SiteId *sites;      /* [wait]; 0 = no finding */
    uint32_t *callees;  /* [wait]: the Python function, called by the program, that waits: index + 1 of its frame */
    bool *in_library;   /* [SiteId]: the wait happened in Python code outside of the program */
    uint32_t matched;
} Join;

Join *join_waits(Arena *arena, const TracedRun *run, const Waits *waits, const Program *program, const Rulebook *book,
                 const Findings *findings);

#endif
