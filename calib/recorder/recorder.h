#ifndef SYNCL_RECORDER_H
#define SYNCL_RECORDER_H
/* The recorder in the user's process: one for all threads, made by InitializeInjection when the driver starts. */
#include "bursts.h"
#include "cupti.h"
#include "interned.h"
#include "python_stack.h"
#include "record_file.h"
#include <stdatomic.h>

enum { RECORDER_CALLBACKS = 1536, RECORDER_DOMAINS = 3, RECORDER_UNTOLD = UINT32_MAX };

typedef struct Recorder {
    atomic_bool off;           /* nothing is taken any more: the end, a fault, a fork's child */
    Cupti cupti;
    CuptiSubscriber *subscriber;
    Python python;
    RecordFile file;
    pthread_mutex_t lock;      /* of what follows, up to the next line */
    Bursts bursts;
    Interned texts, frames, stacks, seen_stacks; /* the last by addresses, others by what they say */
    uint32_t stack_of_seen[INTERNED_LIMIT + 1];
    uint32_t names[RECORDER_DOMAINS][RECORDER_CALLBACKS]; /* text of a callback's name, or RECORDER_UNTOLD; 0 = not asked yet */

    atomic_uint buffers, in_burst;   /* CUPTI's buffers out; records of this burst */
    atomic_uint dropped_calls, dropped_works, stackless;
    pthread_t writer;
    atomic_bool stop;
    RecordPhaseKind told;      /* the activities that are on: RECORD_WORKS, RECORD_DETAIL, or none */
    struct {
        int domain;
        uint32_t callback;
    } watched[64];             /* the callbacks of watched.def */
    uint32_t watched_count;
    char path[4096];
} Recorder;

/* What the Python stack of the calling thread is called; 0 = it has none. */
uint32_t recorder_stack(Recorder *recorder);
uint32_t recorder_text(Recorder *recorder, const char *bytes, size_t length); /* under the lock */
uint32_t recorder_name(Recorder *recorder, int domain, uint32_t callback);    /* of a call; takes the lock */
uint32_t recorder_thread(void); /* as the system numbers it */
void recorder_fact(Recorder *recorder, const char *key, const char *value);

/* Calls: a callback for each one that can wait. */
bool watch_start(Recorder *recorder, const char **why);
void watch_stop(Recorder *recorder);
bool watch_named(const char *name, int domain); /* is it in watched.def? */

/* Activities: the GPU's work, and in detailed bursts every call too. */
void activities_prepare(Recorder *recorder);
void activities_switch(Recorder *recorder, RecordPhaseKind phase);
void activities_flush(Recorder *recorder, bool forced);

#endif
