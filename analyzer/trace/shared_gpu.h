#ifndef SYNCL_SHARED_GPU_H
#define SYNCL_SHARED_GPU_H
/* Another program's use of the GPU, which takes turns with the recorded one: for some milliseconds nothing of ours begins or
   goes on, though it is queued and nothing else is in its way. Fills late_us and cut_us of the run's calls, and shared_us;
   nothing where it makes no considerable part of the window, as a host that is held up does. Needs one stream, or streams
   that do not wait for each other. */
#include "traced_run.h"

void shared_gpu_find(TracedRun *run);

#endif
