#ifndef SYNCL_HTML_H
#define SYNCL_HTML_H
/* Text as HTML, and an iteration of a loop drawn. Nothing in the analysed files can become a tag or an
   attribute. */
#include "plan.h"

void html_text(Output *output, Text text);     /* for text and quoted attributes */
void html_sentence(Output *output, Text text); /* a sentence of ours, in which code between backticks becomes <code> */
/* Draws one iteration as two lanes, host and GPU, to the scale of `before`, the iteration before mending (or
   itself). */
void html_turn(Output *output, const Report *report, const TimelineDrawing *drawing, const TimelineDrawing *before,
               const char *label);

#endif
