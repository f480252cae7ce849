#include "turn.h"
#include "work_time.h"
#include <math.h>

static const double usual_share =
    0.5; /* operations that run in a smaller share of the iterations are not part of a
                                          usual one */

enum { DEPTH_LIMIT = 32, LONG_GROUPS = 16, KNOWN_GROUPS = 8, UNSEEN_CALLS = 4 };

/* A tape of forward code: what its backward pass will run, in forward order; it is walked from the end. */
typedef struct Taped {
    double count;          /* forward operations */
    double small, lengthy; /* numbers of backward operations */
    const Workload *work;  /* known work, whose backward pass is added to those; NULL = none */
    double scale;          /* factor of that work */
    double turns;          /* product of the iterations of the loops around the forward code */
    uint32_t site; /* a wait in the backward pass, `waits` times; or the site that the operations belong to */
    double waits;
} Taped;

struct TurnPlan {
    Arena *arena;
    const Findings *findings;
    const HotLoop *loop;
    const Profile *profile;
    VEC(TurnSite) sites;
    uint32_t *owners;            /* [event]: index into sites; 0 = none */
    const Quantity **quantities; /* [event] of host work; NULL = none */
    VEC(Item) items;
    VEC(Taped) tape;
    double
        long_operations; /* long operations of the loop's forward code as written, inner loops counted once */
    uint32_t begins[DEPTH_LIMIT]; /* stack of open loops: item indices */
    uint32_t depth, ignored;      /* ignored: open loops beyond DEPTH_LIMIT */
    double turns;                 /* product of the iterations of the open loops */
    double unseen_left;           /* operations that unknown calls may still be taken to stand for */
    Rates rates;
    Turn turn;
};

static double value(const TurnPlan *plan, const Quantity *quantity) {
    return turn_value(quantity, plan->rates.side);
}

/* ---- items ---- */

static void push(TurnPlan *plan, Item item) {
    if (item.repeat > 0) vec_push(plan->arena, &plan->items, item);
}

static void push_launches(TurnPlan *plan, double count, double host_us, double gpu_us, uint32_t site) {
    if (!(count > 0)) return;
    Item *last = plan->items.count ? &plan->items.items[plan->items.count - 1] : NULL;
    if (last && last->kind == ITEM_LAUNCH && last->site == site && last->host_us == host_us &&
        last->gpu_us == gpu_us)
        last->repeat += count;
    else
        push(plan,
             (Item){.kind = ITEM_LAUNCH, .repeat = count, .host_us = host_us, .gpu_us = gpu_us, .site = site});
}

static void push_host(TurnPlan *plan, double host_us, double times, uint32_t site) {
    if (host_us > 0) push(plan, (Item){.kind = ITEM_HOST, .repeat = times, .host_us = host_us, .site = site});
}

/* Mixes small and long operations evenly. Which kind comes first decides how soon the GPU is busy again after a
   wait. */
static void push_operations(TurnPlan *plan, double small, double lengthy, double host_us, uint32_t site) {
    const Rates *rates = &plan->rates;
    double groups = fmax(fmin(ceil(lengthy), LONG_GROUPS), 1);
    double long_gpu_us = site ? rates->small_gpu_us : rates->long_gpu_us;
    for (double group = 0; group < groups; group++) {
        if (rates->side == SIDE_QUICK) push_launches(plan, lengthy / groups, host_us, long_gpu_us, site);
        push_launches(plan, small / groups, host_us, rates->small_gpu_us, site);
        if (rates->side == SIDE_SLOW) push_launches(plan, lengthy / groups, host_us, long_gpu_us, site);
    }
    if (site) return;
    plan->turn.small_operations += small * plan->turns;
    plan->turn.long_operations += lengthy * plan->turns;
    plan->turn.host_us += (small + lengthy) * host_us * plan->turns;
}

static double known_us(const TurnPlan *plan, Amount us) {
    double low_us = fmax(us.low, 1e-3), high_us = fmax(us.high, low_us);
    return low_us * pow(high_us / low_us, plan->rates.known_at) * plan->rates.known_scale;
}

