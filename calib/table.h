#ifndef SYNCL_TABLE_H
#define SYNCL_TABLE_H
/* What was measured, for a person: the articles' table on this GPU, copies by size, and what a wait costs here. */
#include "save.h"
#include <stdio.h>

void table_print(FILE *out, const Measurement *measurement, const SaveHost *host);

#endif
