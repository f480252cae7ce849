#include "ledger.h"
#include "clean_host.h"
#include "leaving.h"
#include "shared_gpu.h"
#include "stack_join.h"
#include "stream_order.h"
#include <math.h>

enum { OTHERS_LIMIT = 64 };

static const double tolerance = 0.05;  /* of the step time: a replay that is further off is not trusted */
static const double shared_most = 0.1; /* of another program's GPU time: the interleaving differs each time */

typedef struct Maker {
    Arena *arena;
    const LedgerInput *input;
    Ledger *ledger;
    Sources *sources;     /* of the program */
    Removal *removals;    /* [call] */
    uint32_t *others;     /* [wait]: index into ledger->others, for a wait without a site */
    uint32_t *numbers;    /* [wait]: number of its site in the replay */
    Overhead recording;   /* what it added to the host's time */
    uint32_t first_other; /* number of others[0] in the replay */
} Maker;

/* ---- the overhead of recording ---- */

/* Recording adds to a launch in proportion to its time in the trace: a host that is slow for a while, or shared
   with others, also records more slowly. The same is added beside the call (tests/truth/README.md). Spans have
   a measured overhead. */
static Overhead overhead_of(const Maker *maker) {
    const TracedRun *run = maker->ledger->run;
    const Profile *profile = maker->input->profile;
    double launch_us = maker->ledger->launch_us * fmax(1 - 1 / profile->trace_launch.median, 0);
    return (Overhead){.launch_us = launch_us,
                      .call_us = launch_us,
                      .operator_us = profile->trace_operator_us.median,
                      .python_us = profile->trace_python_us.median,
                      .step_us = profile->trace_step_us.median,
                      .pace = 1,
                      .slower = run->trace->has_operators ? 1 : profile->trace_slower.median};
}

/* ---- waits without a finding ---- */

static Text where(const Maker *maker, const TracedWait *wait) {
    const Trace *trace = maker->ledger->run->trace;
    const Names *names = &trace->names;
    const TraceCall *call = maker->ledger->run->calls[wait->call].call;
    Text text = names_text(names, call->name);
    const TraceFrame *place = stack_place(maker->sources, trace, call);
    if (place)
        return text_format(maker->arena, "%.*s, %.*s:%u: %.*s", SHOWN(text), SHOWN(place->file), place->line,
                           SHOWN(place->name));
    if (wait->operators[0]) {
        Sym outer = wait->operators[0];
        for (uint32_t i = 0; i < WAIT_OPERATORS && wait->operators[i]; i++) outer = wait->operators[i];
        Text name = names_text(names, outer);
        text = text_format(maker->arena, "%.*s in %.*s", SHOWN(text), SHOWN(name));
    }
    for (uint32_t i = 0; i < wait->frame_count; i++) {
        Text frame = names_text(names, wait->frames[i]);
        if (text_starts(frame, TEXT("<built-in"))) continue;
        return text_format(maker->arena, "%.*s, %.*s", SHOWN(text), SHOWN(frame));
    }
    return text;
}

static uint32_t other_of(Maker *maker, const TracedWait *wait) {
    Ledger *ledger = maker->ledger;
    Text place = where(maker, wait);
    for (uint32_t i = 0; i < ledger->others.count; i++)
        if (ledger->others.items[i].kind == wait->kind && text_equal(ledger->others.items[i].where, place))
            return i;
    if (ledger->others.count == OTHERS_LIMIT) return OTHERS_LIMIT - 1;
    vec_push(maker->arena, &ledger->others, ((TracedOther){.kind = wait->kind, .where = place}));
    return ledger->others.count - 1;
}

/* ---- prices ---- */

static void number_sites(Maker *maker) {
    Ledger *ledger = maker->ledger;
    for (uint32_t i = 0; i < ledger->waits->items.count; i++) {
        SiteId site = ledger->join->sites[i];
        if (site && !ledger->locals[site]) ledger->locals[site] = ++ledger->local_count;
        if (!site) maker->others[i] = other_of(maker, &ledger->waits->items.items[i]);
    }
    maker->first_other = ledger->local_count + 1;
    for (uint32_t i = 0; i < ledger->waits->items.count; i++) {
        SiteId site = ledger->join->sites[i];
        maker->numbers[i] = site ? ledger->locals[site] : maker->first_other + maker->others[i];
    }
    ledger->local_count += ledger->others.count + 1;
}

