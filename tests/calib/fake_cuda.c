/* libcuda, libcudart and cuBLAS in one, for machines without a GPU: kernels take their time on two stream clocks, so
   that the whole calibrator runs in no time; and NVML, which shows FAKE_BUSY percent (nothing: it does not know), for FAKE_BUSY_READINGS readings if that is set. FAKE_CUDA
   says what is wrong: old, none, broken, memory, slow, wsl (the driver's libraries lie where WSL has them); FAKE_GPUS
   how many GPUs there are (every second one is of another kind). Built by test_calibrate into a folder of its own, never into the product. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double streams_us[2];

static int wrong(const char *what) {
    const char *mode = getenv("FAKE_CUDA");
    return mode && strcmp(mode, what) == 0;
}

/* The program's own clock, preloaded: a look at it takes 0.05 us, a wait moves it on. So no test waits, and every
   figure is exact. */
static double now_us = 1e6;

int clock_gettime(clockid_t clock, struct timespec *time) {
    (void)clock;
    now_us += 0.05;
    time->tv_sec = (time_t)(now_us / 1e6);
    time->tv_nsec = (long)((now_us - (double)time->tv_sec * 1e6) * 1e3);
    return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
    (void)left;
    return now_us += (double)time->tv_sec * 1e6 + (double)time->tv_nsec / 1e3, 0;
}

/* In WSL the driver's libraries lie in a folder of their own that the loader does not search. */
void *dlopen(const char *path, int mode) {
    void *(*real)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    bool of_driver = path && (strstr(path, "libcuda.so") || strstr(path, "libnvidia-ml.so"));
    if (!wrong("wsl") || !of_driver) return real(path, mode);
    return strncmp(path, "/usr/lib/wsl/lib/", 17) == 0 ? real(NULL, mode) : NULL;
}

static double queue(int stream, double us) {
    double start = now_us + 4;
    if (start < streams_us[stream]) start = streams_us[stream];
    streams_us[stream] = start + us;
    return start;
}

static void wait_for(int stream) {
    if (now_us < streams_us[stream]) now_us = streams_us[stream];
}

CUresult cuInit(unsigned flags) {
    (void)flags;
    return wrong("none") ? CUDA_ERROR_NO_DEVICE : wrong("broken") ? CUDA_ERROR_UNKNOWN : CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int *version) { return *version = wrong("old") ? 11040 : 13000, CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int *count) {
    const char *gpus = getenv("FAKE_GPUS");
    return *count = gpus ? atoi(gpus) : 1, CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) { return *device = ordinal, CUDA_SUCCESS; }
CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    snprintf(name, (size_t)length, device % 2 ? "Fake GPU MIG 1g.5gb" : "Fake GPU");
    return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    return *module = (CUmodule)1, image ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}
CUresult cuModuleUnload(CUmodule module) { return module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    (void)module;
    *function = (CUfunction)(size_t)name[0]; /* hold, flag, add_one */
    return CUDA_SUCCESS;
}
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void **arguments, void **extra) {
    (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)extra;
    size_t kind = (size_t)function;
    now_us += 2.5;
    unsigned long long first, second = 0;
    memcpy(&first, arguments[0], sizeof first);
    if (kind != 'a') memcpy(&second, arguments[1], sizeof second);
    double us = kind == 'h' ? (double)first / 1e3 : 2, start = queue(stream ? 1 : 0, us);
    volatile unsigned long long *stamps = (void *)(size_t)(kind == 'h' ? second : kind == 'f' ? first : 0);
    if (stamps && kind == 'h') {
        stamps[0] = (unsigned long long)(start * 1e3);
        stamps[1] = (unsigned long long)((start + us) * 1e3);
    } else if (stamps) {
        stamps[1] = (unsigned long long)(start * 1e3), stamps[0] = second;
    }
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char **words) {
    return *words = error == CUDA_ERROR_UNKNOWN ? "unknown error" : "fake error", CUDA_SUCCESS;
}

cudaError_t cudaRuntimeGetVersion(int *version) { return *version = 13000, cudaSuccess; }
cudaError_t cudaSetDevice(int device) { return device < 0 ? cudaErrorInvalidDevice : cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned flags) { return flags > 255 ? cudaErrorInvalidValue : cudaSuccess; }
cudaError_t cudaDeviceGetPCIBusId(char *bytes, int length, int device) {
    const char *salt = getenv("FAKE_ADDRESS");
    snprintf(bytes, (size_t)length, "fake-%s-%d", salt ? salt : "", device);
    return cudaSuccess;
}
#undef cudaMalloc
cudaError_t cudaMalloc(void **memory, size_t bytes) {
    *memory = wrong("memory") ? NULL : malloc(64);
    return *memory && bytes ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFree(void *memory) { return free(memory), cudaSuccess; }
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags) {
    (void)flags;
    return *memory = malloc(bytes), *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}
cudaError_t cudaFreeHost(void *memory) { return free(memory), cudaSuccess; }
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    (void)to, (void)from;
    queue(stream ? 1 : 0, 2 + (double)bytes / 50e3);
    if (kind == cudaMemcpyDeviceToHost || bytes > 1 << 21) wait_for(stream ? 1 : 0);
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) { return wait_for(0), wait_for(1), cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    if (wrong("slow")) poll(NULL, 0, 1);
    return wait_for(stream ? 1 : 0), cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return *stream = (cudaStream_t)1, flags ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return stream ? cudaSuccess : cudaErrorInvalidValue; }
cudaError_t cudaEventCreate(cudaEvent_t *event) { return *event = (cudaEvent_t)1, cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return event ? cudaSuccess : cudaErrorInvalidValue; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return (void)stream, event ? cudaSuccess : cudaErrorInvalidValue;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) { return event ? cudaSuccess : cudaErrorInvalidValue; }
const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? "out of memory" : "fake error";
}

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
    return *handle = (cublasHandle_t)1, CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
    return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                            int k, const void *alpha, const void *a, cudaDataType at, int lda, const void *b,
                            cudaDataType bt, int ldb, const void *beta, void *c, cudaDataType ct, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
    (void)handle, (void)ta, (void)tb, (void)n, (void)k, (void)alpha, (void)a, (void)at, (void)lda, (void)b;
    (void)bt, (void)ldb, (void)beta, (void)c, (void)ct, (void)ldc, (void)compute, (void)algorithm;
    queue(0, m > 1000 ? 200 : 5);
    return CUBLAS_STATUS_SUCCESS;
}

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **device) {
    return *device = (void *)1, strncmp(address, "fake-", 5) == 0 ? 0 : 6;
}
int nvmlDeviceGetUtilizationRates(void *device, unsigned *gpu_and_memory) {
    static int readings = 0;
    const char *busy = getenv("FAKE_BUSY"), *until = getenv("FAKE_BUSY_READINGS");
    bool over = until && readings++ >= atoi(until);
    return gpu_and_memory[0] = busy && !over ? (unsigned)atoi(busy) : 0, device && busy ? 0 : 3;
}
