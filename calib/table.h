#ifndef SYNCL_TABLE_H
#define SYNCL_TABLE_H
/* Prints the results for a person: the table of the articles for this GPU, copies by size, and what a wait
   costs here. */
#include "save.h"
#include <stdio.h>

void table_print(FILE *out, const Measurement *measurement, const SaveHost *host);

#endif
