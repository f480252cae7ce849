/* libsyncl-record.so: loaded by the driver at its start (CUDA_INJECTION64_PATH), which calls
   InitializeInjection. Any failure in here is written into the recording and switches it off; the user's
   process continues undisturbed. */
#define _GNU_SOURCE /* gettid, pthread_timedjoin_np */
#include "recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MS = 1, QUIET_TICK_MS = 5, FLUSH_MS = 50, BURST_RECORDS = 600000, SAME_PROCESS = 64 };

static Recorder *the_recorder;

int InitializeInjection(void);

uint32_t recorder_thread(void) { return (uint32_t)syscall(SYS_gettid); }

static uint32_t number_of(const char *variable, uint32_t otherwise) {
    const char *value = getenv(variable);
    return value && *value ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

/* ---- phases ---- */

static void put_phase(Recorder *recorder, RecordPhaseKind phase) {
    RecordPhase row = {.phase = phase, .anchor = recorder->bursts.anchor};
    (void)recorder->cupti.GetTimestamp(&row.at_ns);
    record_file_put(&recorder->file, RECORD_PHASE, &row, sizeof row, NULL, 0, true);
}

static void put_end(Recorder *recorder) {
    RecordEnd end = {.dropped_calls = atomic_load(&recorder->dropped_calls),
                     .dropped_works = atomic_load(&recorder->dropped_works),
                     .stackless = atomic_load(&recorder->stackless),
                     .faults = atomic_load(&recorder->python.broken)};
    (void)recorder->cupti.GetTimestamp(&end.at_ns);
    record_file_put(&recorder->file, RECORD_END, &end, sizeof end, NULL, 0, true);
}

static bool is_told(const Recorder *recorder) {
    return recorder->told == RECORD_WORKS || recorder->told == RECORD_DETAIL;
}

static void enter_phase(Recorder *recorder, RecordPhaseKind phase) {
    put_phase(recorder, RECORD_SWITCH);
    bool flush = is_told(recorder);
    activities_switch(recorder, phase);
    if (flush) activities_flush(recorder, true);
    if (phase == RECORD_DONE) watch_stop(recorder);
    put_phase(recorder, phase);
}

/* Whoever waits for the recording watches for this file. */
static void tell_enough(const Recorder *recorder) {
    char path[sizeof recorder->path + 8];
    snprintf(path, sizeof path, "%s.enough", recorder->path);
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor >= 0) close(descriptor);
}

static bool turn(Recorder *recorder) {
    uint64_t now_ns = 0;
    if (recorder->cupti.GetTimestamp(&now_ns) != CUPTI_OK) return false;
    pthread_mutex_lock(&recorder->lock);
    bool turned = bursts_turn(&recorder->bursts, now_ns, atomic_load(&recorder->in_burst) > BURST_RECORDS);
    RecordPhaseKind phase = recorder->bursts.phase;
    pthread_mutex_unlock(&recorder->lock);
    if (turned) enter_phase(recorder, phase);
    return phase != RECORD_DONE;
}

static void *write_on(void *context) {
    Recorder *recorder = context;
    for (long tick_ms, unflushed_ms = 0; !atomic_load(&recorder->stop); unflushed_ms += tick_ms) {
        tick_ms = is_told(recorder) ? TICK_MS : QUIET_TICK_MS; /* disturbs clean steps as little as possible */
        nanosleep(&(struct timespec){.tv_nsec = tick_ms * 1000000}, NULL);
        if (atomic_load(&recorder->off)) return NULL;
        if (!turn(recorder)) break;
        if (unflushed_ms >= FLUSH_MS) {
            unflushed_ms = 0;
            if (is_told(recorder)) activities_flush(recorder, false);
            record_file_flush(&recorder->file);
        }
    }
    if (atomic_load(&recorder->off) || atomic_load(&recorder->stop)) return NULL;
    atomic_store(&recorder->off, true);
    put_end(recorder);
    record_file_close(&recorder->file);
    tell_enough(recorder);
    return NULL;
}

/* Signals are left to the user's threads. */
static bool start_writer(Recorder *recorder) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool started = pthread_create(&recorder->writer, NULL, write_on, recorder) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* ---- the end ---- */

