#ifndef SYNCL_BENCH_H
#define SYNCL_BENCH_H
/* The bench that quantities are measured on: one GPU with its kernels and memory taken, clocks, the first error kept.
   After an error every call does nothing, so that measuring runs out quickly; `failed` is asked in loops. */
#include "cuda_api.h"
#include "measure.h"
#include "samples.h"

enum {
    SAMPLES = 70,            /* a pass */
    LAUNCHES = 200,          /* launches a sample of the enqueue */
    BIG_BYTES = 64 << 20,    /* copies, and the longest asynchronous one tried */
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
    cudaStream_t other;        /* a second stream that does not wait for the first */
    volatile uint64_t *stamps; /* host memory that the GPU writes to: flag at 0, holds at 2, 4 and 6 */
    unsigned char *pageable, *pinned;
    void *device;
    bool last_pass; /* quantities are said in it */
    bool failed;
} Bench;

bool bench_open(Bench *bench, int device);
void warm_up(Bench *bench);
void bench_close(Bench *bench); /* frees what was taken */

double now_us(void);
void check(Bench *bench, cudaError_t result, const char *what);
void finish(Bench *bench); /* the main stream */
void hold(Bench *bench, double us, volatile uint64_t *stamps); /* stamps NULL = not wanted */
void hold_other(Bench *bench, double us);
void add_one(Bench *bench);
/* Queues the flag and polls for it; gives when it was seen, and when the launch call was over. */
double flag_seen_us(Bench *bench, double *launched_us, uint64_t value);
/* Adds the samples to those of the passes before, makes the quantity of that name of all, and says a line at last. */
void keep(Bench *bench, const char *name, Samples *samples);
/* One point of a sweep. */
void keep_point(Bench *bench, const char *sweep, double at, double us);

#endif
