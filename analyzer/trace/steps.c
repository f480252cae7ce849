#include "steps.h"
#include "median.h"
#include <math.h>

/* More launches tell nothing new about the period. */
enum { LOOKED_AT = 400000, CANDIDATES = 48, LEAST_PERIOD = 3, ALIKE = 6 };

/* The launches of a trace in order, each by a name that recurs in each step. */
typedef struct Launches {
    uint32_t count;
    uint32_t *names; /* Sym of the queued work's name */
    uint32_t *calls; /* index of its call */
} Launches;

static Steps *steps_new(Arena *arena, uint32_t count) {
    Steps *steps = arena_new(arena, Steps, 1);
    steps->count = count;
    steps->starts_us = arena_new(arena, double, count + 1);
    return steps;
}

static Steps *by_marks(Arena *arena, const Trace *trace) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < trace->spans.count; i++) count += trace_span(trace, i)->kind == SPAN_STEP;
    Steps *steps = steps_new(arena, count);
    count = 0;
    for (uint32_t i = 0; i < trace->spans.count; i++) {
        const TraceSpan *span = trace_span(trace, i);
        if (span->kind != SPAN_STEP) continue;
        steps->starts_us[count++] = span->start_us;
        steps->starts_us[count] = span->end_us;
    }
    steps->how = text_format(arena, "%u steps by ProfilerStep marks", count);
    return steps;
}

static Launches launches_of(Arena *arena, const Trace *trace) {
    uint32_t room = trace->calls.count < LOOKED_AT ? trace->calls.count : LOOKED_AT;
    Launches launches = {0, arena_new(arena, uint32_t, room), arena_new(arena, uint32_t, room)};
    for (uint32_t i = 0; i < trace->calls.count && launches.count < room; i++) {
        uint32_t count, first = trace_links(trace, trace_call(trace, i)->correlation, &count);
        if (!count) continue;
        launches.names[launches.count] = trace_linked(trace, first)->name;
        launches.calls[launches.count++] = i;
    }
    return launches;
}

/* The fraction of launches that equal the launch one period later. */
static double likeness(const Launches *launches, uint32_t period) {
    uint32_t same = 0, all = launches->count - period;
    for (uint32_t i = 0; i < all; i++) same += launches->names[i] == launches->names[i + period];
    return (double)same / all;
}

/* The median distance, in launches, between optimizer steps: PyTorch's optimizers queue kernels of a known name
   after another thread queued the backward pass. 0 = the launches do not show it. Better than recurrence alone:
   logging each ten steps recurs as well. */
static uint32_t between_optimizers(Arena *scratch, const Trace *trace, const Launches *launches) {
    bool *steps = arena_new(scratch, bool, trace->names.texts.count + 1), backward = false;
    double *apart = arena_new(scratch, double, launches->count + 1);
    uint32_t count = 0, last = UINT32_MAX, thread = 0;
    for (uint32_t name = 1; name < trace->names.texts.count; name++)
        steps[name] = text_holds(names_text(&trace->names, name), "multi_tensor_apply");
    for (uint32_t i = 0; i < launches->count; i++) {
        uint32_t now = trace_call(trace, launches->calls[i])->thread;
        if (!steps[launches->names[i]] || (last != UINT32_MAX && now != thread)) {
            backward |= now != thread;
            continue;
        }
        if (backward && last != UINT32_MAX) apart[count++] = i - last;
        if (backward || last == UINT32_MAX) last = i;
        thread = now, backward = false;
    }
    return count > 1 ? (uint32_t)median_of(apart, count, 0) : 0;
}

/* A period is the distance between two neighbours of one name; rare names give likely candidates. The distance
   between optimizer steps wins, whatever else recurs more evenly. */
static uint32_t best_period(Arena *scratch, const Trace *trace, const Launches *launches) {
    static const double least = 0.75;
    uint32_t name_count = trace->names.texts.count, shown = between_optimizers(scratch, trace, launches);
    uint32_t *last = arena_new(scratch, uint32_t, name_count + 1), tried[CANDIDATES], tries = 0, best = 0;
    uint32_t *times = arena_new(scratch, uint32_t, name_count + 1);
    double most = 0;
    if (shown >= LEAST_PERIOD && shown <= launches->count / 2 && likeness(launches, shown) >= least)
        return shown;
    for (uint32_t i = 0; i < launches->count; i++) times[launches->names[i]]++;
    for (uint32_t rare = 2; rare <= 64 && tries < CANDIDATES; rare++) {
        memset(last, 0, sizeof *last * (name_count + 1));
        for (uint32_t i = 0; i < launches->count && tries < CANDIDATES; i++) {
            uint32_t name = launches->names[i], before = last[name];
            last[name] = i + 1;
            if (times[name] != rare || !before) continue;
            uint32_t period = i + 1 - before, known = 0;
            while (known < tries && tried[known] != period) known++;
            if (known < tries || period < LEAST_PERIOD || period > launches->count / 2) continue;
            tried[tries++] = period;
            double like = likeness(launches, period);
            if (like > most + 0.01 || (like > most - 0.01 && period < best)) best = period;
            if (like > most) most = like;
        }
    }
    return most >= least ? best : 0;
}

