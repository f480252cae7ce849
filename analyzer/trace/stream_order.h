#ifndef SYNCL_STREAM_ORDER_H
#define SYNCL_STREAM_ORDER_H
/* Finds which stream waits for which at each cudaStreamWaitEvent: a trace names neither the event nor the
   streams. The answer must hold in every traced step (the held stream never starts before the recorded work is
   done); of several, the one that the times show best, the held stream starting just when the other is done.
   Fills the stream and record of the CALL_STREAM_WAITS of a TracedRun, and the stream of the records that they
   wait for. */
#include "traced_run.h"

void stream_order_find(TracedRun *run);

#endif
