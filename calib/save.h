#ifndef SYNCL_SAVE_H
#define SYNCL_SAVE_H
/* Writes a profile as JSON: to a temporary file beside the path, read back by profile_read, then renamed, so that an
   old profile is never lost to a failed run. False with one line in *error. */
#include "measure.h"

typedef struct SaveHost {
    Text cpu, torch;     /* torch: its version, empty when it was not measured */
    double cores;
    int driver;        /* 580; 0 = not known */
    int cuda, runtime; /* 13000 = CUDA 13.0 */
    int busy_percent;  /* what others did with the GPU just before; -1 = not known */
} SaveHost;

typedef struct Save {
    const char *path;
    Text name, device, measured;
    SaveHost host;
    const Measurement *measurement; /* rows with samples are written */
} Save;

/* Asked before anything is measured. */
bool save_possible(Arena *arena, const char *path, Text *error);
bool save_profile(Arena *arena, const Save *save, Text *error);
/* Every sample of every quantity. */
bool save_samples(Arena *arena, const char *path, const Measurement *measurement, Text *error);

#endif
