#ifndef SYNCL_CALIBRATION_H
#define SYNCL_CALIBRATION_H
/* `syncl --calibrate`: runs syncl-calibrate, which is installed beside this program, and finds the profile that
   prices a run. Fails with one clear line in *error. */
#include "options.h"
#include "profile_saved.h"
#include "inputs.h"

/* For `--calibrate` alone: replaces this process by the calibrator. Returns only on failure. */
void calibration_become(Arena *arena, const Options *options, const char *invoked, Text *error);
/* For `--calibrate PATH...`: measures if this machine's profile is missing or stale. *file: the one written
   with -o, or NULL. Without a GPU the run goes on. False: measuring failed; *error is empty if the calibrator
   has printed the reason. */
bool calibration_ready(Arena *arena, const Options *options, const char *invoked, const char **file, Text *error);
/* The profile for a run. named, configured: paths, or NULL. notes: a line for each saved profile that cannot be
   used. NULL: see *error. */
const Profile *calibration_profile(Arena *arena, Inputs *inputs, const char *named, const char *configured, Strings *notes,
                                   Text *error);
/* Prints `syncl --profiles`. */
void calibration_list(Output *output);

#endif
