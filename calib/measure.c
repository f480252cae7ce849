#include "measures.h"
#include <time.h>

enum { PASSES = 3, PAUSE_NS = 400000000 };

bool measure_name(CudaApi *api, Arena *arena, int device, Text *name, Text *error) {
    const char *reason = "unknown error";
    char bytes[256] = "";
    CUdevice handle;
    CUresult result = api->cuDeviceGet(&handle, device);
    if (result == CUDA_SUCCESS) result = api->cuDeviceGetName(bytes, sizeof bytes, handle);
    *name = text_format(arena, "%s", bytes);
    if (result == CUDA_SUCCESS) return true;
    api->cuGetErrorString(result, &reason);
    *error = text_format(arena, "GPU %d cannot be asked for its name: %s; nothing measured", device, reason);
    return false;
}

bool measure_gpu(CudaApi *api, Arena *arena, int device, bool quick, FILE *progress, Measurement *measurement,
                 Text *error) {
    Bench bench = {.api = api, .arena = arena, .progress = progress, .error = error, .result = measurement};
    bool open = bench_open(&bench, device);
    for (int pass = quick ? PASSES : 1; open && pass <= PASSES && !bench.failed; pass++) {
        if (pass > 1) nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
        bench.last_pass = pass == PASSES;
        warm_up(&bench);
        measure_waits(&bench);
        measure_all_copies(&bench);
        measure_work(&bench);
    }
    bench_close(&bench);
    return !bench.failed;
}