static void push_known(TurnPlan *plan, double count, double host_us, double gpu_us) {
    push_launches(plan, count, host_us, gpu_us, 0);
    plan->turn.known_operations += count * plan->turns;
    plan->turn.known_gpu_us += count * gpu_us * plan->turns;
    plan->turn.host_us += count * host_us * plan->turns;
}

static bool is_known(const TurnPlan *plan, const WorkPart *part, bool backward, Amount *us) {
    double launches = backward ? part->backward_launches : part->launches;
    return launches > 0 && work_time_part(plan->profile, part, backward, us);
}

static double known_between(const TurnPlan *plan, const Workload *work, bool backward, uint32_t from,
                            uint32_t until) {
    double count = 0;
    Amount us;
    for (uint32_t i = from; i < until; i++)
        if (is_known(plan, &work->parts[i], backward, &us))
            count += backward ? work->parts[i].backward_launches : work->parts[i].launches;
    return count;
}

static double known_count(const TurnPlan *plan, const Workload *work, bool backward) {
    return known_between(plan, work, backward, 0, work->part_count);
}

/* Number of an event's operations with unknown work: those beyond the known parts; none where all shapes are
   known. */
static double unknown_count(const TurnPlan *plan, const Workload *work, bool backward, double all) {
    if (!work->open) all = 0;
    for (uint32_t i = 0; i < work->part_count && !work->open; i++)
        all += backward ? work->parts[i].backward_launches : work->parts[i].launches;
    return fmax(all - known_count(plan, work, backward), 0);
}

/* A backward pass runs the parts from..until from their end. */
static void push_parts(TurnPlan *plan, const Workload *work, bool backward, double times, uint32_t from,
                       uint32_t until) {
    double host_us = backward ? plan->rates.backward_us : plan->rates.forward_us;
    Amount us;
    for (uint32_t i = from; i < until; i++) {
        const WorkPart *part = &work->parts[backward ? until - 1 - (i - from) : i];
        double launches = backward ? part->backward_launches : part->launches;
        if (!is_known(plan, part, backward, &us)) continue;
        push_known(plan, launches * times, host_us, known_us(plan, us) / launches);
    }
}

/* The first and the last operations in their order. The groups between are mixed evenly, or each is a block in the order of
   first occurrence: their true order is unknown. */
static void push_work(TurnPlan *plan, const Workload *work, bool backward, double times) {
    uint32_t from = work->first, until = work->part_count - work->last;
    double groups = fmax(fmin(ceil(known_between(plan, work, backward, from, until)), KNOWN_GROUPS), 1);
    if (plan->rates.known_apart) groups = 1;
    push_parts(plan, work, backward, times, backward ? until : 0, backward ? work->part_count : from);
    for (double group = 0; group < groups; group++)
        push_parts(plan, work, backward, times / groups, from, until);
    push_parts(plan, work, backward, times, backward ? 0 : until, backward ? from : work->part_count);
}

/* cold_us: extra time after a wait. */
static void push_start(TurnPlan *plan, double start_us, double cold_us, double share) {
    push_host(plan, start_us, share, 0);
    if (cold_us > 0)
        push(plan, (Item){.kind = ITEM_COLD,
                          .repeat = share,
                          .host_us = cold_us,
                          .wake_us = plan->profile->cold_behind_us.median});
    plan->turn.host_us += start_us * share * plan->turns;
    plan->turn.start_us += start_us * share * plan->turns;
}

/* ---- waits and copies ---- */

/* The item for a wait of this site, by the API that waits. */
static Item wait_item(const TurnPlan *plan, uint32_t local, double count) {
    const Profile *profile = plan->profile;
    Item item = {.kind = ITEM_WAIT_STREAM, .site = local, .repeat = count};
    item.wake_us = value(plan, &profile->wake_up_us);
    const TurnSite *here = &plan->sites.items[local];
    const Site *site = &plan->findings->sites.items[here->id];
    if (local && text_holds(site->entry, "synchronize")) {
        bool stream = text_holds(site->entry, "Stream") || text_holds(site->entry, "stream"),
             event = text_holds(site->entry, "Event");
        item.kind = stream || event ? ITEM_WAIT_STREAM : ITEM_WAIT_DEVICE;
        item.host_us = value(plan, event    ? &profile->torch_event_sync_us
                                   : stream ? &profile->torch_stream_sync_us
                                            : &profile->torch_device_sync_us);
        return item;
    }
    item.host_us = value(plan, &profile->item_us);
    item.gpu_us = value(plan, &profile->read_back_us);
    return item;
}

