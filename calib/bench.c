#include "bench.h"
#include "kernels.h"
#include <stdlib.h>
#include <time.h>

double now_us(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

/* Keeps the first error. Measuring then ends quickly, since every step tests `failed`. */
void check(Bench *bench, cudaError_t result, const char *what) {
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

void finish(Bench *bench) {
    if (bench->failed) return;
    check(bench, bench->api->cudaStreamSynchronize(NULL), "waiting for the GPU");
}

static void launch(Bench *bench, CUfunction function, cudaStream_t stream, void **arguments) {
    bool small = function == bench->add_one;
    unsigned blocks = small ? SMALL_COUNT / 256 : 1, threads = small ? 256 : 1;
    if (bench->failed) return;
    check_driver(bench,
                 bench->api->cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, NULL),
                 "a launch");
}

static void hold_on(Bench *bench, cudaStream_t stream, double us, volatile uint64_t *stamps) {
    uint64_t ns = (uint64_t)(us * 1e3), out = (uint64_t)(uintptr_t)stamps;
    void *arguments[] = {&ns, &out};
    launch(bench, bench->hold, stream, arguments);
}

void hold(Bench *bench, double us, volatile uint64_t *stamps) { hold_on(bench, NULL, us, stamps); }
void hold_other(Bench *bench, double us) { hold_on(bench, bench->other, us, NULL); }

void add_one(Bench *bench) {
    uint64_t x = (uint64_t)(uintptr_t)bench->device;
    void *arguments[] = {&x};
    launch(bench, bench->add_one, NULL, arguments);
}

static Raw *raw_of(Bench *bench, const char *name) {
    for (uint32_t i = 0; i < bench->result->raws.count; i++)
        if (strcmp(bench->result->raws.items[i].name, name) == 0) return &bench->result->raws.items[i];
    vec_push(bench->arena, &bench->result->raws, ((Raw){.name = name, .samples = {.arena = bench->arena}}));
    return &bench->result->raws.items[bench->result->raws.count - 1];
}

void keep(Bench *bench, const char *name, Samples *samples) {
    Quantity *quantity = (Quantity *)(uintptr_t)profile_quantity(&bench->result->quantities, text_of(name));
    if (bench->failed || !samples->values.count) return;
    Raw *raw = raw_of(bench, name);
    for (uint32_t i = 0; i < samples->values.count; i++) samples_add(&raw->samples, samples->values.items[i]);
    *quantity = samples_quantity(&raw->samples);
    if (!bench->last_pass) return;
    bool noisy = quantity->p90 > 3 * quantity->median && quantity->p90 > 20;
    bench->result->warnings += noisy;
    fprintf(bench->progress, "  %-30s %10.1f  (%.1f to %.1f, %u samples)%s\n", name, quantity->median,
            quantity->p10, quantity->p90, quantity->samples, noisy ? "  noisy" : "");
    fflush(bench->progress);
}

void keep_point(Bench *bench, const char *sweep, double at, double us) {
    Point point = {sweep, at, us};
    if (!bench->failed && bench->last_pass) vec_push(bench->arena, &bench->result->points, point);
}

/* Queues the flag and polls for it; gives when it was seen, and from when the launch call was over. */
double flag_seen_us(Bench *bench, double *launched_us, uint64_t value) {
    uint64_t out = (uint64_t)(uintptr_t)bench->stamps;
    void *arguments[] = {&out, &value};
    launch(bench, bench->flag, NULL, arguments);
    *launched_us = now_us();
    double limit_us = *launched_us + 1e6;
    while (bench->stamps[0] != value && !bench->failed)
        if (now_us() > limit_us) check(bench, cudaErrorLaunchTimeout, "a flag from the GPU");
    return now_us();
}

/* Random half-precision numbers between 0.5 and 1: on zeros a matrix product runs faster than on real data. */
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
    check(bench, bench->api->cudaStreamCreateWithFlags(&bench->other, cudaStreamNonBlocking),
          "a second stream");
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

void warm_up(Bench *bench) {
    for (int i = 0; i < 500 && !bench->failed; i++) add_one(bench), hold(bench, 20, NULL);
    finish(bench);
}

bool bench_open(Bench *bench, int device) {
    check(bench, bench->api->cudaSetDevice(device), "taking the GPU");
    if (!bench->failed) take_memory(bench);
    load_kernels(bench);
    return !bench->failed;
}

void bench_close(Bench *bench) {
    if (bench->module) bench->api->cuModuleUnload(bench->module);
    if (bench->other) bench->api->cudaStreamDestroy(bench->other);
    if (bench->device) bench->api->cudaFree(bench->device);
    if (bench->pinned) bench->api->cudaFreeHost(bench->pinned);
    if (bench->stamps) bench->api->cudaFreeHost((void *)(uintptr_t)bench->stamps);
    free(bench->pageable);
}
