/* Prices several sites together: replays without all of them. */
#include "pricing.h"
#include "search.h"
#include <math.h>

/* Sites of the base by replay, amortised ones by their shares. Sites that run instead of others count only
   where none of the others is left out. */
static Saved saved_by(Pricing *pricing, const bool *left_out) {
    double amortised_us = 0, apart_us = 0;
    bool alone = true;
    uint32_t count = 0, last = 0;
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        if (!left_out[i]) continue;
        pricing->removed[i] = true;
        if (pricing->sites[i].in_base) count++, last = i;
        if (!pricing->sites[i].in_base)
            *(pricing->sites[i].apart ? &apart_us : &amortised_us) +=
                pricing->price_us[i] * pricing->sites[i].share;
        alone &= pricing->sites[i].apart;
    }
    bool known =
        count == 1 && !isnan(pricing->alone_us[last]); /* that site's own price was this same question */
    double base_us = !count ? 0 : known ? pricing->alone_us[last] : pricing_saved_us(pricing);
    pricing_reset(pricing);
    double outside_us = amortised_us + (alone ? apart_us : 0);
    return (Saved){base_us + outside_us, outside_us};
}

double joint_saved_us(Pricing *pricing, const bool *left_out) { return saved_by(pricing, left_out).us; }

static bool holds(const SiteId *sites, uint32_t count, SiteId id) {
    uint32_t first = first_from(sites, count, sizeof *sites, id);
    return first < count && sites[first] == id;
}

/* Without the given sites and, with `all`, without those of the set as well. */
static Saved saved_of_set(Pricing *pricing, const CostSet *set, bool all) {
    SavedBy *last = &pricing->last[all];
    for (uint32_t i = 1; i < pricing->site_count; i++)
        pricing->left_out[i] = holds(set->given, set->given_count, pricing->sites[i].id) ||
                               (all && holds(set->sites, set->count, pricing->sites[i].id));
    if (last->known && memcmp(last->left_out, pricing->left_out, pricing->site_count) == 0) return last->saved;
    memcpy(last->left_out, pricing->left_out, pricing->site_count);
    last->known = true;
    return last->saved = saved_by(pricing, pricing->left_out);
}

void joint_begin(Arena *scratch, Pricing *pricing) {
    pricing->asked = arena_new(scratch, bool, pricing->site_count);
    for (int all = 0; all < 2; all++)
        pricing->last[all].left_out = arena_new(scratch, bool, pricing->site_count);
    for (uint32_t own = 0; own < pricing->own_set_count; own++) {
        const CostSet *set = &pricing->sets[pricing->own_sets[own]];
        for (uint32_t i = 1; i < pricing->site_count && !set->mended; i++)
            pricing->asked[i] |=
                !pricing->sites[i].in_base && (holds(set->sites, set->count, pricing->sites[i].id) ||
                                               holds(set->given, set->given_count, pricing->sites[i].id));
    }
}

static void widen_share(CostJoint *joint, double part, bool first) {
    joint->share.low = first ? part : fmin(joint->share.low, part);
    joint->share.high = first ? part : fmax(joint->share.high, part);
}

/* ---- sites that are mended ---- */

static bool same_turns(const Site *a, const Site *b) {
    return a->frequency.every == b->frequency.every && a->frequency.unit == b->frequency.unit &&
           text_equal(a->frequency.only, b->frequency.only) && a->other == b->other;
}

/* Shows, besides the sites asked about, those that always run in the same iterations. */
static void show_with(Pricing *pricing, const CostSet *set) {
    const Site *sites = pricing->findings->sites.items;
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        const Site *site = &sites[pricing->sites[i].id];
        if (pricing->sites[i].in_base) continue;
        bool with = holds(set->sites, set->count, pricing->sites[i].id);
        for (uint32_t k = 0; site->confidence > CONFIDENCE_POSSIBLE && k < set->count && !with; k++)
            with = same_turns(site, &sites[set->sites[k]]);
        pricing->removed[i] = !with;
    }
}

static double freed_turn_us(Pricing *pricing, TimelineFreed *freed) {
    TimelineChange change = {.removed = pricing->removed, .freed = freed, .freed_count = pricing->site_count};
    return timeline_replay(pricing->timeline, pricing->turn.items, pricing->turn.item_count, change, NULL)
        .turn_us;
}

/* Twice what a wait costs: its call, the wake-up, and the GPU running dry. Twice, because whatever replaces a
   wait costs something too. */
static double least_lead_us(const Pricing *pricing) {
    const Profile *profile = pricing->profile;
    return 2 * (turn_value(&profile->item_us, pricing->side) + turn_value(&profile->wake_up_us, pricing->side) +
                turn_value(&profile->idle_gap_us, pricing->side));
}

