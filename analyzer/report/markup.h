#ifndef SYNCL_MARKUP_H
#define SYNCL_MARKUP_H
/* Words of anybody between markup of ours: each of the characters in `escaped`, those that could be markup, becomes an entity. */
#include "output.h"

void markup_text(Output *output, Text text, const char *escaped);
/* Our own sentences with code of theirs between backticks: that becomes <code>, everything else plain words. */
void markup_sentence(Output *output, Text text, const char *escaped);

#endif
