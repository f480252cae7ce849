#ifndef SYNCL_MANUAL_H
#define SYNCL_MANUAL_H
/* Prints packaging/manual/syncl.md as a manual page, in roff: headings, paragraphs, lists (`- `name`: text`)
   and blocks of code. The list of options comes from the table of options. */
#include "output.h"

void manual_write(Output *output, const char *version);

#endif
