#ifndef SYNCL_RECORD_FORMAT_H
#define SYNCL_RECORD_FORMAT_H
/* A recording, as libsyncl-record.so writes it and record_read reads it: a head, then chunks. A chunk is a RecordChunk,
   then its rows, each behind a RecordRow; a chunk counts only when it is whole, so a run that ends anyhow leaves a file
   that is good up to there. Numbers are little-endian, times are CUPTI's (nanoseconds). An id may be used before the row
   that gives it; 0 is none. Read by copying: nothing in a file is aligned. */
#include <stdint.h>

#define RECORD_MAGIC "SYNCLREC"

enum { RECORD_VERSION = 1, RECORD_STACK_LIMIT = 96, RECORD_TEXT_LIMIT = 1000 };

typedef struct RecordHead {
    char magic[8];
    uint32_t version, rank; /* of a distributed run, else 0 */
    uint32_t process, ranks;
} RecordHead;

typedef struct RecordChunk {
    uint32_t bytes; /* of the rows */
    uint32_t zero;
    uint64_t sum;   /* record_sum of them */
} RecordChunk;

typedef enum RecordKind {
    RECORD_FACT = 1, /* key=value, as text */
    RECORD_TEXT,     /* RecordId, then UTF-8 */
    RECORD_FRAME,    /* RecordFrame */
    RECORD_STACK,    /* RecordId, then ids of frames, innermost first */
    RECORD_CALL,     /* RecordCall: by a callback, with its stack; in every phase */
    RECORD_API,      /* RecordCall: by an activity, while everything is recorded */
    RECORD_WORK,     /* RecordWork */
    RECORD_PHASE,    /* RecordPhase */
    RECORD_END,      /* RecordEnd */
    RECORD_SOURCE,   /* RecordId of the text that names a file, then record_line_hash of each of its lines: by syncl itself,
                        when the run is over */
} RecordKind;

typedef struct RecordRow {
    uint16_t kind, bytes; /* of what follows */
} RecordRow;

typedef struct RecordId {
    uint32_t id;
} RecordId;

typedef struct RecordFrame {
    uint32_t id, file, name, line; /* file and name are texts */
} RecordFrame;

typedef struct RecordCall {
    uint64_t start_ns, end_ns;
    uint32_t correlation, thread, name, stack;
} RecordCall;

typedef enum RecordWorkKind { RECORD_KERNEL, RECORD_FILL, RECORD_TO_DEVICE, RECORD_TO_HOST, RECORD_ON_DEVICE,
    RECORD_COPY, RECORD_GRAPH } RecordWorkKind;

typedef struct RecordWork {
    uint64_t start_ns, end_ns, bytes;
    uint32_t correlation, stream, device, name;
    uint32_t kind, pageable;
} RecordWork;

typedef enum RecordPhaseKind {
    RECORD_WARM,   /* steps are looked for, only the calls that can wait are watched */
    RECORD_CLEAN,  /* the same, with steps known */
    RECORD_DETAIL, /* everything */
    RECORD_SWITCH, /* something is being switched on or off */
    RECORD_DONE,   /* nothing any more */
    RECORD_WORKS,  /* what the GPU does, without the calls that queue it */
} RecordPhaseKind;

typedef struct RecordPhase {
    uint64_t at_ns;
    uint32_t phase, anchor; /* the stack that tells the steps; 0 = none found */
} RecordPhase;

typedef struct RecordEnd {
    uint64_t at_ns;
    uint32_t dropped_calls, dropped_works; /* for want of room */
    uint32_t stackless, faults;            /* calls whose stack could not be read; switched off by a fault */
} RecordEnd;

/* Of a line without its indent and end: 32 bits of FNV. */
static inline uint32_t record_line_hash(const char *bytes, uint32_t length) {
    uint32_t hash = 0x811c9dc5u;
    while (length && (bytes[length - 1] == ' ' || bytes[length - 1] == '\t' || bytes[length - 1] == '\r')) length--;
    while (length && (*bytes == ' ' || *bytes == '\t')) bytes++, length--;
    for (uint32_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)bytes[i]) * 0x01000193u;
    return hash;
}

static inline uint64_t record_sum(const unsigned char *bytes, uint64_t count) {
    uint64_t sum = 0xcbf29ce484222325u;
    for (uint64_t i = 0; i < count; i++) sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

#endif
