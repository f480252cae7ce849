#ifndef SYNCL_MEASURES_H
#define SYNCL_MEASURES_H
/* The quantities in their groups; each keeps what it measures on the bench. */
#include "bench.h"

void measure_waits(Bench *bench);
void measure_all_copies(Bench *bench);
void measure_work(Bench *bench);

#endif
