#ifndef SYNCL_SHARED_GPU_H
#define SYNCL_SHARED_GPU_H
/* Finds where another program used the GPU. Programs take turns: for some milliseconds none of our work starts
   or proceeds, though it is queued and nothing else delays it. Fills late_us and cut_us of the run's calls, and
   shared_us; or nothing where this is a negligible part of the window, as a host that is held up looks similar.
   Needs one stream, or streams that do not wait for each other. */
#include "traced_run.h"

void shared_gpu_find(TracedRun *run);

#endif
