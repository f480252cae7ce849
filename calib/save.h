#ifndef SYNCL_SAVE_H
#define SYNCL_SAVE_H
/* Writes a profile as JSON: to a temporary file beside the path, read back by profile_read, then renamed, so that an
   old profile is never lost to a failed run. One calibration at a time a path. False with one line in *error. */
#include "profile.h"

typedef struct Save {
    const char *path;
    Text name, device, measured;
    const Profile *quantities; /* rows with samples are written */
} Save;

/* Holds path.lock until the process ends. */
bool save_lock(Arena *arena, const char *path, Text *error);
bool save_profile(Arena *arena, const Save *save, Text *error);

#endif
