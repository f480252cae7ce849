/* Prices one loop, scenario after scenario: each site with and without, its remedies, and the loop as a whole. */
#include "pricing.h"
#include "kept_price.h"
#include <math.h>
#include <stdlib.h>

/* A price is "about zero" below the larger of 5 us and a thousandth of the iteration. */
static const double zero_us = 5, zero_share = 0.001;

/* Bounds of the work for one loop (sites x items), so that a machine-made file stays linear: beyond the first
   no remedies are priced; beyond the second neighbouring sites are removed together and share the price. */
enum { REMEDY_WORK = 100000, GROUP_WORK = 200000 };
enum { REMEDY_SITES = 32 }; /* remedies are priced for so many sites of a loop, the dearest */

/* Sums of durations carry noise after the fifteenth digit, and prices of round profiles often end in a five.
   Unrounded, the noise would decide how they round and which of two equal scenarios is the dearest. */
double pricing_settled(double us) { return round(us * 1e6) / 1e6; }

void pricing_widen(CostRange *range, double us, bool first) {
    us = fmax(pricing_settled(us), 0);
    range->low_us = first ? us : fmin(range->low_us, us);
    range->high_us = first ? us : fmax(range->high_us, us);
}

static TurnTime replay_all(Pricing *pricing, uint32_t moved_site, ItemTime *times) {
    TimelineChange change = {.removed = pricing->removed, .moved_site = moved_site};
    return timeline_replay(pricing->timeline, pricing->turn.items, pricing->turn.item_count, change, times);
}

void pricing_reset(Pricing *pricing) {
    for (uint32_t i = 0; i < pricing->site_count; i++) pricing->removed[i] = i && !pricing->sites[i].in_base;
}

static void make_room(Arena *scratch, Pricing *pricing) {
    if (pricing->time_capacity >= pricing->turn.item_count) return;
    pricing->time_capacity = pricing->turn.item_count * 2;
    pricing->times = arena_new(scratch, ItemTime, pricing->time_capacity);
    pricing->changed = arena_new(scratch, Item, pricing->time_capacity);
    pricing->base.marks = arena_new(scratch, TimelineMark, pricing->time_capacity);
    pricing->base.inner = arena_new(scratch, TimelineMark, pricing->time_capacity * TIMELINE_LOOP_TURNS);
}

