#ifndef SYNCL_HTML_H
#define SYNCL_HTML_H
/* Words of anybody as HTML, and a turn of a loop drawn. Nothing of the analysed files can become a tag or an attribute. */
#include "plan.h"

void html_text(Output *output, Text text);     /* for text and for quoted attributes */
void html_sentence(Output *output, Text text); /* our sentence; code of theirs between backticks becomes <code> */
/* Two lanes, host and GPU, of one turn, as wide as the one `before` it was mended; of that itself, the same again. */
void html_turn(Output *output, const Report *report, const TimelineDrawing *drawing, const TimelineDrawing *before,
               const char *label);

#endif
