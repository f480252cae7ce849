#ifndef SYNCL_PATCH_H
#define SYNCL_PATCH_H
/* A text that is edited in rounds, with a map of its lines to those of the original. Takes the changes of a
   round in order, without overlap; new text gets the file's line ends. Owned by the arena. */
#include "edit.h"
#include "output.h"

typedef struct Patch {
    const SourceFile *file; /* as it was first read */
    Text written; /* the file as on disk: `was` with its own line ends */
    Text was, now, now_written;
    const uint32_t *from; /* [line of now]: its line in `was`, from 1; 0 = new or changed */
    uint32_t lines;
} Patch;

Patch patch_begin(Arena *arena, const SourceFile *file, Text written);
/* Applies the changes of a round, all or none; `book`: the notebook as it is now, or NULL. False: they cannot
   be written there. */
bool patch_apply(Arena *arena, Patch *patch, const struct Notebook *book, const Change *changes, uint32_t count);
/* Writes a unified diff with three lines of context, for a notebook one for each cell; `name`: the path of both
   sides. */
void patch_diff(Output *output, const Patch *patch, Text name);

#endif
