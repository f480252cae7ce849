#include "work_time.h"
#include <math.h>

/* A matrix product reaches its full rate from this smallest dimension on; below, a proportional share, as tiles
   stay partly empty, but no less than for the tensor cores' eight. */
static const double whole_tile = 128, least_tile = 8;

enum { BYTES_A_PARAMETER = 4 }; /* optimizers keep state in float32 */

/* float32 convolutions use TF32 unless told not to. */
static const Quantity *rate_of(const Profile *profile, const WorkPart *part, uint8_t precision) {
    bool half = precision == PRECISION_HALF;
    switch ((LoadKind)part->kind) {
    case LOAD_MOVES: return NULL;
    case LOAD_CONVOLUTION: return half ? &profile->convolution_half_tflops : &profile->convolution_float_tflops;
    case LOAD_ATTENTION: return half ? &profile->attention_half_tflops : &profile->attention_float_tflops;
    case LOAD_GEMM:
    case LOAD_RECURRENT: break;
    }
    if (half) return &profile->product_half_tflops;
    return part->tf32 ? &profile->product_tf32_tflops : &profile->product_float_tflops;
}

/* 1 TFLOP/s is 1e6 operations a microsecond. */
static Amount arithmetic_us(const Profile *profile, const WorkPart *part, Amount flops) {
    uint8_t quick = part->precision, slow = part->precision;
    if (quick == PRECISION_UNKNOWN) quick = PRECISION_HALF, slow = PRECISION_FLOAT;
    const Quantity *fast = rate_of(profile, part, quick), *least = rate_of(profile, part, slow);
    if (!fast) return (Amount){0, 0};
    double thin = part->least > 0 ? fmin(fmax(part->least, least_tile) / whole_tile, 1) : 1;
    return (Amount){flops.low / (fast->p90 * 1e6), flops.high / (least->p10 * thin * 1e6)};
}

/* 1 GB/s is 1e3 bytes a microsecond. */
static Amount moving_us(const Profile *profile, Amount bytes) {
    return (Amount){bytes.low / (profile->memory_gbps.p90 * 1e3),
                    bytes.high / (profile->memory_gbps.p10 * 1e3)};
}

/* The least time of one operation, however small. A step of a recurrent layer is a small product with pointwise
   work. */
static const Quantity *least_us(const Profile *profile, LoadKind kind) {
    if (kind == LOAD_CONVOLUTION) return &profile->convolution_least_us;
    return kind == LOAD_RECURRENT ? &profile->gemm_512_us : &profile->small_operation_gpu_us;
}

static bool measured(const WorkPart *part) {
    return part->kind == LOAD_MOVES || part->precision == PRECISION_UNKNOWN ||
           part->precision == PRECISION_HALF || part->precision == PRECISION_FLOAT;
}

bool work_time_part(const Profile *profile, const WorkPart *part, bool backward, Amount *us) {
    Amount flops = backward ? part->backward_flops : part->flops;
    Amount bytes = backward ? part->backward_bytes : part->bytes;
    double launches = backward ? part->backward_launches : part->launches;
    if (!measured(part) || !amount_is_known(bytes)) return false;
    if (part->kind != LOAD_MOVES && !amount_is_known(flops)) return false;
    Amount computing = arithmetic_us(profile, part, flops), moving = moving_us(profile, bytes);
    const Quantity *floor = least_us(profile, (LoadKind)part->kind);
    us->low = fmax(fmax(computing.low, moving.low), launches * floor->p10);
    us->high = fmax(fmax(computing.high, moving.high), launches * floor->p90);
    return true;
}

bool work_time_optimizer(const Profile *profile, const Workload *work, double operations, Amount *us) {
    if (!(work->parameters.high > 0) || !amount_is_known(work->parameters)) return false;
    const Quantity *accesses = &profile->optimizer_accesses, *floor = &profile->small_operation_gpu_us;
    double bytes = operations * BYTES_A_PARAMETER;
    Amount moved = {work->parameters.low * bytes * accesses->p10,
                    work->parameters.high * bytes * accesses->p90};
    *us = moving_us(profile, moved);
    us->low = fmax(us->low, operations * floor->p10), us->high = fmax(us->high, operations * floor->p90);
    return true;
}
