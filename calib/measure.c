#include "measure.h"
#include "kernels.h"
#include "samples.h"
#include <stdlib.h>
#include <time.h>

enum {
    SAMPLES = 200,
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
    volatile uint64_t *stamps; /* host memory that the GPU writes to */
    unsigned char *pageable, *pinned;
    void *device;
    bool failed;
} Bench;

static double now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* The first error is kept; measuring then runs out quickly, since every step asks `failed`. */
static void check(Bench *bench, cudaError_t result, const char *what) {
    if (result == cudaSuccess || bench->failed) return;
    bench->failed = true;
    *bench->error = text_format(bench->arena, "%s failed: %s; nothing measured", what,
                                bench->api->cudaGetErrorString(result));
}

static void check_driver(Bench *bench, CUresult result, const char *what) {
    const char *reason = "unknown error";
    if (result == CUDA_SUCCESS || bench->failed) return;
    bench->failed = true;
    bench->api->cuGetErrorString(result, &reason);
    *bench->error = text_format(bench->arena, "%s failed: %s; nothing measured", what, reason);
}

static void finish(Bench *bench) {
    check(bench, bench->api->cudaStreamSynchronize(NULL), "waiting for the GPU");
}

static void launch(Bench *bench, CUfunction function, unsigned blocks, void **arguments) {
    unsigned threads = function == bench->add_one ? 256 : 1;
    check_driver(bench,
                 bench->api->cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, NULL, arguments, NULL),
                 "a launch");
}

static void hold(Bench *bench, double us, volatile uint64_t *stamps) {
    uint64_t ns = (uint64_t)(us * 1e3), out = (uint64_t)(uintptr_t)stamps;
    void *arguments[] = {&ns, &out};
    launch(bench, bench->hold, 1, arguments);
}

static void add_one(Bench *bench) {
    uint64_t x = (uint64_t)(uintptr_t)bench->device;
    void *arguments[] = {&x};
    launch(bench, bench->add_one, SMALL_COUNT / 256, arguments);
}

static void keep(Bench *bench, const char *name, Samples *samples) {
    Quantity *quantity = (Quantity *)(uintptr_t)profile_quantity(&bench->result->quantities, text_of(name));
    *quantity = samples_quantity(samples);
    bool noisy = quantity->p90 > 3 * quantity->median && quantity->p90 > 20;
    bench->result->warnings += noisy;
    if (!bench->failed)
        fprintf(bench->progress, "  %-30s %10.1f  (%.1f to %.1f, %u samples)%s\n", name, quantity->median,
                quantity->p10, quantity->p90, quantity->samples, noisy ? "  noisy" : "");
}

/* ---- launching ---- */

static void measure_enqueue(Bench *bench) {
    Samples samples = {.arena = bench->arena};
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        double start_us = now_us();
        for (int i = 0; i < LAUNCHES; i++) hold(bench, 0, NULL);
        samples_add(&samples, (now_us() - start_us) / LAUNCHES);
        finish(bench);
    }
    keep(bench, "enqueue_us", &samples);
}

/* Queues the flag and polls for it; gives when it was seen, and from when the launch call was over. */
static double flag_seen_us(Bench *bench, double *launched_us, uint64_t value) {
    uint64_t out = (uint64_t)(uintptr_t)bench->stamps;
    void *arguments[] = {&out, &value};
    launch(bench, bench->flag, 1, arguments);
    *launched_us = now_us();
    double limit_us = *launched_us + 1e6;
    while (bench->stamps[0] != value && !bench->failed)
        if (now_us() > limit_us) check(bench, cudaErrorLaunchTimeout, "a flag from the GPU");
    return now_us();
}

static void measure_latency(Bench *bench) {
    Samples samples = {.arena = bench->arena};
    for (uint64_t sample = 1; sample <= SAMPLES && !bench->failed; sample++) {
        double launched_us, seen_us = flag_seen_us(bench, &launched_us, sample);
        samples_add(&samples, seen_us > launched_us ? seen_us - launched_us : 0);
        finish(bench);
    }
    keep(bench, "launch_latency_us", &samples);
}

/* ---- waiting ---- */