static void add_up(Maker *maker) {
    Ledger *ledger = maker->ledger;
    for (uint32_t i = 0; i < ledger->waits->items.count; i++) {
        SiteId site = ledger->join->sites[i];
        double blocked_us = ledger->run->calls[ledger->waits->items.items[i].call].own_us / ledger->steps;
        if (site) {
            TracedSite *traced = &ledger->sites[site];
            traced->seen = true, traced->in_library = ledger->join->in_library[site];
            traced->times += 1.0 / ledger->steps, traced->blocked_us += blocked_us;
        } else {
            TracedOther *other = &ledger->others.items[maker->others[i]];
            other->times += 1.0 / ledger->steps, other->blocked_us += blocked_us;
        }
    }
}

static double gained_us(const Ledger *ledger, Replay *replay, const bool *removed) {
    double with_us =
        replay == ledger->clean ? ledger->clean_us : ledger->scale * replay_step(replay, NULL).turn_us;
    return fmax(with_us - ledger->scale * replay_step(replay, removed).turn_us, 0);
}

static Saving without(const Ledger *ledger, const bool *removed) {
    double us = gained_us(ledger, ledger->clean, removed);
    double longer_us = ledger->longer ? gained_us(ledger, ledger->longer, removed) : us;
    return (Saving){.us = us, .off_us = fabs(longer_us - us)};
}

static void price(Maker *maker) {
    Arena scratch = {0};
    Ledger *ledger = maker->ledger;
    bool *removed = arena_new(&scratch, bool, ledger->local_count + 1);
    for (SiteId site = 1; site < maker->input->findings->sites.count; site++) {
        if (!ledger->sites[site].seen) continue;
        removed[ledger->locals[site]] = true;
        Saving saving = without(ledger, removed);
        ledger->sites[site].saving = ledger_average(ledger, &saving, 1);
        removed[ledger->locals[site]] = false;
    }
    for (uint32_t i = 0; i < ledger->others.count; i++) {
        removed[maker->first_other + i] = true;
        double saving_us = without(ledger, removed).us;
        ledger->others.items[i].saving_us = saving_us;
        removed[maker->first_other + i] = false;
    }
    arena_free(&scratch);
}

static Saving saving_of_one(Arena *scratch, const Ledger *ledger, const bool *sites) {
    bool *removed = arena_new(scratch, bool, ledger->local_count + 1);
    for (SiteId site = 1; site < ledger->site_count; site++)
        if (sites[site] && ledger->locals[site]) removed[ledger->locals[site]] = true;
    return without(ledger, removed);
}

/* From a kept step. A single line has the price that the recording gave it. */
static Saving saving_of_kept(Arena *scratch, const Ledger *ledger, const bool *sites) {
    SiteId only = 0;
    uint32_t count = 0;
    for (SiteId site = 1; site < ledger->site_count; site++)
        if (sites[site] && ledger->locals[site]) only = site, count++;
    if (count == 1) return ledger->sites[only].saving;
    Saving saving = saving_of_one(scratch, ledger, sites);
    saving.us *= ledger->listed_share;
    return ledger_average(ledger, &saving, 1);
}

/* From a price list: the sum of the lines' prices, scaled as the price of all lines together is to their sum. */
static Saving saving_of_listed(const Ledger *ledger, const bool *sites) {
    double all_us = 0, some_us = 0, most_us = 0;
    uint32_t count = 0;
    for (SiteId site = 1; site < ledger->site_count; site++) {
        double us = ledger->sites[site].saving.us;
        all_us += us;
        if (sites[site]) some_us += us, most_us = fmax(most_us, us), count += us > 0;
    }
    double share = count > 1 && all_us > 0 ? ledger->listed_us / all_us : 1;
    return ledger_average(ledger, &(Saving){.us = fmax(some_us * share, most_us)}, 1);
}