/* Replays the iteration without what is removed now: the base of all further questions. */
static TurnTime begin_base(Pricing *pricing) {
    TimelineChange change = {.removed = pricing->removed};
    pricing->base.items = pricing->turn.items, pricing->base.count = pricing->turn.item_count;
    memcpy(pricing->away, pricing->removed, sizeof *pricing->away * pricing->site_count);
    TurnTime time = timeline_record(pricing->timeline, &pricing->base, change, pricing->times);
    pricing->turn_us = pricing->base.steady ? pricing->base.turn_us : time.turn_us;
    return time;
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

/* How much later the iteration ends when sites first..end are toggled as `removed` says. */
static double later_us(Pricing *pricing, uint32_t first, uint32_t end, ItemTime *times) {
    TimelineRange range = {0};
    double later_us = 0;
    for (uint32_t i = first; i < end; i++)
        if (pricing->ranges[i].until && pricing->removed[i] != pricing->away[i])
            widen_range(&range, pricing->ranges[i]);
    if (!range.until) return 0;
    TimelineChange change = {.removed = pricing->removed};
    if (timeline_shift(pricing->timeline, &pricing->base, change, range, times, &later_us)) return later_us;
    return replay_all(pricing, 0, times).turn_us - pricing->turn_us;
}

double pricing_saved_us(Pricing *pricing) { return -later_us(pricing, 1, pricing->site_count, NULL); }

/* ---- one scenario ---- */

static void note_blocked(Pricing *pricing, uint32_t first, uint32_t end) {
    double *blocked_us = pricing->price_us; /* not in use yet for these sites */
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

typedef enum Which { WHICH_ALL, WHICH_MENDABLE, WHICH_AVOIDABLE } Which; /* each set contains the next */

static bool counts(const Pricing *pricing, uint32_t index, Which which) {
    SiteId id = pricing->sites[index].id;
    const Site *site = &pricing->findings->sites.items[id];
    if (pricing->sites[index].apart) return false;
    if (which != WHICH_ALL && pricing->allowed && pricing->allowed[id]) return false;
    if (which == WHICH_AVOIDABLE && site->need != NEED_AVOIDABLE) return false;
    if (which == WHICH_MENDABLE && site->need == NEED_NEEDED) return false;
    return pricing->counted ? pricing->counted[id] : site->confidence > CONFIDENCE_POSSIBLE;
}

/* ---- remedies ---- */

static bool waits(const Item *item) {
    return item->kind == ITEM_WAIT_STREAM || item->kind == ITEM_WAIT_DEVICE || item->kind == ITEM_WAIT_EVENT;
}

/* The next wait, from this item on, of another site that runs each iteration; item_count when there is none. */
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

/* Whether, in every scenario (their order is the same), nothing is queued between this wait and the one before
   or after. *beside is set to that site. */
static Paid paid_by(const Pricing *pricing, uint32_t index, uint32_t *beside) {
    bool launched = false;
    uint32_t here = first_wait_of(pricing, index), count = pricing->turn.item_count;
    if (here == count || !pricing->sites[index].in_base) return PAID_BY_NONE;
    for (uint32_t i = here; i-- > 0 && !launched;) {
        const Item *item = &pricing->turn.items[i];
        launched = item->kind == ITEM_LAUNCH;
        *beside = item->site;
        if (waits(item) && item->site && item->site != index && pricing->sites[item->site].in_base)
            return PAID_BEFORE;
    }
    launched = false;
    uint32_t next = next_wait(pricing, here + 1, index, &launched);
    if (next == count || launched) return PAID_BY_NONE;
    *beside = pricing->turn.items[next].site;
    return PAID_BEHIND;
}

static void note_paid(Pricing *pricing, uint32_t index) {
    SiteCost *cost = &pricing->costs[index];
    uint32_t beside = 0;
    cost->paid = paid_by(pricing, index, &beside);
    if (cost->paid == PAID_BY_NONE || counts(pricing, beside, WHICH_MENDABLE)) return;
    cost->held = pricing->sites[index].executions <= 1;
    if (!cost->held) cost->paid = PAID_BY_NONE; /* only the first of its waits stands there */
}

/* The iteration when the value is read with the next read: one more operation (to stack the two), one wait
   less. Negative when there is no next read. */
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

/* Whether remedies other than removal are to be priced for the wait. */
static bool has_remedies(const Pricing *pricing, uint32_t index) {
    const TurnSite *site = &pricing->sites[index];
    const Site *found = &pricing->findings->sites.items[site->id];
    return found->need == NEED_AVOIDABLE && !found->copy_to_device && site->in_base;
}

/* Remedies are priced in the scenario in which the site is dearest, so far. */
static bool wants_remedies(const Pricing *pricing, uint32_t index, double price_us) {
    return price_us * pricing->sites[index].share > pricing->costs[index].remedies.of_us;
}

/* without_us: the iteration without the wait. The sites are as in the run. */
static void note_remedies(Pricing *pricing, uint32_t index, double price_us, double without_us) {
    if (!wants_remedies(pricing, index, price_us)) return;
    uint32_t every = (uint32_t)pricing->profile->unknown_every.median;
    double moved_us = replay_all(pricing, index, NULL).turn_us;
    double merged_us = merged_turn_us(pricing, index);
    pricing->costs[index].remedies = (Remedies){
        .of_us = price_us,
        .moved_us = fmax(pricing_settled(price_us - fmax(moved_us - without_us, 0)), 0),
        .merged_us = merged_us < 0 ? 0 : fmax(pricing_settled(price_us - fmax(merged_us - without_us, 0)), 0),
        .seldom_us = price_us * (1 - 1.0 / every),
        .every = every};
}

/* Where the GPU hides host work: what remains of the wait when it is moved to the end. Computed in each
   scenario, since it may exceed the wait's own cost. */
static void note_left(Pricing *pricing, uint32_t index, double without_us) {
    const TurnSite *site = &pricing->sites[index];
    CostRange *left = &pricing->costs[index].moved_to_end;
    pricing_widen(left, (replay_all(pricing, index, NULL).turn_us - without_us) * site->share, pricing->first);
}

/* ---- one site ---- */

/* Toggles sites first..end, which are alike (all in the base, or none), and prices them. Gives the candidate
   where it is a single one. */
static Candidate price_group(Pricing *pricing, uint32_t first, uint32_t end) {
    bool in_base = pricing->sites[first].in_base;
    for (uint32_t i = first; i < end; i++) pricing->removed[i] = in_base;
    double change_us = later_us(pricing, first, end, in_base ? NULL : pricing->times);
    if (!in_base) note_blocked(pricing, first, end);
    if (in_base && end == first + 1) pricing->alone_us[first] = -change_us;
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

/* Each remedy takes a whole replay, so only the dearest sites get any. */
static void price_remedies(Pricing *pricing, Candidate *candidates, uint32_t count) {
    if (count > REMEDY_SITES) qsort(candidates, count, sizeof *candidates, by_price);
    for (uint32_t i = 0; i < count && i < REMEDY_SITES; i++) {
        const Candidate *it = &candidates[i];
        if (pricing->turn.hides) note_left(pricing, it->site, it->without_us);
        note_remedies(pricing, it->site, it->price_us, it->without_us);
    }
}

/* A question about sets needs the price of one of these. */
static bool is_asked(const Pricing *pricing, uint32_t first, uint32_t end) {
    bool asked = false;
    for (uint32_t i = first; i < end; i++) asked |= pricing->asked[i];
    return asked;
}

static void price_sites(Pricing *pricing) {
    uint64_t work = (uint64_t)priced_count(pricing) * pricing->turn.item_count;
    uint32_t size = (uint32_t)(work / GROUP_WORK) + 1, candidates = 0;
    for (uint32_t first = 1, end; first < pricing->site_count; first = end) {
        for (end = first + 1; end < pricing->site_count && end - first < size; end++)
            if (pricing->sites[end].in_base != pricing->sites[first].in_base || !priced(pricing, end)) break;
        if (!priced(pricing, first) || (pricing->sets && !is_asked(pricing, first, end))) continue;
        Candidate alone = price_group(pricing, first, end);
        if (work > REMEDY_WORK || !alone.site || pricing->sets) continue;
        note_paid(pricing, first);
        if (has_remedies(pricing, first)) pricing->candidates[candidates++] = alone;
    }
    price_remedies(pricing, pricing->candidates, candidates);
}

/* The price of a set of sites together per iteration; wider_us is that of the containing set, reused if both
   are the same. */
static double together(Pricing *pricing, Which which, double wider_us) {
    bool same = which != WHICH_ALL;
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        pricing->left_out[i] = counts(pricing, i, which);
        if (same && counts(pricing, i, which - 1) != pricing->left_out[i]) same = false;
    }
    return same ? wider_us : joint_saved_us(pricing, pricing->left_out);
}

static void note_mendable(Pricing *pricing, Regime regime, double us) {
    RegimeHull *hull = &pricing->hulls[regime];
    pricing_widen(&pricing->loop->mendable, us, pricing->first);
    pricing_widen(&hull->gain, us, !hull->seen);
    pricing_widen(&hull->turn, pricing->turn_us, !hull->seen);
    hull->seen = true;
}

static void note_share(const Pricing *pricing) {
    LoopCost *loop = pricing->loop;
    bool first = true;
    for (int regime = 0; regime <= REGIME_GPU_BOUND; regime++) {
        const RegimeHull *hull = &pricing->hulls[regime];
        if (!hull->seen) continue;
        double low = hull->gain.low_us / fmax(hull->turn.high_us, 1e-9);
        double high = fmin(hull->gain.high_us / fmax(hull->turn.low_us, 1e-9), 1);
        loop->share_low = first ? low : fmin(loop->share_low, low);
        loop->share_high = first ? high : fmax(loop->share_high, high);
        first = false;
    }
}

static void note_loop(Pricing *pricing, Regime regime, TurnTime time) {
    LoopCost *loop = pricing->loop;
    double operations =
        pricing->turn.small_operations + pricing->turn.long_operations + pricing->turn.known_operations;
    pricing_widen(&loop->turn, time.turn_us, pricing->first);
    pricing_widen(&loop->host, time.host_busy_us, pricing->first);
    pricing_widen(&loop->gpu, time.gpu_busy_us, pricing->first);
    double all_us = together(pricing, WHICH_ALL, 0), mendable_us = together(pricing, WHICH_MENDABLE, all_us);
    pricing_widen(&loop->all, all_us, pricing->first);
    note_mendable(pricing, regime, mendable_us);
    pricing_widen(&loop->avoidable, together(pricing, WHICH_AVOIDABLE, mendable_us), pricing->first);
    loop->operations_low = pricing->first ? operations : fmin(loop->operations_low, operations);
    loop->operations_high = fmax(loop->operations_high, operations);
}

/* The marginal price: everything that can be mended is gone and this site put back; for a site not among those,
   what removing it as well would gain. */
static void note_marginal(Pricing *pricing, uint32_t index) {
    bool away = pricing->away[index];
    pricing->removed[index] = !away;
    double change_us = later_us(pricing, index, index + 1, NULL);
    pricing->removed[index] = away;
    double marginal_us = (away ? change_us : -change_us) * pricing->sites[index].share;
    pricing_widen(&pricing->costs[index].marginal, marginal_us, pricing->first);
}

/* Where nothing more is mended, as where the loop has possible sites only, the base is the one that is recorded. */
static void price_marginals(Pricing *pricing) {
    bool bounded = (uint64_t)priced_count(pricing) * pricing->turn.item_count <= REMEDY_WORK, more = false;
    double turn_us = pricing->turn_us;
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        bool mended = counts(pricing, i, WHICH_MENDABLE);
        more |= mended && !pricing->removed[i];
        pricing->removed[i] |= mended;
    }
    if (bounded && more) (void)begin_base(pricing);
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        if (bounded && priced(pricing, i)) note_marginal(pricing, i);
        if (!bounded) pricing->costs[i].marginal = pricing->costs[i].per_turn;
    }
    pricing->turn_us = turn_us;
    pricing_reset(pricing);
}

