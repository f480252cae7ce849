#ifndef SYNCL_COLUMNS_H
#define SYNCL_COLUMNS_H
/* The width of a report, and text cut or wrapped to it. Widths are columns of a terminal; escape sequences take
   none. */
#include "output.h"

enum { COLUMNS_USUAL = 100, COLUMNS_LEAST = 60, COLUMNS_MOST = 1000 };

/* The width to use: $COLUMNS, else that of the terminal behind `descriptor`, else COLUMNS_USUAL. */
uint32_t columns_wanted(int descriptor);
/* `text` made safe to show (glyph.h) and cut to `columns`, with "..." in place of what is cut off. */
Text columns_cut(Arena *arena, Text text, uint32_t columns);
/* Breaks every line written since byte `from` that is wider than `columns`, at a blank where there is one; the
   continuation lines are indented. */
void columns_fold(Output *output, uint32_t from, uint32_t columns);

#endif