typedef enum Sync { SYNC_DEVICE, SYNC_STREAM, SYNC_EVENT } Sync;

static void measure_ready_sync(Bench *bench, const char *name, Sync sync) {
    Samples samples = {.arena = bench->arena};
    cudaEvent_t event;
    check(bench, bench->api->cudaEventCreate(&event), "an event");
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        hold(bench, 0, NULL);
        check(bench, bench->api->cudaEventRecord(event, NULL), "recording an event");
        finish(bench);
        double start_us = now_us();
        if (sync == SYNC_DEVICE) check(bench, bench->api->cudaDeviceSynchronize(), "a device sync");
        if (sync == SYNC_STREAM) finish(bench);
        if (sync == SYNC_EVENT) check(bench, bench->api->cudaEventSynchronize(event), "an event sync");
        samples_add(&samples, now_us() - start_us);
    }
    if (!bench->failed) bench->api->cudaEventDestroy(event);
    keep(bench, name, &samples);
}

/* Host clock less the GPU's clock, from the fastest of a few flags. */
static double clock_offset_us(Bench *bench) {
    double best_us = 1e300;
    for (uint64_t i = 0; i < 5 && !bench->failed; i++) {
        double launched_us, seen_us = flag_seen_us(bench, &launched_us, 1000000 + i);
        double offset_us = seen_us - (double)bench->stamps[1] / 1e3;
        if (offset_us < best_us) best_us = offset_us;
        finish(bench);
    }
    return best_us;
}

/* From the end of a kernel of 300 us, on the GPU's clock, to the return of the wait for it. */
static void measure_wake_up(Bench *bench) {
    Samples samples = {.arena = bench->arena};
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        double offset_us = clock_offset_us(bench);
        hold(bench, 300, bench->stamps + 2);
        finish(bench);
        double woken_us = now_us() - ((double)bench->stamps[3] / 1e3 + offset_us);
        samples_add(&samples, woken_us > 0 ? woken_us : 0);
    }
    keep(bench, "wake_up_us", &samples);
}

static void measure_gap(Bench *bench) {
    Samples samples = {.arena = bench->arena};
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        hold(bench, 100, bench->stamps + 2);
        finish(bench);
        hold(bench, 10, bench->stamps + 4);
        finish(bench);
        samples_add(&samples, (double)(bench->stamps[4] - bench->stamps[3]) / 1e3);
    }
    keep(bench, "idle_gap_us", &samples);
}

/* ---- copies ---- */

static double copy_us(Bench *bench, void *host, size_t bytes, bool to_gpu) {
    double start_us = now_us();
    check(bench,
          bench->api->cudaMemcpyAsync(to_gpu ? bench->device : host, to_gpu ? host : bench->device, bytes,
                                      to_gpu ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, NULL),
          "a copy");
    finish(bench);
    return now_us() - start_us;
}

static double median_copy_us(Bench *bench, void *host, size_t bytes, bool to_gpu, Samples *samples) {
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++)
        samples_add(samples, copy_us(bench, host, bytes, to_gpu));
    return samples_quantity(samples).median;
}

/* The fixed part at 256 bytes, the bandwidth at 16 MiB beyond it. */
static void measure_copies(Bench *bench, const char *latency, const char *bandwidth, void *host, bool to_gpu) {
    Samples fixed = {.arena = bench->arena}, speed = {.arena = bench->arena};
    const size_t bytes = 16 << 20;
    double fixed_us = median_copy_us(bench, host, 256, to_gpu, &fixed);
    keep(bench, latency, &fixed);
    for (int sample = 0; sample < 50 && !bench->failed; sample++) {
        double us = copy_us(bench, host, bytes, to_gpu) - fixed_us;
        if (us > 0) samples_add(&speed, (double)bytes / us / 1e3);
    }
    keep(bench, bandwidth, &speed);
}

static void measure_read_back(Bench *bench, const char *name, void *host) {
    Samples samples = {.arena = bench->arena};
    median_copy_us(bench, host, 4, false, &samples);
    keep(bench, name, &samples);
}

