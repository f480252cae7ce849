#include "cost.h"
#include "cost_text.h"
#include "given.h"
#include "kept_price.h"
#include "grouping.h"
#include "pricing.h"
#include "team.h"
#include "verdict.h"
#include "search.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { LOOPS_A_THREAD = 16 }; /* with fewer, pricing takes less time than a thread's start */

/* ---- all loops ---- */

/* Sites grouped by the loop that prices them: own[first[loop] .. first[loop + 1]); loop 0 has the sites without
   a loop. */
typedef struct Owned {
    SiteId *own;
    uint32_t *first;
} Owned;

typedef struct RankedSite {
    uint32_t rank;
    SiteId id;
    HotLoopId loop;
} RankedSite;

/* Sorts sites by rank instead of by position in the file: which of two neighbouring waits is said to be free
   must not depend on the order of functions. */
static RankedSite *sites_by_rank(Arena *scratch, const Findings *findings, uint32_t *count) {
    RankedSite *ranked = arena_new(scratch, RankedSite, findings->sites.count + 1);
    for (SiteId id = 1; id < findings->sites.count; id++)
        if (!findings->sites.items[id].unpriced)
            ranked[(*count)++] =
                (RankedSite){findings->sites.items[id].rank, id, findings->sites.items[id].loop};
    if (*count > 1) qsort(ranked, *count, sizeof *ranked, pair_order);
    return ranked;
}

static Owned sites_by_loop(Arena *scratch, const Findings *findings) {
    uint32_t loops = findings->loops.count ? findings->loops.count : 1;
    uint32_t count = 0;
    const RankedSite *ranked = sites_by_rank(scratch, findings, &count);
    Grouping by_loop = GROUPING(scratch, ranked, count, loop, loops);
    Owned owned = {arena_new(scratch, SiteId, count + 1), by_loop.first};
    for (uint32_t i = 0; i < count; i++) owned.own[i] = ranked[by_loop.order[i]].id;
    return owned;
}

static Timeline *timeline_for(Arena *scratch, const Profile *profile, Side side) {
    TimelineSetup setup = {.launch_latency_us = turn_value(&profile->launch_latency_us, side),
                           .queue_launches = profile->queue_launches.median,
                           .threads = 1,
                           .streams = 1};
    return timeline_new(scratch, &setup);
}

/* Options give the training step's time, as users read it off a log. They pin no other loop, unless there is no
   training step. */
static bool pinned(const HotLoop *loop, bool has_step) { return !has_step || unit_trains(loop->unit); }

static Pins pins_for(const CostOptions *options, bool has_step, const HotLoop *loop) {
    if (!pinned(loop, has_step)) return (Pins){0};
    return (Pins){options->step_time_us, options->gpu_busy, options->ops_per_step};
}

static bool is_sure(const Findings *findings, SiteId id, Confidence least) {
    return id && findings->sites.items[id].confidence >= least;
}

/* [HotLoopId]: loops with a site that may be shown, of their own or shared with another loop. */
static const bool *loops_shown(Arena *scratch, const Findings *findings, const CostOptions *options) {
    bool *shown = arena_new(scratch, bool, findings->loops.count + 1);
    for (SiteId id = 1; id < findings->sites.count; id++)
        shown[findings->sites.items[id].loop] |= is_sure(findings, id, options->least);
    for (HotLoopId id = 1; id < findings->loops.count; id++) {
        const HotLoop *loop = &findings->loops.items[id];
        for (uint32_t i = 0; i < loop->event_count && !shown[id]; i++)
            shown[id] = is_sure(findings, loop->events[i].site, options->least);
        shown[id] |= !options->shown_only;
    }
    return shown;
}

/* Shared by all threads that price; each loop writes only its own costs. */
typedef struct Run {
    const Findings *findings;
    const Profile *profile;
    const CostOptions *options;
    Owned owned;
    const bool *shown; /* [HotLoopId] */
    bool has_step;
    Costs *costs;        /* NULL where sets are priced */
    const CostSet *sets; /* NULL = price each site; else only these sets, into `joint` */
    Grouping sets_of;    /* by loop */
    CostJoint *joint;
    Arena *drawn;              /* arena of drawings; NULL = none */
    uint32_t loop_count;       /* counts loop 0, the sites without a loop */
    atomic_uint next;          /* the next loop to price */
    Digest profile_digest;     /* with a cache */
    atomic_ullong added_bytes; /* written to the cache */
} Run;

typedef struct Pricer { /* one thread's */
    Run *run;
    Arena scratch, loop_scratch;
    Timeline *timelines[2]; /* [Side] */
    uint32_t *local;
} Pricer;

