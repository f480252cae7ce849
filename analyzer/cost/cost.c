#include "cost.h"
#include "cost_text.h"
#include "pricing.h"
#include "team.h"
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Below this a price is said to be about zero: the larger of 5 us and a thousandth of the turn. */
static const double zero_us = 5, zero_share = 0.001;

/* Work bounds for one loop (sites x items): beyond the first no remedies are priced, beyond the second
   neighbouring sites are removed together and share the price, so that a machine-made file stays linear. */
enum { REMEDY_WORK = 100000, GROUP_WORK = 200000 };
enum { REMEDY_SITES = 32 }; /* of one loop, the dearest: remedies are priced */

enum { LOOPS_A_THREAD = 16 }; /* fewer are priced sooner than a thread starts */

static void make_room(Arena *scratch, Pricing *pricing) {
    if (pricing->time_capacity >= pricing->turn.item_count) return;
    pricing->time_capacity = pricing->turn.item_count * 2;
    pricing->times = arena_new(scratch, ItemTime, pricing->time_capacity);
    pricing->changed = arena_new(scratch, Item, pricing->time_capacity);
    pricing->base.marks = arena_new(scratch, TimelineMark, pricing->time_capacity);
    pricing->base.inner = arena_new(scratch, TimelineMark, pricing->time_capacity * TIMELINE_LOOP_TURNS);
}

static TurnTime replay_base(Pricing *pricing) {
    pricing->base.items = pricing->turn.items, pricing->base.count = pricing->turn.item_count;
    return timeline_record(pricing->timeline, &pricing->base, (TimelineChange){.removed = pricing->removed},
                           pricing->times);
}

static void widen_range(TimelineRange *range, TimelineRange by) {
    if (!range->until || by.from < range->from) range->from = by.from;
    if (by.until > range->until) range->until = by.until;
    if (!range->inner_until || by.inner_from < range->inner_from) range->inner_from = by.inner_from;
    if (by.inner_until > range->inner_until) range->inner_until = by.inner_until;
}

static void find_ranges(Pricing *pricing) {
    memset(pricing->ranges, 0, sizeof *pricing->ranges * pricing->site_count);
    TimelineRange open = {0};
    for (uint32_t i = 0; i < pricing->turn.item_count; i++) {
        const Item *item = &pricing->turn.items[i];
        uint32_t end = item->kind == ITEM_LOOP ? item->object + 1 : i + 1;
        if (i >= open.until)
            open = (TimelineRange){.from = i, .until = end};
        else if (i >= open.inner_until)
            open.inner_from = i, open.inner_until = end;
        if (item->site) widen_range(&pricing->ranges[item->site], open);
    }
}

/* How much later the turn ends with the sites first..end toggled, as `removed` says. */
static double later_us(Pricing *pricing, uint32_t first, uint32_t end, ItemTime *times) {
    TimelineRange range = {0};
    double later_us = 0;
    pricing->whole_us = -1;
    for (uint32_t i = first; i < end; i++)
        if (pricing->ranges[i].until) widen_range(&range, pricing->ranges[i]);
    if (!range.until) return 0;
    TimelineChange change = {.removed = pricing->removed};
    if (timeline_shift(pricing->timeline, &pricing->base, change, range, times, &later_us)) return later_us;
    pricing->whole_us = pricing_replay(pricing, 0, times).turn_us;
    return pricing->whole_us - pricing->turn_us;
}

/* ---- one scenario ---- */

static void note_blocked(Pricing *pricing, uint32_t first, uint32_t end) {
    double *blocked_us = pricing->price_us; /* not yet in use for these sites */
    for (uint32_t i = first; i < end; i++) blocked_us[i] = 0;
    for (uint32_t i = 0; i < pricing->turn.item_count; i++) {
        uint32_t site = pricing->turn.items[i].site;
        if (site >= first && site < end) blocked_us[site] += pricing->times[i].blocked_us;
    }
    for (uint32_t i = first; i < end; i++)
        if (!pricing->removed[i])
            pricing_widen(&pricing->costs[i].blocked, blocked_us[i] / fmax(pricing->sites[i].executions, 1),
                          pricing->first);
}

