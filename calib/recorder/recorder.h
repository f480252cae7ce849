#ifndef SYNCL_RECORDER_H
#define SYNCL_RECORDER_H
/* The recorder in the user's process: one for all threads, created by InitializeInjection when the driver
   starts. */
#include "bursts.h"
#include "cupti.h"
#include "interned.h"
#include "python_stack.h"
#include "record_file.h"
#include <stdatomic.h>

enum { RECORDER_CALLBACKS = 1536, RECORDER_DOMAINS = 3, RECORDER_UNTOLD = UINT32_MAX };

typedef struct Recorder {
    atomic_bool off;           /* nothing is recorded any more: the end, a fault, or the child of a fork */
    Cupti cupti;
    CuptiSubscriber *subscriber;
    Python python;
    RecordFile file;
    pthread_mutex_t lock;      /* protects what follows, up to the blank line */
    Bursts bursts;
    uint32_t warm_calls;       /* calls written while steps are searched */
    Interned texts, frames, stacks, seen_stacks; /* seen_stacks by addresses, the others by contents */
    uint32_t stack_of_seen[INTERNED_LIMIT + 1];
    uint32_t names[RECORDER_DOMAINS][RECORDER_CALLBACKS]; /* text id of a callback's name, or RECORDER_UNTOLD; 0 =
                                                             not looked up yet */

    atomic_uint buffers, in_burst;   /* CUPTI's buffers in use; records of this burst */
    atomic_uint dropped_calls, dropped_works, stackless;
    pthread_t writer;
    atomic_bool stop;
    RecordPhaseKind told;      /* the activities that are on: RECORD_WORKS, RECORD_DETAIL, or none */
    struct {
        int domain;
        uint32_t callback;
    } watched[64];             /* the callbacks listed in watched.def */
    uint32_t watched_count;
    char path[4096];
} Recorder;

/* The id of the calling thread's Python stack; 0 = it has none. */
uint32_t recorder_stack(Recorder *recorder);
uint32_t recorder_text(Recorder *recorder, const char *bytes, size_t length); /* lock must be held */
uint32_t recorder_name(Recorder *recorder, int domain, uint32_t callback);    /* of a call; takes the lock */
uint32_t recorder_thread(void); /* the system's number of the thread */
void recorder_fact(Recorder *recorder, const char *key, const char *value);

/* Calls: callbacks for those that can wait. */
bool watch_start(Recorder *recorder, const char **why);
void watch_stop(Recorder *recorder);
bool watch_named(const char *name, int domain); /* watched.def lists it */

/* Activities: the GPU's work and, in detailed bursts, every call. */
void activities_prepare(Recorder *recorder);
void activities_switch(Recorder *recorder, RecordPhaseKind phase);
void activities_flush(Recorder *recorder, bool forced);

#endif
