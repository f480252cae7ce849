#ifndef SYNCL_WAITS_H
#define SYNCL_WAITS_H
/* The waits of a TracedRun in order, each with what the trace knows of it: what it waits for, the copy before
   it, the operators and Python functions around it. Owned by the arena. */
#include "rulebook.h"
#include "traced_run.h"

typedef enum WaitKind {
    WAITED_READ,      /* a scalar is copied to the host */
    WAITED_TO_HOST,   /* a tensor is copied to the host */
    WAITED_TO_DEVICE, /* a tensor is copied to the GPU */
    WAITED_DEVICE,
    WAITED_STREAM,
    WAITED_EVENT,
    WAITED_MEMORY, /* the allocator frees memory or asks for more */
    WAIT_KINDS,
    WAIT_MARK = WAIT_KINDS /* no wait, but a mark between waits */
} WaitKind;

enum { WAIT_OPERATORS = 8, WAIT_FRAMES = 96 };

typedef struct TracedWait {
    uint32_t call;      /* index into TracedRun.calls */
    uint32_t copy;      /* index + 1 of the call that queued the copy; 0 = none, or the call itself */
    WaitKind kind;
    uint32_t bytes;     /* copied */
    Sym operators[WAIT_OPERATORS]; /* innermost first; 0 ends the list */
    double operator_us[WAIT_OPERATORS][2]; /* start and end of each */
    const Sym *frames;  /* Python functions, innermost first */
    const double (*frame_us)[2]; /* start and end of each */
    uint32_t frame_count;
} TracedWait;

typedef struct Waits {
    VEC(TracedWait) items;
} Waits;

Waits *waits_of(Arena *arena, const TracedRun *run);
uint32_t waits_kinds(const Hazard *hazard); /* bits of WaitKind: what the hazard's waits may look like in a trace */
const char *waits_words(WaitKind kind); /* "a read of a scalar" */

#endif