static void note_price(Pricing *pricing, uint32_t index, double price_us) {
    const TurnSite *site = &pricing->sites[index];
    SiteCost *cost = &pricing->costs[index];
    pricing->price_us[index] = fmax(price_us, 0);
    pricing_widen(&cost->per_execution, price_us / fmax(site->executions, 1), pricing->first);
    pricing_widen(&cost->per_turn, price_us * site->share, pricing->first);
    double said_us = pricing->findings->sites.items[site->id].frequency.unit == UNIT_EPOCH
                         ? price_us
                         : price_us * site->share;
    if (said_us >= fmax(zero_us, zero_share * pricing->turn_us)) pricing->nonzero[index] = true;
}

/* ---- remedies ---- */

static bool waits(const Item *item) {
    return item->kind == ITEM_WAIT_STREAM || item->kind == ITEM_WAIT_DEVICE || item->kind == ITEM_WAIT_EVENT;
}

/* The next wait of another site, from the item on, that runs each turn; item_count when there is none. */
static uint32_t next_wait(const Pricing *pricing, uint32_t from, uint32_t index, bool *launched) {
    for (uint32_t i = from; i < pricing->turn.item_count; i++) {
        const Item *item = &pricing->turn.items[i];
        if (item->kind == ITEM_LAUNCH && item->site != index) *launched = true;
        if (waits(item) && item->site && item->site != index && pricing->sites[item->site].in_base) return i;
    }
    return pricing->turn.item_count;
}

static uint32_t first_wait_of(const Pricing *pricing, uint32_t index) {
    uint32_t i = 0;
    while (i < pricing->turn.item_count &&
           !(pricing->turn.items[i].site == index && waits(&pricing->turn.items[i])))
        i++;
    return i;
}

/* A wait with nothing queued since another one, or before the next one, in every scenario alike: order is the same. */
static Paid paid_by(const Pricing *pricing, uint32_t index) {
    bool launched = false;
    uint32_t here = first_wait_of(pricing, index), count = pricing->turn.item_count;
    if (here == count || !pricing->sites[index].in_base) return PAID_BY_NONE;
    for (uint32_t i = here; i-- > 0 && !launched;) {
        const Item *item = &pricing->turn.items[i];
        launched = item->kind == ITEM_LAUNCH;
        if (waits(item) && item->site && item->site != index && pricing->sites[item->site].in_base)
            return PAID_BEFORE;
    }
    launched = false;
    return next_wait(pricing, here + 1, index, &launched) < count && !launched ? PAID_BEHIND : PAID_BY_NONE;
}

/* The turn when the value comes with the next read: one operation more (stacking the two), one wait less. Below 0 when
   there is no next read. */
static double merged_turn_us(Pricing *pricing, uint32_t index) {
    bool launched = false;
    uint32_t here = first_wait_of(pricing, index), count = pricing->turn.item_count;
    if (here == count || next_wait(pricing, here + 1, index, &launched) == count) return -1;
    memcpy(pricing->changed, pricing->turn.items, sizeof(Item) * count);
    for (uint32_t i = here; i < count; i++)
        if (pricing->changed[i].site == index) pricing->changed[i].repeat = 0;
    pricing->changed[here] =
        (Item){.kind = ITEM_LAUNCH,
               .repeat = 1,
               .host_us = turn_value(&pricing->profile->launch_us, pricing->side),
               .gpu_us = turn_value(&pricing->profile->small_operation_gpu_us, pricing->side)};
    TimelineChange change = {.removed = pricing->removed};
    return timeline_replay(pricing->timeline, pricing->changed, count, change, NULL).turn_us;
}

/* Whether more is asked of a wait than its removal. */
static bool has_remedies(const Pricing *pricing, uint32_t index) {
    const TurnSite *site = &pricing->sites[index];
    const Site *found = &pricing->findings->sites.items[site->id];
    return found->need == NEED_AVOIDABLE && !found->copy_to_device && site->in_base;
}

/* The scenario in which it is dearest so far says what else helps. */
static bool wants_remedies(const Pricing *pricing, uint32_t index, double price_us) {
    return price_us * pricing->sites[index].share > pricing->costs[index].remedies.of_us;
}