static void price_scenario(Arena *scratch, Pricing *pricing, Scenario scenario) {
    pricing_reset(pricing);
    pricing->timeline = pricing->timelines[scenario.side], pricing->side = scenario.side;
    pricing->turn = scenario_turn(pricing->plan, pricing->timeline, pricing->removed, pricing->profile,
                                  pricing->pins, scenario, &pricing->counted_turns[scenario.side]);
    make_room(scratch, pricing);
    TurnTime time = begin_base(pricing);
    find_ranges(pricing);
    for (uint32_t i = 1; i < pricing->site_count; i++) pricing->alone_us[i] = NAN;
    if (!pricing->sets) note_blocked(pricing, 1, pricing->site_count);
    price_sites(pricing);
    if (pricing->sets)
        joint_note(pricing);
    else
        note_loop(pricing, scenario.regime, time), price_marginals(pricing);
    pricing->first = false;
}

/* ---- one loop ---- */

/* Drops the move to the end where it may cost more than the wait, by exposing host work that the GPU hides now. */
static void drop_losing_move(SiteCost *cost) {
    if (cost->moved_to_end.high_us > cost->per_turn.high_us) cost->remedies.moved_us = 0;
}

bool pricing_owns(const Pricing *pricing, uint32_t index) {
    return pricing->findings->sites.items[pricing->sites[index].id].loop == pricing->loop_id;
}

