#ifndef SYNCL_TIMELINE_H
#define SYNCL_TIMELINE_H
/* The replay engine: host threads and GPU streams as clocks, with a launch queue between them. It knows nothing of
   Python, of findings or of profiles: it takes one iteration of a loop as items in program order, replays it until
   it is steady, and says how long an iteration takes, with any items left out. The static cost model feeds it
   assumed durations, a trace measured ones. All times are microseconds.

   Rules (facts/replay.md). A launch costs its thread host_us; its work starts at max(thread clock + launch latency,
   stream clock) and advances the stream clock by gpu_us. A wait moves its thread to max(thread clock + host_us,
   clock waited for + wake_us + gpu_us): host_us is the call with nothing pending, gpu_us what still happens after
   the pending work is done (reading the value back). A thread with more than queue_launches launches pending on a
   stream stands still until the oldest are done.

   Limits: iterations of an inner loop after the fourth are extrapolated from the fourth; nested loops run fewer,
   and those deeper than TIMELINE_DEPTH one. All items of the array belong to one iteration; iterations follow each
   other without a pause. */
#include "drawing.h"
#include <stdbool.h>

enum { TIMELINE_DEPTH = 8, TIMELINE_LOOP_TURNS = 4 };

typedef enum ItemKind {
    ITEM_HOST,   /* the thread works host_us, `repeat` times */
    ITEM_LAUNCH, /* `repeat` operations are queued on the stream, each host_us to queue and gpu_us to run */
    ITEM_WAIT_STREAM,  /* the thread waits for the stream; with `repeat`, later waits find it ready */
    ITEM_WAIT_DEVICE,  /* the same for every stream */
    ITEM_WAIT_EVENT,   /* the same for the event `object` */
    ITEM_RECORD,       /* the event `object` now stands for everything queued on the stream so far; takes host_us */
    ITEM_STREAM_WAITS, /* the stream starts nothing before event `object` is done; takes host_us */
    ITEM_FOLLOWS,      /* the thread continues no earlier than thread `object` */
    ITEM_COLD,         /* cold caches: the thread works up to host_us more, all of it if it stood still for wake_us
                          since it last queued */
    ITEM_LOOP,         /* the items up to the matching ITEM_LOOP_END run `repeat` times */
    ITEM_LOOP_END,
} ItemKind;

typedef struct Item {
    uint8_t kind;
    uint8_t thread;  /* below TimelineSetup.threads */
    uint16_t stream; /* below TimelineSetup.streams */
    uint32_t object; /* event, other thread; ITEM_LOOP: index of its ITEM_LOOP_END */
    uint32_t site;   /* the site it belongs to and is removed with; 0 = none */
    double repeat;   /* may be a fraction, as an average over iterations; negative counts as 0 */
    double host_us, gpu_us, wake_us;
    double moved_us; /* of a wait: the part of host_us that its copy takes */
} Item;

typedef struct TimelineSetup {
    double launch_latency_us;
    double queue_launches;                    /* launches that may be pending per stream; 0 = no bound */
    uint32_t threads, streams, events, sites; /* how many of each; sites counts the unused 0 */
    uint32_t turns, warm_up;                  /* iterations replayed at most, and how many of them are not counted;
                                                 0 = 6 and 2 */
} TimelineSetup;

/* Of an item, averaged over the steady iterations. */
typedef struct ItemTime {
    double blocked_us; /* time that its thread spent in the wait, over all repeats, including the call itself */
    double gap_us;     /* GPU idle time between the work waited for and the next launch on that stream */
} ItemTime;

typedef struct TurnTime {
    double turn_us;
    double host_busy_us; /* the threads' own work, including the calls of waits */
    double gpu_busy_us;  /* all streams */
} TurnTime;

typedef struct Timeline Timeline; /* clocks and queues, reused from replay to replay */

/* A site whose waits no longer wait, and what the replay finds out about it. */
typedef struct TimelineFreed {
    bool is, later;   /* is: this site is freed; later: its copy takes the thread as long, but at another time */
    bool open;        /* its thread has not waited since */
    bool waited;      /* ... but has after a freed wait of another iteration */
    double behind_us; /* how far the stream was behind the thread there */
    double since_us;  /* the thread's clock there */
    double copied_us; /* copying that the thread need not wait for */
    double ahead_us;  /* most that the thread gets ahead of the stream by it, before it waits again */
} TimelineFreed;

/* What a replay leaves out or moves. removed may be NULL. moved_site: its items run once, at the end of the
   iteration; 0 = none. */
typedef struct TimelineChange {
    const bool *removed; /* [sites] */
    uint32_t moved_site;
    TimelineFreed *freed; /* [freed_count] sites; NULL = none */
    uint32_t freed_count;
} TimelineChange;

/* The clocks behind an item of the last iteration, since that iteration began, where nothing was pending: after a
   wait, say, or where one is left out and all launched work is long done. One for each item. */
typedef struct TimelineMark {
    double thread_us, stream_us;
    double stood_us; /* time spent in waits since anything was queued */
    bool set;       /* false: the stream was busy, or the item was not reached */
    bool unsettled; /* in an inner loop extrapolated from unequal iterations: nothing may be concluded from it */
} TimelineMark;

/* A recorded replay, of which single changes can be priced without replaying all of it. */
typedef struct TimelineSteady {
    const Item *items;
    uint32_t count;
    TimelineMark *marks; /* [count]: outside of inner loops */
    TimelineMark *inner; /* [count][TIMELINE_LOOP_TURNS]: directly inside an inner loop, for each of its iterations */
    double turn_us;      /* of the last iteration */
    double idle_us;      /* a stream at most this far behind the thread delays nothing */
    double cold_us;      /* a thread that stood still longer than this is no colder */
    bool steady;         /* the last two iterations were alike */
} TimelineSteady;

/* The items that a change affects: from..until of the iteration, in whole inner loops; or, within a single
   inner loop, inner_from..inner_until of its body, again in whole loops. */
typedef struct TimelineRange {
    uint32_t from, until, inner_from, inner_until;
} TimelineRange;

Timeline *timeline_new(Arena *result, const TimelineSetup *setup);
/* times may be NULL, else holds `count` records. Loops must nest. Deterministic; allocates nothing. */
TurnTime timeline_replay(Timeline *timeline, const Item *items, uint32_t count, TimelineChange change,
                         ItemTime *times);

/* Draws one iteration of a steady replay; drawing->arena is given. The iterations of an inner loop after the
   first few become one bar, as busy as those were. */
void timeline_draw(Timeline *timeline, const Item *items, uint32_t count, TimelineChange change,
                   TimelineDrawing *drawing);

/* The same replay, with one thread and one stream, which also fills `steady`: its items and count are given,
   and its marks have room. times is not NULL. */
TurnTime timeline_record(Timeline *timeline, TimelineSteady *steady, TimelineChange change, ItemTime *times);
/* How much later the iteration ends under a change that affects only `range`. Replays from the wait before the
   range until, after a later wait, the clocks are apart as they were; everything after that is unchanged, so
   this is what each iteration gains or loses. In an inner loop the same for each of its iterations. False: that
   does not happen within one iteration, so a whole replay is needed. times: as above, for the range. */
bool timeline_shift(Timeline *timeline, const TimelineSteady *steady, TimelineChange change, TimelineRange range,
                    ItemTime *times, double *later_us);

#endif