/* If CUPTI hangs, the process exits without us. */
static void at_exit(void) {
    Recorder *recorder = the_recorder;
    struct timespec limit;
    if (!recorder || atomic_load(&recorder->off)) return;
    atomic_store(&recorder->stop, true);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 5;
    if (pthread_timedjoin_np(recorder->writer, NULL, &limit) != 0) return;
    if (is_told(recorder)) put_phase(recorder, RECORD_SWITCH), activities_flush(recorder, true);
    atomic_store(&recorder->off, true);
    put_end(recorder);
    record_file_close(&recorder->file);
}

/* After a fork the child has neither our thread nor CUDA, and the file is its parent's. */
static void in_child(void) {
    if (the_recorder) atomic_store(&the_recorder->off, true);
}

/* ---- the start ---- */

static bool open_file(Recorder *recorder) {
    const char *folder = getenv("SYNCL_RECORD_DIR");
    RecordHead head = {.version = RECORD_VERSION,
                       .rank = number_of("RANK", 0),
                       .process = (uint32_t)getpid(),
                       .ranks = number_of("WORLD_SIZE", 1)};
    memcpy(head.magic, RECORD_MAGIC, sizeof head.magic);
    for (uint32_t again = 1; folder && again <= SAME_PROCESS; again++) {
        snprintf(recorder->path, sizeof recorder->path,
                 again > 1 ? "%s/rank%u-%u-%u.syncl" : "%s/rank%u-%u.syncl", folder, head.rank, head.process,
                 again);
        if (record_file_open(&recorder->file, recorder->path, &head)) return true;
        if (errno != EEXIST) return false;
    }
    return false;
}

static void put_command(Recorder *recorder) {
    char line[RECORD_TEXT_LIMIT - 16] = "";
    int descriptor = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t count = descriptor >= 0 ? read(descriptor, line, sizeof line - 1) : 0;
    if (descriptor >= 0) close(descriptor);
    for (ssize_t i = 0; i + 1 < count; i++)
        if (!line[i]) line[i] = ' ';
    recorder_fact(recorder, "command", line);
}

static void put_facts(Recorder *recorder) {
    char number[32], folder[RECORD_TEXT_LIMIT - 16];
    snprintf(number, sizeof number, "%u", recorder->cupti.version);
    recorder_fact(recorder, "cupti", number);
    snprintf(number, sizeof number, "%d.%d", recorder->python.major, recorder->python.minor);
    recorder_fact(recorder, "python", number);
    if (getcwd(folder, sizeof folder)) recorder_fact(recorder, "folder", folder);
    put_command(recorder);
}

/* NULL, or why nothing can be recorded. */
static const char *start(Recorder *recorder) {
    const char *why = cupti_load(&recorder->cupti), *no_stacks = python_find(&recorder->python);
    uint64_t now_ns = 0;
    if (why) return why;
    put_facts(recorder);
    if (no_stacks) recorder_fact(recorder, "stacks", no_stacks);
    if (no_stacks && strstr(no_stacks, "free-threaded")) return "a free-threaded Python is not recorded";
    if (recorder->cupti.GetTimestamp(&now_ns) != CUPTI_OK) return "CUPTI tells no time";
    bursts_begin(&recorder->bursts, number_of("SYNCL_RECORD_STEPS", 30), number_of("SYNCL_RECORD_SKIP", 0),
                 now_ns);
    if (!watch_start(recorder, &why)) return why;
    activities_prepare(recorder);
    put_phase(recorder, RECORD_WARM);
    return start_writer(recorder) ? NULL : "no thread could be started";
}

__attribute__((visibility("default"))) int InitializeInjection(void) {
    Recorder *recorder = the_recorder ? NULL : calloc(1, sizeof *recorder);
    if (!recorder) return 1;
    pthread_mutex_init(&recorder->lock, NULL);
    if (!open_file(recorder)) return free(recorder), 1;
    the_recorder = recorder;
    const char *why = start(recorder);
    if (why) {
        atomic_store(&recorder->off, true);
        recorder_fact(recorder, "trouble", why);
        record_file_close(&recorder->file);
        return 1;
    }
    record_file_flush(&recorder->file);
    (void)pthread_atfork(NULL, NULL, in_child);
    (void)atexit(at_exit);
    return 1;
}
