#ifndef SYNCL_MEDIAN_H
#define SYNCL_MEDIAN_H
#include <stdint.h>

/* The middle of some values, of the two in the middle where their number is even; otherwise, where there are none.
   Leaves them sorted, the least first. */
double median_of(double *values, uint32_t count, double otherwise);

#endif
