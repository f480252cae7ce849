#ifndef SYNCL_MEASURE_H
#define SYNCL_MEASURE_H
/* Measures the QUANTITY rows of profile.def on one GPU. Warms up, takes many samples, says each quantity on *progress
   as it is done, and frees what it took on the device. A CUDA error ends it with one clear line in *error. */
#include "cuda_api.h"
#include "profile.h"
#include <stdio.h>

typedef struct Measurement {
    Profile quantities; /* only the QUANTITY rows are set */
    Text device;
    uint32_t warnings;  /* quantities so spread that the host must be starved or the GPU shared */
} Measurement;

bool measure_gpu(CudaApi *api, Arena *arena, int device, FILE *progress, Measurement *measurement, Text *error);

#endif
