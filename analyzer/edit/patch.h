#ifndef SYNCL_PATCH_H
#define SYNCL_PATCH_H
/* A text that is changed round by round, and which lines of it are still those of the beginning. Takes changes of one round in
   order, none in another; what they write ends lines as the file does. Owned by the arena. */
#include "edit.h"
#include "output.h"

typedef struct Patch {
    const SourceFile *file; /* as it was read first */
    Text written; /* the file as it lies there; `was` with the line ends that it has */
    Text was, now, now_written;
    const uint32_t *from; /* [line of now] its line in `was`, from 1; 0 = it is new or changed */
    uint32_t lines;
} Patch;

Patch patch_begin(Arena *arena, const SourceFile *file, Text written);
/* Takes the changes of a round, all of them; `book`: the notebook as it is now, or NULL. False: they cannot be written there. */
bool patch_apply(Arena *arena, Patch *patch, const struct Notebook *book, const Change *changes, uint32_t count);
/* A unified diff with three lines around each change, of a notebook one of each cell; `name`: the path that both sides have. */
void patch_diff(Output *output, const Patch *patch, Text name);

#endif
