#ifndef SYNCL_TORCH_ROWS_H
#define SYNCL_TORCH_ROWS_H
/* The TORCH_QUANTITY rows, measured by torch_rows.py in an interpreter that the user named. Starts that program and
   nothing else; it is ended by its own alarm. Rows it does not give keep samples 0. */
#include "profile.h"

/* version: torch's, for the profile's `measured`. */
bool torch_measure(Arena *arena, const char *python, int device, Profile *quantities, Text *version, Text *error);

#endif
