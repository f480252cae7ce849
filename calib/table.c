#include "table.h"

static void print_pair(FILE *out, const char *what, Quantity queued, Quantity waited) {
    fprintf(out, "  %-34s %9.1f us %12.1f us\n", what, queued.median, waited.median);
}

/* Prints the points of a sweep on one line, or of several sweeps as rows under one heading. */
static void print_sweep(FILE *out, const Measurement *measurement, const char *sweep, const char *what) {
    fprintf(out, "  %-18s", what);
    for (uint32_t i = 0; i < measurement->points.count; i++)
        if (strcmp(measurement->points.items[i].sweep, sweep) == 0)
            fprintf(out, " %8.1f", measurement->points.items[i].us);
    fputs("\n", out);
}

static void print_head(FILE *out, const Measurement *measurement, const char *sweep, const char *what,
                       double unit) {
    fprintf(out, "  %-18s", what);
    for (uint32_t i = 0; i < measurement->points.count; i++)
        if (strcmp(measurement->points.items[i].sweep, sweep) == 0)
            fprintf(out, " %8.4g", measurement->points.items[i].at / unit);
    fputs("\n", out);
}

void table_print(FILE *out, const Measurement *measurement, const SaveHost *host) {
    const Profile *measured = &measurement->quantities;
    fprintf(out, "\n  %-34s %12s %15s\n", "", "queued", "a wait behind each");
    print_pair(out, "8192 matrix product (fp16)", measured->gemm_8192_us, measured->gemm_8192_synced_us);
    print_pair(out, "512 matrix product (fp16)", measured->gemm_512_us, measured->gemm_512_synced_us);
    fprintf(out, "  %-34s %12s %15s\n", "", "ready", "pending");
    print_pair(out, "read of one value (8192 pending)", measured->read_back_us, measured->read_pending_us);
    fputs("\n", out);
    print_head(out, measurement, "sync_added_us", "kernel of us", 1);
    print_sweep(out, measurement, "sync_added_us", "a wait adds us");
    fputs("\n", out);
    print_head(out, measurement, "to_gpu_pageable_us", "copy of KiB", 1024);
    print_sweep(out, measurement, "to_gpu_pageable_us", "to GPU us");
    print_sweep(out, measurement, "to_gpu_pinned_us", "  pinned");
    print_sweep(out, measurement, "to_host_pageable_us", "to host us");
    print_sweep(out, measurement, "to_host_pinned_us", "  pinned");
    fprintf(
        out,
        "\nOn this machine a read of one value takes %.0f us when it is ready; a wait leaves the GPU idle for "
        "about\n%.0f us before the next kernel, and the host goes on %.0f us after the work is done.\n",
        measured->read_back_us.median, measured->idle_gap_us.median, measured->wake_up_us.median);
    if (measurement->warnings)
        fprintf(out,
                "warning: %u quantities are widely spread: is the GPU shared, or the host short of cores?\n",
                measurement->warnings);
    if (host->cores < 2)
        fprintf(out, "warning: only %.2g CPU cores may be used here: a starved host waits longer.\n",
                host->cores);
    if (!host->torch.length)
        fputs("PyTorch's own overhead was not measured: add --with-torch PYTHON to have it in the profile.\n",
              out);
}
