/* calib/recorder/cupti.h against NVIDIA's own headers: compiles, or names what moved. By hand, for each CUPTI that is to be
   supported (done for 12.1, 12.9 and 13.0):
     pip download --no-deps nvidia-cuda-cupti-cu12==12.9.79 && unzip -q nvidia_cuda_cupti*.whl -d cupti
     cc -fsyntax-only -DKERNEL=CUpti_ActivityKernel9 -DCOPY=CUpti_ActivityMemcpy6 -DFILL=CUpti_ActivityMemset4
        -DGRAPH=CUpti_ActivityGraphTrace2 -Icupti/nvidia/cuda_cupti/include -I/usr/local/cuda/include check_layouts.c
   13.0 has Kernel10; 12.1 has Memcpy5 and GraphTrace. */
#include <cuda.h>
#include <cupti.h>
#include "../../calib/recorder/cupti.h"

#define SAME(ours, field, theirs, name) \
    _Static_assert(offsetof(ours, field) == offsetof(theirs, name), #theirs "." #name " stands elsewhere")
#define VALUE(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs " has another value")

SAME(CuptiCall, site, CUpti_CallbackData, callbackSite);
SAME(CuptiCall, kept, CUpti_CallbackData, correlationData);
SAME(CuptiCall, correlation, CUpti_CallbackData, correlationId);
SAME(CuptiApi, callback, CUpti_ActivityAPI, cbid);
SAME(CuptiApi, start_ns, CUpti_ActivityAPI, start);
SAME(CuptiApi, thread, CUpti_ActivityAPI, threadId);
SAME(CuptiApi, correlation, CUpti_ActivityAPI, correlationId);
SAME(CuptiKernel, start_ns, KERNEL, start);
SAME(CuptiKernel, end_ns, KERNEL, end);
SAME(CuptiKernel, device, KERNEL, deviceId);
SAME(CuptiKernel, stream, KERNEL, streamId);
SAME(CuptiKernel, correlation, KERNEL, correlationId);
SAME(CuptiKernel, name, KERNEL, name);
SAME(CuptiCopy, copy_kind, COPY, copyKind);
SAME(CuptiCopy, from_kind, COPY, srcKind);
SAME(CuptiCopy, to_kind, COPY, dstKind);
SAME(CuptiCopy, bytes, COPY, bytes);
SAME(CuptiCopy, start_ns, COPY, start);
SAME(CuptiCopy, stream, COPY, streamId);
SAME(CuptiCopy, correlation, COPY, correlationId);
SAME(CuptiFill, bytes, FILL, bytes);
SAME(CuptiFill, start_ns, FILL, start);
SAME(CuptiFill, stream, FILL, streamId);
SAME(CuptiFill, correlation, FILL, correlationId);
SAME(CuptiGraph, correlation, GRAPH, correlationId);
SAME(CuptiGraph, start_ns, GRAPH, start);
SAME(CuptiGraph, device, GRAPH, deviceId);
SAME(CuptiGraph, stream, GRAPH, streamId);
VALUE(CUPTI_COPIES, CUPTI_ACTIVITY_KIND_MEMCPY);
VALUE(CUPTI_FILLS, CUPTI_ACTIVITY_KIND_MEMSET);
VALUE(CUPTI_DRIVER, CUPTI_ACTIVITY_KIND_DRIVER);
VALUE(CUPTI_RUNTIME, CUPTI_ACTIVITY_KIND_RUNTIME);
VALUE(CUPTI_KERNELS, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
VALUE(CUPTI_GRAPHS, CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
VALUE(CUPTI_DRIVER_API, CUPTI_CB_DOMAIN_DRIVER_API);
VALUE(CUPTI_RUNTIME_API, CUPTI_CB_DOMAIN_RUNTIME_API);
VALUE(CUPTI_EXIT, CUPTI_API_EXIT);
VALUE(CUPTI_NO_MORE, CUPTI_ERROR_MAX_LIMIT_REACHED);
VALUE(CUPTI_TAKEN, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
VALUE(CUPTI_NO_RIGHT, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
VALUE(CUPTI_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
