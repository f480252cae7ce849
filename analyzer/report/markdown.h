#ifndef SYNCL_MARKDOWN_H
#define SYNCL_MARKDOWN_H
/* Words of anybody as Markdown that GitHub shows: nothing in them can be markup, a link, a mention or a tag. */
#include "output.h"

/* Whatever could be markup becomes an entity. */
void markdown_text(Output *output, Text text);
/* Our own sentences with code of theirs between backticks: that becomes <code>, everything else plain words. */
void markdown_sentence(Output *output, Text text);

#endif