/* The largest size at which an asynchronous pageable copy behind a kernel of 3 ms returns before it: median; the first
   at which it does not: p90. */
static void measure_async_limit(Bench *bench) {
    Quantity *limit = &bench->result->quantities.pageable_async_bytes;
    *limit = (Quantity){1, 1, BIG_BYTES, 3};
    for (size_t bytes = 1024; bytes <= BIG_BYTES && !bench->failed; bytes *= 2) {
        bool waited = true;
        for (int attempt = 0; attempt < 3 && waited; attempt++) {
            hold(bench, 3000, NULL);
            double start_us = now_us();
            check(bench,
                  bench->api->cudaMemcpyAsync(bench->device, bench->pageable, bytes, cudaMemcpyHostToDevice,
                                              NULL),
                  "an asynchronous copy");
            waited = now_us() - start_us > 1800;
            finish(bench);
        }
        limit->p90 = (double)bytes;
        if (waited) break;
        limit->median = limit->p10 = (double)bytes;
    }
    if (!bench->failed) fprintf(bench->progress, "  %-30s %10.0f\n", "pageable_async_bytes", limit->median);
}

/* ---- GPU work ---- */

static void measure_small_operation(Bench *bench) {
    Samples samples = {.arena = bench->arena};
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        hold(bench, 3000, bench->stamps + 2); /* all are queued before the first runs */
        for (int i = 0; i < LAUNCHES; i++) add_one(bench);
        hold(bench, 0, bench->stamps + 4);
        finish(bench);
        samples_add(&samples, (double)(bench->stamps[4] - bench->stamps[3]) / 1e3 / (LAUNCHES + 1));
    }
    keep(bench, "small_operation_gpu_us", &samples);
}

static void gemm(Bench *bench, cublasHandle_t blas, int size) {
    const float one = 1, zero = 0;
    unsigned char *memory = bench->device;
    size_t matrix = (size_t)size * (size_t)size * 2;
    cublasStatus_t status =
        bench->api->cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, memory, CUDA_R_16F,
                                 size, memory + matrix, CUDA_R_16F, size, &zero, memory + 2 * matrix,
                                 CUDA_R_16F, size, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    if (status != CUBLAS_STATUS_SUCCESS) check(bench, cudaErrorUnknown, "a matrix product of cuBLAS");
}

static void measure_gemm(Bench *bench, cublasHandle_t blas, const char *name, int size) {
    Samples samples = {.arena = bench->arena};
    int queued = size > 1000 ? 20 : 500;
    for (int sample = -1; sample < 20 && !bench->failed; sample++) {
        double start_us = now_us();
        for (int i = 0; i < queued; i++) gemm(bench, blas, size);
        finish(bench);
        if (sample >= 0) samples_add(&samples, (now_us() - start_us) / queued);
    }
    keep(bench, name, &samples);
}

static void measure_gemms(Bench *bench) {
    cublasHandle_t blas = NULL;
    if (bench->failed) return;
    if (bench->api->cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) {
        check(bench, cudaErrorUnknown, "starting cuBLAS");
        return;
    }
    measure_gemm(bench, blas, "gemm_8192_us", 8192);
    measure_gemm(bench, blas, "gemm_512_us", 512);
    bench->api->cublasDestroy(blas);
}

/* ---- all of it ---- */

/* Random halves between 0.5 and 1 in size: on zeros a matrix product runs faster than on anybody's data. */
static void fill_random(Bench *bench, size_t bytes) {
    uint32_t state = 1;
    for (size_t i = 0; i < BIG_BYTES; i += 2) {
        state = state * 1664525u + 1013904223u;
        uint16_t half = (uint16_t)(0x3800u | (state >> 16 & 0x83ffu));
        memcpy(bench->pageable + i, &half, sizeof half);
    }
    for (size_t done = 0; done < bytes && !bench->failed; done += BIG_BYTES)
        check(bench,
              bench->api->cudaMemcpyAsync((unsigned char *)bench->device + done, bench->pageable, BIG_BYTES,
                                          cudaMemcpyHostToDevice, NULL),
              "filling the matrices");
    if (!bench->failed) finish(bench);
}

