#ifndef SYNCL_AHEAD_H
#define SYNCL_AHEAD_H
/* What another thread finds in the program's text while inference runs: uses of variables, mentions, makers of instances.
   NULL = not found yet. */
#include "inference.h"
#include <stdatomic.h>

typedef struct Mentioned Mentioned; /* how often names are, and what loaders collate with */

typedef struct Ahead Ahead;

typedef _Atomic(const uint32_t *) UsesFound;

struct Ahead {
    const Inference *inference;
    uint32_t names;             /* when it began: inference adds more, which no file has */
    Arena kept, loose, scratch; /* loose: until inference is done */
    UsesFound *uses;            /* [GlobalFunc] */
    _Atomic(const uint8_t *) makers;
    _Atomic(const bool *) named;
    _Atomic(Mentioned *) mentioned;
    atomic_bool over;
};

enum { PLACES_COUNTED = 255, PLACES_WORTH = 2, PLACES_A_CLASS = 32 };

struct Mentioned {
    uint32_t *all;     /* [Sym]: mentions, but for those in functions of that name */
    uint32_t *bounded; /* [Sym]: calls by functions that have a place, and what loaders collate with */
    uint8_t *place;    /* [Sym]: of those, where */
};

/* ---- ahead.c ---- */
const uint32_t *ahead_uses(const Inference *inference, GlobalFunc func);
const uint8_t *ahead_makers(const Inference *inference);
const bool *ahead_named(const Inference *inference);
Mentioned *ahead_mentioned(const Inference *inference); /* whose alone it is from now on */

/* ---- makers.c ---- */
const uint8_t *instance_makers(Arena *arena, const Program *program, uint32_t names);
uint8_t makers_of(Inference *inference, Sym name);

#endif