/* without_us: the turn without the wait. All sites as in the run. */
static void note_remedies(Pricing *pricing, uint32_t index, double price_us, double without_us) {
    if (!wants_remedies(pricing, index, price_us)) return;
    uint32_t every = (uint32_t)pricing->profile->unknown_every.median;
    double moved_us = pricing_replay(pricing, index, NULL).turn_us;
    double merged_us = merged_turn_us(pricing, index);
    pricing->costs[index].remedies = (Remedies){
        .of_us = price_us,
        .moved_us = fmax(pricing_settled(price_us - fmax(moved_us - without_us, 0)), 0),
        .merged_us = merged_us < 0 ? 0 : fmax(pricing_settled(price_us - fmax(merged_us - without_us, 0)), 0),
        .seldom_us = price_us * (1 - 1.0 / every),
        .every = every};
}

/* Where the GPU hides host work, what remains of the wait once it is moved to the end: in each scenario, since it may be
   more than the wait cost. */
static void note_left(Pricing *pricing, uint32_t index, double without_us) {
    const TurnSite *site = &pricing->sites[index];
    CostRange *left = &pricing->costs[index].moved_to_end;
    pricing_widen(left, (pricing_replay(pricing, index, NULL).turn_us - without_us) * site->share,
                  pricing->first);
}

/* ---- one site ---- */

/* Toggles sites first..end, which are alike (all in the base, or none), and prices them; gives the one, where it is
   one. */
static Candidate price_group(Pricing *pricing, uint32_t first, uint32_t end) {
    bool in_base = pricing->sites[first].in_base;
    for (uint32_t i = first; i < end; i++) pricing->removed[i] = in_base;
    double change_us = later_us(pricing, first, end, in_base ? NULL : pricing->times);
    if (!in_base) note_blocked(pricing, first, end);
    if (in_base && end == first + 1) pricing->alone_us[first] = pricing->whole_us;
    double price_us = pricing_settled(in_base ? -change_us : change_us);
    for (uint32_t i = first; i < end; i++) note_price(pricing, i, price_us / (end - first));
    for (uint32_t i = first; i < end; i++) pricing->removed[i] = !in_base;
    return (Candidate){end == first + 1 ? first : 0, price_us, pricing->turn_us - price_us};
}

static bool priced(const Pricing *pricing, uint32_t index) {
    const TurnSite *site = &pricing->sites[index];
    const Site *found = &pricing->findings->sites.items[site->id];
    return found->confidence >= pricing->least && (found->loop == pricing->loop_id || !site->in_base);
}

static uint32_t priced_count(const Pricing *pricing) {
    uint32_t count = 1;
    for (uint32_t i = 1; i < pricing->site_count; i++) count += priced(pricing, i);
    return count;
}

static int by_price(const void *left, const void *right) {
    const Candidate *a = left, *b = right;
    if (a->price_us < b->price_us || a->price_us > b->price_us) return a->price_us > b->price_us ? -1 : 1;
    return a->site < b->site ? -1 : a->site > b->site;
}

/* Each remedy is a whole replay: what a list of findings begins with is what is mended. */
static void price_remedies(Pricing *pricing, Candidate *candidates, uint32_t count) {
    if (count > REMEDY_SITES) qsort(candidates, count, sizeof *candidates, by_price);
    for (uint32_t i = 0; i < count && i < REMEDY_SITES; i++) {
        const Candidate *it = &candidates[i];
        if (pricing->turn.hides) note_left(pricing, it->site, it->without_us);
        note_remedies(pricing, it->site, it->price_us, it->without_us);
    }
}

static void price_sites(Pricing *pricing) {
    uint64_t work = (uint64_t)priced_count(pricing) * pricing->turn.item_count;
    uint32_t size = (uint32_t)(work / GROUP_WORK) + 1, candidates = 0;
    for (uint32_t first = 1, end; first < pricing->site_count; first = end) {
        for (end = first + 1; end < pricing->site_count && end - first < size; end++)
            if (pricing->sites[end].in_base != pricing->sites[first].in_base || !priced(pricing, end)) break;
        if (!priced(pricing, first) || (pricing->sets && pricing->sites[first].in_base)) continue;
        Candidate alone = price_group(pricing, first, end);
        if (work > REMEDY_WORK || !alone.site) continue;
        pricing->costs[first].paid = paid_by(pricing, first);
        if (has_remedies(pricing, first)) pricing->candidates[candidates++] = alone;
    }
    price_remedies(pricing, pricing->candidates, candidates);
}

static bool counts(const Pricing *pricing, uint32_t index, bool avoidable_only) {
    SiteId id = pricing->sites[index].id;
    const Site *site = &pricing->findings->sites.items[id];
    if ((avoidable_only && site->need != NEED_AVOIDABLE) || site->frequency.only.length) return false;
    return pricing->counted ? pricing->counted[id] : site->confidence > CONFIDENCE_POSSIBLE;
}

