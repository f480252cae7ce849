#ifndef SYNCL_CELLS_H
#define SYNCL_CELLS_H
/* Edits the code of a notebook's cells in its JSON; all other bytes of the file, such as outputs and metadata,
   stay. Takes the notebook, the program extracted from it and changes to that, in order and without overlap;
   gives the file's new bytes in the arena. False: a change contains IPython syntax that was blanked out, or
   crosses from one cell into another. */
#include "edit.h"
#include "notebook.h"

bool cells_edit(Arena *arena, const Notebook *book, Text program, const Change *changes, uint32_t count, Text *raw);

#endif