static void take_memory(Bench *bench) {
    size_t gemm_bytes = (size_t)3 * 8192 * 8192 * 2; /* above BIG_BYTES */
    void *host = NULL;
    check(bench, bench->api->cudaMalloc(&bench->device, gemm_bytes), "taking 384 MiB on the GPU");
    check(bench, bench->api->cudaHostAlloc(&host, BIG_BYTES, cudaHostAllocDefault),
          "taking 64 MiB of pinned memory");
    bench->pinned = host;
    host = NULL;
    check(bench, bench->api->cudaHostAlloc(&host, 64, cudaHostAllocMapped), "taking mapped memory");
    bench->stamps = host;
    bench->pageable = malloc(BIG_BYTES);
    if (!bench->pageable) check(bench, cudaErrorMemoryAllocation, "taking 64 MiB of memory");
    if (!bench->failed) fill_random(bench, gemm_bytes);
}

static void load_kernels(Bench *bench) {
    if (bench->failed) return;
    check_driver(bench, bench->api->cuModuleLoadData(&bench->module, kernels_ptx), "compiling the kernels");
    if (bench->failed) return;
    check_driver(bench, bench->api->cuModuleGetFunction(&bench->hold, bench->module, "hold"),
                 "the kernel hold");
    check_driver(bench, bench->api->cuModuleGetFunction(&bench->flag, bench->module, "flag"),
                 "the kernel flag");
    check_driver(bench, bench->api->cuModuleGetFunction(&bench->add_one, bench->module, "add_one"),
                 "the kernel add_one");
}

static void give_back(Bench *bench) {
    if (bench->module) bench->api->cuModuleUnload(bench->module);
    if (bench->device) bench->api->cudaFree(bench->device);
    if (bench->pinned) bench->api->cudaFreeHost(bench->pinned);
    if (bench->stamps) bench->api->cudaFreeHost((void *)(uintptr_t)bench->stamps);
    free(bench->pageable);
}

static void warm_up(Bench *bench) {
    for (int i = 0; i < 1000 && !bench->failed; i++) add_one(bench), hold(bench, 20, NULL);
    finish(bench);
}

static void measure_all(Bench *bench) {
    warm_up(bench);
    measure_enqueue(bench);
    measure_latency(bench);
    measure_ready_sync(bench, "device_sync_us", SYNC_DEVICE);
    measure_ready_sync(bench, "stream_sync_us", SYNC_STREAM);
    measure_ready_sync(bench, "event_sync_us", SYNC_EVENT);
    measure_wake_up(bench);
    measure_gap(bench);
    measure_read_back(bench, "read_back_us", bench->pageable);
    measure_read_back(bench, "read_back_pinned_us", bench->pinned);
    measure_copies(bench, "to_gpu_pageable_latency_us", "to_gpu_pageable_gbps", bench->pageable, true);
    measure_copies(bench, "to_gpu_pinned_latency_us", "to_gpu_pinned_gbps", bench->pinned, true);
    measure_copies(bench, "to_host_pageable_latency_us", "to_host_pageable_gbps", bench->pageable, false);
    measure_copies(bench, "to_host_pinned_latency_us", "to_host_pinned_gbps", bench->pinned, false);
    measure_async_limit(bench);
    measure_small_operation(bench);
    measure_gemms(bench);
}

bool measure_gpu(CudaApi *api, Arena *arena, int device, FILE *progress, Measurement *measurement,
                 Text *error) {
    Bench bench = {.api = api, .arena = arena, .progress = progress, .error = error, .result = measurement};
    char name[256] = "";
    CUdevice handle;
    check_driver(&bench, api->cuDeviceGet(&handle, device), "finding the GPU");
    if (!bench.failed) check_driver(&bench, api->cuDeviceGetName(name, sizeof name, handle), "naming the GPU");
    check(&bench, api->cudaSetDevice(device), "taking the GPU");
    measurement->device = text_format(arena, "%s", name);
    if (!bench.failed) {
        fprintf(progress, "measuring %s\n", name);
        take_memory(&bench);
        load_kernels(&bench);
        measure_all(&bench);
    }
    give_back(&bench);
    return !bench.failed;
}
