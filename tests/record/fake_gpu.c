/* libcuda, libcudart and CUPTI in one, for the recorder's tests on machines without a GPU: streams are clocks, a wait
   sleeps until its stream's, and CUPTI tells of calls and of work as NVIDIA's does. cuInit loads what CUDA_INJECTION64_PATH
   names. FAKE_CUPTI says what is wrong: taken, rights, silent (no activities are told), broken (no version);
   FAKE_DRIVER is the driver's version, 13000 unless given. With FAKE_CLOCK the time is one of its own, which only calls and
   waits move on: what a machine under load holds up takes no longer then. */
#define _GNU_SOURCE /* gettid */
#include "../../calib/recorder/cupti.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STREAMS = 8, CALLBACKS = 16, KINDS = 64 };

static const char *const runtime_names[] = {NULL,
                                            "cudaLaunchKernel_v7000",
                                            "cudaMemcpyAsync_v3020",
                                            "cudaStreamSynchronize_v3020",
                                            "cudaDeviceSynchronize_v3020",
                                            "cudaFree_v3020",
                                            "cudaEventRecord_v3020"};
enum { LAUNCH = 1, COPY, STREAM_WAIT, DEVICE_WAIT, FREE, NAMES };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CuptiCallback *callback;
static void *callback_context;
static int enabled[CALLBACKS], kinds[KINDS];
static uint64_t stream_end_ns[STREAMS];
static uint32_t correlation;
static CuptiRequested *requested;
static CuptiCompleted *completed;
static uint8_t *buffer;
static size_t room, used;

static int wrong(const char *what) {
    const char *mode = getenv("FAKE_CUPTI");
    return mode && strcmp(mode, what) == 0;
}

enum { ASKING_NS = 500 };

static atomic_ullong own_ns = 1000000000000u; /* of FAKE_CLOCK */

static int own_clock(void) {
    static int own = -1;
    if (own < 0) own = getenv("FAKE_CLOCK") != NULL;
    return own;
}

