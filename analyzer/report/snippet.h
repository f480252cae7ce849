#ifndef SYNCL_SNIPPET_H
#define SYNCL_SNIPPET_H
/* Source text for reports: an expression on one line, and a source line with carets. Takes bytes of analysed
   files; gives text that is not safe yet: it must enter an Output through output_clean. */
#include "output.h"
#include "program.h"

/* Puts source on one line: blanks, line ends and continuation backslashes become one blank, or none next to
   brackets and before a dot. Text longer than `limit` code points is cut in the middle with "..."; 0 = no
   limit. */
Text snippet_line(Arena *arena, Text source, uint32_t limit);
/* The same tokens give the same text, in any layout: for fingerprints. */
Text snippet_canonical(Arena *arena, Text source);
/* places: room for source.length + 1 numbers: how many bytes of the result precede each byte of the source. */
Text snippet_canonical_places(Arena *arena, Text source, uint32_t *places);

/* The whole line around the byte, without its indentation. */
Text snippet_whole_line(Arena *arena, const SourceFile *file, uint32_t offset);
/* Writes the first line of `span` and, below it, carets without a line end, in at most `width` columns. Gives
   the column after the carets. */
uint32_t snippet_one(Output *output, const SourceFile *file, Span span, uint32_t number_width, uint32_t width, Style style);
#endif