/* Whether nothing was queued since another read. */
static bool follows_read(const TurnPlan *plan) {
    const Item *last = plan->items.count ? &plan->items.items[plan->items.count - 1] : NULL;
    return last && last->kind == ITEM_WAIT_STREAM && last->gpu_us > 0;
}

/* Only the first of consecutive reads finds the caches of Python and PyTorch cold. */
static void push_reads(TurnPlan *plan, Item item) {
    Item again = item;
    again.host_us = fmin(value(plan, &plan->profile->item_again_us), item.host_us);
    if (!follows_read(plan)) {
        item.repeat = fmin(item.repeat, 1);
        push(plan, item);
        again.repeat -= item.repeat;
    }
    push(plan, again);
}

static void push_wait(TurnPlan *plan, uint32_t local, double count) {
    Item item = wait_item(plan, local, count);
    if (plan->sites.items[local].copies) {
        /* the copy's own item has the time of the call: this one only stands still */
        Item still = item;
        still.host_us = still.gpu_us = 0, still.repeat = 1;
        push(plan, still);
        item.repeat = count - 1;
    }
    if (item.gpu_us > 0)
        push_reads(plan, item);
    else
        push(plan, item);
}

/* An amount at the side's end of its range; `otherwise` where it is unknown. */
static double amount_at(const TurnPlan *plan, Amount amount, double otherwise) {
    if (!(amount.high > 0) || !amount_is_known(amount)) return otherwise;
    return plan->rates.side == SIDE_QUICK ? amount.low : amount.high;
}

enum { FRESH_BYTES = 32 << 20 }; /* from this size on the C library maps fresh memory each time */

static const Quantity *pageable_gbps(const Profile *profile, bool to_device, double bytes) {
    if (to_device) return &profile->to_gpu_pageable_gbps;
    return bytes >= FRESH_BYTES ? &profile->to_host_fresh_gbps : &profile->to_host_pageable_gbps;
}

/* For bandwidths the high end is the quick side. */
static double copy_us(const TurnPlan *plan, const Quantity *gbps, double bytes) {
    return bytes / (turn_value(gbps, plan->rates.side == SIDE_QUICK ? SIDE_SLOW : SIDE_QUICK) * 1e3);
}

/* A copy that a finding causes blocks and is pageable unless certainly pinned; any other copy is assumed queued
   and pinned. */
static void push_copy(TurnPlan *plan, const Event *event, uint32_t local, double times) {
    const Profile *profile = plan->profile;
    Amount usual = {event->bytes_low, event->bytes_high};
    double bytes =
        amount_at(plan, event_work(event)->copied, amount_at(plan, usual, value(plan, &profile->copied_bytes)));
    const Quantity *pinned = event->to_device ? &profile->to_gpu_pinned_gbps : &profile->to_host_pinned_gbps;
    if (!local) {
        push_launches(plan, times, plan->rates.forward_us, copy_us(plan, pinned, bytes), 0);
        return;
    }
    /* either way it is ordered after the stream's pending work, and the host stands still until it is done */
    Item copy = {.kind = ITEM_WAIT_STREAM, .site = local, .repeat = times};
    copy.wake_us = value(plan, &profile->wake_up_us);
    copy.host_us = value(plan, &profile->torch_copy_us);
    if (event
            ->pinned) { /* a pinned copy takes the GPU as long without the wait, and is queued like any other */
        push_launches(plan, times, 0, copy_us(plan, &profile->to_gpu_pinned_gbps, bytes), 0);
        copy.host_us += value(plan, &profile->to_gpu_pinned_latency_us);
    } else {
        copy.host_us += value(plan, event->to_device ? &profile->to_gpu_pageable_latency_us
                                                     : &profile->to_host_pageable_latency_us);
        copy.moved_us = copy_us(plan, pageable_gbps(profile, event->to_device, bytes), bytes);
        copy.host_us += copy.moved_us;
        copy.gpu_us = copy.host_us;
    }
    push(plan, copy);
}