/* For steps with a varying number of launches: the name that recurs most evenly in time. */
static uint32_t best_anchor(Arena *scratch, const Trace *trace, const Launches *launches) {
    uint32_t names = trace->names.texts.count + 1, best = 0;
    double *first = arena_new(scratch, double, names), *last = arena_new(scratch, double, names);
    double *squares = arena_new(scratch, double, names), most_even = 0.2;
    uint32_t *times = arena_new(scratch, uint32_t, names);
    for (uint32_t i = 0; i < launches->count; i++) {
        uint32_t name = launches->names[i];
        double now = trace_call(trace, launches->calls[i])->start_us;
        if (times[name]++) squares[name] += (now - last[name]) * (now - last[name]);
        if (times[name] == 1) first[name] = now;
        last[name] = now;
    }
    for (uint32_t name = 1; name < names; name++) {
        if (times[name] < 3 || times[name] > 64) continue;
        double mean = (last[name] - first[name]) / (times[name] - 1);
        double uneven = sqrt(fmax(squares[name] / (times[name] - 1) - mean * mean, 0)) / mean;
        if (uneven < most_even) most_even = uneven, best = name;
    }
    return best;
}

/* The host's own time before a launch, in which its thread makes no CUDA call. */
static double pause_before(const Trace *trace, const Launches *launches, uint32_t index) {
    const TraceCall *launch = trace_call(trace, launches->calls[index]);
    uint32_t from = launches->calls[index - 1];
    double pause = launch->start_us - trace_call(trace, from)->end_us;
    for (uint32_t i = from + 1; i < launches->calls[index]; i++) {
        const TraceCall *call = trace_call(trace, i);
        if (call->thread == launch->thread) pause -= call->end_us - call->start_us;
    }
    return pause;
}

/* A step starts after the longest of these pauses, where data is loaded. */
static uint32_t best_phase(const Trace *trace, const Launches *launches, uint32_t period) {
    uint32_t best = 0;
    double longest = -1;
    for (uint32_t phase = 0; phase < period; phase++) {
        double pause = 0;
        for (uint32_t i = phase ? phase : period; i < launches->count; i += period)
            pause += pause_before(trace, launches, i);
        if (pause > longest) longest = pause, best = phase;
    }
    return best;
}

static bool begins_alike(const Launches *launches, uint32_t a, uint32_t b) {
    for (uint32_t i = 0; i < ALIKE; i++)
        if (b + i >= launches->count || launches->names[a + i] != launches->names[b + i]) return false;
    return true;
}

/* One period after `at`, or the nearest place where the launches are like those at `first`: a step may have
   logged something. */
static uint32_t next_start(const Launches *launches, uint32_t first, uint32_t at, uint32_t period) {
    for (uint32_t off = 0; off <= period / 8 && at + period < launches->count; off++) {
        if (begins_alike(launches, first, at + period + off)) return at + period + off;
        if (begins_alike(launches, first, at + period - off)) return at + period - off;
    }
    return at + period;
}

static Steps *by_period(Arena *arena, const Trace *trace, const Launches *launches, uint32_t period) {
    uint32_t first = best_phase(trace, launches, period), count = 0;
    Steps *steps = steps_new(arena, 2 * (launches->count / period + 1));
    for (uint32_t at = first; at < launches->count; at = next_start(launches, first, at, period))
        steps->starts_us[count++] = trace_call(trace, launches->calls[at])->start_us;
    steps->count = count = count ? count - 1 : 0;
    steps->how = text_format(arena, "%u steps by a sequence of %u launches that recurs", count, period);
    return steps;
}

