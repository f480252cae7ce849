#ifndef SYNCL_RECORD_READ_H
#define SYNCL_RECORD_READ_H
/* Reads a recording of libsyncl-record.so (record_format.h): each detailed burst as a Trace whose calls have
   Python stacks, and the durations of the clean steps around it. Takes a path, gzipped or not; owned by the
   arena. From the first broken or cut-off byte on the file is ignored. Fails with one clear line: no recording,
   or nothing whole in it. */
#include "record_format.h"
#include "steps.h"

typedef struct RecordedCall {
    uint64_t start_ns, end_ns;
    uint32_t stack, name; /* name: id of a text */
    uint16_t thread;      /* numbered as in its bursts */
} RecordedCall;

/* The lines of a file at the end of the run. */
typedef struct RecordedSource {
    Text file;
    const uint32_t *hashes; /* record_line_hash */
    uint32_t count;
} RecordedSource;

typedef struct RecordedWindow {
    uint64_t from_ns, to_ns;
} RecordedWindow;

typedef struct Recorded {
    Text path, trouble, folder, command, python, no_stacks; /* trouble: why nothing was recorded; empty = something
                                                               was */
    uint32_t rank, ranks, process;
    bool ended, cut;           /* ended: the process reported its end; cut: the file does not end with a whole chunk */
    uint32_t dropped, stackless, watched; /* dropped rows; calls without a stack, out of `watched` */
    VEC(const Trace *) bursts;
    VEC(RecordedWindow) clean; /* before the first burst: only calls that can wait are watched */
    VEC(RecordedWindow) works; /* the GPU's work is recorded too, but not the calls that queue it */
    VEC(RecordedCall) calls;   /* calls that can wait, by their ends; also those in clean windows */
    VEC(Text) texts;           /* by id */
    VEC(RecordedSource) sources;
    TraceStacks *stacks;       /* shared by all bursts */
} Recorded;

bool record_is(const char *path); /* does the file begin like one? */
Recorded *record_read(Arena *arena, const char *path, Text *error);
/* The duration of a step: from a call in one step to the same call in the next. 0 = no call recurs the same
   number of times in each step of the burst. */
typedef struct RecordedSteps {
    double clean_us, off_us; /* in clean windows; and its uncertainty, how far another sample of steps may be from it */
    double works_us;         /* in windows where the GPU's work is recorded */
} RecordedSteps;
RecordedSteps record_steps(const Recorded *recorded, const Trace *burst, const Steps *steps);

#endif