Saving ledger_saving(const Ledger *ledger, const bool *sites) {
    Arena scratch = {0};
    if (ledger->listed) {
        Saving kept = ledger->clean ? saving_of_kept(&scratch, ledger, sites) : saving_of_listed(ledger, sites);
        arena_free(&scratch);
        return kept;
    }
    Saving *savings = arena_new(&scratch, Saving, ledger->recording_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < ledger->recording_count; i++)
        if (ledger->recordings[i].priced)
            savings[count++] = saving_of_one(&scratch, ledger->recordings[i].ledger, sites);
    if (!count) savings[count++] = saving_of_one(&scratch, ledger, sites);
    Saving saving = ledger_average(ledger, savings, count);
    arena_free(&scratch);
    return saving;
}

double ledger_saving_all_us(const Ledger *ledger) {
    Arena scratch = {0};
    bool *sites = arena_new(&scratch, bool, ledger->site_count + 1);
    memset(sites, true, sizeof *sites * (ledger->site_count + 1));
    double saving_us = ledger_saving(ledger, sites).us;
    arena_free(&scratch);
    return saving_us;
}

/* The spread of recordings: known from others, which count as a few samples, and seen in these. */
Saving ledger_average(const Ledger *ledger, const Saving *savings, uint32_t count) {
    static const double known = 4, deviations = 2, least_us = 3;
    double us = 0, squares = 0, spread_us = 0;
    for (uint32_t i = 0; i < count; i++) us += savings[i].us / count, spread_us += savings[i].off_us / count;
    for (uint32_t i = 0; i < count; i++) squares += (savings[i].us - us) * (savings[i].us - us);
    double apart_us = ledger->apart * us, off_us = ledger->off * us;
    double variance = (known * apart_us * apart_us + squares) / (known + count - 1);
    double half_us =
        fmax(deviations * sqrt(variance / count + off_us * off_us + spread_us * spread_us), least_us);
    return (Saving){us, {fmax(us - half_us, 0), us + half_us}, spread_us};
}

/* ---- trust ---- */

static double unevenness(const Steps *steps) {
    double mean = (steps->starts_us[steps->count] - steps->starts_us[0]) / steps->count, squares = 0;
    for (uint32_t i = 0; i < steps->count; i++) {
        double off = steps->starts_us[i + 1] - steps->starts_us[i] - mean;
        squares += off * off;
    }
    return mean > 0 ? sqrt(squares / steps->count) / mean : 0;
}

static void find_distrust(Maker *maker, const Steps *steps) {
    Ledger *ledger = maker->ledger;
    const LedgerInput *input = maker->input;
    ledger->belonging = belonging_of(maker->arena, ledger->run, ledger->waits, ledger->join, input->program,
                                     input->findings, input->assumed);
    Text foreign = ledger->belonging.foreign;
    if (foreign.length)
        ledger->distrust = text_format(maker->arena, "it is of another script: %.*s", SHOWN(foreign));
    if (foreign.length) return;
    if (ledger->run->shared_us > shared_most * ledger->step_us) {
        ledger->distrust =
            text_format(maker->arena,
                        "another program had the GPU for %.0f of %.0f us of each step: record again "
                        "when it is over (nvidia-smi names it)",
                        ledger->run->shared_us, ledger->step_us);
        return;
    }
    double off = ledger->replayed_us / ledger->step_us - 1;
    if (fabs(off) <= tolerance) return;
    const char *why = ledger->run->trace->distributed ? "; waits for other ranks are not replayed"
                      : ledger->run->chains > 1       ? "; several threads queue work side by side"
                      : ledger->run->streams > 1
                          ? "; what streams wait for each other is not in a trace and was guessed"
                          : "";
    const char *uneven = unevenness(steps) > 0.15 ? "; the traced steps differ much from one another" : "";
    ledger->distrust = text_format(
        maker->arena,
        "the replay with every wait in gives %.0f us a step where the trace shows %.0f (%+.0f %%)%s%s",
        ledger->replayed_us, ledger->step_us, 100 * off, uneven, why);
}

static Replay *replay_on(Maker *maker, Arena *arena, const Overhead *overhead, double part, double pace,
                         bool shared) {
    Overhead some = {part > 0,
                     part * overhead->launch_us,
                     part * overhead->call_us,
                     part * overhead->operator_us,
                     part * overhead->python_us,
                     part * overhead->step_us,
                     part == 0 || shared,
                     pace,
                     pace * (1 + part * (overhead->slower - 1))};
    double queue = maker->input->profile->queue_launches.median;
    return replay_new(arena, maker->ledger->run, maker->removals, maker->ledger->local_count + 1, queue, &some);
}

