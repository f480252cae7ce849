#ifndef SYNCL_CUPTI_H
#define SYNCL_CUPTI_H
/* The part of CUPTI that the recorder uses, for CUDA 12 and 13, declared here so that it builds without a
   toolkit; and the library itself, found in the user's process or beside the CUDA runtime loaded there.
   tests/record/check_layouts.c checks the layouts against NVIDIA's headers, where those exist. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int CuptiResult; /* 0 = done */
typedef struct CuptiSubscriber CuptiSubscriber;

enum { CUPTI_OK = 0, CUPTI_NO_MORE = 12, CUPTI_TAKEN = 39, CUPTI_NO_RIGHT = 35, CUPTI_NO_RIGHT_VIRTUAL = 40 };
enum { CUPTI_DRIVER_API = 1, CUPTI_RUNTIME_API = 2 };                         /* domains of callbacks */
enum { CUPTI_ENTER = 0, CUPTI_EXIT = 1 };
enum { CUPTI_COPIES = 1, CUPTI_FILLS = 2, CUPTI_DRIVER = 4, CUPTI_RUNTIME = 5, CUPTI_KERNELS = 10, CUPTI_GRAPHS = 51 };
enum { CUPTI_THREAD_ID_SYSTEM = 1, CUPTI_FLUSH_FORCED = 1 };

/* CUpti_CallbackData */
typedef struct CuptiCall {
    int site;
    const char *function;
    const void *parameters;
    void *returned;
    const char *symbol;
    void *context;
    uint32_t context_uid;
    uint64_t *kept; /* storage for one call, from its enter to its exit */
    uint32_t correlation;
} CuptiCall;

/* CUpti_ActivityAPI */
typedef struct CuptiApi {
    int kind;
    uint32_t callback;
    uint64_t start_ns, end_ns;
    uint32_t process, thread, correlation, returned;
} CuptiApi;

/* CUpti_ActivityKernel9 and later; only the first fields */
typedef struct CuptiKernel {
    int kind;
    unsigned char unused[12];
    uint64_t start_ns, end_ns, completed_ns;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t static_shared, dynamic_shared;
    uint32_t local_per_thread, local_total, correlation;
    int64_t grid_id;
    const char *name;
} CuptiKernel;

/* CUpti_ActivityMemcpy5, 6 */
typedef struct CuptiCopy {
    int kind;
    uint8_t copy_kind, from_kind, to_kind, flags;
    uint64_t bytes, start_ns, end_ns;
    uint32_t device, context, stream, correlation;
} CuptiCopy;

/* CUpti_ActivityMemset4 */
typedef struct CuptiFill {
    int kind;
    uint32_t value;
    uint64_t bytes, start_ns, end_ns;
    uint32_t device, context, stream, correlation;
} CuptiFill;

/* CUpti_ActivityGraphTrace, 2 */
typedef struct CuptiGraph {
    int kind;
    uint32_t correlation;
    uint64_t start_ns, end_ns;
    uint32_t device, graph, context, stream;
} CuptiGraph;

typedef void CuptiCallback(void *context, int domain, uint32_t callback, const CuptiCall *call);
typedef void CuptiRequested(uint8_t **buffer, size_t *bytes, size_t *most_records);
typedef void CuptiCompleted(void *context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid_bytes);

typedef struct Cupti {
#define CUPTI(name, ...) CuptiResult (*name)(__VA_ARGS__);
#include "cupti.def"
    uint32_t version; /* 18 = CUDA 12.1 ... 28 = 12.9, 130000 = 13.0 */
} Cupti;

/* Loads it. NULL, or one line without a line end that says why there is none. */
const char *cupti_load(Cupti *cupti);

#endif
