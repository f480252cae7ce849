#ifndef SYNCL_SUGGESTIONS_H
#define SYNCL_SUGGESTIONS_H
/* What the safe fixes of a report make of whole lines, as blocks of Markdown that GitHub takes over with a click in the review of
   those lines. Takes a report; writes until the output is `limit` bytes long, and counts the rest. */
#include "report.h"

void suggestions_write(Output *output, const Report *report, uint32_t limit);

#endif
