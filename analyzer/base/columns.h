#ifndef SYNCL_COLUMNS_H
#define SYNCL_COLUMNS_H
/* How wide a report may be, and text that keeps to it. Columns are those that glyphs take on a terminal; escapes take none. */
#include "output.h"

enum { COLUMNS_USUAL = 100, COLUMNS_LEAST = 60, COLUMNS_MOST = 1000 };

/* Of the terminal behind the descriptor; $COLUMNS before it; COLUMNS_USUAL where there is neither. */
uint32_t columns_wanted(int descriptor);
/* Clean text of at most so many columns; "..." for what is left out. */
Text columns_cut(Arena *arena, Text text, uint32_t columns);
/* Breaks the lines written since `from` that are longer, at blanks where there are some, and indents what follows. */
void columns_fold(Output *output, uint32_t from, uint32_t columns);

#endif
