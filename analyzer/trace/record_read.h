#ifndef SYNCL_RECORD_READ_H
#define SYNCL_RECORD_READ_H
/* A recording of libsyncl-record.so (record_format.h) taken apart: each detailed burst as a Trace, whose calls know their
   Python stack, and what the clean steps around it took. Takes a path, packed or not; owned by the arena. What of the file
   is cut off or broken is left out, from there on. Fails with one clear line: no recording, or nothing whole in it. */
#include "record_format.h"
#include "steps.h"

typedef struct RecordedCall {
    uint64_t start_ns, end_ns;
    uint32_t stack, name; /* name: id of a text */
    uint16_t thread;      /* as its bursts number it */
} RecordedCall;

/* A file's lines when the run was over. */
typedef struct RecordedSource {
    Text file;
    const uint32_t *hashes; /* record_line_hash */
    uint32_t count;
} RecordedSource;

typedef struct RecordedWindow {
    uint64_t from_ns, to_ns;
} RecordedWindow;

typedef struct Recorded {
    Text path, trouble, folder, command, python, no_stacks; /* trouble: why nothing was recorded; empty = none */
    uint32_t rank, ranks, process;
    bool ended, cut;           /* the process said that it ended; the file does not end with a whole chunk */
    uint32_t dropped, stackless, watched; /* rows without room; calls without a stack, of so many */
    VEC(const Trace *) bursts;
    VEC(RecordedWindow) clean; /* before the first burst: only what can wait is watched */
    VEC(RecordedWindow) works; /* what the GPU does is told as well, the calls that queue it are not */
    VEC(RecordedCall) calls;   /* that can wait, in order of their ends; in clean windows too */
    VEC(Text) texts;           /* by id */
    VEC(RecordedSource) sources;
    TraceStacks *stacks;       /* of all bursts */
} Recorded;

bool record_is(const char *path); /* does the file begin like one? */
Recorded *record_read(Arena *arena, const char *path, Text *error);
/* What a step takes: from a call in one step to the same in the next; 0 = no call recurs the same number of times in each
   of the burst's steps. */
typedef struct RecordedSteps {
    double clean_us, off_us; /* in clean windows; how far that is likely to be from what as many other steps would say */
    double works_us;         /* while the GPU's work is told */
} RecordedSteps;
RecordedSteps record_steps(const Recorded *recorded, const Trace *burst, const Steps *steps);

#endif
