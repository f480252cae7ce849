#ifndef SYNCL_SAMPLES_H
#define SYNCL_SAMPLES_H
/* Samples of one quantity, and the summary of them that a profile stores. */
#include "profile.h"

typedef struct Samples {
    Arena *arena;
    VEC(double) values;
} Samples;

void samples_add(Samples *samples, double value);
/* Median, p10, p90 and number of the samples, which get sorted; zeros when there are none. */
Quantity samples_quantity(Samples *samples);

#endif
