#ifndef SYNCL_PATTERN_H
#define SYNCL_PATTERN_H
/* Patterns of paths. `*` and `?` and [sets] stand for anything but a slash, a part `**` for any number of parts, a
   backslash takes a character as it is. Takes time in the product of both lengths, whatever the pattern. */
#include "text.h"

/* `across`: `*` takes slashes too, as in the patterns of ruff's configuration. */
bool pattern_match(Text pattern, Text path, bool across);

#endif
