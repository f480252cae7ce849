#ifndef SYNCL_BROKEN_FILES_H
#define SYNCL_BROKEN_FILES_H
/* Files that could be read only in part: a syntax error, conflict markers of a merge, too deep nesting. What
   can be read of them is analysed, but findings near the place may be missing. Takes a Program; gives one entry
   a file, in path order, in the arena, for the named files and those they import; none for a file that says
   `syncl: skip-file`. */
#include "program.h"
#include "suppress.h"

typedef struct Broken {
    const SourceFile *file;
    uint32_t offset;    /* byte of the file where the problem begins */
    uint32_t cell;      /* of a notebook, else 0; `at` is then within the cell */
    Position at;
    Position raw;       /* the same position in the file's own bytes */
    Text reason;        /* one short clause without a full stop */
} Broken;

typedef VEC(Broken) BrokenFiles;

void broken_find(Arena *result, const Program *program, const Suppressions *suppressions, BrokenFiles *out);
/* "train.py:3:1: syntax error: ...", for people. Safe to show. */
Text broken_line(Arena *arena, const Broken *broken);
/* The reason, with "Cell 2, line 3: " before it in a notebook: for formats whose position is that in the raw
   file. */
Text broken_sentence(Arena *arena, const Broken *broken);

#endif