static void push_site_copy(TurnPlan *plan, uint32_t local, double times) {
    const Site *site = &plan->findings->sites.items[plan->sites.items[local].id];
    Event copy = {.bytes_low = site->copied_bytes_low,
                  .bytes_high = site->copied_bytes_high,
                  .to_device = site->copy_to_device};
    push_copy(plan, &copy, local, times);
}

/* ---- operations and the backward pass ---- */

static void tape(TurnPlan *plan, Taped taped) {
    taped.turns = plan->turns;
    vec_push(plan->arena, &plan->tape, taped);
}

/* The first forward operations after a wait find the host's caches cold, as those of a backward pass do. */
static void push_cold_forward(TurnPlan *plan, double count, double share) {
    const Profile *profile = plan->profile;
    double more_us =
        value(plan, &profile->forward_first_us) - turn_value(&profile->launch_us, plan->rates.side);
    push_start(plan, 0,
               fmax(more_us, 0) * plan->rates.start_scale * fmin(count, value(plan, &profile->backward_first)),
               share);
}

static void add_operations(TurnPlan *plan, const Event *event, uint32_t local, double share) {
    double scale = (local ? 1 : plan->rates.operations_scale) * share;
    double count = event->count * scale, lengthy = fmin(event->matmuls, event->count) * scale;
    double backward = event->backward * scale, long_backward = fmin(2 * lengthy, backward);
    double taped = count;
    const Workload *work = event_work(event);
    if (!local) push_cold_forward(plan, event->count, share);
    if (!local && work->part_count) {
        push_work(plan, work, false, scale);
        count = unknown_count(plan, work, false, event->count) * scale, lengthy = fmin(lengthy, count);
        backward = unknown_count(plan, work, true, event->backward) * scale;
        long_backward = fmin(long_backward, backward);
    }
    push_operations(plan, count - lengthy, lengthy, plan->rates.forward_us, local);
    tape(plan, (Taped){.count = taped,
                       .small = backward - long_backward,
                       .lengthy = long_backward,
                       .work = local ? NULL : work,
                       .scale = scale,
                       .site = local});
}

/* An unknown call is assumed to be a model; but many such calls are not taken for many models. */
static void add_unseen(TurnPlan *plan, const Event *event, double share) {
    const Profile *profile = plan->profile;
    double count = event->count > 0 ? event->count : value(plan, &profile->unseen_operations);
    count = fmin(count, plan->unseen_left);
    plan->unseen_left -= count;
    count *= share * plan->rates.operations_scale;
    double lengthy = count * value(plan, &profile->unseen_matmul_share);
    double backward = count * value(plan, &profile->backward_operations),
           long_backward = fmin(2 * lengthy, backward);
    push_operations(plan, count - lengthy, lengthy, plan->rates.forward_us, 0);
    tape(plan, (Taped){.count = count, .small = backward - long_backward, .lengthy = long_backward});
}

/* No backward counts are known for the forward code: assumes a number for each forward operation. */
static void guess_backward(TurnPlan *plan) {
    double known = 0, forward = 0, each = value(plan, &plan->profile->backward_operations);
    for (uint32_t i = 0; i < plan->tape.count; i++) {
        const Taped *taped = &plan->tape.items[i];
        known += taped->small + taped->lengthy, forward += taped->count;
        if (taped->work) known += known_count(plan, taped->work, true);
    }
    if (known > 0) return;
    for (uint32_t i = 0; i < plan->tape.count; i++)
        if (!plan->tape.items[i].waits) plan->tape.items[i].small = plan->tape.items[i].count * each;
    double unseen = value(plan, &plan->profile->unseen_operations) * plan->rates.operations_scale;
    if (forward <= 0) tape(plan, (Taped){.small = unseen * each});
}

