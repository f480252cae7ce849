#include "recordings.h"
#include "median.h"
#include "moved_lines.h"
#include "path.h"
#include "price_list.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef VEC(const char *) Files;

typedef struct Recordings {
    Arena *arena;
    VEC(Recording) made;
    Recording *items; /* the result, once all are made */
    uint32_t count;
    Ledger *average;
} Recordings;

static bool counts(const Recording *recording) { return recording->left_out.length == 0; }

/* ---- files ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool is_folder(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Only a regular file may be peeked at: a pipe's bytes would be lost. */
static bool is_file(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* By name alone; trace_read judges the contents. */
static bool is_trace(Text name) {
    return text_ends(name, TEXT(".json")) || text_ends(name, TEXT(".json.gz")) ||
           text_ends(name, TEXT(".syncl")) || text_ends(name, TEXT(".syncl.gz"));
}

static void add_folder(Arena *arena, Files *files, const char *folder, Text *error) {
    uint32_t first = files->count;
    DIR *stream = opendir(folder);
    const char *why =
        stream ? "a folder without traces (*.json, *.json.gz) or recordings (*.syncl)" : strerror(errno);
    for (struct dirent *entry; stream && (entry = readdir(stream));)
        if (is_trace(text_of(entry->d_name))) {
            Text path = path_join(arena, text_of(folder), text_of(entry->d_name));
            vec_push(arena, files, path_terminated(arena, path));
        }
    if (stream) closedir(stream);
    if (files->count > first)
        qsort(files->items + first, files->count - first, sizeof(char *), by_name);
    else
        *error = text_format(arena, "%s: %s", folder, why);
}

const char *const *recordings_files(Arena *arena, const char *const *given, uint32_t *count, Text *error) {
    Files files = {0};
    for (uint32_t i = 0; i < *count; i++) {
        if (is_folder(given[i]))
            add_folder(arena, &files, given[i], error);
        else
            vec_push(arena, &files, given[i]);
    }
    if (files.count > RECORDINGS_LIMIT)
        *error = text_format(arena, "%u traces: at most %d are read, which say as much", files.count,
                             RECORDINGS_LIMIT);
    *count = files.count;
    return error->length ? NULL : files.items;
}

/* ---- which recordings are of the same run ---- */

static double launches_a_step(const Ledger *ledger) {
    uint32_t launches = 0;
    for (uint32_t i = 0; i < ledger->run->count; i++) launches += ledger->run->calls[i].links > 0;
    return (double)launches / ledger->steps;
}

static bool near(double a, double b, double share) { return fabs(a - b) <= share * fmax(a, b); }

/* Steps of one script queue about as much, and the GPU takes about as long. Where batches differ in size, only
   the number queued agrees (to 1 %). */
static bool alike(const Ledger *a, const Ledger *b) {
    static const double calls = 0.1, works = 0.25, same_calls = 0.02, other_sizes = 0.6;
    bool same = near(launches_a_step(a), launches_a_step(b), same_calls);
    return a->loop == b->loop && near(launches_a_step(a), launches_a_step(b), calls) &&
           near(a->gpu_us, b->gpu_us, same ? other_sizes : works);
}

static bool same_recording(const Ledger *a, const Ledger *b) {
    const Trace *one = a->run->trace, *other = b->run->trace;
    return one->events == other->events && one->bytes == other->bytes && a->step_us == b->step_us &&
           a->blocked_us == b->blocked_us;
}

static void leave_out_copies(Recordings *self) {
    for (uint32_t i = 1; i < self->count; i++)
        for (uint32_t k = 0; k < i && counts(&self->items[i]); k++) {
            Text path = self->items[k].ledger->path;
            if (same_recording(self->items[i].ledger, self->items[k].ledger))
                self->items[i].left_out =
                    text_format(self->arena, "it is the same recording as %.*s", SHOWN(path));
        }
}

static void leave_out_untrusted(Recordings *self) {
    for (uint32_t i = 0; i < self->count; i++)
        if (counts(&self->items[i])) self->items[i].left_out = self->items[i].ledger->distrust;
}

/* The recording that most others are like; of several, the first in which findings are seen. NULL: none counts. */
static const Ledger *usual_of(const Recordings *self) {
    const Ledger *usual = NULL;
    uint32_t most = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        uint32_t like = 0;
        for (uint32_t k = 0; counts(&self->items[i]) && k < self->count; k++)
            like += counts(&self->items[k]) && alike(self->items[i].ledger, self->items[k].ledger);
        like = 2 * like + (like && self->items[i].ledger->loop);
        if (like > most) most = like, usual = self->items[i].ledger;
    }
    return usual;
}

