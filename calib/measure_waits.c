/* Measures launches and waits. */
#include "measures.h"

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

static void measure_latency(Bench *bench) {
    Samples samples = {.arena = bench->arena};
    for (uint64_t sample = 1; sample <= SAMPLES && !bench->failed; sample++) {
        double launched_us, seen_us = flag_seen_us(bench, &launched_us, sample);
        samples_add(&samples, seen_us > launched_us ? seen_us - launched_us : 0);
        finish(bench);
    }
    keep(bench, "launch_latency_us", &samples);
}

typedef enum Sync { SYNC_DEVICE, SYNC_STREAM, SYNC_EVENT } Sync;

/* busy: a second stream has work meanwhile, for which a wait for the whole device waits too. */
static void measure_ready_sync(Bench *bench, const char *name, Sync sync, bool busy) {
    Samples samples = {.arena = bench->arena};
    cudaEvent_t event = NULL;
    check(bench, bench->api->cudaEventCreate(&event), "an event");
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        hold(bench, 0, NULL);
        check(bench, bench->api->cudaEventRecord(event, NULL), "recording an event");
        finish(bench);
        if (busy) hold_other(bench, 200);
        double start_us = now_us();
        if (sync == SYNC_DEVICE) check(bench, bench->api->cudaDeviceSynchronize(), "a device sync");
        if (sync == SYNC_STREAM) finish(bench);
        if (sync == SYNC_EVENT) check(bench, bench->api->cudaEventSynchronize(event), "an event sync");
        samples_add(&samples, now_us() - start_us);
        if (busy) check(bench, bench->api->cudaDeviceSynchronize(), "a device sync");
    }
    if (event) bench->api->cudaEventDestroy(event);
    keep(bench, name, &samples);
}

/* Host clock minus GPU clock, from the fastest of several flags. */
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
/* From the end of a kernel of 300 us, on the GPU's clock, to the return of the wait for it. */
static void measure_wake_up(Bench *bench, const char *name) {
    Samples samples = {.arena = bench->arena};
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        double offset_us = clock_offset_us(bench);
        hold(bench, 300, bench->stamps + 2);
        finish(bench);
        double woken_us = now_us() - ((double)bench->stamps[3] / 1e3 + offset_us);
        samples_add(&samples, woken_us > 0 ? woken_us : 0);
    }
    keep(bench, name, &samples);
}

static void measure_gap(Bench *bench, const char *name) {
    Samples samples = {.arena = bench->arena};
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        hold(bench, 100, bench->stamps + 2);
        finish(bench);
        hold(bench, 10, bench->stamps + 4);
        finish(bench);
        samples_add(&samples, (double)(bench->stamps[4] - bench->stamps[3]) / 1e3);
    }
    keep(bench, name, &samples);
}

/* The same with a host that sleeps until the GPU interrupts it, as some programs configure; then restores the
   mode. */
static void measure_blocking(Bench *bench) {
    if (bench->failed) return;
    check(bench, bench->api->cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync), "blocking waits");
    measure_wake_up(bench, "wake_up_blocking_us");
    measure_gap(bench, "idle_gap_blocking_us");
    if (!bench->failed) check(bench, bench->api->cudaSetDeviceFlags(cudaDeviceScheduleAuto), "the usual waits");
}

/* Kernels of equal length in sequence, with a wait after each, or only after the last; microseconds per kernel. */
static double row_us(Bench *bench, double length_us, int count, bool waiting) {
    double start_us = now_us();
    for (int i = 0; i < count && !bench->failed; i++) {
        hold(bench, length_us, NULL);
        if (waiting) finish(bench);
    }
    finish(bench);
    return (now_us() - start_us) / count;
}

/* What a wait after every kernel adds, by kernel length. (Little, and nearly independent of it.) */
static void measure_added(Bench *bench) {
    static const double lengths_us[] = {10, 30, 100, 300, 1000, 3000, 10000, 25000};
    Samples all = {.arena = bench->arena};
    for (size_t i = 0; i < sizeof lengths_us / sizeof lengths_us[0] && !bench->failed; i++) {
        Samples samples = {.arena = bench->arena};
        int count = lengths_us[i] < 200 ? 100 : lengths_us[i] < 2000 ? 20 : 4;
        for (int sample = 0; sample < 5 && !bench->failed; sample++) {
            double with_us = row_us(bench, lengths_us[i], count, true);
            double added_us = with_us - row_us(bench, lengths_us[i], count, false);
            samples_add(&samples, added_us), samples_add(&all, added_us > 0 ? added_us : 0);
        }
        keep_point(bench, "sync_added_us", lengths_us[i], samples_quantity(&samples).median);
    }
    keep(bench, "sync_added_us", &all);
}

void measure_waits(Bench *bench) {
    measure_enqueue(bench);
    measure_latency(bench);
    measure_ready_sync(bench, "device_sync_us", SYNC_DEVICE, false);
    measure_ready_sync(bench, "stream_sync_us", SYNC_STREAM, false);
    measure_ready_sync(bench, "event_sync_us", SYNC_EVENT, false);
    measure_ready_sync(bench, "stream_sync_busy_us", SYNC_STREAM, true);
    measure_ready_sync(bench, "event_sync_busy_us", SYNC_EVENT, true);
    measure_wake_up(bench, "wake_up_us");
    measure_gap(bench, "idle_gap_us");
    measure_added(bench);
    measure_blocking(bench);
}