/* The first operations find the host's caches cold: their extra time is one piece of host work before them. */
static void push_first(TurnPlan *plan, double share) {
    double count = 0, more_us = plan->rates.backward_first_us - plan->rates.backward_us;
    for (uint32_t i = 0; i < plan->tape.count; i++)
        count +=
            (plan->tape.items[i].small + plan->tape.items[i].lengthy) * plan->tape.items[i].turns / plan->turns;
    count = fmin(count, value(plan, &plan->profile->backward_first));
    push_start(plan, 0, fmax(more_us, 0) * count, share);
}

static void add_backward(TurnPlan *plan, double share) {
    guess_backward(plan);
    push_start(plan, plan->rates.backward_start_us, 0, share);
    push_first(plan, share);
    for (uint32_t i = plan->tape.count; i-- > 0;) {
        const Taped *taped = &plan->tape.items[i];
        double times = share * taped->turns / plan->turns;
        if (taped->work) push_work(plan, taped->work, true, times * taped->scale);
        push_operations(plan, taped->small * times, taped->lengthy * times, plan->rates.backward_us,
                        taped->site);
        if (taped->waits > 0)
            push(plan, wait_item(plan, taped->site, ceil(taped->waits * taped->turns / plan->turns)));
    }
    push_start(plan, plan->rates.backward_end_us, 0, share);
    plan->tape.count = 0;
}

/* Work over all parameters before the first launch (an optimizer's step, clipping of gradients): grows with
   their number. */
static double tensors_us(const TurnPlan *plan, const Event *event) {
    double usual = plan->long_operations * value(plan, &plan->profile->parameter_tensors);
    return amount_at(plan, event_work(event)->tensors, usual) * plan->rates.optimizer_tensor_us;
}

static double known_tensors(const TurnPlan *plan, const Event *event) {
    return amount_at(plan, event_work(event)->tensors, plan->profile->optimizer_few.median);
}

/* An operation of an optimizer looks at every parameter tensor, so the more there are the longer it takes to queue. */
static double many_tensors_us(const TurnPlan *plan, const Event *event) {
    double more = known_tensors(plan, event) - plan->profile->optimizer_few.median;
    return fmax(more, 0) * plan->rates.optimizer_each_us;
}

static void add_optimizer(TurnPlan *plan, const Event *event, double share) {
    double count = event->count > 0 ? event->count : value(plan, &plan->profile->optimizer_operations);
    double host_us = plan->rates.optimizer_us + many_tensors_us(plan, event);
    push_start(plan, plan->rates.optimizer_start_us, tensors_us(plan, event), share);
    Amount us;
    if (work_time_optimizer(plan->profile, event_work(event), count, &us))
        push_known(plan, count * share, host_us, known_us(plan, us) / count);
    else
        push_operations(plan, count * share * plan->rates.operations_scale, 0, host_us, 0);
}

/* ---- one event ---- */

static void begin_loop(TurnPlan *plan, const Event *event) {
    double usual = value(plan, &plan->profile->inner_turns);
    double turns = event->count > 0 ? event->count : amount_at(plan, event_work(event)->turns, usual);
    if (plan->depth == DEPTH_LIMIT) {
        plan->ignored++;
        return;
    }
    plan->begins[plan->depth++] = plan->items.count;
    plan->turns *= turns;
    push(plan, (Item){.kind = ITEM_LOOP, .repeat = turns});
}

static void end_loop(TurnPlan *plan) {
    if (plan->ignored || !plan->depth) {
        plan->ignored -= plan->ignored > 0;
        return;
    }
    uint32_t begin = plan->begins[--plan->depth];
    plan->turns /= plan->items.items[begin].repeat;
    plan->items.items[begin].object = plan->items.count;
    push(plan, (Item){.kind = ITEM_LOOP_END, .repeat = 1});
}

static void add_wait(TurnPlan *plan, const Event *event, uint32_t local) {
    double count = event->count > 0 ? event->count : value(plan, &plan->profile->inner_turns);
    push_wait(plan, local, count);
    plan->sites.items[local].executions += plan->turns;
    if (!local) return;
    const Site *site = &plan->findings->sites.items[plan->sites.items[local].id];
    if (plan->sites.items[local].copies && !plan->sites.items[local].has_copy_event)
        push_site_copy(plan, local, 1);
    if (site->backward_waits > 0) tape(plan, (Taped){.site = local, .waits = site->backward_waits});
}