static void price_one(Pricer *self, HotLoopId id, const HotLoop *loop, const SiteId *own, uint32_t count,
                      LoopCost *cost) {
    const Run *run = self->run;
    Pins pins = pins_for(run->options, run->has_step, loop);
    Pricing pricing = {.findings = run->findings,
                       .profile = run->profile,
                       .counted = run->options->counted,
                       .allowed = run->options->allowed,
                       .least = run->options->least,
                       .pins = &pins,
                       .timelines = {self->timelines[SIDE_QUICK], self->timelines[SIDE_SLOW]},
                       .sets = run->sets,
                       .own_sets = run->sets ? run->sets_of.order + run->sets_of.first[id] : NULL,
                       .own_set_count = run->sets ? run->sets_of.first[id + 1] - run->sets_of.first[id] : 0,
                       .joint = run->joint,
                       .drawn = run->drawn,
                       .cache = run->options->cache,
                       .profile_digest = run->profile_digest,
                       .loop_id = id,
                       .loop = cost};
    atomic_fetch_add(&self->run->added_bytes, pricing_loop(&self->loop_scratch, pricing, loop, own, count,
                                                           self->local, run->sets ? NULL : run->costs->sites));
    arena_reset(&self->loop_scratch);
}

/* Sites without a visible loop: assumes that a model runs around each wait. */
static void price_loopless(Pricer *self) {
    const Owned *owned = &self->run->owned;
    Event around = {.kind = EVENT_UNSEEN, .share = 1};
    HotLoop nowhere = {.unit = UNIT_CALL, .events = &around, .event_count = 1};
    LoopCost unused = {0};
    for (uint32_t i = owned->first[0]; i < owned->first[1]; i++)
        if (is_sure(self->run->findings, owned->own[i], self->run->options->least))
            price_one(self, 0, &nowhere, &owned->own[i], 1, &unused);
}

static void price_some(void *member) {
    Pricer *self = member;
    Run *run = self->run;
    self->local = arena_new(&self->scratch, uint32_t, run->findings->sites.count + 1);
    for (int side = SIDE_QUICK; side <= SIDE_SLOW; side++)
        self->timelines[side] = timeline_for(&self->scratch, run->profile, (Side)side);
    for (HotLoopId id; (id = atomic_fetch_add(&run->next, 1)) < run->loop_count;) {
        const uint32_t *first = &run->owned.first[id];
        LoopCost unused = {0};
        if (id && run->shown[id])
            price_one(self, id, &run->findings->loops.items[id], run->owned.own + first[0], first[1] - first[0],
                      run->sets ? &unused : &run->costs->loops[id]);
        else if (!id && !run->sets)
            price_loopless(self);
    }
    arena_free(&self->loop_scratch);
    arena_free(&self->scratch);
}

static void price_all(Run *run) {
    Pricer pricers[TEAM_LIMIT] = {0};
    uint32_t useful = run->loop_count / LOOPS_A_THREAD + 1, count = 1;
    if (useful > 1 && !run->drawn) count = run->options->threads ? run->options->threads : team_cores("");
    if (count > useful) count = useful;
    if (count > TEAM_LIMIT) count = TEAM_LIMIT;
    for (uint32_t i = 0; i < count; i++) pricers[i].run = run;
    team_run(price_some, pricers, sizeof *pricers, count);
}

static void write_texts(Arena *result, const Run *run, const Findings *findings, Costs *costs) {
    for (SiteId id = 1; id < findings->sites.count; id++) {
        const Site *site = &findings->sites.items[id];
        SiteCost *cost = &costs->sites[id];
        if (!is_sure(findings, id, run->options->least)) continue;
        cost->text = site->unpriced ? TEXT("not priced") : cost_text_site(result, site, cost);
        cost->remedy_text = site->unpriced ? (Text){0} : cost_text_remedies(result, site, cost);
    }
    for (HotLoopId id = 1; id < findings->loops.count; id++) {
        const HotLoop *loop = &findings->loops.items[id];
        const CostOptions *options = pinned(loop, run->has_step) ? run->options : NULL;
        if (!run->shown[id]) continue;
        verdict_give(result, loop, &costs->loops[id], options, run->profile->verdict_inset.median,
                     cost_least_gain(run->options));
        costs->loops[id].text = cost_text_loop(result, loop, &costs->loops[id], options);
    }
}

/* "not calibrated for mps"; empty for CUDA, which the profile measures. */
static Text uncalibrated(Arena *result, const Findings *findings, Text own) {
    Text accelerator = own.length ? own : findings->accelerator;
    return accelerator.length ? text_format(result, "not calibrated for %.*s", SHOWN(accelerator)) : (Text){0};
}

/* Prices of another accelerator are dropped. */
static void unprice(Arena *result, const Findings *findings, Costs *costs) {
    for (SiteId id = 1; id < findings->sites.count; id++) {
        Text text = uncalibrated(result, findings, findings->sites.items[id].accelerator);
        if (text.length) costs->sites[id] = (SiteCost){.uncalibrated = true, .text = text};
    }
    for (HotLoopId id = 1; id < findings->loops.count; id++) {
        Text text = uncalibrated(result, findings, findings->loops.items[id].accelerator);
        if (text.length) costs->loops[id] = (LoopCost){.uncalibrated = true, .text = text};
    }
}

