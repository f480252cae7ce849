#include "recorder.h"
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20, BUFFERS = 32 };

/* CUPTI's buffer callbacks have no context argument. */
static Recorder *of_process;

static void on_requested(uint8_t **buffer, size_t *bytes, size_t *most_records) {
    *most_records = 0;
    *buffer = atomic_fetch_add(&of_process->buffers, 1) < BUFFERS ? malloc(BUFFER_BYTES) : NULL;
    *bytes = *buffer ? BUFFER_BYTES : 0;
    if (!*buffer) atomic_fetch_sub(&of_process->buffers, 1);
}

static void put_work(Recorder *recorder, RecordWork work, const char *name) {
    if (name) {
        pthread_mutex_lock(&recorder->lock);
        work.name = recorder_text(recorder, name, strlen(name));
        pthread_mutex_unlock(&recorder->lock);
    }
    if (!record_file_put(&recorder->file, RECORD_WORK, &work, sizeof work, NULL, 0, true))
        atomic_fetch_add(&recorder->dropped_works, 1);
}

static void put_api(Recorder *recorder, int domain, const CuptiApi *api) {
    RecordCall row = {.start_ns = api->start_ns, .end_ns = api->end_ns, .correlation = api->correlation};
    row.thread = api->thread;
    row.name = recorder_name(recorder, domain, api->callback);
    if (row.name == RECORDER_UNTOLD) return;
    if (!record_file_put(&recorder->file, RECORD_API, &row, sizeof row, NULL, 0, true))
        atomic_fetch_add(&recorder->dropped_calls, 1);
}

static RecordWorkKind copy_kind(const CuptiCopy *copy) {
    enum { TO_DEVICE = 1, TO_HOST = 2, ON_DEVICE = 8 };
    return copy->copy_kind == TO_DEVICE   ? RECORD_TO_DEVICE
           : copy->copy_kind == TO_HOST   ? RECORD_TO_HOST
           : copy->copy_kind == ON_DEVICE ? RECORD_ON_DEVICE
                                          : RECORD_COPY;
}

static void put_copy(Recorder *recorder, const CuptiCopy *copy) {
    enum { PAGEABLE = 1 };
    bool pageable = copy->from_kind == PAGEABLE || copy->to_kind == PAGEABLE;
    put_work(recorder,
             (RecordWork){copy->start_ns, copy->end_ns, copy->bytes, copy->correlation, copy->stream,
                          copy->device, 0, copy_kind(copy), pageable},
             NULL);
}

static void put_record(Recorder *recorder, const void *record) {
    const CuptiKernel *kernel = record;
    const CuptiFill *fill = record;
    const CuptiGraph *graph = record;
    switch (kernel->kind) {
    case CUPTI_RUNTIME: put_api(recorder, CUPTI_RUNTIME_API, record); break;
    case CUPTI_DRIVER: put_api(recorder, CUPTI_DRIVER_API, record); break;
    case CUPTI_COPIES: put_copy(recorder, record); break;
    case CUPTI_KERNELS:
        put_work(recorder,
                 (RecordWork){kernel->start_ns, kernel->end_ns, 0, kernel->correlation, kernel->stream,
                              kernel->device, 0, RECORD_KERNEL, 0},
                 kernel->name);
        break;
    case CUPTI_FILLS:
        put_work(recorder,
                 (RecordWork){fill->start_ns, fill->end_ns, fill->bytes, fill->correlation, fill->stream,
                              fill->device, 0, RECORD_FILL, 0},
                 NULL);
        break;
    case CUPTI_GRAPHS:
        put_work(recorder,
                 (RecordWork){graph->start_ns, graph->end_ns, 0, graph->correlation, graph->stream,
                              graph->device, 0, RECORD_GRAPH, 0},
                 NULL);
        break;
    default: break;
    }
}

static void on_completed(void *context, uint32_t stream, uint8_t *buffer, size_t bytes, size_t valid_bytes) {
    Recorder *recorder = of_process;
    void *record = NULL;
    size_t dropped = 0;
    (void)bytes;
    while (buffer && !atomic_load(&recorder->off) &&
           recorder->cupti.ActivityGetNextRecord(buffer, valid_bytes, &record) == CUPTI_OK) {
        put_record(recorder, record);
        atomic_fetch_add(&recorder->in_burst, 1);
    }
    if (recorder->cupti.ActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_OK)
        atomic_fetch_add(&recorder->dropped_works, (unsigned)dropped);
    if (buffer) atomic_fetch_sub(&recorder->buffers, 1);
    free(buffer);
}

void activities_prepare(Recorder *recorder) {
    of_process = recorder;
    (void)recorder->cupti.SetThreadIdType(CUPTI_THREAD_ID_SYSTEM);
    (void)recorder->cupti.ActivityRegisterCallbacks(on_requested, on_completed);
}

/* Graphs are recorded kernel by kernel, each as work of the graph's launch. Recorded as a whole (CUPTI_GRAPHS),
   a graph created before recording began crashes the process at its next launch (CUPTI 13.0). */
void activities_switch(Recorder *recorder, RecordPhaseKind phase) {
    static const int kinds[] = {CUPTI_KERNELS, CUPTI_COPIES, CUPTI_FILLS, CUPTI_RUNTIME, CUPTI_DRIVER};
    enum { ALL = sizeof kinds / sizeof kinds[0], WORKS = 3 };
    size_t on = phase == RECORD_DETAIL ? ALL : phase == RECORD_WORKS ? WORKS : 0;
    size_t before = recorder->told == RECORD_DETAIL ? ALL : recorder->told == RECORD_WORKS ? WORKS : 0;
    atomic_store(&recorder->in_burst, 0);
    for (size_t i = on; i < before; i++) (void)recorder->cupti.ActivityDisable(kinds[i]);
    for (size_t i = before; i < on; i++) (void)recorder->cupti.ActivityEnable(kinds[i]);
    recorder->told = phase;
}

void activities_flush(Recorder *recorder, bool forced) {
    (void)recorder->cupti.ActivityFlushAll(forced ? CUPTI_FLUSH_FORCED : 0);
}