static Replay *replay_with(Maker *maker, Arena *arena, const Overhead *overhead, double part) {
    return replay_on(maker, arena, overhead, part, 1, false);
}

/* A replay on a host that is slower by as much as the clean steps allow, or by as much as the replay is off.
   Where the GPU is slower, that may change nothing. */
static Replay *longer(Maker *maker, const Overhead *overhead, double part) {
    enum { HALVINGS = 6 };
    double clean_us = replay_step(maker->ledger->clean, NULL).turn_us;
    double off_us = fmax(maker->ledger->measured_off_us, fabs(maker->ledger->measured_us - clean_us));
    double wanted_us = clean_us + off_us;
    double low = 0.5, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        Arena scratch = {0};
        double pace = (low + high) / 2;
        double step_us = replay_step(replay_on(maker, &scratch, overhead, part, pace, false), NULL).turn_us;
        *(step_us > wanted_us ? &low : &high) = pace;
        arena_free(&scratch);
    }
    return replay_on(maker, maker->arena, overhead, part, (low + high) / 2, false);
}

/* How badly a fraction of the usual overhead explains the step time without the profiler. Between runs the
   GPU's clock alone changes a step by 1 or 2 %, so in a GPU-bound loop the usual overhead is preferred. `syncl
   record` measures that step time in the same process, seconds before. */
static double misfit(Maker *maker, const Overhead *overhead, double part) {
    static const double other_run = 0.02, same_run = 0.005, part_share = 0.5;
    double step_share = maker->ledger->recorded ? same_run : other_run;
    Arena scratch = {0};
    double wanted_us = maker->ledger->measured_us;
    double step_us = replay_step(replay_with(maker, &scratch, overhead, part), NULL).turn_us;
    arena_free(&scratch);
    double step_off = (step_us / wanted_us - 1) / step_share, part_off = (part - 1) / part_share;
    return step_off * step_off + part_off * part_off;
}

/* The fraction of the usual overhead that recording had here, by the given step time without the profiler. */
static double part_recorded(Maker *maker, const Overhead *overhead) {
    static const double coarse = 0.25, fine = 0.03125, most = 4;
    if (maker->ledger->measured_us <= 0) return 1;
    double best = 1, least = misfit(maker, overhead, 1);
    for (double step = coarse; step >= fine; step /= 8) {
        double low = step == coarse ? fine : fmax(best - coarse, fine);
        double high = step == coarse ? most : best + coarse;
        for (double part = low; part <= high; part += step) {
            double now = misfit(maker, overhead, part);
            if (now < least) least = now, best = part;
        }
    }
    return best;
}

/* A step time given by the user is taken as exact: replayed times are scaled to it. */
static void keep_given(Maker *maker) {
    static const double most = 1.33;
    Ledger *ledger = maker->ledger;
    double given_us = maker->input->step_time_us, replayed_us = ledger->clean_us;
    ledger->scale = 1;
    if (given_us <= 0 || replayed_us <= 0) return;
    ledger->scale = given_us / replayed_us, ledger->clean_us = given_us;
    ledger->host_us *= ledger->scale, ledger->gpu_us *= ledger->scale;
    if (ledger->distrust.length || fmax(ledger->scale, 1 / ledger->scale) <= most) return;
    ledger->distrust = text_format(maker->arena,
                                   "--step-time says that a step takes %.0f us, and the replay without what "
                                   "recording added %.0f: is it of this "
                                   "run, and are its steps those of the trace (--trace-steps)?",
                                   given_us, replayed_us);
}

static void replay_all(Maker *maker, const Steps *steps) {
    Ledger *ledger = maker->ledger;
    const Overhead *recording = &maker->recording;
    ledger->replay = replay_with(maker, maker->arena, recording, 0);
    double part = part_recorded(maker, recording);
    ledger->clean = replay_with(maker, maker->arena, recording, part);
    ledger->longer = ledger->run->shared_us > 0    ? replay_on(maker, maker->arena, recording, part, 1, true)
                     : ledger->measured_off_us > 0 ? longer(maker, recording, part)
                                                   : NULL;
    ledger->shared_us = ledger->run->shared_us > 0 ? replay_step(ledger->longer, NULL).turn_us : 0;
    TurnTime traced = replay_step(ledger->replay, NULL), clean = replay_step(ledger->clean, NULL);
    ledger->replayed_us = traced.turn_us;
    ledger->clean_us = clean.turn_us, ledger->host_us = clean.host_busy_us,
    ledger->gpu_us = ledger->run->gpu_busy_us;
    find_distrust(maker, steps);
    keep_given(maker);
}

