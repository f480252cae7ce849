#ifndef SYNCL_MEDIAN_H
#define SYNCL_MEDIAN_H
#include <stdint.h>

/* The median of the values (the mean of the middle two where their number is even); `otherwise` where there are
   none. Sorts the values, ascending. */
double median_of(double *values, uint32_t count, double otherwise);

#endif
