#ifndef SYNCL_MEASURES_H
#define SYNCL_MEASURES_H
/* Measures the quantities in groups; each function stores its results in the bench. */
#include "bench.h"

void measure_waits(Bench *bench);
void measure_all_copies(Bench *bench);
void measure_work(Bench *bench);

#endif
