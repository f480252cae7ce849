#ifndef SYNCL_JOIN_H
#define SYNCL_JOIN_H
/* Which wait of a trace belongs to which finding. The waits of a hot loop's events, in program order and around again,
   are laid along the waits of the trace, in time order: the dearest way through is the one that agrees best in kind
   (a scalar read, a copy, a synchronisation), in operators and Python functions where the trace has them, and leaves
   out least on either side. Takes everything const; owned by the arena. */
#include "frames.h"
#include "rulebook.h"
#include "site.h"
#include "waits.h"

typedef struct Join {
    HotLoopId loop;     /* the loop that was traced; 0 = none fits */
    HotLoopId rival;    /* of another file, and fits as well: only one of them ran; 0 = none does */
    SiteId *sites;      /* [wait]; 0 = no finding */
    uint32_t *callees;  /* [wait] the Python function that the program called and that waits: index + 1 of its frame */
    bool *in_library;   /* [SiteId]: the wait happened in Python code that is not of the program */
    uint32_t matched;
} Join;

Join *join_waits(Arena *arena, const TracedRun *run, const Waits *waits, const Program *program, const Rulebook *book,
                 const Findings *findings);

#endif
