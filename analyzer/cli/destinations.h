#ifndef SYNCL_DESTINATIONS_H
#define SYNCL_DESTINATIONS_H
/* The files that a run writes: -o, --also, --sarif, --write-baseline, the step's summary, and what the calibrator is
   told to write. Takes the options; gives the list in the arena. None of them may be a file that the run reads, under
   whatever name: `-o train.py` would leave a report where the program was. Fails with one line. */
#include "inputs.h"
#include "options.h"

typedef struct Destination {
    const char *option; /* --sarif */
    const char *path;
    bool also;          /* one of --also */
    int format;         /* its */
    bool of_calibrator; /* written before the run, and read by it then */
} Destination;

typedef VEC(Destination) Destinations;

/* False: an --also that is none. */
bool destinations_of(Arena *arena, const Options *options, Destinations *out, Text *error);
/* Whether none is a path that the command line names, nor one of its argument files. */
bool destinations_leave_named(Arena *arena, const Destinations *self, const Options *options, const Strings *argfiles,
                              Text *error);
/* Whether none is a file that was asked for. */
bool destinations_leave_read(Arena *arena, const Destinations *self, const Inputs *inputs, Text *error);

#endif
