#include "kept_price.h"
#include "kept_findings.h"

/* ---- the key ---- */

static void put_digest(Pack *key, Digest digest) {
    (void)pack_text(key, (Text){(const char *)&digest, sizeof digest});
}

static void put_quantity(Pack *key, const Quantity *quantity) {
    (void)pack_real(key, quantity->median);
    (void)pack_real(key, quantity->p10), (void)pack_real(key, quantity->p90);
    (void)pack_number(key, quantity->samples);
}

static Digest written(const Pack *key) { return digest_of((Text){key->out.items, key->out.count}); }

Digest kept_price_profile(Arena *scratch, const Profile *profile) {
    Pack key = {.arena = scratch, .writing = true};
#define QUANTITY(name, unit, median, p10, p90, meaning) put_quantity(&key, &profile->name);
#include "../calib/profile.def"
#undef QUANTITY
    return written(&key);
}

static void put_site(Pack *key, const Pricing *pricing, SiteId id) {
    Site site = pricing->findings->sites.items[id];
    kept_site(key, &site);
    (void)pack_byte(key, site.loop == pricing->loop_id);
    (void)pack_byte(key, pricing->allowed && pricing->allowed[id]);
    (void)pack_byte(key, !pricing->counted ? 2 : pricing->counted[id]);
}

static void put_events(Pack *key, const HotLoop *loop, const uint32_t *local) {
    for (uint32_t i = 0; i < loop->event_count; i++) {
        Event event = loop->events[i];
        kept_event(key, &event);
        (void)pack_number(key, local[event.site]);
        bool shared = i && event.work == loop->events[i - 1].work;
        if (!pack_byte(key, shared ? 2 : event.work != NULL) || shared) continue;
        Workload work = *event.work;
        kept_workload(key, &work);
    }
}

/* A set may name sites that other loops price. */
static void put_ids(Pack *key, const Pricing *pricing, const SiteId *ids, uint32_t count, const uint8_t *manner,
                    const uint32_t *local) {
    (void)pack_number(key, count);
    for (uint32_t i = 0; i < count; i++) {
        (void)pack_number(key, local[ids[i]]);
        (void)pack_byte(key, manner ? manner[ids[i]] : 0);
        if (!local[ids[i]]) put_site(key, pricing, ids[i]);
    }
}

static void put_sets(Pack *key, const Pricing *pricing, const uint32_t *local) {
    (void)pack_number(key, pricing->sets ? pricing->own_set_count + 1 : 0);
    for (uint32_t i = 0; i < pricing->own_set_count; i++) {
        const CostSet *set = &pricing->sets[pricing->own_sets[i]];
        (void)pack_byte(key, set->mended);
        put_ids(key, pricing, set->sites, set->count, set->manner, local);
        put_ids(key, pricing, set->given, set->given_count, set->manner, local);
    }
}

Digest kept_price_key(Arena *scratch, const Pricing *pricing, const HotLoop *loop, uint32_t *local) {
    Pack key = {.arena = scratch, .writing = true};
    put_digest(&key, pricing->profile_digest);
    (void)pack_real(&key, pricing->pins->turn_us), (void)pack_real(&key, pricing->pins->gpu_busy);
    (void)pack_real(&key, pricing->pins->operations);
    (void)pack_number(&key, pricing->least);
    (void)pack_number(&key, pricing->site_count);
    for (uint32_t i = 1; i < pricing->site_count; i++) {
        put_site(&key, pricing, pricing->sites[i].id);
        local[pricing->sites[i].id] = i;
    }
    (void)pack_number(&key, loop->event_count);
    put_events(&key, loop, local);
    put_sets(&key, pricing, local);
    for (uint32_t i = 1; i < pricing->site_count; i++) local[pricing->sites[i].id] = 0;
    return written(&key);
}

/* ---- the block ---- */

static void range(Pack *io, CostRange *one) {
    one->low_us = pack_real(io, one->low_us);
    one->high_us = pack_real(io, one->high_us);
}

static void loop_cost(Pack *io, LoopCost *one) {
    range(io, &one->turn), range(io, &one->host), range(io, &one->gpu);
    range(io, &one->avoidable), range(io, &one->all), range(io, &one->mendable);
    one->share_low = pack_real(io, one->share_low), one->share_high = pack_real(io, one->share_high);
    one->operations_low = pack_real(io, one->operations_low);
    one->operations_high = pack_real(io, one->operations_high);
    one->hides = pack_byte(io, one->hides);
}

static void remedies(Pack *io, Remedies *one) {
    one->of_us = pack_real(io, one->of_us), one->moved_us = pack_real(io, one->moved_us);
    one->merged_us = pack_real(io, one->merged_us), one->seldom_us = pack_real(io, one->seldom_us);
    one->every = pack_number(io, one->every);
}

static void site_cost(Pack *io, SiteCost *one) {
    range(io, &one->per_execution), range(io, &one->per_turn), range(io, &one->marginal);
    range(io, &one->blocked), range(io, &one->moved_to_end);
    one->has_per_turn = pack_byte(io, one->has_per_turn), one->about_zero = pack_byte(io, one->about_zero);
    uint32_t paid = pack_number(io, one->paid);
    io->broken |= paid > PAID_BEHIND;
    one->paid = paid > PAID_BEHIND ? PAID_BY_NONE : (Paid)paid;
    one->held = pack_byte(io, one->held);
    remedies(io, &one->remedies);
}

static void prices(Pack *io, Pricing *pricing) {
    for (uint32_t i = 0; i < pricing->own_set_count; i++) {
        CostJoint *joint = &pricing->joint[pricing->own_sets[i]];
        range(io, &joint->gain);
        joint->share.low = pack_real(io, joint->share.low),
        joint->share.high = pack_real(io, joint->share.high);
    }
    if (pricing->sets) return;
    loop_cost(io, pricing->loop);
    for (uint32_t i = 1; i < pricing->site_count; i++)
        if (pricing_owns(pricing, i)) site_cost(io, &pricing->costs[i]);
}

bool kept_price_find(Arena *scratch, Pricing *pricing, Digest key) {
    Pack block = {.arena = scratch};
    if (!cache_read(pricing->cache, scratch, BLOCK_PRICES, key, &block.in)) return false;
    prices(&block, pricing);
    if (!block.broken && block.at == block.in.length) return true;
    cache_remove(pricing->cache, BLOCK_PRICES, key);
    return false;
}

uint64_t kept_price_keep(Arena *scratch, Pricing *pricing, Digest key) {
    Pack block = {.arena = scratch, .writing = true};
    prices(&block, pricing);
    return cache_write(pricing->cache, BLOCK_PRICES, key, (Text){block.out.items, block.out.count});
}
