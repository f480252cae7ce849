/* Measures GPU work: a small operation, and the matrix products of the articles. */
#include "measures.h"

static void measure_small_operation(Bench *bench) {
    Samples samples = {.arena = bench->arena};
    for (int sample = 0; sample < SAMPLES && !bench->failed; sample++) {
        hold(bench, 3000, bench->stamps + 2); /* so that all are queued before the first runs */
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

/* Queued back to back, or with a wait after each. */
static void measure_gemm(Bench *bench, cublasHandle_t blas, const char *name, int size, bool waiting) {
    Samples samples = {.arena = bench->arena};
    int queued = size > 1000 ? 10 : 300;
    for (int sample = -1; sample < 8 && !bench->failed; sample++) {
        double start_us = now_us();
        for (int i = 0; i < queued; i++) {
            gemm(bench, blas, size);
            if (waiting) finish(bench);
        }
        finish(bench);
        if (sample >= 0) samples_add(&samples, (now_us() - start_us) / queued);
    }
    keep(bench, name, &samples);
}

/* A read of 4 bytes after a matrix product: the host stands still until the product is done. */
static void measure_pending_read(Bench *bench, cublasHandle_t blas) {
    Samples samples = {.arena = bench->arena};
    for (int sample = 0; sample < 20 && !bench->failed; sample++) {
        gemm(bench, blas, 8192);
        double start_us = now_us();
        check(bench,
              bench->api->cudaMemcpyAsync(bench->pageable, bench->device, 4, cudaMemcpyDeviceToHost, NULL),
              "a read");
        finish(bench);
        samples_add(&samples, now_us() - start_us);
    }
    keep(bench, "read_pending_us", &samples);
}

void measure_work(Bench *bench) {
    cublasHandle_t blas = NULL;
    measure_small_operation(bench);
    if (bench->failed) return;
    if (bench->api->cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) {
        check(bench, cudaErrorUnknown, "starting cuBLAS");
        return;
    }
    measure_gemm(bench, blas, "gemm_8192_us", 8192, false);
    measure_gemm(bench, blas, "gemm_8192_synced_us", 8192, true);
    measure_gemm(bench, blas, "gemm_512_us", 512, false);
    measure_gemm(bench, blas, "gemm_512_synced_us", 512, true);
    measure_pending_read(bench, blas);
    bench->api->cublasDestroy(blas);
}
