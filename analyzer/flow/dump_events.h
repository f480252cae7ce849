#ifndef SYNCL_DUMP_EVENTS_H
#define SYNCL_DUMP_EVENTS_H
/* Prints `--dump=events`: the event list of every hot loop, as cost replays it, one line an event. */
#include "site.h"
#include <stdio.h>

void dump_events(FILE *out, const Program *program, const Findings *findings);

#endif
