#ifndef SYNCL_LOCK_H
#define SYNCL_LOCK_H
/* Allows one calibration at a time on a GPU: two would measure each other. */
#include "text.h"

/* gpu: the bus address, unique on this machine. Held until the process ends. False with one line in *error. */
bool lock_gpu(Arena *arena, const char *gpu, Text *error);

#endif
