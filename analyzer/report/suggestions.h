#ifndef SYNCL_SUGGESTIONS_H
#define SYNCL_SUGGESTIONS_H
/* Safe fixes as GitHub suggestions: blocks of Markdown with whole lines that a reviewer applies with a click.
   Takes a report; writes until the output is `limit` bytes long, and counts the rest. */
#include "report.h"

void suggestions_write(Output *output, const Report *report, uint32_t limit);

#endif
