#ifndef SYNCL_MOVED_LINES_H
#define SYNCL_MOVED_LINES_H
/* Maps the lines that a recording's stacks name to where those lines are in today's source, by a diff: equal
   lines from the beginning, from the end, and around lines that are unique in both texts are the same, whatever
   comment was put behind them since; any other line is gone, and mapped to the line before it. Changes the recording's frames; a file of which the
   recording holds no lines stays as it is. */
#include "record_read.h"
#include "sources.h"

void moved_lines(Recorded *recorded, Sources *sources, const Program *program);

#endif
