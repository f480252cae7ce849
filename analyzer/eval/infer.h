#ifndef SYNCL_INFER_H
#define SYNCL_INFER_H
/* The entrance to inference: takes a linked program, to which it adds names, and the rulebook; gives an
   Inference that is const afterwards. Shared state is in slots that only grow; contexts are evaluated until a
   fixpoint, or until a counted bound. */
#include "describe.h"

typedef struct InferOptions {
    GpuNames names;
    uint32_t threads;
    Arena *store;     /* Inference.store; NULL = it lives as long as the rest */
    uint32_t shuffle; /* for tests: seeds the order of the worklist; 0 = callees first */
} InferOptions;

/* ---- fixpoint.c ---- */
/* Takes a linked program (part.h) and adds names to it, so only one inference may run on each. */
const Inference *infer_program(Arena *arena, Program *program, const Rulebook *book, const InferOptions *options);

/* ---- places.c ---- */
/* [GlobalFunc] CallPlace: who calls a function's name: only constructors, or only what loader workers run.
   Files that do not reach torch are skipped. */
const uint8_t *find_places(Inference *inference);

#endif