static void add_host(TurnPlan *plan, const Event *event, uint32_t local, double share) {
    const Quantity *quantity = plan->quantities[event - plan->loop->events];
    plan->turn.hides |= !event->quantity.length;
    double host_us = quantity ? value(plan, quantity) : 0;
    if (quantity == &plan->profile->optimizer_start_us) host_us += tensors_us(plan, event);
    if (quantity == &plan->profile->zero_grad_tensor_us) host_us *= known_tensors(plan, event);
    push_host(plan, host_us, fmax(event->count, 1) * share, local);
}

static void add_event(TurnPlan *plan, const Event *event) {
    uint32_t local = plan->owners[event - plan->loop->events];
    const TurnSite *site = &plan->sites.items[local];
    /* A site that runs rarely is replayed in an iteration in which it runs, so its events count whole. One that
       runs each iteration on one path and rarely on another counts by the first. */
    double share = event->share > 0 ? fmin(event->share, 1) : 1;
    if (local && !site->amortised && share < usual_share) return;
    if (local) share = 1;
    switch (event->kind) {
    case EVENT_OPS: add_operations(plan, event, local, share); break;
    case EVENT_BACKWARD: add_backward(plan, share); break;
    case EVENT_OPTIMIZER: add_optimizer(plan, event, share); break;
    case EVENT_WAIT: add_wait(plan, event, local); break;
    case EVENT_COPY:
        push_copy(plan, event, local, share);
        if (!site->has_wait_event) plan->sites.items[local].executions += plan->turns;
        break;
    case EVENT_HOST: add_host(plan, event, local, share); break;
    case EVENT_DATA:
        push_host(plan, plan->rates.loader_us, share, 0);
        plan->turn.hides |= event->in_process;
        break;
    case EVENT_UNSEEN: add_unseen(plan, event, share); break;
    case EVENT_LOOP_BEGIN: begin_loop(plan, event); break;
    case EVENT_LOOP_END: end_loop(plan); break;
    }
}

/* ---- the plan ---- */

/* A site without events goes to the end of the iteration, as often as its frequency says. */
static void add_eventless(TurnPlan *plan, uint32_t local) {
    const Site *site = &plan->findings->sites.items[plan->sites.items[local].id];
    double times = site->frequency.times > 0 ? site->frequency.times : 1;
    double waits = site->waits > 0 ? site->waits : value(plan, &plan->profile->inner_turns);
    push_wait(plan, local, waits * times);
    if (plan->sites.items[local].copies) push_site_copy(plan, local, times);
    plan->sites.items[local].executions = times;
}

static uint32_t add_site(TurnPlan *plan, SiteId id, uint32_t *local) {
    if (!id || local[id]) return id ? local[id] : 0;
    const Site *site = &plan->findings->sites.items[id];
    TurnSite here = {.id = id, .share = 1, .share_known = true};
    if (site->frequency.every == 0)
        here.share_known = false, here.share = 1 / plan->profile->unknown_every.median;
    if (site->frequency.every > 1) here.share = 1 / (double)site->frequency.every;
    if (site->frequency.gathered) {
        double batches = site->frequency.batches;
        if (batches < 1) here.share_known = false, batches = plan->profile->inner_turns.median;
        here.share /= batches;
    }
    if (site->frequency.unit == UNIT_EPOCH)
        here.share_known = false, here.share = 1 / plan->profile->epoch_turns.median;
    here.apart = site->other || site->frequency.only.length;
    here.amortised = here.share < 1 || here.apart;
    /* a merely possible wait must not make the waits around it look cheap */
    here.in_base = !here.amortised && site->confidence != CONFIDENCE_POSSIBLE;
    here.copies = site->copied_bytes_high > 0;
    vec_push(plan->arena, &plan->sites, here);
    return local[id] = plan->sites.count - 1;
}