static void leave_out_strangers(Recordings *self, const Ledger *usual) {
    for (uint32_t i = 0; i < self->count; i++) {
        Recording *recording = &self->items[i];
        const Ledger *ledger = recording->ledger;
        if (!counts(recording) || alike(ledger, usual)) continue;
        recording->left_out = text_format(
            self->arena,
            "it is of another run: %.0f launches a step and %.0f us on the GPU, in %.*s %.0f and %.0f%s",
            launches_a_step(ledger), ledger->gpu_us, SHOWN(usual->path), launches_a_step(usual), usual->gpu_us,
            ledger->loop == usual->loop ? "" : "; another loop's waits");
    }
}

static void choose_prices(Recordings *self) {
    bool bare = false;
    for (uint32_t i = 0; i < self->count; i++)
        bare |= counts(&self->items[i]) && !self->items[i].ledger->run->trace->has_operators;
    for (uint32_t i = 0; i < self->count; i++) {
        Recording *recording = &self->items[i];
        recording->priced = counts(recording) && !(bare && recording->ledger->run->trace->has_operators);
        if (counts(recording) && !recording->priced)
            recording->remark = TEXT("records operators too, which slows the host: its prices are not used");
    }
}

/* The average loss of a rank over its recordings. */
static double rank_loses_us(const Recordings *self, uint32_t rank) {
    double sum_us = 0, number = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        const Ledger *ledger = self->items[i].ledger;
        if (self->items[i].priced && ledger->run->trace->rank == rank)
            sum_us += ledger_saving_all_us(ledger), number++;
    }
    return sum_us / number;
}

/* In each step all ranks wait for the slowest, whose loss therefore hides the others'. */
static void choose_rank(Recordings *self) {
    uint32_t slowest = UINT32_MAX;
    double most_us = -1;
    for (uint32_t i = 0; i < self->count; i++) {
        uint32_t rank = self->items[i].ledger->run->trace->rank;
        if (!self->items[i].priced || rank == slowest || rank_loses_us(self, rank) <= most_us) continue;
        most_us = rank_loses_us(self, rank), slowest = rank;
    }
    for (uint32_t i = 0; i < self->count; i++) {
        Recording *recording = &self->items[i];
        uint32_t rank = recording->ledger->run->trace->rank;
        if (!recording->priced || rank == slowest) continue;
        recording->priced = false;
        recording->remark =
            text_format(self->arena, "rank %u waits for rank %u, which loses more", rank, slowest);
    }
}

/* ---- comparison with clean steps ---- */

static double average_of(const Recordings *self, size_t field) {
    double sum = 0, number = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        if (!self->items[i].priced) continue;
        sum += *(const double *)(const void *)((const char *)self->items[i].ledger + field), number++;
    }
    return sum / number;
}

/* Relative error of the replay without overhead against the step time measured without recording, which syncl
   record knows. Clean steps may share the GPU too: anything from not at all to as much as the burst. */
static double share_off(double clean_us, double shared_us, double measured_us) {
    static const double least_us = 20;
    double off_us = clean_us - measured_us;
    if (shared_us > 0 && off_us < 0) off_us = fmin(shared_us - measured_us, 0);
    return measured_us > 0 && fabs(off_us) > least_us ? off_us / measured_us : 0;
}

/* Whether the average is close enough. The spread of the clean steps is allowed for; ledger.c puts it into the
   price. */