/* What all sites, or all avoidable ones, cost together in a turn. */
static double together(Pricing *pricing, bool avoidable_only) {
    for (uint32_t i = 1; i < pricing->site_count; i++)
        pricing->left_out[i] = counts(pricing, i, avoidable_only);
    return joint_saved_us(pricing, pricing->left_out);
}

static bool all_avoidable(const Pricing *pricing) {
    for (uint32_t i = 1; i < pricing->site_count; i++)
        if (counts(pricing, i, false) && !counts(pricing, i, true)) return false;
    return true;
}

static void note_loop(Pricing *pricing, TurnTime time) {
    LoopCost *loop = pricing->loop;
    double operations = pricing->turn.small_operations + pricing->turn.long_operations;
    pricing_widen(&loop->turn, time.turn_us, pricing->first);
    pricing_widen(&loop->host, time.host_busy_us, pricing->first);
    pricing_widen(&loop->gpu, time.gpu_busy_us, pricing->first);
    double all_us = together(pricing, false);
    pricing_widen(&loop->all, all_us, pricing->first);
    pricing_widen(&loop->avoidable, all_avoidable(pricing) ? all_us : together(pricing, true), pricing->first);
    loop->operations_low = pricing->first ? operations : fmin(loop->operations_low, operations);
    loop->operations_high = fmax(loop->operations_high, operations);
}

static void price_scenario(Arena *scratch, Pricing *pricing, Scenario scenario) {
    pricing_reset(pricing);
    pricing->timeline = pricing->timelines[scenario.side], pricing->side = scenario.side;
    pricing->turn = scenario_turn(pricing->plan, pricing->timeline, pricing->removed, pricing->profile,
                                  pricing->pins, scenario, &pricing->counted_turns[scenario.side]);
    make_room(scratch, pricing);
    TurnTime time = replay_base(pricing);
    pricing->turn_us = pricing->base.steady ? pricing->base.turn_us : time.turn_us;
    find_ranges(pricing);
    for (uint32_t i = 1; i < pricing->site_count; i++) pricing->alone_us[i] = -1;
    if (!pricing->sets) note_blocked(pricing, 1, pricing->site_count);
    price_sites(pricing);
    if (pricing->sets)
        joint_note(pricing);
    else
        note_loop(pricing, time);
    pricing->first = false;
}

/* ---- one loop ---- */

/* Where host work may show that the GPU hides now, a move to the end may cost more than the wait. */
static void drop_losing_move(SiteCost *cost) {
    if (cost->moved_to_end.high_us > cost->per_turn.high_us) cost->remedies.moved_us = 0;
}

/* Sites of the loop that others price as theirs are replayed, but their costs are not kept. */
static void keep_costs(const Pricing *pricing, bool hides, SiteCost *costs) {
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        const TurnSite *site = &pricing->sites[i];
        if (pricing->findings->sites.items[site->id].loop != pricing->loop_id) continue;
        pricing->costs[i].has_per_turn = site->share_known;
        pricing->costs[i].about_zero = !pricing->nonzero[i];
        if (hides) drop_losing_move(&pricing->costs[i]);
        costs[site->id] = pricing->costs[i];
    }
}

/* local: as turn_plan wants it; costs: [SiteId]. */
static void price_loop(Arena *scratch, Pricing pricing, const HotLoop *loop, const SiteId *own,
                       uint32_t own_count, uint32_t *local, SiteCost *costs) {
    pricing.plan = turn_plan(scratch, pricing.findings, loop, own, own_count, pricing.profile, local);
    pricing.sites = turn_sites(pricing.plan, &pricing.site_count);
    pricing.candidates = arena_new(scratch, Candidate, pricing.site_count);
    pricing.removed = arena_new(scratch, bool, pricing.site_count);
    pricing.left_out = arena_new(scratch, bool, pricing.site_count);
    pricing.nonzero = arena_new(scratch, bool, pricing.site_count);
    pricing.price_us = arena_new(scratch, double, pricing.site_count);
    pricing.alone_us = arena_new(scratch, double, pricing.site_count);
    pricing.ranges = arena_new(scratch, TimelineRange, pricing.site_count);
    pricing.costs = arena_new(scratch, SiteCost, pricing.site_count);
    pricing.first = true;
    Scenario scenarios[SCENARIO_LIMIT];
    for (int side = SIDE_QUICK; side <= SIDE_SLOW; side++)
        pricing.counted_turns[side] = scenario_counted(pricing.plan, pricing.profile, pricing.pins, (Side)side);
    const Turn *any = &pricing.counted_turns[SIDE_SLOW];
    uint32_t count = scenario_list(pricing.pins, any, scenarios);
    double turns_us[SCENARIO_LIMIT] = {0};
    for (uint32_t i = 0; i < count; i++) {
        price_scenario(scratch, &pricing, scenarios[i]);
        turns_us[i] = pricing.turn_us;
    }
    if (pricing.drawn) {
        price_scenario(scratch, &pricing, scenarios[joint_middle(turns_us, count)]);
        joint_draw(pricing.drawn, &pricing);
    }
    for (uint32_t i = 0; i < count; i++) pricing.loop->hides |= scenario_hides(scenarios[i]);
    keep_costs(&pricing, any->hides, costs);
}

