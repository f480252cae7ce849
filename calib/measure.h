#ifndef SYNCL_MEASURE_H
#define SYNCL_MEASURE_H
/* Measures the QUANTITY rows of profile.def on one GPU. Warms up; takes many samples in several passes with
   pauses between them, so that a clock or core that changes for a second shows in the spread; prints each
   quantity on *progress; frees what it allocated on the device. A CUDA error ends it with one clear line in
   *error. */
#include "cuda_api.h"
#include "profile.h"
#include "samples.h"
#include <stdio.h>

/* All samples of a quantity, sorted. */
typedef struct Raw {
    const char *name;
    Samples samples;
} Raw;

/* A point of a curve: microseconds, at so many microseconds of kernel time or bytes. */
typedef struct Point {
    const char *sweep;
    double at, us;
} Point;

typedef struct Measurement {
    Profile quantities; /* only the QUANTITY rows are set */
    uint32_t warnings;  /* quantities with so much spread that the host must be overloaded or the GPU shared */
    VEC(Raw) raws;
    VEC(Point) points;  /* in order, sweep after sweep */
} Measurement;

bool measure_name(CudaApi *api, Arena *arena, int device, Text *name, Text *error);
/* quick: one pass. */
bool measure_gpu(CudaApi *api, Arena *arena, int device, bool quick, FILE *progress, Measurement *measurement,
                 Text *error);

#endif