static void settle_costs(const Pricing *pricing, bool hides) {
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        pricing->costs[i].has_per_turn = pricing->sites[i].share_known;
        pricing->costs[i].about_zero = !pricing->nonzero[i];
        if (hides) drop_losing_move(&pricing->costs[i]);
    }
}

static void make_arrays(Arena *scratch, Pricing *pricing) {
    pricing->candidates = arena_new(scratch, Candidate, pricing->site_count);
    pricing->removed = arena_new(scratch, bool, pricing->site_count);
    pricing->left_out = arena_new(scratch, bool, pricing->site_count);
    pricing->freed = arena_new(scratch, TimelineFreed, pricing->site_count);
    pricing->nonzero = arena_new(scratch, bool, pricing->site_count);
    pricing->away = arena_new(scratch, bool, pricing->site_count);
    pricing->price_us = arena_new(scratch, double, pricing->site_count);
    pricing->alone_us = arena_new(scratch, double, pricing->site_count);
    pricing->ranges = arena_new(scratch, TimelineRange, pricing->site_count);
    if (pricing->sets) joint_begin(scratch, pricing);
}

static void price_scenarios(Arena *scratch, Pricing *pricing) {
    make_arrays(scratch, pricing);
    pricing->first = true;
    Scenario scenarios[SCENARIO_LIMIT];
    for (int side = SIDE_QUICK; side <= SIDE_SLOW; side++)
        pricing->counted_turns[side] =
            scenario_counted(pricing->plan, pricing->profile, pricing->pins, (Side)side);
    const Turn *any = &pricing->counted_turns[SIDE_SLOW];
    uint32_t count = scenario_list(pricing->pins, any, scenarios);
    double turns_us[SCENARIO_LIMIT] = {0};
    for (uint32_t i = 0; i < count; i++) {
        price_scenario(scratch, pricing, scenarios[i]);
        turns_us[i] = pricing->turn_us;
    }
    if (pricing->drawn) {
        price_scenario(scratch, pricing, scenarios[joint_middle(turns_us, count)]);
        joint_draw(pricing->drawn, pricing);
    }
    if (pricing->sets) return;
    note_share(pricing);
    for (uint32_t i = 0; i < count; i++) pricing->loop->hides |= scenario_hides(scenarios[i]);
    settle_costs(pricing, any->hides);
}

uint64_t pricing_loop(Arena *scratch, Pricing pricing, const HotLoop *loop, const SiteId *own,
                      uint32_t own_count, uint32_t *local, SiteCost *costs) {
    pricing.plan = turn_plan(scratch, pricing.findings, loop, own, own_count, pricing.profile, local);
    pricing.sites = turn_sites(pricing.plan, &pricing.site_count);
    bool keeps = pricing.cache && !pricing.drawn && loop->event_count >= KEPT_PRICE_EVENTS;
    Digest key = keeps ? kept_price_key(scratch, &pricing, loop, local) : (Digest){0};
    pricing.costs = arena_new(scratch, SiteCost, pricing.site_count);
    uint64_t added_bytes = 0;
    if (!keeps || !kept_price_find(scratch, &pricing, key)) {
        *pricing.loop = (LoopCost){0};
        memset(pricing.costs, 0, sizeof *pricing.costs * pricing.site_count);
        price_scenarios(scratch, &pricing);
        if (keeps) added_bytes = kept_price_keep(scratch, &pricing, key);
    }
    for (uint32_t i = 1; costs && i < pricing.site_count; i++)
        if (pricing_owns(&pricing, i)) costs[pricing.sites[i].id] = pricing.costs[i];
    return added_bytes;
}
