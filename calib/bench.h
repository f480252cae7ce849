#ifndef SYNCL_BENCH_H
#define SYNCL_BENCH_H
/* The measuring bench: one GPU with its kernels and memory allocated, clocks, and the first error. After an
   error every call does nothing, so that measuring ends quickly; loops test `failed`. */
#include "cuda_api.h"
#include "measure.h"
#include "samples.h"

enum {
    SAMPLES = 70,            /* per pass */
    LAUNCHES = 200,          /* launches per sample when measuring enqueueing */
    BIG_BYTES = 64 << 20,    /* copies, and the largest asynchronous one tried */
    SMALL_COUNT = 256 * 256, /* floats of the small operation */
};

typedef struct Bench {
    CudaApi *api;
    Arena *arena;
    FILE *progress;
    Text *error;
    Measurement *result;
    CUmodule module;
    CUfunction hold, flag, add_one;
    cudaStream_t other;        /* a second stream, which does not wait for the first */
    volatile uint64_t *stamps; /* host memory that the GPU writes to: flag at index 0, holds at 2, 4 and 6 */
    unsigned char *pageable, *pinned;
    void *device;
    bool last_pass; /* results are printed in the last pass */
    bool failed;
} Bench;

bool bench_open(Bench *bench, int device);
void warm_up(Bench *bench);
void bench_close(Bench *bench); /* frees everything */

double now_us(void);
void check(Bench *bench, cudaError_t result, const char *what);
void finish(Bench *bench); /* waits for the main stream */
void hold(Bench *bench, double us, volatile uint64_t *stamps); /* stamps NULL = not wanted */
void hold_other(Bench *bench, double us);
void add_one(Bench *bench);
/* Queues the flag and polls for it. Gives the time when it was seen; *launched_us: when the launch call had
   returned. */
double flag_seen_us(Bench *bench, double *launched_us, uint64_t value);
/* Adds the samples to those of earlier passes, computes the quantity of that name from all, and prints it in
   the last pass. */
void keep(Bench *bench, const char *name, Samples *samples);
/* Adds a point of a sweep. */
void keep_point(Bench *bench, const char *sweep, double at, double us);

#endif