static Costs costs_new(Arena *result, const Findings *findings) {
    return (Costs){arena_new(result, SiteCost, findings->sites.count + 1),
                   arena_new(result, LoopCost, findings->loops.count + 1)};
}

static Run run_of(Arena *scratch, const Findings *findings, const Profile *profile,
                  const CostOptions *options) {
    Run run = {.findings = findings,
               .profile = profile,
               .options = options,
               .owned = sites_by_loop(scratch, findings),
               .loop_count = findings->loops.count ? findings->loops.count : 1};
    atomic_init(&run.next, 0), atomic_init(&run.added_bytes, 0);
    if (options->cache) run.profile_digest = kept_price_profile(scratch, profile);
    for (HotLoopId id = 1; id < findings->loops.count; id++)
        run.has_step |= unit_trains(findings->loops.items[id].unit);
    return run;
}

/* The loop's iteration is the step whose time the user gives (--step-time). */
static bool has_given_step_time(const Run *run, HotLoopId id) {
    return run->options->step_time_us > 0 && pinned(&run->findings->loops.items[id], run->has_step);
}

/* The events counted take longer, by the profile, than the step time that the user gives. */
static void note_longer(const Run *run) {
    for (HotLoopId id = 1; id < run->findings->loops.count; id++) {
        LoopCost *cost = &run->costs->loops[id];
        cost->longer = has_given_step_time(run, id) && cost->turn.high_us > 1.02 * run->options->step_time_us;
    }
}

static void apply_given_step_time(const Run *run) {
    double told_us = run->options->step_time_us;
    for (HotLoopId id = 1; id < run->findings->loops.count; id++)
        if (has_given_step_time(run, id)) run->costs->loops[id].turn = (CostRange){told_us, told_us};
}

/* Prices with each subset of the given numbers, the empty one first, and cuts each result to the one before. */
static void price_within(Run *run, Arena *result, const CostOptions *options) {
    unsigned all = given_all(options), part = 0;
    do {
        CostOptions some = given_part(options, part);
        Costs before = *run->costs;
        run->options = &some;
        atomic_store(&run->next, 0);
        if (part) *run->costs = costs_new(result, run->findings);
        price_all(run);
        if (part == all) note_longer(run);
        if (part) given_narrow(run->findings, run->costs, &before);
    } while (given_next(all, &part));
    run->options = options;
    apply_given_step_time(run);
}

Costs *cost_findings(Arena *result, const Findings *findings, const Profile *profile,
                     const CostOptions *options) {
    Arena scratch = {0};
    Run run = run_of(&scratch, findings, profile, options);
    Costs costs = costs_new(result, findings);
    run.costs = arena_copy(result, &costs, sizeof costs);
    run.shown = loops_shown(&scratch, findings, options);
    if (!findings->accelerator.length) {
        price_within(&run, result, options);
        write_texts(result, &run, findings, run.costs);
    }
    unprice(result, findings, run.costs);
    if (options->cache) cache_trim(options->cache, run.added_bytes);
    arena_free(&scratch);
    return run.costs;
}

static CostJoint *joint_within(Run *run, Arena *result, const CostOptions *options, uint32_t count) {
    unsigned all = given_all(options), part = 0;
    CostJoint *before = NULL;
    Arena *drawn = run->drawn;
    do {
        CostOptions some = given_part(options, part);
        run->options = &some, run->drawn = part == all ? drawn : NULL;
        run->joint = arena_new(result, CostJoint, count + 1u);
        atomic_store(&run->next, 0);
        price_all(run);
        for (uint32_t i = 0; before && i < count; i++) given_narrow_gain(&run->joint[i], &before[i]);
        before = run->joint;
    } while (given_next(all, &part));
    return run->joint;
}

CostJoint *cost_joint(Arena *result, const Findings *findings, const Profile *profile,
                      const CostOptions *options, const CostSet *sets, uint32_t count) {
    if (findings->accelerator.length || !count) return arena_new(result, CostJoint, count + 1u);
    Arena scratch = {0};
    Run run = run_of(&scratch, findings, profile, options);
    bool *shown = arena_new(&scratch, bool, findings->loops.count + 1u);
    for (uint32_t i = 0; i < count; i++) {
        shown[sets[i].loop] = !findings->loops.items[sets[i].loop].accelerator.length;
        if (sets[i].drawn) run.drawn = result;
    }
    run.shown = shown;
    run.sets = sets, run.sets_of = GROUPING(&scratch, sets, count, loop, findings->loops.count + 1u);
    CostJoint *joint = joint_within(&run, result, options, count);
    if (options->cache) cache_trim(options->cache, run.added_bytes);
    arena_free(&scratch);
    return joint;
}