/* ---- all of them ---- */

/* own[first[loop] .. first[loop + 1]) are the sites that a loop prices; loop 0 holds those without a loop. */
typedef struct Owned {
    SiteId *own;
    uint32_t *first;
} Owned;

typedef struct RankedSite {
    uint32_t rank;
    SiteId id;
} RankedSite;

static int by_rank(const void *a, const void *b) {
    const RankedSite *left = a, *right = b;
    if (left->rank != right->rank) return left->rank < right->rank ? -1 : 1;
    return (left->id > right->id) - (left->id < right->id);
}

/* Not in the order of the sites, which is that of their functions in the file: which of two waits has paid for the other
   does not hang on that. */
static RankedSite *sites_by_rank(Arena *scratch, const Findings *findings, uint32_t *count) {
    RankedSite *ranked = arena_new(scratch, RankedSite, findings->sites.count + 1);
    for (SiteId id = 1; id < findings->sites.count; id++)
        if (!findings->sites.items[id].unpriced)
            ranked[(*count)++] = (RankedSite){findings->sites.items[id].rank, id};
    if (*count > 1) qsort(ranked, *count, sizeof *ranked, by_rank);
    return ranked;
}

static Owned sites_by_loop(Arena *scratch, const Findings *findings) {
    uint32_t loops = findings->loops.count ? findings->loops.count : 1;
    Owned owned = {arena_new(scratch, SiteId, findings->sites.count + 1),
                   arena_new(scratch, uint32_t, loops + 2)};
    for (SiteId id = 1; id < findings->sites.count; id++)
        owned.first[findings->sites.items[id].loop + 2] += !findings->sites.items[id].unpriced;
    for (uint32_t loop = 1; loop < loops + 2; loop++) owned.first[loop] += owned.first[loop - 1];
    uint32_t count = 0;
    const RankedSite *ranked = sites_by_rank(scratch, findings, &count);
    for (uint32_t i = 0; i < count; i++)
        owned.own[owned.first[findings->sites.items[ranked[i].id].loop + 1]++] = ranked[i].id;
    return owned;
}

static Timeline *timeline_for(Arena *scratch, const Profile *profile, Side side) {
    TimelineSetup setup = {.launch_latency_us = turn_value(&profile->launch_latency_us, side),
                           .queue_launches = profile->queue_launches.median,
                           .threads = 1,
                           .streams = 1};
    return timeline_new(scratch, &setup);
}

/* What a user reads off a log is the training step; it says nothing of other loops, unless there is no step. */
static bool pinned(const HotLoop *loop, bool has_step) { return !has_step || unit_trains(loop->unit); }

static Pins pins_for(const CostOptions *options, bool has_step, const HotLoop *loop) {
    if (!pinned(loop, has_step)) return (Pins){0};
    return (Pins){options->step_time_us, options->gpu_busy, options->ops_per_step};
}

static bool is_sure(const Findings *findings, SiteId id, Confidence least) {
    return id && findings->sites.items[id].confidence >= least;
}

/* [HotLoopId] what has a site that may be shown, as its own or another loop's. */
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

