#ifndef SYNCL_CELLS_H
#define SYNCL_CELLS_H
/* Changes to the code of a notebook's cells, made in its JSON: all other bytes of the file, outputs and metadata among them, stay.
   Takes the notebook, the program that was read from it and changes to that, in order, none in another; gives the file's new
   bytes in the arena. False: one of them holds what IPython reads and Python does not, or leads from one cell to another. */
#include "edit.h"
#include "notebook.h"

bool cells_edit(Arena *arena, const Notebook *book, Text program, const Change *changes, uint32_t count, Text *raw);

#endif
