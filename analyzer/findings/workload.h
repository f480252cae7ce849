#ifndef SYNCL_WORKLOAD_H
#define SYNCL_WORKLOAD_H
/* Workloads: how much work an event is, in units of the problem and never in microseconds: a profile makes durations of
   them. Plain data, owned by the arena of the Analysis. Made by `size` from shapes; what no shape tells is not known:
   no parts, and amounts from 0 to infinity. */
#include "text.h"

/* A bound on anything that is counted. Unknown: 0 to infinity (amount_unknown). Both 0: there is none. */
typedef struct Amount {
    double low, high;
} Amount;

typedef enum LoadKind {
    LOAD_MOVES,       /* reads and writes memory, arithmetic is free: element-wise, reductions, copies on the GPU */
    LOAD_GEMM,        /* a matrix product: `least` is its smallest dimension */
    LOAD_CONVOLUTION, /* as a matrix product of its windows; `least` likewise */
    LOAD_ATTENTION,   /* fused: the scores are never written */
    LOAD_RECURRENT,   /* matrix products in sequence, one for each step of the sequence */
} LoadKind;

typedef enum Precision {
    PRECISION_UNKNOWN,
    PRECISION_HALF, /* float16 and bfloat16 */
    PRECISION_FLOAT, /* float32; whether matrix products use TF32 depends on profile and program */
    PRECISION_DOUBLE,
    PRECISION_OTHER, /* integers, booleans */
} Precision;

/* Similar GPU operations. Amounts are sums: an average operation has flops / launches. */
typedef struct WorkPart {
    uint8_t kind, precision; /* LoadKind, Precision */
    bool tf32;               /* the program allows TF32 for its float32 products */
    double launches;         /* operations queued by forward code */
    Amount flops, bytes;     /* bytes: read and written in GPU memory */
    double backward_launches; /* operations queued by their backward pass */
    Amount backward_flops, backward_bytes;
    double least; /* of products: the smallest of their three dimensions, minimum over the part; 0 = unknown */
} WorkPart;

typedef struct Workload {
    const WorkPart *parts; /* all of the work: those between the first and the last are grouped by kind and size */
    uint32_t part_count;   /* 0 = the operations are unknown: only the event's count counts */
    uint32_t first, last;  /* so many parts at the begin and at the end are in the order of forward code */
    bool open;             /* some operations have unknown shapes and are in no part */
    Amount copied;         /* EVENT_COPY: bytes that cross the bus */
    Amount tensors;        /* EVENT_OPTIMIZER, and work over all parameters: number of parameter tensors */
    Amount parameters;     /* ... and of their elements */
    Amount turns;          /* EVENT_LOOP_BEGIN: iterations of the inner loop */
    Text unknown;          /* the unknown that matters most: "the batch size of `loader`"; empty = everything is
                              known */
} Workload;

static inline Amount amount_unknown(void) { return (Amount){0, __builtin_inf()}; }

static inline bool amount_is_known(Amount amount) { return amount.high < __builtin_inf(); }

#endif