static bool manner_of(const CostSet *set, SiteId id, unsigned bit) {
    return set->manner && set->manner[id] & bit;
}

/* Whether freeing one of the sites lets the host get ahead of the GPU by more than that, or it never waits
   again. */
static bool gets_ahead(const Pricing *pricing, const CostSet *set) {
    bool ahead = false;
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        const TimelineFreed *freed = &pricing->freed[i];
        SiteId id = pricing->sites[i].id;
        if (holds(set->sites, set->count, id))
            ahead |= manner_of(set, id, MENDED_JOINED) || (freed->open && !freed->waited) ||
                     freed->ahead_us > least_lead_us(pricing);
    }
    return ahead;
}

static double mended_us(Pricing *pricing, const CostSet *set) {
    double share = 1;
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        SiteId id = pricing->sites[i].id;
        bool asked = holds(set->sites, set->count, id);
        pricing->freed[i] = (TimelineFreed){.is = asked || holds(set->given, set->given_count, id),
                                            .later = manner_of(set, id, MENDED_LATER)};
        if (asked) share = pricing->sites[i].share;
    }
    show_with(pricing, set);
    double after_us = freed_turn_us(pricing, pricing->freed);
    bool ahead = gets_ahead(pricing, set);
    for (uint32_t i = 1; i < pricing->site_count; i++)
        pricing->freed[i].is &= !holds(set->sites, set->count, pricing->sites[i].id);
    double saved_us = ahead ? (freed_turn_us(pricing, pricing->freed) - after_us) * share : 0;
    pricing_reset(pricing);
    return fmax(pricing_settled(saved_us), 0);
}

/* Drawings refer to sites of the findings, not of the loop. */
static TimelineDrawing drawing_of(Arena *arena, Pricing *pricing) {
    TimelineDrawing drawing = {.arena = arena};
    TimelineChange change = {.removed = pricing->removed};
    timeline_draw(pricing->timeline, pricing->turn.items, pricing->turn.item_count, change, &drawing);
    for (uint32_t i = 0; i < drawing.bars.count; i++)
        drawing.bars.items[i].site = pricing->sites[drawing.bars.items[i].site].id;
    return drawing;
}

uint32_t joint_middle(const double *turns_us, uint32_t count) {
    double low_us = turns_us[0], high_us = turns_us[0];
    uint32_t nearest = 0;
    for (uint32_t i = 1; i < count; i++)
        low_us = fmin(low_us, turns_us[i]), high_us = fmax(high_us, turns_us[i]);
    double middle_us = sqrt(low_us * high_us);
    for (uint32_t i = 1; i < count; i++)
        if (fabs(turns_us[i] - middle_us) < fabs(turns_us[nearest] - middle_us)) nearest = i;
    return nearest;
}

void joint_draw(Arena *arena, Pricing *pricing) {
    for (uint32_t own = 0; own < pricing->own_set_count; own++) {
        uint32_t s = pricing->own_sets[own];
        const CostSet *set = &pricing->sets[s];
        if (!set->drawn) continue;
        pricing->joint[s].before = drawing_of(arena, pricing);
        for (uint32_t i = 1; i < pricing->site_count; i++)
            pricing->removed[i] |= holds(set->sites, set->count, pricing->sites[i].id);
        pricing->joint[s].after = drawing_of(arena, pricing);
        pricing_reset(pricing);
    }
}

static void note_joint(Pricing *pricing, uint32_t s, Saved saved) {
    double turn_us = fmax(pricing->turn_us + fmax(saved.outside_us, 0), 1e-9);
    pricing_widen(&pricing->joint[s].gain, saved.us, pricing->first);
    widen_share(&pricing->joint[s], fmin(saved.us / turn_us, 1), pricing->first);
}

void joint_note(Pricing *pricing) {
    pricing->last[false].known = pricing->last[true].known = false;
    for (uint32_t own = 0; own < pricing->own_set_count; own++) {
        uint32_t s = pricing->own_sets[own];
        const CostSet *set = &pricing->sets[s];
        if (set->mended) {
            note_joint(pricing, s, (Saved){mended_us(pricing, set), 0});
            continue;
        }
        double given_us = set->given_count ? saved_of_set(pricing, set, false).us : 0;
        Saved saved = saved_of_set(pricing, set, true);
        note_joint(pricing, s, (Saved){fmax(saved.us - given_us, 0), saved.outside_us});
    }
}

/* sqrt(low * high) * sqrt(sqrt(low / high)); prices below half a microsecond are all alike. */
double cost_robust_us(CostRange range) {
    static const double least_us = 0.5;
    if (range.high_us < least_us) return range.high_us / 4;
    double low_us = fmax(range.low_us, least_us);
    return pow(low_us, 0.75) * pow(fmax(range.high_us, low_us), 0.25);
}
