#ifndef SYNCL_TIMELINE_H
#define SYNCL_TIMELINE_H
/* The replay engine: host threads and GPU streams as clocks, a launch queue between them. It knows nothing of Python,
   sites' meaning or profiles: it takes one turn of a loop as items in program order, replays it until it is steady,
   and tells how long a turn takes, with any items left out. The static cost model feeds it guessed durations, a trace
   feeds it measured ones. All times are microseconds.

   Rules (facts/replay.md). A launch costs its thread host_us, then its work starts at
   max(thread clock + launch latency, stream clock) and moves the stream clock by gpu_us. A wait moves its thread to
   max(thread clock + host_us, clock waited for + wake_us + gpu_us): host_us is the call when nothing is pending, gpu_us
   what still happens after the pending work is done (reading the value back). A thread that would have more than
   queue_launches launches pending on a stream stands still until the oldest are done.

   Limits: a loop item's turns after the fourth are extrapolated from the fourth, nested loops run fewer and deeper than
   TIMELINE_DEPTH one; all items of the array belong to one turn, turns follow each other without a pause. */
#include "drawing.h"
#include <stdbool.h>

enum { TIMELINE_DEPTH = 8, TIMELINE_LOOP_TURNS = 4 };

typedef enum ItemKind {
    ITEM_HOST,   /* the thread works host_us, `repeat` times */
    ITEM_LAUNCH, /* `repeat` operations are queued on the stream, each host_us to queue and gpu_us to run */
    ITEM_WAIT_STREAM,  /* the thread waits for the stream; repeats after the first find it ready */
    ITEM_WAIT_DEVICE,  /* ... for every stream */
    ITEM_WAIT_EVENT,   /* ... for the event `object` */
    ITEM_RECORD,       /* event `object` = all that is queued on the stream by now; host_us */
    ITEM_STREAM_WAITS, /* the stream starts nothing before event `object`; host_us */
    ITEM_FOLLOWS,      /* the thread goes on no earlier than thread `object` */
    ITEM_COLD,         /* the thread works host_us more where it stood wake_us or longer since it last queued; less, in part */
    ITEM_LOOP,         /* the items up to the matching ITEM_LOOP_END run `repeat` times */
    ITEM_LOOP_END,
} ItemKind;

typedef struct Item {
    uint8_t kind;
    uint8_t thread;  /* below TimelineSetup.threads */
    uint16_t stream; /* below TimelineSetup.streams */
    uint32_t object; /* event, other thread; ITEM_LOOP: index of its ITEM_LOOP_END */
    uint32_t site;   /* 0 = belongs to none; leaves with its site */
    double repeat;   /* need not be whole: an average of turns; below 0 counts as 0 */
    double host_us, gpu_us, wake_us;
    double moved_us; /* of a wait: so long of host_us takes what it copies */
} Item;

typedef struct TimelineSetup {
    double launch_latency_us;
    double queue_launches;                    /* per stream; 0 = no bound */
    uint32_t threads, streams, events, sites; /* how many of each; sites counts the unused 0 */
    uint32_t turns, warm_up;                  /* replayed at most, and dropped of those; 0 = 6 and 2 */
} TimelineSetup;

/* Per item and turn, averaged over the steady turns. */
typedef struct ItemTime {
    double blocked_us; /* time its thread stood in the wait, all repeats, the ready part included */
    double gap_us;     /* GPU idle between the work waited for and the first launch after it on its stream */
} ItemTime;

typedef struct TurnTime {
    double turn_us;
    double host_busy_us; /* threads' own work, waits' ready part included */
    double gpu_busy_us;  /* all streams */
} TurnTime;

typedef struct Timeline Timeline; /* clocks and queues, reused from replay to replay */

/* A site whose waits do not wait any more, and what the replay tells of that. */
typedef struct TimelineFreed {
    bool is, later;   /* later: what it copies takes the thread as long at another time */
    bool open;        /* its thread has not waited since */
    bool waited;      /* ... but has so after another turn's */
    double behind_us; /* the stream was so far behind the thread there */
    double since_us;  /* the thread's clock there */
    double copied_us; /* that the thread need not stand for */
    double ahead_us;  /* the most that the thread gets ahead of the stream by it, before it waits again */
} TimelineFreed;

/* What is left out or moved. removed may be NULL; moved_site 0 = none: its items run once, at the end of the turn. */
typedef struct TimelineChange {
    const bool *removed; /* [sites] */
    uint32_t moved_site;
    TimelineFreed *freed; /* [freed_count] sites; NULL = none */
    uint32_t freed_count;
} TimelineChange;

/* Where the clocks stood behind a wait of the last turn, since that turn began. Of an item. */
typedef struct TimelineMark {
    double thread_us, stream_us;
    double stood_us; /* in waits since anything was queued */
    bool set;       /* false: no wait, or it did not run */
    bool unsettled; /* an inner loop, extrapolated from turns that were not alike: nothing follows from it */
} TimelineMark;

/* A replay as it was, to ask what one change does to it. */
typedef struct TimelineSteady {
    const Item *items;
    uint32_t count;
    TimelineMark *marks; /* [count] outside inner loops */
    TimelineMark *inner; /* [count][TIMELINE_LOOP_TURNS] directly in an inner loop, in each of its turns */
    double turn_us;      /* the last */
    double idle_us;      /* a stream that is so far behind the thread delays nothing */
    double cold_us;      /* a thread that stood longer is no colder */
    bool steady;         /* the last two turns were alike */
} TimelineSteady;

/* Items from..until of the turn, whole inner loops, are what a change is about; of one inner loop, items
   inner_from..inner_until of its turn, again with whole loops. */
typedef struct TimelineRange {
    uint32_t from, until, inner_from, inner_until;
} TimelineRange;

Timeline *timeline_new(Arena *result, const TimelineSetup *setup);
/* times may be NULL, else holds count records. Loops must nest. Deterministic; allocates nothing. */
TurnTime timeline_replay(Timeline *timeline, const Item *items, uint32_t count, TimelineChange change,
                         ItemTime *times);

/* One turn of a replay that is steady; drawing->arena is given. Of an inner loop all turns behind the first few are one bar, drawn as busy as those were. */
void timeline_draw(Timeline *timeline, const Item *items, uint32_t count, TimelineChange change,
                   TimelineDrawing *drawing);

/* The same replay, of one thread and one stream, that also fills `steady`: its items and count are given, its marks have
   room. times is not NULL. */
TurnTime timeline_record(Timeline *timeline, TimelineSteady *steady, TimelineChange change, ItemTime *times);
/* How much later the turn ends under another change, which differs in `range` only: run from the wait before the range
   until, behind a later wait, the clocks stand to each other as they did. All that follows is as it was, so this is what
   each turn gains or loses; in an inner loop likewise in each of its turns. false: they do not within a turn, a whole
   replay is needed. times: as above, of the range. */
bool timeline_shift(Timeline *timeline, const TimelineSteady *steady, TimelineChange change, TimelineRange range,
                    ItemTime *times, double *later_us);

#endif
