#ifndef SYNCL_LEDGER_H
#define SYNCL_LEDGER_H
/* What a trace says about the findings: the traced run is replayed with every wait, which must give the traced
   step time, and then without one site or several. Takes a trace file, the program and its findings; owned by
   the arena. Times are microseconds a step. Fails with one clear line in *error when the file is no readable
   trace. A readable trace that is not plausible has a `distrust`, and its prices must not be used. */
#include "belonging.h"
#include "cost.h"
#include "join.h"
#include "record_read.h"
#include "segments.h"

/* How much shorter a step gets: by the trace, and the range in which a measurement is to be expected. */
typedef struct Saving {
    double us;
    CostRange range;
    double off_us; /* uncertainty from the spread of the steps */
} Saving;

typedef struct TracedSite {
    bool seen;
    bool in_library;     /* the wait itself is in Python code that was not analysed */
    bool added;          /* it was added to the source after the recording, and replayed in the recorded step */
    double times;        /* waits a step */
    Saving saving;       /* by removing this site alone, with its own work */
    double blocked_us;   /* the host stood still there */
} TracedSite;

/* Waits of one kind that match no finding. */
typedef struct TracedOther {
    WaitKind kind;
    Text where;          /* the operator, Python function or call that the trace shows */
    double times, saving_us, blocked_us;
} TracedOther;

/* One of several recordings of a script (recordings.h). */
typedef struct Recording {
    const struct Ledger *ledger;
    Text left_out; /* why it is not part of the average; empty = it is */
    Text remark;   /* how its steps differ from the others'; may be empty */
    bool priced;   /* it counts for the prices, which are averages over such recordings */
} Recording;

typedef struct Ledger {
    Text path;
    Text how;            /* how steps were found: "5 steps by ProfilerStep marks" */
    Text distrust;       /* why the trace can't be trusted; empty = it can */
    uint32_t steps;
    double step_us, replayed_us; /* as traced, and as replayed with every wait */
    double clean_us;     /* replayed without what recording added */
    double scale;        /* a given step time over the replayed one; 1 = none is given */
    double measured_us;  /* measured step time without recording; 0 = not measured */
    double measured_off_us; /* its uncertainty: how far another sample of steps may be from it */
    double shared_us;    /* as clean_us, but with the GPU shared as it was; 0 = it was not shared */
    double works_us;     /* step time while only the GPU's work was recorded; 0 = unknown */
    bool recorded;       /* made by syncl record: each wait knows its line */
    bool stretch;        /* part of a burst only */
    double host_us, gpu_us; /* busy time */
    double run_ahead_us, blocked_us;
    double launch_us, launch_most_us; /* time of a recorded launch; the most it takes where the profile was measured */
    Belonging belonging; /* to these sources */
    HotLoopId loop;      /* the loop that was traced; 0 = none of the findings' */
    HotLoopId part;      /* loop of the segment that was replayed */
    const struct Ledger *next; /* ledger of another loop of the same run; NULL = none */
    TracedSite *sites;   /* [SiteId] */
    uint32_t site_count; /* counts the unused 0 */
    VEC(TracedOther) others;
    const TracedRun *run;
    const Waits *waits;
    const Join *join;
    struct Replay *replay, *clean;
    struct Replay *longer; /* as `clean`, with steps longer by measured_off_us or with the GPU shared; NULL =
                              neither is known */
    uint32_t *locals;    /* [SiteId]: its number in the replay; 0 = not seen */
    uint32_t local_count;
    double apart, off;   /* relative errors of a price: of one recording from the next, and of their average from
                            the truth */
    bool listed;         /* read from a price list (price_list.h): prices only, no run and no replay */
    double listed_us;    /* saving of all sites together */
    double listed_share; /* that saving over the one by the kept step's replay: bursts differ, and the step is from
                            one of them */
    const Recording *recordings; /* the recordings that this averages; fields above without a unit are from one of
                                    them */
    uint32_t recording_count;    /* 0 = a single trace */
} Ledger;

typedef struct LedgerInput {
    const char *path;
    const Program *program;
    const Rulebook *book;
    const Findings *findings;
    const Profile *profile;
    const Costs *assumed; /* prices without the trace */
    double step_time_us; /* step time without the profiler; 0 = unknown */
    uint32_t steps;      /* in a trace; 0 = unknown */
    const Recorded *recorded; /* the recording that `path` is, if it is one; */
    TraceSegment segment;          /* and the part of it to use. NULL and zeros = a Chrome trace */
} LedgerInput;

Ledger *ledger_make(Arena *arena, const LedgerInput *input, Text *error);
/* The ledger of a site: of its own loop if that was recorded, else the first in which it was seen. NULL = in
   none that can be trusted. */
const Ledger *ledger_of_site(const Ledger *first, const Findings *findings, SiteId site);
/* The trusted ledger of a loop, or NULL. */
const Ledger *ledger_of_loop(const Ledger *first, HotLoopId loop);
/* How much shorter a step gets without the sites marked in sites[SiteId]. */
Saving ledger_saving(const Ledger *ledger, const bool *sites);
double ledger_saving_all_us(const Ledger *ledger); /* without any of them */
/* Combines what several recordings say of the same sites. */
Saving ledger_average(const Ledger *ledger, const Saving *savings, uint32_t count);

#endif
