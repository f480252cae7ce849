#ifndef SYNCL_KNOWN_H
#define SYNCL_KNOWN_H
/* Findings known from a baseline or another revision, matched with today's. A finding matches by its
   fingerprint; else by the same expression in the same function, whatever happened to its statement; else by
   the same statement in a function of the same name, whatever happened to its file. Each known finding matches
   once: of three equal findings, two of them known, one is new. */
#include "report.h"

typedef struct KnownFinding {
    Text id, rule, file;   /* file: from the repository's root */
    Text function;         /* Class.method; empty at module level */
    Text expression;       /* without layout */
    Text statement;        /* 16 hex digits: hash of the statement without layout */
    Level level;           /* a note that has become a warning is new */
    const Finding *finding; /* in this run; NULL when read from a file */
} KnownFinding;

typedef struct KnownList {
    KnownFinding *items;
    uint32_t count, capacity;
} KnownList;

KnownFinding known_of(Arena *result, const Report *report, const Finding *finding);
/* [i]: index + 1 in `known` of the finding that now[i] matches; 0 = it is new. */
uint32_t *known_match(Arena *result, const KnownList *known, const KnownFinding *now, uint32_t count);

#endif