/* What pricing all loops needs, const but for the costs, of which each loop writes its own. */
typedef struct Run {
    const Findings *findings;
    const Profile *profile;
    const CostOptions *options;
    Owned owned;
    const bool *shown; /* [HotLoopId] */
    bool has_step;
    Costs *costs;
    const CostSet *sets; /* NULL = each site is priced; else these only, in `joint` */
    uint32_t set_count;
    CostJoint *joint;
    Arena *drawn;        /* where pictures live; NULL = none is wanted */
    uint32_t loop_count; /* with 0, for the sites without a loop */
    atomic_uint next;    /* loop */
} Run;

typedef struct Pricer { /* of one thread */
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
                       .least = run->options->least,
                       .pins = &pins,
                       .timelines = {self->timelines[SIDE_QUICK], self->timelines[SIDE_SLOW]},
                       .sets = run->sets,
                       .set_count = run->set_count,
                       .joint = run->joint,
                       .drawn = run->drawn,
                       .loop_id = id,
                       .loop = cost};
    price_loop(&self->loop_scratch, pricing, loop, own, count, self->local, run->costs->sites);
    arena_reset(&self->loop_scratch);
}

/* Where no loop is seen, somebody's model is called around each wait. */
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
        if (id && run->shown[id])
            price_one(self, id, &run->findings->loops.items[id], run->owned.own + first[0], first[1] - first[0],
                      &run->costs->loops[id]);
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
        if (run->shown[id]) costs->loops[id].text = cost_text_loop(result, loop, &costs->loops[id], options);
    }
}

static Text not_calibrated(Arena *result, Text accelerator) {
    return text_format(result, "not calibrated for %.*s", (int)accelerator.length, accelerator.bytes);
}

/* What is measured is measured through CUDA. */
static void unprice(Arena *result, const Findings *findings, Costs *costs) {
    for (SiteId id = 1; id < findings->sites.count; id++) {
        Text accelerator = findings->sites.items[id].accelerator;
        if (!accelerator.length) accelerator = findings->accelerator;
        if (!accelerator.length) continue;
        costs->sites[id] = (SiteCost){.uncalibrated = true, .text = not_calibrated(result, accelerator)};
    }
    for (HotLoopId id = 1; id < findings->loops.count; id++) {
        Text accelerator = findings->loops.items[id].accelerator;
        if (!accelerator.length) accelerator = findings->accelerator;
        if (!accelerator.length) continue;
        costs->loops[id] = (LoopCost){.uncalibrated = true, .text = not_calibrated(result, accelerator)};
    }
}

static Run run_of(Arena *result, Arena *scratch, const Findings *findings, const Profile *profile,
                  const CostOptions *options) {
    Costs *costs = arena_new(result, Costs, 1);
    costs->sites = arena_new(result, SiteCost, findings->sites.count + 1);
    costs->loops = arena_new(result, LoopCost, findings->loops.count + 1);
    Run run = {.findings = findings,
               .profile = profile,
               .options = options,
               .owned = sites_by_loop(scratch, findings),
               .costs = costs,
               .loop_count = findings->loops.count ? findings->loops.count : 1};
    atomic_init(&run.next, 0);
    for (HotLoopId id = 1; id < findings->loops.count; id++)
        run.has_step |= unit_trains(findings->loops.items[id].unit);
    return run;
}

Costs *cost_findings(Arena *result, const Findings *findings, const Profile *profile,
                     const CostOptions *options) {
    Arena scratch = {0};
    Run run = run_of(result, &scratch, findings, profile, options);
    run.shown = loops_shown(&scratch, findings, options);
    if (!findings->accelerator.length) {
        price_all(&run);
        write_texts(result, &run, findings, run.costs);
    }
    unprice(result, findings, run.costs);
    arena_free(&scratch);
    return run.costs;
}

CostJoint *cost_joint(Arena *result, const Findings *findings, const Profile *profile,
                      const CostOptions *options, const CostSet *sets, uint32_t count) {
    CostJoint *joint = arena_new(result, CostJoint, count + 1u);
    if (findings->accelerator.length || !count) return joint;
    Arena scratch = {0};
    Run run = run_of(&scratch, &scratch, findings, profile, options);
    bool *shown = arena_new(&scratch, bool, findings->loops.count + 1u);
    for (uint32_t i = 0; i < count; i++) {
        shown[sets[i].loop] = !findings->loops.items[sets[i].loop].accelerator.length;
        if (sets[i].drawn) run.drawn = result;
    }
    run.shown = shown, run.sets = sets, run.set_count = count, run.joint = joint;
    price_all(&run);
    arena_free(&scratch);
    return joint;
}
