#include "clean_host.h"
#include "median.h"
#include <math.h>
#include <stdlib.h>

enum {
    KEYS = 256,    /* distinct watched calls; further ones are ignored */
    LEAST = 4,     /* times that clean steps must show a stretch */
    THREADS = 256, /* range of TraceCall.thread */
    NO_KEY = KEYS,
};

/* The calls of one kind on one line. */
typedef struct Key {
    uint32_t stack;
    Text name;
} Key;

/* A sample: the time of a stretch from one key to another, or of a call of one key. */
typedef struct Took {
    uint32_t pair; /* from * KEYS + to; of a call, its key */
    double us;
} Took;

typedef VEC(Took) Tooks;

/* The factor for one pair, or key. */
typedef struct Share {
    uint32_t pair;
    double share;
} Share;

typedef VEC(Share) Shares;

typedef struct Finder {
    Arena *scratch;
    TracedRun *run;
    const Recorded *recorded;
    Key keys[KEYS];
    uint32_t key_count;
    bool mine[THREADS]; /* threads of the chain */
    Tooks clean[2], burst[2];
    Shares shares[2];
} Finder;

enum { STRETCHES, CALLS }; /* index into clean, burst and shares */

/* ---- keys ---- */

static uint32_t key_of(const Finder *self, uint32_t stack, Text name) {
    for (uint32_t i = 0; i < self->key_count; i++)
        if (self->keys[i].stack == stack && text_equal(self->keys[i].name, name)) return i;
    return NO_KEY;
}

static uint32_t key_of_call(Finder *self, const TraceCall *call) {
    Text name = names_text(&self->run->trace->names, call->name);
    uint32_t key = key_of(self, call->stack, name);
    if (key == NO_KEY && self->key_count < KEYS) self->keys[key = self->key_count++] = (Key){call->stack, name};
    return key;
}

/* A call nested in another one ends no stretch. */
static bool ends_stretch(const RunCall *call) {
    return call->call->watched && call->start_us <= call->call->start_us;
}

/* ---- clean steps ---- */

