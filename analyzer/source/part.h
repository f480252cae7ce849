#ifndef SYNCL_PART_H
#define SYNCL_PART_H
/* Splits a program into parts: files connected by imports in either direction, or by a common package. Nothing
   in one part can affect another, so each is analysed on its own, and parts run in parallel: two projects given
   together give exactly what each gives alone. Results live in the arena given; the whole program must outlive
   them. */
#include "program.h"

typedef struct Part {
    const FileId *files;       /* ids in the whole program, in path order */
    uint32_t count;
    uint32_t exprs;            /* expressions of its files that are read whole and reach torch: an estimate of the
                                  work */
    const ModuleSlot *modules; /* the module names of its files, with ids of the whole program */
    uint32_t module_count;
} Part;

typedef struct Parts {
    VEC(Part) items; /* parts that have something to analyse and report, ordered by their first files */
} Parts;

Parts program_parts(Arena *arena, const Program *whole);

/* One part as a linked program of its own: its file i is files[i - 1] of the whole and shares its text and
   model. */
Program *program_of_part(Arena *arena, const Program *whole, const Part *part);
/* The whole program as one part. */
Program *program_linked(Arena *arena, const Program *whole);

#endif