static uint64_t now_ns(void) {
    struct timespec time;
    if (own_clock()) return atomic_fetch_add(&own_ns, ASKING_NS);
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void sleep_until(uint64_t end_ns) {
    unsigned long long own = atomic_load(&own_ns);
    if (own_clock())
        while (own < end_ns && !atomic_compare_exchange_weak(&own_ns, &own, end_ns)) continue;
    if (own_clock()) return;
    uint64_t now = now_ns();
    struct timespec time = {.tv_sec = 0, .tv_nsec = (long)(end_ns > now ? (end_ns - now) % 1000000000u : 0)};
    if (end_ns > now) nanosleep(&time, NULL);
}

/* ---- activities ---- */

static size_t size_of(int kind) {
    return kind == CUPTI_RUNTIME   ? sizeof(CuptiApi)
           : kind == CUPTI_KERNELS ? 160
           : kind == CUPTI_COPIES  ? 88
                                   : 64;
}

static void hand_on(void) {
    uint8_t *full = buffer;
    size_t bytes = used;
    buffer = NULL, used = 0;
    pthread_mutex_unlock(&lock);
    if (full) completed(NULL, 0, full, room, bytes);
    pthread_mutex_lock(&lock);
}

static void tell(const void *record, int kind, size_t bytes) {
    size_t most = 0;
    if (!kinds[kind] || wrong("silent")) return;
    if (buffer && used + size_of(kind) > room) hand_on();
    if (!buffer) requested(&buffer, &room, &most);
    if (!buffer) return;
    memset(buffer + used, 0, size_of(kind));
    memcpy(buffer + used, record, bytes < size_of(kind) ? bytes : size_of(kind));
    used += size_of(kind);
}

/* ---- calls ---- */

typedef struct Call {
    CuptiCall told;
    uint64_t kept, start_ns;
    uint32_t id;
} Call;

static void begin(Call *call, uint32_t id) {
    *call = (Call){.id = id};
    call->told = (CuptiCall){.site = CUPTI_ENTER, .kept = &call->kept};
    pthread_mutex_lock(&lock);
    call->told.correlation = ++correlation;
    pthread_mutex_unlock(&lock);
    if (callback && enabled[id]) callback(callback_context, CUPTI_RUNTIME_API, id, &call->told);
    call->start_ns = now_ns();
}

static int end(Call *call) {
    CuptiApi api = {
        .kind = CUPTI_RUNTIME, .callback = call->id, .start_ns = call->start_ns, .end_ns = now_ns()};
    api.correlation = call->told.correlation, api.thread = (uint32_t)syscall(SYS_gettid);
    pthread_mutex_lock(&lock);
    tell(&api, CUPTI_RUNTIME, sizeof api);
    pthread_mutex_unlock(&lock);
    call->told.site = CUPTI_EXIT;
    if (callback && enabled[call->id]) callback(callback_context, CUPTI_RUNTIME_API, call->id, &call->told);
    return 0;
}

static uint64_t queue(int stream, double us) {
    uint64_t now = now_ns() + 5000;
    uint64_t start = now > stream_end_ns[stream] ? now : stream_end_ns[stream];
    stream_end_ns[stream] = start + (uint64_t)(us * 1e3);
    return start;
}

/* CUPTI keeps the names of kernels for as long as it lives. */
static const char *kept(const char *name) {
    static char names[256][64];
    int i = 0;
    while (i < 255 && names[i][0] && strncmp(names[i], name, 63) != 0) i++;
    return names[i][0] ? names[i] : strncpy(names[i], name, 63);
}

int cudaLaunchKernel(const char *name, double us, int stream) {
    Call call;
    begin(&call, LAUNCH);
    pthread_mutex_lock(&lock);
    CuptiKernel kernel = {.kind = CUPTI_KERNELS, .stream = (uint32_t)stream + 7, .name = kept(name)};
    kernel.correlation = call.told.correlation;
    kernel.start_ns = queue(stream, us), kernel.end_ns = stream_end_ns[stream];
    tell(&kernel, CUPTI_KERNELS, sizeof kernel);
    pthread_mutex_unlock(&lock);
    return end(&call);
}

/* kind: 1 = to the device, 2 = to the host; a pageable copy returns when it is over. */
int cudaMemcpyAsync(long bytes, int kind, int pageable, int stream) {
    Call call;
    begin(&call, COPY);
    pthread_mutex_lock(&lock);
    CuptiCopy copy = {.kind = CUPTI_COPIES, .copy_kind = (uint8_t)kind, .bytes = (uint64_t)bytes};
    copy.from_kind = kind == 1 && pageable ? 1 : 3, copy.to_kind = kind == 2 && pageable ? 1 : 3;
    copy.stream = (uint32_t)stream + 7, copy.correlation = call.told.correlation;
    copy.start_ns = queue(stream, 2 + (double)bytes / 1e4), copy.end_ns = stream_end_ns[stream];
    tell(&copy, CUPTI_COPIES, sizeof copy);
    uint64_t until = pageable ? stream_end_ns[stream] : 0;
    pthread_mutex_unlock(&lock);
    sleep_until(until);
    return end(&call);
}

int cudaStreamSynchronize(int stream) {
    Call call;
    begin(&call, STREAM_WAIT);
    sleep_until(stream_end_ns[stream]);
    return end(&call);
}

static int wait_for_all(uint32_t id) {
    Call call;
    begin(&call, id);
    for (int stream = 0; stream < STREAMS; stream++) sleep_until(stream_end_ns[stream]);
    return end(&call);
}

int cudaDeviceSynchronize(void) { return wait_for_all(DEVICE_WAIT); }
int cudaFree(void) { return wait_for_all(FREE); }

/* ---- the driver ---- */

int cuDriverGetVersion(int *version) {
    const char *given = getenv("FAKE_DRIVER");
    *version = given ? atoi(given) : 13000;
    return 0;
}

int cuInit(unsigned flags) {
    static int injected;
    const char *path = getenv("CUDA_INJECTION64_PATH");
    if (injected++ || !path) return (int)flags;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    int (*start)(void) = library ? (int (*)(void))dlsym(library, "InitializeInjection") : NULL;
    if (!start) fprintf(stderr, "fake cuInit: %s\n", dlerror());
    return start && start() != 1;
}

/* ---- CUPTI ---- */

CuptiResult cuptiGetVersion(uint32_t *version) { return *version = 130001, wrong("broken") ? 999 : CUPTI_OK; }
CuptiResult cuptiGetTimestamp(uint64_t *time) { return *time = now_ns(), CUPTI_OK; }

CuptiResult cuptiSubscribe(CuptiSubscriber **subscriber, CuptiCallback *function, void *context) {
    if (wrong("taken")) return CUPTI_TAKEN;
    if (wrong("rights")) return CUPTI_NO_RIGHT;
    *subscriber = (CuptiSubscriber *)&lock;
    callback_context = context, callback = function;
    return CUPTI_OK;
}

CuptiResult cuptiUnsubscribe(CuptiSubscriber *subscriber) {
    return (void)subscriber, callback = NULL, CUPTI_OK;
}

CuptiResult cuptiEnableCallback(uint32_t on, CuptiSubscriber *subscriber, int domain, uint32_t id) {
    (void)subscriber;
    if (domain == CUPTI_RUNTIME_API && id < CALLBACKS) enabled[id] = (int)on;
    return CUPTI_OK;
}

CuptiResult cuptiGetCallbackName(int domain, uint32_t id, const char **name) {
    *name = domain == CUPTI_RUNTIME_API && id > 0 && id < sizeof runtime_names / sizeof *runtime_names
                ? runtime_names[id]
                : NULL;
    return *name ? CUPTI_OK : 1;
}

CuptiResult cuptiSetThreadIdType(int type) { return (void)type, CUPTI_OK; }

CuptiResult cuptiActivityRegisterCallbacks(CuptiRequested *first, CuptiCompleted *second) {
    return requested = first, completed = second, CUPTI_OK;
}

CuptiResult cuptiActivityEnable(int kind) { return kinds[kind] = 1, CUPTI_OK; }
CuptiResult cuptiActivityDisable(int kind) { return kinds[kind] = 0, CUPTI_OK; }

CuptiResult cuptiActivityFlushAll(uint32_t flags) {
    (void)flags;
    pthread_mutex_lock(&lock);
    if (completed) hand_on();
    pthread_mutex_unlock(&lock);
    return CUPTI_OK;
}

CuptiResult cuptiActivityGetNextRecord(uint8_t *bytes, size_t valid, void **record) {
    uint8_t *next = *record ? (uint8_t *)*record + size_of(*(int *)*record) : bytes;
    if (next >= bytes + valid) return CUPTI_NO_MORE;
    return *record = next, CUPTI_OK;
}

CuptiResult cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *dropped) {
    return (void)context, (void)stream, *dropped = 0, CUPTI_OK;
}
