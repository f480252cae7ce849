#include "recorder.h"
#include <string.h>

enum { WARM_CALLS = 200000 }; /* those of a search that lasts (--skip) are of no use */

/* A runtime call makes driver calls, which are not recorded again. */
static _Thread_local int inside;

/* "cudaMemcpyAsync_ptsz_v7000" becomes cudaMemcpyAsync. */
static size_t bare_length(const char *name) {
    size_t length = strlen(name);
    for (size_t i = length; i-- > 2;)
        if (name[i - 1] == '_' && (name[i] == 'v' || name[i] == 'p')) length = i - 1;
    return length;
}

bool watch_named(const char *name, int domain) {
    static const struct {
        int domain;
        const char *name;
    } rows[] = {
#define WATCHED(domain, name) {CUPTI_##domain##_API, name},
#define UNTOLD(name)
#include "watched.def"
    };
    size_t length = bare_length(name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].domain == domain && strlen(rows[i].name) == length &&
            memcmp(rows[i].name, name, length) == 0)
            return true;
    return false;
}

/* A call that every launch makes and that has no effect. */
static bool is_untold(const char *name) {
    static const char *const names[] = {
#define WATCHED(domain, name)
#define UNTOLD(name) name,
#include "watched.def"
    };
    size_t length = bare_length(name);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0) return true;
    return false;
}

uint32_t recorder_name(Recorder *recorder, int domain, uint32_t callback) {
    const char *name = NULL;
    if (domain >= RECORDER_DOMAINS || callback >= RECORDER_CALLBACKS) return 0;
    pthread_mutex_lock(&recorder->lock);
    uint32_t *known = &recorder->names[domain][callback];
    if (!*known && recorder->cupti.GetCallbackName(domain, callback, &name) == CUPTI_OK && name)
        *known = is_untold(name) ? RECORDER_UNTOLD : recorder_text(recorder, name, bare_length(name));
    pthread_mutex_unlock(&recorder->lock);
    return *known;
}

static void note_call(Recorder *recorder, int domain, uint32_t callback, const CuptiCall *call,
                      uint64_t end_ns) {
    RecordCall row = {.start_ns = *call->kept, .end_ns = end_ns, .correlation = call->correlation};
    row.thread = recorder_thread();
    row.name = recorder_name(recorder, domain, callback);
    row.stack = recorder_stack(recorder);
    if (!row.stack) atomic_fetch_add(&recorder->stackless, 1);
    pthread_mutex_lock(&recorder->lock);
    bursts_saw(&recorder->bursts, row.stack, end_ns);
    bool kept = recorder->bursts.phase != RECORD_WARM || recorder->warm_calls < WARM_CALLS;
    recorder->warm_calls += kept;
    pthread_mutex_unlock(&recorder->lock);
    if (kept && !record_file_put(&recorder->file, RECORD_CALL, &row, sizeof row, NULL, 0, false))
        atomic_fetch_add(&recorder->dropped_calls, 1);
}

static void on_call(void *context, int domain, uint32_t callback, const CuptiCall *call) {
    Recorder *recorder = context;
    uint64_t now_ns = 0;
    if (atomic_load_explicit(&recorder->off, memory_order_relaxed)) return;
    if (call->site == CUPTI_ENTER) {
        if (inside++) return;
        if (recorder->cupti.GetTimestamp(&now_ns) == CUPTI_OK) *call->kept = now_ns;
        return;
    }
    if (inside > 0 && --inside) return;
    if (*call->kept && recorder->cupti.GetTimestamp(&now_ns) == CUPTI_OK)
        note_call(recorder, domain, callback, call, now_ns);
}

static void find_watched(Recorder *recorder) {
    for (int domain = CUPTI_DRIVER_API; domain <= CUPTI_RUNTIME_API; domain++)
        for (uint32_t callback = 1; callback < RECORDER_CALLBACKS && recorder->watched_count < 64; callback++) {
            const char *name = NULL;
            bool known = recorder->cupti.GetCallbackName(domain, callback, &name) == CUPTI_OK && name;
            if (!known || !watch_named(name, domain)) continue;
            recorder->watched[recorder->watched_count].domain = domain;
            recorder->watched[recorder->watched_count++].callback = callback;
        }
}

/* Callbacks stay on from start to end: if one is switched off while a thread is in its call, CUPTI (13.0) loses
   all later calls of that thread. */
static void watch_switch(Recorder *recorder, bool on) {
    for (uint32_t i = 0; i < recorder->watched_count; i++)
        (void)recorder->cupti.EnableCallback(on, recorder->subscriber, recorder->watched[i].domain,
                                             recorder->watched[i].callback);
}

bool watch_start(Recorder *recorder, const char **why) {
    CuptiResult result = recorder->cupti.Subscribe(&recorder->subscriber, on_call, recorder);
    *why = result == CUPTI_TAKEN ? "another profiler is attached, and CUDA allows one at a time"
           : result == CUPTI_NO_RIGHT || result == CUPTI_NO_RIGHT_VIRTUAL
               ? "profiling is not allowed here: the administrator gives the right (NVIDIA's ERR_NVGPUCTRPERM)"
           : result != CUPTI_OK ? "CUPTI does not let itself be subscribed to"
                                : NULL;
    if (*why) return false;
    find_watched(recorder);
    watch_switch(recorder, true);
    return true;
}

void watch_stop(Recorder *recorder) {
    watch_switch(recorder, false);
    (void)recorder->cupti.Unsubscribe(recorder->subscriber);
}
