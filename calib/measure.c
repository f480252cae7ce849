#include "measures.h"

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

bool measure_gpu(CudaApi *api, Arena *arena, int device, FILE *progress, Measurement *measurement,
                 Text *error) {
    Bench bench = {.api = api, .arena = arena, .progress = progress, .error = error, .result = measurement};
    if (bench_open(&bench, device)) {
        measure_waits(&bench);
        measure_all_copies(&bench);
        measure_work(&bench);
    }
    bench_close(&bench);
    return !bench.failed;
}
