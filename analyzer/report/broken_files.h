#ifndef SYNCL_BROKEN_FILES_H
#define SYNCL_BROKEN_FILES_H
/* Files that were read in part: a syntax error, a merge conflict's markers, nesting beyond what is followed. What can be
   read of them is analysed, and what stands around the place may be missing. Takes a Program, const; gives one entry a
   file, in path order, in the arena: of those named and of those that they import. A file that says `syncl: skip-file`
   is none. */
#include "program.h"
#include "suppress.h"

typedef struct Broken {
    const SourceFile *file;
    uint32_t offset;    /* byte of the file where it begins */
    uint32_t cell;      /* of a notebook, else 0; the line below is counted in it */
    Position at;
    Position raw;       /* the same in the file's own bytes */
    Text reason;        /* one short sentence without a final stop */
} Broken;

typedef VEC(Broken) BrokenFiles;

void broken_find(Arena *result, const Program *program, const Suppressions *suppressions, BrokenFiles *out);
/* "train.py:3:1: syntax error: ...", for people. Clean. */
Text broken_line(Arena *arena, const Broken *broken);
/* The reason, "Cell 2, line 3: " before it in a notebook: for formats whose position is the raw file's. */
Text broken_sentence(Arena *arena, const Broken *broken);

#endif
