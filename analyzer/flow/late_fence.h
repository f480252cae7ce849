#ifndef SYNCL_LATE_FENCE_H
#define SYNCL_LATE_FENCE_H
/* A wait for an event that the previous iteration recorded: its function only calls methods on the event's
   variable, and in the loop around the wait the event is recorded only after the wait. Then the host does not
   wait for work of this iteration, and the GPU keeps running. Takes the effect of an operation, in a context of
   its function. */
#include "inference.h"

bool late_fence_is(const Inference *inference, const Context *context, const EffectRecord *record);

#endif
