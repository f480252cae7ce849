#ifndef SYNCL_WORKLOAD_H
#define SYNCL_WORKLOAD_H
/* Workloads: how much work an event is, in units of the problem and never in microseconds: a profile makes durations of
   them. Plain data, owned by the arena of the Analysis. Made by `size` from shapes; what no shape tells is not known:
   no parts, and amounts from 0 to infinity. */
#include "text.h"

/* Of anything that is counted. Not known: 0 to infinity, as amount_unknown says; both 0: there is none of it. */
typedef struct Amount {
    double low, high;
} Amount;

typedef enum LoadKind {
    LOAD_MOVES,       /* memory is read and written, the arithmetic is free: element-wise, reductions, copies on the GPU */
    LOAD_GEMM,        /* a matrix product: `least` is its smallest dimension */
    LOAD_CONVOLUTION, /* as a matrix product of its windows, `least` likewise */
    LOAD_ATTENTION,   /* fused: the scores are not written */
    LOAD_RECURRENT,   /* matrix products one behind the other, a step of the sequence each */
} LoadKind;

typedef enum Precision {
    PRECISION_UNKNOWN,
    PRECISION_HALF, /* float16 and bfloat16 */
    PRECISION_FLOAT, /* float32; the profile or the program says whether matrix products take TF32 */
    PRECISION_DOUBLE,
    PRECISION_OTHER, /* integers, booleans */
} Precision;

/* GPU operations that are alike. Amounts are of all of them together: an average operation has flops / launches. */
typedef struct WorkPart {
    uint8_t kind, precision; /* LoadKind, Precision */
    bool tf32;               /* float32 products of it may take TF32: the program says so */
    double launches;         /* operations that forward code queues */
    Amount flops, bytes;     /* bytes: read and written in the GPU's memory */
    double backward_launches; /* ... and that their backward pass queues */
    Amount backward_flops, backward_bytes;
    double least; /* of products: the smallest of their three dimensions, the smallest seen; 0 = not known */
} WorkPart;

typedef struct Workload {
    const WorkPart *parts; /* by kind and size: small operations and large ones stand apart, in no order of time */
    uint32_t part_count;   /* 0 = nothing is known of the operations: the event's count is all there is */
    bool open;             /* some operations of the event are not among the parts: their shapes are not known */
    Amount copied;         /* EVENT_COPY: bytes that cross the bus */
    Amount tensors;        /* EVENT_OPTIMIZER, and what goes through all parameters: how many there are */
    Amount parameters;     /* ... and their elements together */
    Amount turns;          /* EVENT_LOOP_BEGIN: of the inner loop */
    Text unknown;          /* what is not known and decides most: "the batch size of `loader`"; empty = all is known */
} Workload;

static inline Amount amount_unknown(void) { return (Amount){0, __builtin_inf()}; }

static inline bool amount_is_known(Amount amount) { return amount.high < __builtin_inf(); }

#endif
