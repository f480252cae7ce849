#include "traced_cost.h"
#include "cost_text.h"
#include <math.h>

static CostRange exactly(double us) { return (CostRange){us, us}; }

static CostRange each(CostRange range, double times) {
    return (CostRange){range.low_us / times, range.high_us / times};
}

/* "measured in the trace" or "measured in 3 traces". */
static Text measured(Arena *arena, const Ledger *ledger, const TracedSite *traced) {
    uint32_t count = 0;
    if (traced->added) return TEXT("replayed in the recording, which is from before it was there");
    for (uint32_t i = 0; i < ledger->recording_count; i++) count += ledger->recordings[i].priced;
    if (ledger->recorded && count > 1)
        return text_format(arena, "measured in %u %s of the recording", count,
                           ledger->stretch ? "stretches" : "bursts");
    if (ledger->recorded) return TEXT("measured in the recording");
    return count > 1 ? text_format(arena, "measured in %u traces", count) : TEXT("measured in the trace");
}

/* Below the replay's resolution. */
static bool is_about_zero(const Ledger *ledger, double saving_us) {
    return saving_us < fmax(3, 0.002 * ledger->step_us);
}

/* The unit of the loop that the site was recorded in. */
static Unit unit_of(const Ledger *ledger, const Findings *findings, const Site *site) {
    bool elsewhere = ledger->loop && ledger->loop != site->loop;
    return elsewhere ? findings->loops.items[ledger->loop].unit : site->frequency.unit;
}

static Text text_of_site(Arena *arena, const Ledger *ledger, Unit turn, const SiteCost *cost,
                         const TracedSite *traced) {
    const char *unit = unit_one(turn), *saving = cost_text_us(arena, traced->saving.us).bytes;
    const char *range = cost_text_range(arena, traced->saving.range).bytes;
    const char *blocked = cost_text_us(arena, traced->blocked_us).bytes;
    bool apart = traced->blocked_us > 1.5 * traced->saving.us && traced->blocked_us > 10;
    Text price = cost->about_zero ? text_format(arena, "about zero per %s", unit)
                                  : text_format(arena, "%s per %s (%s)", saving, unit, range);
    return text_format(arena, "%s, %s%s%s%s%s", price.bytes, measured(arena, ledger, traced).bytes,
                       apart ? "; the line itself blocks " : "", apart ? blocked : "",
                       apart ? ", most of which the GPU needs anyway" : "",
                       traced->in_library ? "; the wait is inside a library" : "");
}

static double less_us(double all_us, double us) { return fmax(all_us - us, 0); }

/* The marginal price of each site: what it adds to everything else that can be mended. */
static void price_marginals(const Ledger *first, const Ledger *ledger, const Findings *findings,
                            SiteCost *costs) {
    Arena scratch = {0};
    bool *removed = arena_new(&scratch, bool, findings->sites.count + 1);
    for (SiteId id = 1; id < findings->sites.count; id++)
        removed[id] = findings->sites.items[id].need != NEED_NEEDED;
    CostRange mended = ledger_saving(ledger, removed).range;
    for (SiteId id = 1; id < findings->sites.count; id++) {
        if (ledger_of_site(first, findings, id) != ledger) continue;
        bool among = removed[id];
        removed[id] = !among;
        CostRange other = ledger_saving(ledger, removed).range, less = among ? other : mended,
                  more = among ? mended : other;
        removed[id] = among;
        costs[id].marginal =
            (CostRange){less_us(more.low_us, less.low_us), less_us(more.high_us, less.high_us)};
    }
    arena_free(&scratch);
}

static void price_site(Arena *arena, const Ledger *ledger, const Findings *findings, const Site *site,
                       SiteCost *cost, const TracedSite *traced) {
    double times = fmax(site->frequency.times, 1);
    cost->traced = true, cost->recorded = ledger->recorded;
    cost->remedies = (Remedies){0}, cost->remedy_text = (Text){"", 0}; /* those rest on assumptions */
    cost->has_per_turn = true;
    cost->per_turn = traced->saving.range;
    cost->per_execution = each(traced->saving.range, times);
    cost->blocked = exactly(traced->blocked_us / times);
    cost->about_zero = is_about_zero(ledger, traced->saving.us);
    cost->text = text_of_site(arena, ledger, unit_of(ledger, findings, site), cost, traced);
}

