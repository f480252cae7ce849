#ifndef SYNCL_AHEAD_H
#define SYNCL_AHEAD_H
/* Facts about the program's text that another thread computes while inference runs: uses of variables, mentions
   of names, makers of instances. Every query gives NULL if its fact is not ready yet. */
#include "inference.h"
#include <stdatomic.h>

typedef struct Mentioned Mentioned; /* how often names are mentioned, and which functions loaders collate with */

typedef struct Ahead Ahead;

typedef _Atomic(const uint32_t *) UsesFound;

struct Ahead {
    const Inference *inference;
    uint32_t names;             /* number of names at the start: inference adds more, which occur in no file */
    Arena kept, loose, scratch; /* loose: freed when inference is done */
    UsesFound *uses;            /* [GlobalFunc] */
    _Atomic(const uint8_t *) makers;
    _Atomic(const bool *) named;
    _Atomic(Mentioned *) mentioned;
    atomic_bool over;
};

enum { PLACES_COUNTED = 255, PLACES_WORTH = 2, PLACES_A_CLASS = 32 };

struct Mentioned {
    uint32_t *all;     /* [Sym]: mentions, except inside functions of that name */
    uint32_t *bounded; /* [Sym]: calls from functions with a CallPlace, and uses as a loader's collate function */
    uint8_t *place;    /* [Sym]: the CallPlace of those */
};

/* ---- ahead.c ---- */
const uint32_t *ahead_uses(const Inference *inference, GlobalFunc func);
const uint8_t *ahead_makers(const Inference *inference);
const bool *ahead_named(const Inference *inference);
Mentioned *ahead_mentioned(const Inference *inference); /* passes ownership to the caller */

/* ---- makers.c ---- */
const uint8_t *instance_makers(Arena *arena, const Program *program, uint32_t names);
uint8_t makers_of(Inference *inference, Sym name);

#endif
