#ifndef SYNCL_MANUAL_H
#define SYNCL_MANUAL_H
/* packaging/manual/syncl.md as a manual page, in roff: its headings, paragraphs, lists (`- `name`: text`) and blocks of code. Its list
   of options is the table's own. */
#include "output.h"

void manual_write(Output *output, const char *version);

#endif
