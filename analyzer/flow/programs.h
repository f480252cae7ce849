#ifndef SYNCL_PROGRAMS_H
#define SYNCL_PROGRAMS_H
/* What is said of a finding for the program that it is reported for: several scripts may share a model, and what one of them does
   explains nothing in another. Takes flows and the call graph, const; owned by the arena. */
#include "calls.h"
#include "entries.h"

typedef struct Programs {
    const Inference *inference;
    const Entries *entries;
    const uint64_t *runs; /* [ContextId]: a bit for each entry from whose body calls lead to it */
    uint64_t on_host;     /* entries that train on the CPU, and name no GPU */
} Programs;

Programs programs_find(Arena *arena, const Inference *inference);
/* The file from which the way to a place starts. */
FileId programs_home(const Context *context, const Frame *frames);
/* Why a value is on the GPU, by what runs with its program: the origin itself, else that of what it is computed from. */
OriginId programs_origin(const Programs *programs, Arena *scratch, ContextId id, ExprId expr, const Frame *frames,
                         OriginId origin);
/* The place is on the CPU in every program that runs it, as far as convention alone says that it is on the GPU. */
bool programs_on_host(const Programs *programs, FileId file, OriginId origin);
/* "also run by `bench.py` and 2 others"; empty = by no other. */
Text programs_others(Arena *arena, const Programs *programs, uint64_t runs, FileId home, FileId *first);

#endif
