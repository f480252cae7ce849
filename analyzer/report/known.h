#ifndef SYNCL_KNOWN_H
#define SYNCL_KNOWN_H
/* Findings known from before, of a baseline file or of another revision, and which of today's they are. A finding is
   known by its fingerprint; else as the same expression in the same function, whatever became of its statement; else as
   the same statement in a function of the same name, whatever became of its file. Each known one is used up once: of three
   equal findings, two of which are known, one is new. */
#include "report.h"

typedef struct KnownFinding {
    Text id, rule, file;   /* file: from the repository's root */
    Text function;         /* Class.method; empty at the top of a file */
    Text expression;       /* without its layout */
    Text statement;        /* 16 hex digits: its hash without its layout */
    Level level;           /* a note that became a warning is new */
    const Finding *finding; /* of this run; NULL when read from a file */
} KnownFinding;

typedef struct KnownList {
    KnownFinding *items;
    uint32_t count, capacity;
} KnownList;

KnownFinding known_of(Arena *result, const Report *report, const Finding *finding);
/* [i] index + 1 in `known` of now[i]; 0 = new. */
uint32_t *known_match(Arena *result, const KnownList *known, const KnownFinding *now, uint32_t count);

#endif
