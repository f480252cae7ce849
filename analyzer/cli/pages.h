#ifndef SYNCL_PAGES_H
#define SYNCL_PAGES_H
/* The commands that only print what the program knows of itself: help, version, manual, completions, the JSON's schema. */
#include "options.h"

/* False: the options ask for something else. */
bool pages_write(Output *output, const Options *options, const char *version);

#endif