static Saving saving_of(const Ledger *ledger, const Findings *findings, bool avoidable_only) {
    Arena scratch = {0};
    bool *removed = arena_new(&scratch, bool, findings->sites.count + 1);
    for (SiteId id = 1; id < findings->sites.count; id++)
        removed[id] = !avoidable_only || findings->sites.items[id].need == NEED_AVOIDABLE;
    Saving saving = ledger_saving(ledger, removed);
    arena_free(&scratch);
    return saving;
}

static void price_loop(Arena *arena, const Ledger *ledger, const Findings *findings, LoopCost *cost) {
    cost->turn = exactly(ledger->clean_us), cost->host = exactly(ledger->host_us),
    cost->gpu = exactly(ledger->gpu_us);
    Saving all = saving_of(ledger, findings, false), avoidable = saving_of(ledger, findings, true);
    cost->all = all.range, cost->avoidable = avoidable.range;
    const char *where = ledger->recorded          ? "in the recording"
                        : ledger->recording_count ? "in the traces, on average"
                                                  : "in the trace";
    cost->text = text_format(
        arena,
        "a %s took %s %s (%.*s), %s without %s; without the "
        "avoidable waits %s, without any %s",
        unit_one(findings->loops.items[ledger->loop].unit), cost_text_us(arena, ledger->step_us).bytes, where,
        SHOWN(ledger->how), cost_text_us(arena, ledger->clean_us).bytes,
        ledger->recorded ? "it" : "the profiler", cost_text_us(arena, ledger->clean_us - avoidable.us).bytes,
        cost_text_us(arena, ledger->clean_us - all.us).bytes);
}

/* The line's price in other loops that reach it. */
static Text elsewhere(Arena *arena, const Ledger *first, const Ledger *own, const Findings *findings,
                      SiteId id) {
    Text text = {"", 0};
    for (const Ledger *ledger = first; ledger; ledger = ledger->next) {
        const TracedSite *traced = &ledger->sites[id];
        if (ledger == own || ledger->distrust.length || !ledger->loop || !traced->seen) continue;
        Text name = findings->loops.items[ledger->loop].name;
        const char *us =
            is_about_zero(ledger, traced->saving.us)
                ? "about zero"
                : text_format(arena, "%s more", cost_text_us(arena, traced->saving.us).bytes).bytes;
        text = text_format(arena, "%.*s; %s per %.*s", SHOWN(text), us, SHOWN(name));
    }
    return text;
}

static void cost_site(Arena *arena, const Ledger *first, const Findings *findings, SiteCost *cost, SiteId id) {
    const Site *site = &findings->sites.items[id];
    const Ledger *ledger = ledger_of_site(first, findings, id);
    if (ledger) {
        price_site(arena, ledger, findings, site, cost, &ledger->sites[id]);
        Text more = elsewhere(arena, first, ledger, findings, id);
        cost->text = text_format(arena, "%.*s%.*s", SHOWN(cost->text), SHOWN(more));
    } else if (ledger_of_loop(first, site->loop)) {
        cost->text = text_format(arena, "%.*s; not seen in the trace", SHOWN(cost->text));
    }
}

Costs *traced_costs(Arena *arena, const Findings *findings, const Costs *assumed, const Ledger *first) {
    Costs *costs = arena_new(arena, Costs, 1);
    costs->sites = arena_copy(arena, assumed->sites, sizeof *costs->sites * (findings->sites.count + 1));
    costs->loops = arena_copy(arena, assumed->loops, sizeof *costs->loops * findings->loops.count);
    for (SiteId id = 1; id < findings->sites.count; id++)
        cost_site(arena, first, findings, &costs->sites[id], id);
    for (const Ledger *ledger = first; ledger; ledger = ledger->next)
        price_marginals(first, ledger, findings, costs->sites);
    for (HotLoopId loop = 1; loop < findings->loops.count; loop++) {
        const Ledger *ledger = ledger_of_loop(first, loop);
        if (ledger) price_loop(arena, ledger, findings, &costs->loops[loop]);
    }
    return costs;
}
