#ifndef SYNCL_TORCH_ROWS_H
#define SYNCL_TORCH_ROWS_H
/* The TORCH_QUANTITY rows, measured by torch_rows.py in an interpreter that the user named. Starts that program and
   nothing else; it is ended by its own alarm. Adds their samples to the measurement; rows it does not give keep none. */
#include "measure.h"

/* version: torch's, for the profile's `measured`. */
bool torch_measure(Arena *arena, const char *python, int device, Measurement *measurement, Text *version,
                   Text *error);

#endif
