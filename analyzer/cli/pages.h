#ifndef SYNCL_PAGES_H
#define SYNCL_PAGES_H
/* Commands that print what the program knows about itself: help, version, manual, completions, the schema of
   its JSON. */
#include "options.h"

/* False: the options ask for something else. */
bool pages_write(Output *output, const Options *options, const char *version);

#endif