static bool fits_clean(const Recordings *self) {
    static const double tolerance = 0.03, deviations = 2, most = 0.1;
    double measured_us = average_of(self, offsetof(Ledger, measured_us));
    double wander = measured_us > 0 ? average_of(self, offsetof(Ledger, measured_off_us)) / measured_us : 0;
    double off = share_off(average_of(self, offsetof(Ledger, clean_us)),
                           average_of(self, offsetof(Ledger, shared_us)), measured_us);
    return fabs(off) <= fmax(tolerance, fmin(deviations * wander, most));
}

static Text off_text(Arena *arena, const Ledger *ledger) {
    return text_format(
        arena,
        "its replay without what recording added gives %.0f us a step where %.0f were measured (%+.0f %%)",
        ledger->clean_us, ledger->measured_us,
        100 * share_off(ledger->clean_us, ledger->shared_us, ledger->measured_us));
}

static Recording *furthest_off(Recordings *self) {
    Recording *furthest = NULL;
    double most = -1;
    for (uint32_t i = 0; i < self->count; i++) {
        const Ledger *ledger = self->items[i].ledger;
        double off = self->items[i].priced
                         ? fabs(share_off(ledger->clean_us, ledger->shared_us, ledger->measured_us))
                         : -1;
        if (off > most) most = off, furthest = &self->items[i];
    }
    return furthest;
}

/* Leaves out slowed bursts until the average of the others matches the measured step; false = none remain. */
static bool leave_out_slowed(Recordings *self) {
    while (!fits_clean(self)) {
        Recording *furthest = furthest_off(self);
        furthest->priced = false, furthest->left_out = off_text(self->arena, furthest->ledger);
        if (!furthest_off(self)) return false;
    }
    return true;
}

static Text slowed_text(Arena *arena, const Ledger *ledger) {
    Text off = off_text(arena, ledger);
    return text_format(
        arena,
        "%.*s: what runs was slowed while it was recorded, or its steps are not alike; record again on a "
        "quiet machine, with more of them (--steps 100)",
        SHOWN(off));
}

/* Remarks on recordings in which the host was slower. */
static void remark_steps(Recordings *self) {
    static const double much = 1.15;
    for (uint32_t i = 0; i < self->count; i++) {
        double shared_us = self->items[i].ledger->run->shared_us;
        if (self->items[i].priced && shared_us > 0)
            self->items[i].remark = text_format(
                self->arena, "another program had the GPU for %.0f us of each step, so prices are wide",
                shared_us);
    }
    Arena scratch = {0};
    double *steps_us = arena_new(&scratch, double, self->count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->count; i++)
        if (self->items[i].priced) steps_us[count++] = self->items[i].ledger->clean_us;
    double usual_us = median_of(steps_us, count, 0);
    for (uint32_t i = 0; i < self->count; i++) {
        Recording *recording = &self->items[i];
        double longer = recording->ledger->clean_us / usual_us;
        if (recording->priced && (longer > much || longer < 1 / much))
            recording->remark = text_format(self->arena, "its steps take %.0f %% %s than the others'",
                                            fabs(100 * (longer - 1)), longer > 1 ? "longer" : "less");
    }
    arena_free(&scratch);
}

/* ---- averages ---- */

/* The average over recordings that count for prices, if one of them has seen the site; else over all that
   count. */
static TracedSite site_of(Recordings *self, Saving *savings, SiteId site, bool priced) {
    TracedSite sum = {0};
    uint32_t found = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        const Recording *recording = &self->items[i];
        const TracedSite *traced = &recording->ledger->sites[site];
        if (!counts(recording) || !traced->seen) continue;
        sum.in_library |= traced->in_library;
        if (priced && !recording->priced) continue;
        savings[found++] = traced->saving;
        sum.times += traced->times, sum.blocked_us += traced->blocked_us;
    }
    if (!found) return (TracedSite){0};
    sum.seen = true, sum.times /= found, sum.blocked_us /= found;
    sum.saving = ledger_average(self->average, savings, found);
    return sum;
}

