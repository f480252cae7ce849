#ifndef SYNCL_PROGRAMS_H
#define SYNCL_PROGRAMS_H
/* Keeps the explanation of a finding within the program that it is reported for: several scripts may share a
   model, and what one does explains nothing about another. Takes flows and the call graph; owned by the arena. */
#include "calls.h"
#include "entries.h"

typedef struct Programs {
    const Inference *inference;
    const Entries *entries;
    const uint64_t *runs; /* [ContextId]: bit set of the entry points from which calls lead to it */
    uint64_t on_host;     /* bit set of the entry points that train on the CPU and name no GPU */
} Programs;

Programs programs_find(Arena *arena, const Inference *inference);
/* The file in which the path to a place starts. */
FileId programs_home(const Context *context, const Frame *frames);
/* Why a value is on the GPU, within its program: the origin itself, else that of an operand. */
OriginId programs_origin(const Programs *programs, Arena *scratch, ContextId id, ExprId expr, const Frame *frames,
                         OriginId origin);
/* Only a convention says that the place is on the GPU, and every program that runs it runs on the CPU. */
bool programs_on_host(const Programs *programs, FileId file, OriginId origin);
/* "also run by `bench.py` and 2 others"; empty = no other runs it. */
Text programs_others(Arena *arena, const Programs *programs, uint64_t runs, FileId home, FileId *first);

#endif
