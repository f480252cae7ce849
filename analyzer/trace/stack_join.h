#ifndef SYNCL_STACK_JOIN_H
#define SYNCL_STACK_JOIN_H
/* Which finding a recorded wait belongs to, where its Python stack is known: one of the line that the innermost function of
   the program stands at. Takes everything const. A wait of a thread without Python (the backward pass) keeps what `sites`
   says of it if that finding waits there, else it has none. */
#include "program.h"
#include "rulebook.h"
#include "site.h"
#include "sources.h"
#include "waits.h"

typedef struct StackJoin {
    const TracedRun *run;
    const Waits *waits;
    const Program *program;
    Sources *sources; /* of it */
    const Rulebook *book;
    const Findings *findings;
} StackJoin;

/* sites: [wait], in and out; in_library: [SiteId], set where the wait itself is none of the program's. */
void stack_join(const StackJoin *input, SiteId *sites, bool *in_library);
/* Of a call's stack the innermost function of the program, else the innermost; NULL = it has none. */
const TraceFrame *stack_place(Sources *sources, const Trace *trace, const TraceCall *call);
HotLoopId stack_loop(const StackJoin *input, const SiteId *sites); /* that most of the waits are of; 0 = none */

#endif