static void average_sites(Recordings *self) {
    Arena scratch = {0};
    Ledger *average = self->average;
    Saving *savings = arena_new(&scratch, Saving, self->count + 1);
    average->sites = arena_new(self->arena, TracedSite, average->site_count + 1);
    for (SiteId site = 1; site < average->site_count; site++) {
        average->sites[site] = site_of(self, savings, site, true);
        if (!average->sites[site].seen) average->sites[site] = site_of(self, savings, site, false);
    }
    arena_free(&scratch);
}

/* The recording whose step is nearest to the average: its picture and calls represent all. */
static const Ledger *nearest(const Recordings *self) {
    double step_us = average_of(self, offsetof(Ledger, clean_us)), least_us = INFINITY;
    const Ledger *best = NULL;
    for (uint32_t i = 0; i < self->count; i++) {
        double off_us = fabs(self->items[i].ledger->clean_us - step_us);
        if (self->items[i].priced && off_us < least_us) least_us = off_us, best = self->items[i].ledger;
    }
    return best;
}

static void average(Recordings *self) {
    Ledger *average = self->average;
    static const size_t fields[] = {
        offsetof(Ledger, step_us),    offsetof(Ledger, replayed_us), offsetof(Ledger, clean_us),
        offsetof(Ledger, host_us),    offsetof(Ledger, gpu_us),      offsetof(Ledger, run_ahead_us),
        offsetof(Ledger, blocked_us), offsetof(Ledger, launch_us),   offsetof(Ledger, measured_us),
        offsetof(Ledger, works_us),   offsetof(Ledger, shared_us)};
    *average = *nearest(self);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        *(double *)(void *)((char *)average + fields[i]) = average_of(self, fields[i]);
    uint32_t traces = 0;
    average->steps = 0;
    for (uint32_t i = 0; i < self->count; i++)
        if (self->items[i].priced) average->steps += self->items[i].ledger->steps, traces++;
    average->path = self->items[0].ledger->path;
    average->how = text_format(self->arena, "%u steps of %u %s%s", average->steps, traces,
                               average->stretch    ? "stretch"
                               : average->recorded ? "burst"
                                                   : "trace",
                               traces < 2         ? ""
                               : average->stretch ? "es"
                                                  : "s");
    average_sites(self);
}

/* ---- entry ---- */

static bool add(Recordings *self, const LedgerInput *input, Text *error) {
    Ledger *ledger = ledger_make(self->arena, input, error);
    if (ledger) vec_push(self->arena, &self->made, ((Recording){.ledger = ledger}));
    return ledger != NULL;
}

/* Each stretch of a burst counts as a trace. */
static void add_burst(Recordings *self, LedgerInput input, uint32_t burst, Sources *sources, Text *why) {
    TraceSegments segments =
        segments_of(self->arena, input.recorded->bursts.items[burst], sources, input.program, input.findings);
    const char *path = text_format(self->arena, "%s, burst %u", input.path, burst + 1).bytes;
    for (uint32_t i = 0; i < segments.count; i++) {
        input.segment = segments.items[i];
        input.path = input.segment.cut ? text_format(self->arena, "%s, stretch %u", path, i + 1).bytes : path;
        (void)add(self, &input, why);
    }
}

/* The reason why a process recorded nothing is kept, in case there is no other recording. */
static void add_bursts(Recordings *self, LedgerInput input, const Recorded *recorded, Text *reason) {
    Text why = {0}, none = TEXT("the run ended before a step was seen, so nothing is priced");
    Sources *sources = sources_new(self->arena, input.program);
    if (recorded->trouble.length) none = recorded->trouble;
    input.recorded = recorded;
    for (uint32_t burst = 0; burst < recorded->bursts.count; burst++)
        add_burst(self, input, burst, sources, &why);
    if (recorded->bursts.count == 0)
        why = text_format(self->arena, "%.*s: %.*s", SHOWN(recorded->path), SHOWN(none));
    if (why.length && !reason->length) *reason = why;
}

