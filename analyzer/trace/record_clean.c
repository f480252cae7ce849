#include "median.h"
#include "record_read.h"
#include <math.h>

enum { KEYS = 256, PARTS = 8 };

/* The calls of one kind on one line, and how often each step of the burst makes them. */
typedef struct Key {
    uint32_t stack;
    Sym name;
    uint32_t *times; /* [step] */
    uint32_t seen;
} Key;

typedef struct Keys {
    Arena *scratch;
    Key items[KEYS];
    uint32_t count, steps;
} Keys;

static Key *key_of(Keys *keys, uint32_t stack, Sym name) {
    for (uint32_t i = 0; i < keys->count; i++)
        if (keys->items[i].stack == stack && keys->items[i].name == name) return &keys->items[i];
    if (keys->count == KEYS) return NULL;
    uint32_t *times = arena_new(keys->scratch, uint32_t, keys->steps);
    Key *fresh = &keys->items[keys->count++];
    *fresh = (Key){stack, name, times, 0};
    return fresh;
}

static void count_keys(Keys *keys, const Trace *trace, const Steps *steps) {
    uint32_t step = 0;
    for (uint32_t i = 0; i < trace->calls.count; i++) {
        const TraceCall *call = trace_call(trace, i);
        while (step < steps->count && call->start_us >= steps->starts_us[step + 1]) step++;
        if (step == steps->count) break;
        if (!call->stack || call->start_us < steps->starts_us[0]) continue;
        Key *key = key_of(keys, call->stack, call->name);
        if (key) key->times[step]++, key->seen++;
    }
}

/* The number that at least four in five steps made; else 0. */
static uint32_t usual_times(const Keys *keys, const Key *key) {
    uint32_t usual = (key->seen + keys->steps / 2) / keys->steps, alike = 0;
    for (uint32_t i = 0; i < keys->steps; i++) alike += key->times[i] == usual;
    return 5 * alike >= 4 * keys->steps ? usual : 0;
}

typedef struct Samples {
    double *items;
    uint32_t count;
} Samples;

typedef struct Calls {
    const Recorded *recorded;
    uint64_t *ends_ns; /* when calls of the key ended, in order */
    uint32_t count;
    Samples samples;
} Calls;

static void find_ends(Calls *self, uint32_t stack, Text name) {
    const Recorded *recorded = self->recorded;
    self->count = 0;
    for (uint32_t i = 0; i < recorded->calls.count; i++) {
        const RecordedCall *call = &recorded->calls.items[i];
        if (call->stack != stack || call->name >= recorded->texts.count) continue;
        if (text_equal(recorded->texts.items[call->name], name)) self->ends_ns[self->count++] = call->end_ns;
    }
}

/* Samples the time from each call to the same call of the next step. */
static void sample(Calls *self, RecordedWindow window, uint32_t times) {
    for (uint32_t i = 0; i + times < self->count; i++)
        if (self->ends_ns[i] >= window.from_ns && self->ends_ns[i + times] < window.to_ns)
            self->samples.items[self->samples.count++] =
                (double)(self->ends_ns[i + times] - self->ends_ns[i]) * 1e-3;
}

static void sample_all(Calls *self, const RecordedWindow *windows, uint32_t count, uint32_t times) {
    self->samples.count = 0;
    for (uint32_t i = 0; i < count; i++) sample(self, windows[i], times);
}

/* The mean of the middle half, so that occasional delays and the start of a run do not count. */
static double usual_of(Samples *samples) {
    uint32_t off = samples->count / 4, kept = samples->count - 2 * off;
    double sum_us = 0;
    (void)median_of(samples->items, samples->count, 0); /* sorts */
    for (uint32_t i = off; i < off + kept; i++) sum_us += samples->items[i];
    return kept ? sum_us / kept : 0;
}

/* Successive steps are correlated, so the spread of single steps is too small an estimate: uses the spread of
   eight blocks. */
static double standard_error(const Samples *samples) {
    double means_us[PARTS], mean_us = 0, squares = 0;
    uint32_t each = samples->count / PARTS;
    if (!each) return 0;
    for (uint32_t part = 0; part < PARTS; part++) {
        means_us[part] = usual_of(&(Samples){samples->items + (size_t)part * each, each});
        mean_us += means_us[part] / PARTS;
    }
    for (uint32_t part = 0; part < PARTS; part++)
        squares += (means_us[part] - mean_us) * (means_us[part] - mean_us);
    return sqrt(squares / (PARTS * (PARTS - 1)));
}

static RecordedSteps steps_by(Calls *calls, uint32_t times, uint32_t *seen) {
    const Recorded *recorded = calls->recorded;
    RecordedSteps found = {0};
    sample_all(calls, recorded->works.items, recorded->works.count, times);
    found.works_us = usual_of(&calls->samples);
    sample_all(calls, recorded->clean.items, recorded->clean.count, times);
    found.off_us = standard_error(&calls->samples); /* before the samples are sorted */
    found.clean_us = usual_of(&calls->samples);
    *seen = calls->samples.count / times;
    return found;
}

RecordedSteps record_steps(const Recorded *recorded, const Trace *burst, const Steps *steps) {
    Arena scratch = {0};
    Keys *keys = arena_new(&scratch, Keys, 1);
    uint32_t room = recorded->calls.count + 1, most = 0, seen = 0;
    Calls calls = {recorded, arena_new(&scratch, uint64_t, room), 0, {arena_new(&scratch, double, room), 0}};
    RecordedSteps best = {0};
    keys->scratch = &scratch, keys->steps = steps->count;
    count_keys(keys, burst, steps);
    for (uint32_t i = 0; i < keys->count; i++) {
        const Key *key = &keys->items[i];
        uint32_t times = usual_times(keys, key);
        if (!times) continue;
        find_ends(&calls, key->stack, names_text(&burst->names, key->name));
        RecordedSteps found = steps_by(&calls, times, &seen);
        if (seen > most) most = seen, best = found;
    }
    arena_free(&scratch);
    return best;
}
