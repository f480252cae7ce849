#ifndef SYNCL_STREAM_ORDER_H
#define SYNCL_STREAM_ORDER_H
/* Which stream waits for which when the host calls cudaStreamWaitEvent: a trace names neither the event nor the streams.
   The answer is the one that every traced step keeps (the held stream never starts before the recorded work is done),
   and of several the one that a held stream shows best, by starting just when the other is done. Takes a TracedRun;
   fills in the stream and record of its CALL_STREAM_WAITS, and the stream of the records they wait for. */
#include "traced_run.h"

void stream_order_find(TracedRun *run);

#endif
