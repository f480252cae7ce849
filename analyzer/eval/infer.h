#ifndef SYNCL_INFER_H
#define SYNCL_INFER_H
/* Inference from outside: takes a linked program, to which it adds names, and the rulebook, const; gives an Inference that
   is const afterwards. Shared state lives in slots that only grow; contexts are evaluated until nothing does or a counted bound is hit. */
#include "describe.h"

typedef struct InferOptions {
    GpuNames names;
    uint32_t threads;
    uint32_t shuffle; /* of tests: the worklist is taken up in an order made of this number; 0 = callees first */
} InferOptions;

/* ---- fixpoint.c ---- */
/* Takes a program that is linked (part.h) and adds names of its own to it: one inference for each such program. */
const Inference *infer_program(Arena *arena, Program *program, const Rulebook *book, const InferOptions *options);

/* ---- places.c ---- */
/* [GlobalFunc] CallPlace: of a function, what its name is called by, and what calls that: only constructors, only what
   loader workers run. Files that do not reach torch are not asked. */
const uint8_t *find_places(Inference *inference);

#endif
