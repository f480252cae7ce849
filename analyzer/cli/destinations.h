#ifndef SYNCL_DESTINATIONS_H
#define SYNCL_DESTINATIONS_H
/* The files that a run writes: by -o, --also, --sarif, --write-baseline, the step's summary, and the
   calibrator's output. Takes the options; gives the list in the arena. None may be a file that the run reads,
   under any name: `-o train.py` would replace the program by its report. Fails with one line. */
#include "inputs.h"
#include "options.h"

typedef struct Destination {
    const char *option; /* e.g. --sarif */
    const char *path;
    bool also;          /* from --also */
    int format;         /* its report format */
    bool of_calibrator; /* the calibrator writes it before the run, which then reads it */
} Destination;

typedef VEC(Destination) Destinations;

/* False: an --also is malformed. */
bool destinations_of(Arena *arena, const Options *options, Destinations *out, Text *error);
/* Checks that none is a path named on the command line, or one of its argument files. */
bool destinations_leave_named(Arena *arena, const Destinations *self, const Options *options, const Strings *argfiles,
                              Text *error);
/* Checks that none is a file that the run has read. */
bool destinations_leave_read(Arena *arena, const Destinations *self, const Inputs *inputs, Text *error);

#endif