static int by_start(const void *a, const void *b) {
    const RecordedCall *x = a, *y = b;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

static void see_clean(Finder *self, RecordedWindow window, const RecordedCall *calls, uint32_t count) {
    const Recorded *recorded = self->recorded;
    uint32_t before = NO_KEY;
    uint64_t end_ns = window.from_ns;
    for (uint32_t i = 0; i < count; i++) {
        const RecordedCall *call = &calls[i];
        bool within = call->start_ns >= end_ns && call->end_ns < window.to_ns;
        if (!within || !self->mine[call->thread] || call->name >= recorded->texts.count) continue;
        uint32_t key = key_of(self, call->stack, recorded->texts.items[call->name]);
        double us = (double)(call->start_ns - end_ns) * 1e-3,
               own_us = (double)(call->end_ns - call->start_ns) * 1e-3;
        if (before != NO_KEY && key != NO_KEY)
            vec_push(self->scratch, &self->clean[STRETCHES], ((Took){before * KEYS + key, us}));
        if (key != NO_KEY) vec_push(self->scratch, &self->clean[CALLS], ((Took){key, own_us}));
        before = key, end_ns = call->end_ns;
    }
}

static void see_all_clean(Finder *self) {
    const Recorded *recorded = self->recorded;
    uint32_t count = recorded->calls.count;
    RecordedCall *calls = arena_copy(self->scratch, recorded->calls.items, sizeof *calls * count);
    qsort(calls, count, sizeof *calls, by_start);
    for (uint32_t i = 0; i < recorded->clean.count; i++)
        see_clean(self, recorded->clean.items[i], calls, count);
}

/* ---- the burst ---- */

/* The call blocked on a full queue, which clean steps may not show. */
static bool stood(const RunCall *call) { return call->call->end_us - call->start_us > call->own_us + 1; }

typedef struct Stretch {
    uint32_t from, to;   /* keys */
    uint32_t first, end; /* its calls: includes the gap before each, and every call but the last */
    double us;
    bool unlike; /* it has a wait or a full queue in it */
    bool
        part; /* the first of the window, cut off at its start: its time is added to the last, which it continues */
} Stretch;

typedef VEC(Stretch) Stretches;

static Stretches find_stretches(Finder *self) {
    TracedRun *run = self->run;
    Stretches stretches = {0};
    Stretch now = {.from = NO_KEY};
    for (uint32_t i = 0; i < run->count; i++) {
        const RunCall *call = &run->calls[i];
        now.us += call->usual_gap_us;
        if (!ends_stretch(call)) {
            now.us += call->wait ? 0 : call->usual_own_us;
            now.unlike |= call->wait || stood(call);
            continue;
        }
        now.to = key_of_call(self, call->call), now.end = i + 1;
        vec_push(self->scratch, &stretches, now);
        now = (Stretch){.from = now.to, .first = i + 1};
    }
    now.end = run->count, now.us += run->tail_us[0];
    if (!stretches.count) return stretches;
    Stretch *first = &stretches.items[0];
    now.to = first->to, now.us += first->us, now.unlike |= first->unlike;
    first->from = now.from, first->unlike = now.unlike, first->part = true;
    vec_push(self->scratch, &stretches, now);
    return stretches;
}

static void see_burst(Finder *self, const Stretches *stretches) {
    for (uint32_t i = 0; i < stretches->count; i++) {
        const Stretch *stretch = &stretches->items[i];
        if (stretch->from != NO_KEY && stretch->to != NO_KEY && !stretch->unlike && !stretch->part)
            vec_push(self->scratch, &self->burst[STRETCHES],
                     ((Took){stretch->from * KEYS + stretch->to, stretch->us}));
    }
    for (uint32_t i = 0; i < self->run->count; i++) {
        const RunCall *call = &self->run->calls[i];
        if (ends_stretch(call) && !call->wait && !stood(call))
            vec_push(self->scratch, &self->burst[CALLS],
                     ((Took){key_of_call(self, call->call), call->usual_own_us}));
    }
}

/* ---- shares ---- */

static double mean_of(const Tooks *tooks, uint32_t pair, uint32_t *count) {
    double sum_us = 0;
    *count = 0;
    for (uint32_t i = 0; i < tooks->count; i++)
        if (tooks->items[i].pair == pair) sum_us += tooks->items[i].us, ++*count;
    return *count ? sum_us / *count : 0;
}

/* The mean of the middle half. */
static double usual_of(double *values, uint32_t count) {
    uint32_t off = count / 4, kept = count - 2 * off;
    double sum = 0;
    (void)median_of(values, count, 0); /* sorts */
    for (uint32_t i = off; i < off + kept; i++) sum += values[i];
    return kept ? sum / kept : 0;
}

/* Sums as many consecutive samples as a step has: iterations of an inner loop differ, steps are alike. */
static double usual_in(const Tooks *tooks, uint32_t pair, uint32_t in_step, double *values, uint32_t *count) {
    uint32_t sums = 0;
    double sum_us = 0;
    *count = 0;
    for (uint32_t i = 0; i < tooks->count; i++)
        if (tooks->items[i].pair == pair) values[(*count)++] = tooks->items[i].us;
    for (uint32_t i = 0; i < *count; i++) {
        sum_us += values[i];
        if (i + 1 < in_step) continue;
        double oldest_us = values[i + 1 - in_step];
        values[sums++] = sum_us / in_step; /* in place: the oldest sample has been read */
        sum_us -= oldest_us;
    }
    return usual_of(values, sums);
}

static double share_of(const Shares *shares, uint32_t pair) {
    for (uint32_t i = 0; i < shares->count; i++)
        if (shares->items[i].pair == pair) return shares->items[i].share;
    return 0;
}

/* Factors are clamped: recording never makes a stretch many times slower or faster. */
static void find_shares(Finder *self, int what) {
    static const double least = 0.1, most = 1.25;
    const Tooks *clean = &self->clean[what], *burst = &self->burst[what];
    double *values = arena_new(self->scratch, double, clean->count + burst->count + 1);
    Shares *shares = &self->shares[what];
    for (uint32_t i = 0; i < burst->count; i++) {
        uint32_t pair = burst->items[i].pair, seen;
        if (share_of(shares, pair) != 0) continue;
        double recorded_us = mean_of(burst, pair, &seen);
        uint32_t in_step = (seen + self->run->steps / 2) / self->run->steps;
        double clean_us = usual_in(clean, pair, in_step ? in_step : 1, values, &seen);
        bool known = seen >= LEAST + in_step && recorded_us > 0;
        double share = known ? fmin(fmax(clean_us / recorded_us, least), most) : -1;
        vec_push(self->scratch, shares, ((Share){pair, share}));
    }
}

static void apply(Finder *self, const Stretches *stretches) {
    for (uint32_t i = 0; i < stretches->count; i++) {
        const Stretch *stretch = &stretches->items[i];
        double share = fmax(share_of(&self->shares[STRETCHES], stretch->from * KEYS + stretch->to), 0);
        if (stretch->unlike || stretch->from == NO_KEY || stretch->to == NO_KEY) share = 0;
        if (i + 1 == stretches->count) self->run->clean_tail = share;
        for (uint32_t k = stretch->first; k < stretch->end; k++) {
            RunCall *call = &self->run->calls[k];
            call->clean_gap = share, call->clean_own = share;
            if (ends_stretch(call))
                call->clean_own = fmax(share_of(&self->shares[CALLS], key_of_call(self, call->call)), 0);
        }
    }
}

void clean_host_find(TracedRun *run, const Recorded *recorded) {
    Arena scratch = {0};
    if (run->chains > 1 || !recorded->clean.count || !recorded->calls.count) return;
    Finder *self = arena_new(&scratch, Finder, 1);
    self->scratch = &scratch, self->run = run, self->recorded = recorded;
    for (uint32_t i = 0; i < run->count; i++) self->mine[run->calls[i].call->thread % THREADS] = true;
    Stretches stretches = find_stretches(self);
    see_burst(self, &stretches);
    see_all_clean(self);
    find_shares(self, STRETCHES);
    find_shares(self, CALLS);
    apply(self, &stretches);
    arena_free(&scratch);
}
