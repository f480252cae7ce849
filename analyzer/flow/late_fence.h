#ifndef SYNCL_LATE_FENCE_H
#define SYNCL_LATE_FENCE_H
/* A wait for an event that the turn before recorded: the variable's function does nothing with it but call its methods, and
   in the loop around the wait it is recorded behind that alone. So the host waits for nothing that the turn has queued, and the
   GPU runs on meanwhile. Takes what an operation does, in a context of its function. */
#include "inference.h"

bool late_fence_is(const Inference *inference, const Context *context, const EffectRecord *record);

#endif
