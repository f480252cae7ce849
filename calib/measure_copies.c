/* Measures reads and copies. */
#include "measures.h"
#include <stdlib.h>

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

/* Latency from 256 bytes, bandwidth from the further time for 16 MiB. */
static void measure_copies(Bench *bench, const char *latency, const char *bandwidth, void *host, bool to_gpu) {
    Samples fixed = {.arena = bench->arena}, speed = {.arena = bench->arena};
    const size_t bytes = 16 << 20;
    double fixed_us = median_copy_us(bench, host, 256, to_gpu, &fixed);
    keep(bench, latency, &fixed);
    for (int sample = 0; sample < 24 && !bench->failed; sample++) {
        /* half of the copies to the host go into fresh memory, as new tensors do, whose pages must be created */
        void *fresh = host == bench->pageable && !to_gpu && sample % 2 ? malloc(bytes) : NULL;
        double us = copy_us(bench, fresh ? fresh : host, bytes, to_gpu) - fixed_us;
        if (us > 0) samples_add(&speed, (double)bytes / us / 1e3);
        free(fresh);
    }
    keep(bench, bandwidth, &speed);
}

/* All sizes: shows where a copy's time changes from latency to bandwidth. */
static void sweep_copies(Bench *bench, const char *name, void *host, bool to_gpu) {
    for (size_t bytes = 4; bytes <= BIG_BYTES && !bench->failed; bytes *= 16) {
        Samples samples = {.arena = bench->arena};
        for (int sample = 0; sample < 25 && !bench->failed; sample++)
            samples_add(&samples, copy_us(bench, host, bytes, to_gpu));
        keep_point(bench, name, (double)bytes, samples_quantity(&samples).median);
    }
}

static void measure_read_back(Bench *bench, const char *name, void *host) {
    Samples samples = {.arena = bench->arena};
    median_copy_us(bench, host, 4, false, &samples);
    keep(bench, name, &samples);
}

/* median: the largest size at which an asynchronous pageable copy returns before a preceding kernel of 3 ms
   ends; p90: the first size at which it does not. */
static void measure_async_limit(Bench *bench) {
    Quantity *limit = &bench->result->quantities.pageable_async_bytes;
    if (!bench->last_pass) return;
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

/* Indexing by a mask, as CUDA sees it: count, scan and gather are queued, and the count is read in between. */
static void measure_compaction(Bench *bench) {
    Samples samples = {.arena = bench->arena};
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        double start_us = now_us();
        add_one(bench), add_one(bench);
        copy_us(bench, bench->pageable, 4, false);
        add_one(bench);
        samples_add(&samples, now_us() - start_us);
        finish(bench);
    }
    keep(bench, "compaction_bare_us", &samples);
}

void measure_all_copies(Bench *bench) {
    measure_read_back(bench, "read_back_us", bench->pageable);
    measure_read_back(bench, "read_back_pinned_us", bench->pinned);
    measure_copies(bench, "to_gpu_pageable_latency_us", "to_gpu_pageable_gbps", bench->pageable, true);
    measure_copies(bench, "to_gpu_pinned_latency_us", "to_gpu_pinned_gbps", bench->pinned, true);
    measure_copies(bench, "to_host_pageable_latency_us", "to_host_pageable_gbps", bench->pageable, false);
    measure_copies(bench, "to_host_pinned_latency_us", "to_host_pinned_gbps", bench->pinned, false);
    sweep_copies(bench, "to_gpu_pageable_us", bench->pageable, true);
    sweep_copies(bench, "to_gpu_pinned_us", bench->pinned, true);
    sweep_copies(bench, "to_host_pageable_us", bench->pageable, false);
    sweep_copies(bench, "to_host_pinned_us", bench->pinned, false);
    measure_async_limit(bench);
    measure_compaction(bench);
}