/* By its frequency the site runs each iteration, but all its events are below an option that is off (another
   path leads there too): it is priced apart. */
static void part_from_turn(TurnSite *site) {
    if (site->shown || site->amortised) return;
    site->apart = site->amortised = true;
    site->in_base = false;
}

static void add_event_sites(TurnPlan *plan, uint32_t *local) {
    plan->owners = arena_new(plan->arena, uint32_t, plan->loop->event_count + 1);
    plan->quantities = arena_new(plan->arena, const Quantity *, plan->loop->event_count + 1);
    for (uint32_t i = 0; i < plan->loop->event_count; i++) {
        const Event *event = &plan->loop->events[i];
        uint32_t owner = plan->owners[i] = add_site(plan, event->site, local);
        if (event->kind == EVENT_OPS && !owner) plan->long_operations += event->matmuls;
        if (event->kind == EVENT_HOST) plan->quantities[i] = profile_quantity(plan->profile, event->quantity);
        if (!owner) continue;
        TurnSite *site = &plan->sites.items[owner];
        if (event->kind == EVENT_WAIT) site->has_wait_event = true;
        if (event->kind == EVENT_COPY) site->has_copy_event = site->copies = true;
        site->shown |= event->share <= 0 || event->share >= usual_share;
    }
    for (uint32_t i = 1; i < plan->sites.count; i++) part_from_turn(&plan->sites.items[i]);
}

TurnPlan *turn_plan(Arena *arena, const Findings *findings, const HotLoop *loop, const SiteId *extra,
                    uint32_t extra_count, const Profile *profile, uint32_t *local) {
    TurnPlan *plan = arena_new(arena, TurnPlan, 1);
    *plan = (TurnPlan){.arena = arena, .findings = findings, .loop = loop, .profile = profile};
    vec_push(arena, &plan->sites, (TurnSite){0});
    add_event_sites(plan, local);
    for (uint32_t i = 0; i < extra_count; i++) add_site(plan, extra[i], local);
    for (uint32_t i = 1; i < plan->sites.count; i++) local[plan->sites.items[i].id] = 0;
    return plan;
}

const TurnSite *turn_sites(const TurnPlan *plan, uint32_t *count) {
    *count = plan->sites.count;
    return plan->sites.items;
}

/* The event before which the front's host work goes: the first batch asked for outside of inner loops, else the
   first event. */
static uint32_t front_event(const HotLoop *loop, bool *has_loader) {
    uint32_t front = 0, depth = 0;
    for (uint32_t i = loop->event_count; i-- > 0;) {
        const Event *event = &loop->events[i];
        if (event->kind == EVENT_LOOP_END) depth++;
        if (event->kind == EVENT_LOOP_BEGIN && depth) depth--;
        if (event->kind != EVENT_DATA) continue;
        *has_loader = true;
        if (!depth) front = i;
    }
    return front;
}

Turn turn_make(TurnPlan *plan, const Rates *rates) {
    plan->rates = *rates;
    plan->items.count = plan->tape.count = plan->depth = plan->ignored = 0;
    plan->turns = 1;
    plan->unseen_left = UNSEEN_CALLS * value(plan, &plan->profile->unseen_operations);
    plan->turn = (Turn){0};
    for (uint32_t i = 0; i < plan->sites.count; i++) plan->sites.items[i].executions = 0;
    uint32_t front = front_event(plan->loop, &plan->turn.has_loader);
    for (uint32_t i = 0; i <= plan->loop->event_count; i++) {
        if (i == 0) push_host(plan, rates->turn_start_us, 1, 0);
        if (i == front) push_host(plan, rates->front_us, 1, 0);
        if (i < plan->loop->event_count) add_event(plan, &plan->loop->events[i]);
    }
    while (plan->depth) end_loop(plan);
    for (uint32_t i = 1; i < plan->sites.count; i++)
        if (!plan->sites.items[i].has_wait_event && !plan->sites.items[i].has_copy_event)
            add_eventless(plan, i);
    plan->turn.items = plan->items.items, plan->turn.item_count = plan->items.count;
    plan->turn.rates = *rates;
    return plan->turn;
}
