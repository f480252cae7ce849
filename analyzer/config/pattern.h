#ifndef SYNCL_PATTERN_H
#define SYNCL_PATTERN_H
/* Path patterns: `*`, `?` and [sets] match anything but a slash, a component `**` any number of components; a
   backslash escapes a character. Time is bounded by the product of both lengths, for any pattern. */
#include "text.h"

/* `across`: `*` matches slashes too, as in the patterns of ruff's configuration. */
bool pattern_match(Text pattern, Text path, bool across);

#endif
