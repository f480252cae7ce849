#ifndef SYNCL_TORCH_ROWS_H
#define SYNCL_TORCH_ROWS_H
/* Measures the TORCH_QUANTITY rows by running torch_rows.py in an interpreter that the user named. Starts
   nothing else; that program ends itself by an alarm. Adds its samples to the measurement; rows that it does
   not print have none. */
#include "measure.h"

/* version: torch's, for the profile's text. */
bool torch_measure(Arena *arena, const char *python, int device, Measurement *measurement, Text *version,
                   Text *error);

#endif
