#ifndef SYNCL_CALIBRATION_H
#define SYNCL_CALIBRATION_H
/* `syncl --calibrate`: runs syncl-calibrate, which was installed beside this program, and finds the profile that prices
   a run. Takes options, const; a failure is one clear line in *error. */
#include "options.h"
#include "profile_saved.h"
#include "inputs.h"

/* Becomes the calibrator: for `--calibrate` alone. Comes back only when it could not. */
void calibration_become(Arena *arena, const Options *options, const char *invoked, Text *error);
/* For `--calibrate PATH...`: measures if this machine's profile is missing or stale; *file = the one written with -o, or
   NULL. Where there is no GPU the run goes on; false when measuring failed: *error is empty if the calibrator has said
   why. */
bool calibration_ready(Arena *arena, const Options *options, const char *invoked, const char **file, Text *error);
/* The profile for a run; named, configured: files, or NULL; notes: a line about each saved one that cannot be used. NULL with
   *error. */
const Profile *calibration_profile(Arena *arena, Inputs *inputs, const char *named, const char *configured, Strings *notes,
                                   Text *error);
/* `syncl --profiles` */
void calibration_list(Output *output);

#endif
