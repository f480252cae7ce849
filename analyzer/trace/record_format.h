#ifndef SYNCL_RECORD_FORMAT_H
#define SYNCL_RECORD_FORMAT_H
/* The file format of a recording, which libsyncl-record.so writes and record_read reads: a head, then chunks. A
   chunk is a RecordChunk and its rows, each preceded by a RecordRow. Only whole chunks count, so a run that is
   killed leaves a file that is valid up to there. Numbers are little-endian; times are CUPTI's (nanoseconds).
   An id may be used before the row that defines it; 0 = none. Fields are not aligned: read them by copying. */
#include <stdint.h>

#define RECORD_MAGIC "SYNCLREC"

enum { RECORD_VERSION = 1, RECORD_STACK_LIMIT = 96, RECORD_TEXT_LIMIT = 1000 };

typedef struct RecordHead {
    char magic[8];
    uint32_t version, rank; /* rank: in a distributed run, else 0 */
    uint32_t process, ranks;
} RecordHead;

typedef struct RecordChunk {
    uint32_t bytes; /* of the rows */
    uint32_t zero;
    uint64_t sum;   /* record_sum of the rows */
} RecordChunk;

typedef enum RecordKind {
    RECORD_FACT = 1, /* key=value, as text */
    RECORD_TEXT,     /* RecordId, then UTF-8 */
    RECORD_FRAME,    /* RecordFrame */
    RECORD_STACK,    /* RecordId, then ids of frames, innermost first */
    RECORD_CALL,     /* RecordCall from a callback, with its stack; in every phase */
    RECORD_API,      /* RecordCall from an activity; in detailed phases */
    RECORD_WORK,     /* RecordWork */
    RECORD_PHASE,    /* RecordPhase */
    RECORD_END,      /* RecordEnd */
    RECORD_SOURCE,   /* RecordId of the text with a file's path, then record_line_hash of each of its lines; written
                        by syncl itself after the run */
} RecordKind;

typedef struct RecordRow {
    uint16_t kind, bytes; /* bytes: of the row that follows */
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
    RECORD_WARM,   /* looking for steps; only calls that can wait are watched */
    RECORD_CLEAN,  /* the same, with steps found */
    RECORD_DETAIL, /* everything is recorded */
    RECORD_SWITCH, /* recording is being switched on or off */
    RECORD_DONE,   /* recording is over */
    RECORD_WORKS,  /* the GPU's work is recorded, but not the calls that queue it */
} RecordPhaseKind;

typedef struct RecordPhase {
    uint64_t at_ns;
    uint32_t phase, anchor; /* anchor: the stack that recurs once a step; 0 = none found */
} RecordPhase;

typedef struct RecordEnd {
    uint64_t at_ns;
    uint32_t dropped_calls, dropped_works; /* rows dropped for lack of room */
    uint32_t stackless, faults;            /* calls whose stack could not be read; whether a fault switched
                                              recording off */
} RecordEnd;

/* A line's 32-bit FNV hash, without its indentation and line end. */
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