const Ledger *ledger_of_site(const Ledger *first, const Findings *findings, SiteId site) {
    const Ledger *any = NULL;
    for (const Ledger *ledger = first; ledger; ledger = ledger->next) {
        if (ledger->distrust.length || !ledger->sites[site].seen) continue;
        if (ledger->loop == findings->sites.items[site].loop) return ledger;
        if (!any) any = ledger;
    }
    return any;
}

const Ledger *ledger_of_loop(const Ledger *first, HotLoopId loop) {
    const Ledger *ledger = first;
    while (ledger && (ledger->distrust.length || ledger->loop != loop)) ledger = ledger->next;
    return loop ? ledger : NULL;
}

Ledger *ledger_make(Arena *arena, const LedgerInput *input, Text *error) {
    Ledger *ledger = arena_new(arena, Ledger, 1);
    Maker maker = {.arena = arena, .input = input, .ledger = ledger};
    maker.sources = sources_new(arena, input->program);
    const Trace *trace = input->recorded ? input->segment.trace : trace_read(arena, input->path, error);
    const Steps *steps = trace ? steps_find(arena, trace, input->recorded ? 0 : input->steps, error) : NULL;
    TracedRun *run = steps ? run_cut(arena, trace, steps, error) : NULL;
    if (run) stream_order_find(run);
    if (run) shared_gpu_find(run);
    if (run && input->recorded) clean_host_find(run, input->recorded);
    ledger->run = run;
    if (!ledger->run) {
        if (trace) *error = text_format(arena, "%s: %.*s", input->path, (int)error->length, error->bytes);
        return NULL;
    }
    ledger->recorded = input->recorded != NULL, ledger->part = input->segment.part;
    ledger->stretch = input->segment.cut;
    ledger->measured_us = input->step_time_us;
    if (ledger->recorded) {
        RecordedSteps clean = record_steps(input->recorded, trace, steps);
        if (ledger->measured_us <= 0)
            ledger->measured_us = clean.clean_us, ledger->measured_off_us = clean.off_us;
        ledger->works_us = clean.works_us;
    }
    ledger->path = text_of(input->path), ledger->how = steps->how, ledger->steps = ledger->run->steps;
    ledger->step_us = ledger->run->step_us, ledger->blocked_us = ledger->run->blocked_us;
    ledger->run_ahead_us = ledger->run->run_ahead_us;
    ledger->launch_us = traced_launch_us(run);
    ledger->launch_most_us = input->profile->enqueue_us.median * input->profile->trace_launch.p90;
    ledger->apart = input->profile->trace_apart.median, ledger->off = input->profile->trace_off.median;
    ledger->site_count = input->findings->sites.count;
    ledger->sites = arena_new(arena, TracedSite, ledger->site_count + 1);
    ledger->locals = arena_new(arena, uint32_t, ledger->site_count + 1);
    ledger->waits = waits_of(arena, ledger->run);
    ledger->join = join_waits(arena, ledger->run, ledger->waits, input->program, input->book, input->findings);
    ledger->loop = input->segment.loop ? input->segment.loop : ledger->join->matched ? ledger->join->loop : 0;
    maker.others = arena_new(arena, uint32_t, ledger->waits->items.count + 1);
    maker.numbers = arena_new(arena, uint32_t, ledger->waits->items.count + 1);
    number_sites(&maker);
    maker.recording = overhead_of(&maker);
    maker.recording.usual = true;
    maker.removals =
        leaving_of(arena, &(LeavingInput){ledger->run, ledger->waits, ledger->join, maker.numbers, input->book,
                                          input->findings, input->profile, &maker.recording});
    replay_all(&maker, steps);
    add_up(&maker);
    price(&maker);
    return ledger;
}
