#ifndef SYNCL_BASELINE_H
#define SYNCL_BASELINE_H
/* A baseline: findings that a team accepts for now, as a JSON file kept beside the code. It contains no line
   numbers and no prices, so it changes only when findings do. Reading fails with one line that names the file. */
#include "known.h"

bool baseline_read(Arena *result, const char *path, KnownList *known, Text *error);
void baseline_write(Output *output, const Report *report);

#endif
