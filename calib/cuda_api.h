#ifndef SYNCL_CUDA_API_H
#define SYNCL_CUDA_API_H
/* CUDA as it is on this machine: libcuda, libcudart and cuBLAS, found and loaded at run time, so that the
   program also builds and starts without them. Every call below fails (false or NULL) with one clear line in
   *error. */
#include "text.h"
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cublas_v2.h>

typedef struct CudaApi {
#define DRIVER(name, symbol) __typeof__(name) *name;
#define RUNTIME(name, symbol) __typeof__(name) *name;
#define BLAS(name, symbol) __typeof__(name) *name;
#include "cuda.def"
    int driver_version, runtime_version; /* e.g. 13000 = 13.0 */
    int device_count;
    bool no_gpu;                         /* cuda_load failed because there is no GPU */
} CudaApi;

/* Loads the libraries and initialises the driver. python: an interpreter whose PyTorch may bring the libraries;
   NULL = none. */
bool cuda_load(CudaApi *api, Arena *arena, const char *python, Text *error);

#endif
