#ifndef SYNCL_PART_H
#define SYNCL_PART_H
/* Parts of a program: files that imports lead to from one another, whichever way, or that stand in one package. What is done
   in one says nothing about another, so that each is analysed for itself, at the same time as others: two projects
   together give what each gives alone. Everything lives in the arena that is given, and the whole must outlive it. */
#include "program.h"

typedef struct Part {
    const FileId *files;       /* of the whole, in path order */
    uint32_t count;
    uint32_t exprs;            /* of files that are whole and reach torch: how much there is to do */
    const ModuleSlot *modules; /* of the whole, those of its files */
    uint32_t module_count;
} Part;

typedef struct Parts {
    VEC(Part) items; /* those with something to do and to report, by their first files */
} Parts;

Parts program_parts(Arena *arena, const Program *whole);

/* A part as a program of its own, linked: file i is files[i - 1] of the whole, and shares its texts and model. */
Program *program_of_part(Arena *arena, const Program *whole, const Part *part);
/* Every file as one part. */
Program *program_linked(Arena *arena, const Program *whole);

#endif
