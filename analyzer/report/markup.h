#ifndef SYNCL_MARKUP_H
#define SYNCL_MARKUP_H
/* Text between markup of ours: each character of `escaped`, those that could be markup, becomes an entity. */
#include "output.h"

void markup_text(Output *output, Text text, const char *escaped);
/* A sentence of ours with code between backticks, which becomes <code>; everything else is plain text. */
void markup_sentence(Output *output, Text text, const char *escaped);

#endif
