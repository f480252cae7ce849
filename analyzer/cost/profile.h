#ifndef SYNCL_PROFILE_H
#define SYNCL_PROFILE_H
/* A profile: what waiting, reading back, launching and copying cost on one GPU and its host. Each quantity of
   calib/profile.def has a median and a spread (p10, p90) in its unit. Made by `--calibrate`, kept as JSON:

   {"format": 2, "name": "H200 of node7", "device": "NVIDIA H200", "measured": "2026-11-21, driver 580, AMD EPYC",
    "quantities": {"enqueue_us": {"unit": "us", "median": 2.5, "p10": 1.8, "p90": 4, "samples": 2000}, ...}}

   "host" {"cpu", "driver"} names the machine. Every QUANTITY row must be there. Rows of PyTorch's own overhead
   and of assumptions may be missing: the built-in number is then used, with samples 0. Any other mistake is an
   error that names it. Other keys are ignored. */
#include "output.h"

enum { PROFILE_FORMAT = 2 };

typedef struct Quantity { double median, p10, p90; uint32_t samples; } Quantity;

typedef struct Profile {
    Text name;      /* "reference H200" */
    Text device;    /* "NVIDIA H200" */
    Text source;    /* "built-in" or the file's path */
    Text cpu;       /* of the host where it was measured; empty = unknown */
    int driver;     /* e.g. 580; 0 = unknown */
    Text text;      /* one line for reports: where and when it was measured, or that it is not the user's GPU */
    bool built_in;
    bool torch_measured; /* every TORCH_QUANTITY row was measured too (`--calibrate --with-torch`) */
    bool torch_partly;   /* some were, not all */
#define QUANTITY(name, unit, median, p10, p90, meaning) Quantity name;
#include "../calib/profile.def"
#undef QUANTITY
} Profile;

const Profile *profile_builtin(void); /* static */
/* A shipped profile by its name (calib/shipped.def), else a file as profile_read. */
const Profile *profile_named(Arena *result, const char *word, Text *error);
void profile_list_shipped(Output *output);
/* NULL on failure, with one clear line in *error. */
const Profile *profile_read(Arena *result, const char *path, Text *error);
/* with or without the suffix _us; NULL when there is no such quantity */
const Quantity *profile_quantity(const Profile *profile, Text name);

#endif