static bool add_file(Recordings *self, const LedgerInput *input, const char *path, Text *reason, Text *error) {
    LedgerInput one = *input;
    one.path = path;
    if (!is_file(path) || !record_is(path)) return add(self, &one, error);
    Recorded *recorded = record_read(self->arena, path, error);
    if (!recorded) return false;
    moved_lines(recorded, sources_new(self->arena, input->program), input->program);
    add_bursts(self, one, recorded, reason);
    return true;
}

/* None is trusted: reports the first one's reason. */
static void distrust_all(Recordings *self, Text why) {
    *self->average = *self->items[0].ledger;
    if (why.length) self->average->distrust = why;
}

static void weigh(Recordings *self) {
    leave_out_copies(self);
    leave_out_untrusted(self);
    const Ledger *usual = usual_of(self);
    if (!usual) {
        distrust_all(self, TEXT(""));
        return;
    }
    leave_out_strangers(self, usual);
    choose_prices(self);
    choose_rank(self);
    if (usual->recorded && !leave_out_slowed(self)) {
        distrust_all(self, slowed_text(self->arena, usual));
        return;
    }
    remark_steps(self);
    average(self);
}

/* A single trace is its own ledger. A recording is checked even if it has one burst. */
static Ledger *as_one(Recordings *self) {
    if (self->count == 1 && !self->items[0].ledger->recorded) return (Ledger *)self->items[0].ledger;
    weigh(self);
    self->average->recordings = self->items, self->average->recording_count = self->count;
    return self->average;
}

/* ---- by loop ---- */

/* Those of one loop. */
static Recordings of_part(const Recordings *all, HotLoopId part) {
    Recordings self = {.arena = all->arena, .average = arena_new(all->arena, Ledger, 1)};
    for (uint32_t i = 0; i < all->made.count; i++)
        if (all->made.items[i].ledger->part == part) vec_push(all->arena, &self.made, all->made.items[i]);
    self.items = self.made.items, self.count = self.made.count;
    return self;
}

static double seen_us(const Ledger *ledger) {
    double sum_us = 0;
    for (uint32_t i = 0; i < ledger->recording_count; i++)
        sum_us += ledger->recordings[i].ledger->steps * ledger->recordings[i].ledger->step_us;
    return sum_us;
}

static bool goes_before(const Ledger *a, const Ledger *b) {
    bool trusted = a->distrust.length == 0, other = b->distrust.length == 0;
    return trusted != other ? trusted : seen_us(a) > seen_us(b);
}

/* One ledger for each loop: trusted ones first, and among them the loop with most of the recorded time. */
static Ledger *by_parts(const Recordings *all) {
    Ledger *first = NULL;
    for (uint32_t i = 0; i < all->made.count; i++) {
        HotLoopId part = all->made.items[i].ledger->part;
        uint32_t same = 0;
        while (all->made.items[same].ledger->part != part) same++;
        if (same < i) continue;
        Recordings self = of_part(all, part);
        Ledger *ledger = as_one(&self);
        const Ledger **at = (const Ledger **)&first;
        while (*at && !goes_before(ledger, *at)) at = (const Ledger **)&(*at)->next;
        ledger->next = *at, *at = ledger;
    }
    return first;
}

static Ledger *listed(Arena *arena, const LedgerInput *input, const char *path, uint32_t count, Text *error) {
    if (count == 1) return price_list_read(arena, input, path, error);
    *error = text_format(arena, "%s: prices that were kept go alone, not beside recordings", path);
    return NULL;
}

Ledger *recordings_ledger(Arena *arena, const LedgerInput *input, const char *const *paths, uint32_t count,
                          Text *error) {
    Recordings self = {.arena = arena};
    Text reason = {0};
    for (uint32_t i = 0; i < count; i++)
        if (is_file(paths[i]) && price_list_is(paths[i])) return listed(arena, input, paths[i], count, error);
    for (uint32_t i = 0; i < count; i++)
        if (!add_file(&self, input, paths[i], &reason, error)) return NULL;
    if (!self.made.count) *error = reason;
    return self.made.count ? by_parts(&self) : NULL;
}
