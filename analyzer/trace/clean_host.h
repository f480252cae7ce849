#ifndef SYNCL_CLEAN_HOST_H
#define SYNCL_CLEAN_HOST_H
/* Removes the slowdown of detailed recording from the host's time, by comparing with clean steps, in which only
   calls that can wait are watched. Detail slows the host by more than its count of calls explains: in a loop of
   CUDA graphs Python took twice as long, and launches half as long again. So each stretch of a burst, from one
   watched call to the next, is scaled to the time of the same stretch in clean steps. Takes the recording;
   fills `clean_*` of the run's calls. Left alone: stretches that clean steps do not show, those with a wait or
   a full queue in them, and runs with several chains. */
#include "record_read.h"
#include "traced_run.h"

void clean_host_find(TracedRun *run, const Recorded *recorded);

#endif
