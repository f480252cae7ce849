#ifndef SYNCL_MOVED_LINES_H
#define SYNCL_MOVED_LINES_H
/* Stacks of a recording name lines as they were when it was made: moved here to where those lines stand now. What is equal
   from the beginning, to the end, and around lines that both texts have once is the same line; another is gone, and stands
   where the line before it does. Takes sources const and changes the recording's frames; a file that the recording keeps
   no lines of stays as it is. */
#include "record_read.h"
#include "sources.h"

void moved_lines(Recorded *recorded, Sources *sources, const Program *program);

#endif
