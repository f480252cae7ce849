#ifndef SYNCL_LEDGER_H
#define SYNCL_LEDGER_H
/* What a trace says of the findings: the traced run replayed with every wait in, which must give the traced step time,
   and again without one site, or several. Takes a trace file, the program and its findings, const; owned by the arena.
   Times are microseconds a step. Fails with one clear line in *error when the file is no trace that can be read; a trace
   that can be read but not believed has a `distrust`, and its prices are not to be used. */
#include "belonging.h"
#include "cost.h"
#include "join.h"
#include "record_read.h"
#include "segments.h"

/* What a step gets shorter by: what the trace says, and the range in which a measurement is to be expected. */
typedef struct Saving {
    double us;
    CostRange range;
    double off_us; /* how far the spread of the steps moves it */
} Saving;

typedef struct TracedSite {
    bool seen;
    bool in_library;     /* the wait itself stands in Python code that was not analysed */
    bool added;          /* it came into the source after the recording: replayed in what was kept of that */
    double times;        /* waits a step */
    Saving saving;       /* this one alone removed, its own work too */
    double blocked_us;   /* the host stood there */
} TracedSite;

/* Waits of a kind without a finding. */
typedef struct TracedOther {
    WaitKind kind;
    Text where;          /* what the trace knows: operator, Python function, call */
    double times, saving_us, blocked_us;
} TracedOther;

/* One of several recordings of a script (recordings.h). */
typedef struct Recording {
    const struct Ledger *ledger;
    Text left_out; /* why the average does without it; empty = it counts */
    Text remark;   /* what its steps do unlike the others'; may be empty */
    bool priced;   /* prices are the average of those that are */
} Recording;

typedef struct Ledger {
    Text path;
    Text how;            /* "5 steps by ProfilerStep marks" */
    Text distrust;       /* why the trace can't be trusted; empty = it can */
    uint32_t steps;
    double step_us, replayed_us; /* as traced, and as replayed with everything in */
    double clean_us;     /* replayed without what recording added */
    double scale;        /* of the replay's time to the step time that is given; 1 = none is */
    double measured_us;  /* a step without recording, as it was measured; 0 = it was not */
    double measured_off_us; /* what as many other steps would say may be so far from it */
    double shared_us;    /* replayed like clean_us, with the GPU shared as it was; 0 = nobody shared it */
    double works_us;     /* a step while the GPU's work was told and no call; 0 = not known */
    bool recorded;       /* by syncl record: each wait knows its line */
    bool stretch;        /* of a burst, not all of it */
    double host_us, gpu_us; /* busy */
    double run_ahead_us, blocked_us;
    double launch_us, launch_most_us; /* a recorded launch; what it takes at most where the profile was measured */
    Belonging belonging; /* to these sources */
    HotLoopId loop;      /* the loop that was traced, 0 = none of the findings' */
    HotLoopId part;      /* of the segment */
    const struct Ledger *next; /* of another loop of the same run; NULL = there is no more */
    TracedSite *sites;   /* [SiteId] */
    uint32_t site_count; /* with the unused 0 */
    VEC(TracedOther) others;
    const TracedRun *run;
    const Waits *waits;
    const Join *join;
    struct Replay *replay, *clean;
    struct Replay *longer; /* clean, of a step that takes measured_off_us longer, or with the GPU shared; NULL = neither is known */
    uint32_t *locals;    /* [SiteId] the number under which the replay knows it; 0 = not seen */
    uint32_t local_count;
    double apart, off;   /* shares of a price: one recording is from the next, all of them from the truth */
    bool listed;         /* prices alone, as they were kept (price_list.h): no run and no replay */
    double listed_us;    /* what all of them took off together */
    double listed_share; /* of what the kept step's replay takes off: bursts differ, and it is of one of them */
    const Recording *recordings; /* what this is the average of; the parts above without a unit are one's of them */
    uint32_t recording_count;    /* 0 = one trace */
} Ledger;

typedef struct LedgerInput {
    const char *path;
    const Program *program;
    const Rulebook *book;
    const Findings *findings;
    const Profile *profile;
    const Costs *assumed; /* without the trace */
    double step_time_us; /* a step without the profiler, 0 = not known */
    uint32_t steps;      /* in a trace; 0 = not known */
    const Recorded *recorded; /* the file is a recording, */
    TraceSegment segment;          /* and this part of it meant; NULL and none = a Chrome trace */
} LedgerInput;

Ledger *ledger_make(Arena *arena, const LedgerInput *input, Text *error);
/* What the run says of a site, in its own loop if that was recorded, else in the first that it was seen in; NULL = in none
   that can be trusted. */
const Ledger *ledger_of_site(const Ledger *first, const Findings *findings, SiteId site);
/* The loop's, or NULL; likewise trusted. */
const Ledger *ledger_of_loop(const Ledger *first, HotLoopId loop);
/* How much shorter a step gets without these sites: sites[SiteId]. */
Saving ledger_saving(const Ledger *ledger, const bool *sites);
double ledger_saving_all_us(const Ledger *ledger); /* without any of them */
/* What several recordings say of the same, as one. */
Saving ledger_average(const Ledger *ledger, const Saving *savings, uint32_t count);

#endif