static Steps *by_anchor(Arena *arena, const Trace *trace, const Launches *launches, uint32_t anchor) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < launches->count; i++) count += launches->names[i] == anchor;
    Steps *steps = steps_new(arena, count - 1);
    count = 0;
    for (uint32_t i = 0; i < launches->count; i++)
        if (launches->names[i] == anchor)
            steps->starts_us[count++] = trace_call(trace, launches->calls[i])->start_us;
    steps->how = text_format(arena, "%u steps by a launch that recurs evenly", steps->count);
    return steps;
}

/* Finds the period from rare names. Of a trace with hundreds of steps only a part is examined. */
static Steps *by_recurrence(Arena *arena, const Trace *trace) {
    enum { FEWER = 4, LEAST = 64, PART_STEPS = 8 };
    Arena scratch = {0};
    Launches launches = launches_of(&scratch, trace);
    uint32_t period = 0, anchor = 0, all = launches.count;
    for (; !period && launches.count > 2 * LEAST_PERIOD; launches.count /= FEWER) {
        period = best_period(&scratch, trace, &launches);
        if (launches.count < all && launches.count / PART_STEPS < period) period = 0;
        if (period || launches.count / FEWER < LEAST) break;
    }
    Steps *steps = period ? by_period(arena, trace, &launches, period) : NULL;
    for (launches.count = all; !steps && !anchor && launches.count > LEAST_PERIOD; launches.count /= FEWER) {
        anchor = best_anchor(&scratch, trace, &launches);
        if (anchor) steps = by_anchor(arena, trace, &launches, anchor);
    }
    arena_free(&scratch);
    return steps;
}

/* ---- a given number of steps ---- */

typedef struct Count {
    const Trace *trace;
    const Launches *launches;
    uint32_t name, every; /* a step begins at every so many works of that name */
} Count;

/* The total pause of the host before the steps, if they begin so; negative: the steps are uneven. */
static double pauses(const Count *self, uint32_t phase, double *starts_us) {
    uint32_t seen = 0, count = 0, last = 0;
    double pause_us = 0, squares = 0, mean = 0;
    for (uint32_t i = 0; i < self->launches->count; i++) {
        if (self->launches->names[i] != self->name || seen++ % self->every != phase) continue;
        double apart = i - last;
        if (i) pause_us += pause_before(self->trace, self->launches, i);
        if (count) mean += apart, squares += apart * apart;
        starts_us[count++] = trace_call(self->trace, self->launches->calls[i])->start_us, last = i;
    }
    if (count < 3) return -1;
    mean /= count - 1, squares /= count - 1;
    return squares - mean * mean <= 0.04 * mean * mean ? pause_us : -1;
}

/* Of the works that occur once in each step, or a whole number of times, the one with the longest pauses before
   it begins the step. */
static Steps *by_count(Arena *arena, const Trace *trace, uint32_t given, Text *error) {
    Arena scratch = {0};
    Launches launches = launches_of(&scratch, trace);
    uint32_t *times = arena_new(&scratch, uint32_t, trace->names.texts.count + 1), tries = 0;
    double *starts_us = arena_new(&scratch, double, launches.count + 1), longest = -1;
    Steps *steps = steps_new(arena, given);
    for (uint32_t i = 0; i < launches.count; i++) times[launches.names[i]]++;
    for (uint32_t name = 1; name <= trace->names.texts.count && tries < CANDIDATES; name++) {
        Count count = {trace, &launches, name, times[name] / given};
        if (!count.every || times[name] % given) continue;
        for (uint32_t phase = 0; phase < count.every && tries < CANDIDATES; phase++, tries++) {
            double pause_us = pauses(&count, phase, starts_us);
            if (pause_us <= longest) continue;
            longest = pause_us;
            memcpy(steps->starts_us, starts_us, sizeof *starts_us * given);
        }
    }
    arena_free(&scratch);
    steps->count = given - 1;
    steps->how = text_format(arena, "%u whole steps of the %u that are given", given - 1, given);
    if (longest >= 0) return steps;
    *error =
        text_format(arena,
                    "nothing that the GPU does comes %u times, evenly, in the trace: --trace-steps is how many "
                    "steps it holds",
                    given);
    return NULL;
}

Steps *steps_find(Arena *arena, const Trace *trace, uint32_t given, Text *error) {
    Steps *steps = trace->has_steps ? by_marks(arena, trace) : NULL;
    if (given && (!steps || steps->count != given)) return by_count(arena, trace, given, error);
    if (!steps || steps->count < 2) steps = by_recurrence(arena, trace);
    if (steps && steps->count >= 2) return steps;
    *error = TEXT("fewer than two whole steps can be told apart in the trace: record at least three, and call "
                  "profiler.step() in each (see syncl trace-help)");
    return NULL;
}
