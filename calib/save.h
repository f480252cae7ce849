#ifndef SYNCL_SAVE_H
#define SYNCL_SAVE_H
/* Writes a profile as JSON to a temporary file beside the path, reads it back with profile_read, then renames
   it, so that a failed run never destroys an old profile. False with one line in *error. */
#include "measure.h"

typedef struct SaveHost {
    Text cpu, torch;     /* torch: its version; empty = it was not measured */
    double cores;
    int driver;        /* e.g. 580; 0 = unknown */
    int cuda, runtime; /* e.g. 13000 = CUDA 13.0 */
    int busy_percent;  /* use of the GPU by others just before; -1 = unknown */
} SaveHost;

typedef struct Save {
    const char *path;
    Text name, device, measured;
    SaveHost host;
    const Measurement *measurement; /* rows with samples are written */
} Save;

/* To be asked before measuring. */
bool save_possible(Arena *arena, const char *path, Text *error);
bool save_profile(Arena *arena, const Save *save, Text *error);
/* Every sample of every quantity. */
bool save_samples(Arena *arena, const char *path, const Measurement *measurement, Text *error);

#endif
