#ifndef SYNCL_SNIPPET_H
#define SYNCL_SNIPPET_H
/* Source text for reports: an expression on one line, and a source line with carets. Takes bytes of analysed files,
   gives text that is still theirs: it enters an Output through output_clean. */
#include "output.h"
#include "program.h"

/* Blanks, line ends and backslashes between lines become one blank; none stays inside brackets' ends or before a
   dot. Longer than `limit` code points is cut in the middle with "..."; 0 = no limit. */
Text snippet_line(Arena *arena, Text source, uint32_t limit);
/* The same tokens give the same text, however they are laid out: for fingerprints. */
Text snippet_canonical(Arena *arena, Text source);
/* places: [source.length + 1] room for how many bytes of the result stand before each byte of the source. */
Text snippet_canonical_places(Arena *arena, Text source, uint32_t *places);

/* The line of the file that the byte stands in, without its indent. */
Text snippet_whole_line(Arena *arena, const SourceFile *file, uint32_t offset);
/* The first line of `span` and, below, carets without a line end; in at most `width` columns. Gives the column behind them. */
uint32_t snippet_one(Output *output, const SourceFile *file, Span span, uint32_t number_width, uint32_t width, Style style);
#endif
