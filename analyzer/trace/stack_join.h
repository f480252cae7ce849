#ifndef SYNCL_STACK_JOIN_H
#define SYNCL_STACK_JOIN_H
/* Matches recorded waits with findings by their Python stacks: a wait belongs to a site on the line where the
   innermost function of the program stands. A wait on a thread without Python (the backward pass) keeps the
   site that `sites` has for it if that site waits there, else it gets none. */
#include "program.h"
#include "rulebook.h"
#include "site.h"
#include "sources.h"
#include "waits.h"

typedef struct StackJoin {
    const TracedRun *run;
    const Waits *waits;
    const Program *program;
    Sources *sources; /* of `program` */
    const Rulebook *book;
    const Findings *findings;
} StackJoin;

/* sites: [wait], in and out; in_library: [SiteId], set where the wait itself is outside of the program. */
void stack_join(const StackJoin *input, SiteId *sites, bool *in_library);
/* The innermost frame of the program in a call's stack, else the innermost frame; NULL = the call has no stack. */
const TraceFrame *stack_place(Sources *sources, const Trace *trace, const TraceCall *call);
HotLoopId stack_loop(const StackJoin *input, const SiteId *sites); /* the loop of most of the waits; 0 = none */

#endif
