#ifndef SYNCL_CLEAN_HOST_H
#define SYNCL_CLEAN_HOST_H
/* What the host takes between two calls that are watched in clean steps too. Detail makes it slower by what no count of
   calls explains: in a loop of CUDA graphs Python's own work took twice as long, the launches half as long again. So each
   stretch of a burst, from one watched call to the next, gets the share of its time that the same stretch takes in clean
   steps. Takes the recording, const; fills `clean` of the run's calls. Stretches that clean steps do not show, or that hold
   a wait or a full queue, are left alone, and so is a run of several chains. */
#include "record_read.h"
#include "traced_run.h"

void clean_host_find(TracedRun *run, const Recorded *recorded);

#endif
