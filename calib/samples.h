#ifndef SYNCL_SAMPLES_H
#define SYNCL_SAMPLES_H
/* Samples of one quantity and what a profile keeps of them. */
#include "profile.h"

typedef struct Samples {
    Arena *arena;
    VEC(double) values;
} Samples;

void samples_add(Samples *samples, double value);
/* Sorts; median, p10, p90 and how many. Zeros when there is none. */
Quantity samples_quantity(Samples *samples);

#endif
