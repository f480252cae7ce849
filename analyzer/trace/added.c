#include "added.h"
#include "turn.h"
#include <math.h>
#include <stdlib.h>

enum { TURNS_LIMIT = 64, ADDED_LIMIT = 64, ANCHORS = 256 };

/* A wait or backward pass that both the source and the step have. */
typedef struct Anchor {
    double queued_in_source; /* operations queued before it in an iteration of the loop */
    uint32_t item;           /* the wait, or the mark of a backward pass */
} Anchor;

/* Where a site's waits are in an iteration of the loop. */
typedef struct Stand {
    double queued; /* operations queued before the first */
    double again;  /* and from each wait to the next, in an inner loop */
    double turns;
    uint32_t anchor; /* the anchor before it; UINT32_MAX = it precedes all */
    bool found, nested;
} Stand;

typedef struct Put {
    uint32_t before; /* item */
    uint32_t added;  /* index into AddedSites */
} Put;

typedef struct Adder {
    Arena *scratch;
    const AddedInput *input;
    KeptTurn *turn;
    const uint32_t *locals;
    Anchor anchors[ANCHORS];
    uint32_t anchor_count;
    double queued;  /* in the source, per iteration */
    double *before; /* [items + 1]: operations queued before each item of the step */
    Stand *stands;  /* [SiteId] */
    VEC(Put) puts;
} Adder;

/* ---- the step ---- */

static bool is_wait(const Item *item) {
    return item->kind == ITEM_WAIT_STREAM || item->kind == ITEM_WAIT_DEVICE || item->kind == ITEM_WAIT_EVENT;
}

static void count_queued(Adder *self) {
    uint32_t count = self->turn->items.count;
    self->before = arena_new(self->scratch, double, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const Item *item = &self->turn->items.items[i];
        self->before[i + 1] = self->before[i] + (item->kind == ITEM_LAUNCH ? item->repeat : 0);
    }
}

/* UINT32_MAX: the step has no wait of that number. */
static uint32_t first_wait(const Adder *self, uint32_t number) {
    const KeptTurn *turn = self->turn;
    for (uint32_t i = 0; number && i < turn->items.count; i++)
        if (is_wait(&turn->items.items[i]) && turn->items.items[i].site == number) return i;
    return UINT32_MAX;
}

static uint32_t mark_at(const Adder *self, uint32_t mark, uint32_t number) {
    for (uint32_t i = 0; i < self->turn->items.count; i++) {
        const Item *item = &self->turn->items.items[i];
        if (item->kind == ITEM_HOST && item->object == mark && number-- == 0) return i;
    }
    return UINT32_MAX;
}

/* ---- the source ---- */

static void add_anchor(Adder *self, uint32_t item) {
    if (item != UINT32_MAX && self->anchor_count < ANCHORS)
        self->anchors[self->anchor_count++] = (Anchor){self->queued, item};
}

static double of_backward(const Adder *self, double forward, double backward) {
    return backward > 0 ? backward : forward * self->input->profile->backward_operations.median;
}

typedef struct Open {
    double begin, turns;
    uint32_t depth; /* of loops, including this one */
} Open;

static void note_first_event(Adder *self, const Event *event, const Open *open) {
    Stand *stand = &self->stands[event->site];
    bool first = !stand->found;
    if (!first) return;
    *stand = (Stand){.queued = self->queued, .turns = 1, .found = true, .anchor = self->anchor_count - 1};
    if (open->depth) stand->turns = open->turns, stand->nested = open->depth > 1 || open->turns < 1;
    if (self->locals[event->site]) add_anchor(self, first_wait(self, self->locals[event->site]));
}

/* A site of an inner loop occurs once in each of its iterations. */
static void close_loop(Adder *self, const HotLoop *loop, uint32_t from, uint32_t end, const Open *open) {
    double once = self->queued - open->begin;
    for (uint32_t i = from; i < end; i++) {
        Stand *stand = &self->stands[loop->events[i].site];
        if (loop->events[i].site && stand->queued >= open->begin) stand->again = once;
    }
    self->queued += once * fmax(open->turns - 1, 0);
}

static double share_of(const Event *event) { return event->share > 0 ? fmin(event->share, 1) : 1; }

static void walk_source(Adder *self, const HotLoop *loop) {
    const Profile *profile = self->input->profile;
    Open open = {0};
    double forward = 0, backward = 0;
    uint32_t backwards = 0, begin = 0;
    for (uint32_t i = 0; i < loop->event_count; i++) {
        const Event *event = &loop->events[i];
        double share = share_of(event), count = event->count * share;
        switch (event->kind) {
        case EVENT_OPS: self->queued += count, forward += count, backward += event->backward * share; break;
        case EVENT_UNSEEN:
            count = event->count > 0 ? count : share * profile->unseen_operations.median;
            self->queued += count, forward += count;
            break;
        case EVENT_BACKWARD:
            add_anchor(self, mark_at(self, REPLAY_BACKWARD, backwards));
            self->queued += share * of_backward(self, forward, backward);
            add_anchor(self, mark_at(self, REPLAY_BACKWARD_END, backwards++));
            forward = backward = 0;
            break;
        case EVENT_OPTIMIZER:
            self->queued += event->count > 0 ? count : share * profile->optimizer_operations.median;
            break;
        case EVENT_COPY: self->queued += share; break;
        case EVENT_LOOP_BEGIN:
            if (open.depth++ == 0) open.begin = self->queued, open.turns = event->count, begin = i;
            break;
        case EVENT_LOOP_END:
            if (open.depth && --open.depth == 0) close_loop(self, loop, begin, i, &open);
            break;
        case EVENT_WAIT:
        case EVENT_HOST:
        case EVENT_DATA: break;
        }
        if (event->site && (event->kind == EVENT_WAIT || event->kind == EVENT_COPY))
            note_first_event(self, event, &open);
    }
}

/* Steps are cut where the host pauses, not where the loop begins, so both orders are cyclic. Anchors whose
   order in the step differs from the source are dropped. */
static void drop_disordered(Adder *self) {
    uint32_t kept = 0, count = self->turn->items.count, last = 0;
    uint32_t moved[ANCHORS + 1];
    for (uint32_t i = 0; i < self->anchor_count; i++) {
        uint32_t on = (self->anchors[i].item + count - self->anchors[0].item) % count;
        moved[i] = kept - (kept > 0);
        if (kept && on <= last) continue;
        moved[i] = kept, last = on;
        self->anchors[kept++] = self->anchors[i];
    }
    for (SiteId site = 1; site < self->input->findings->sites.count; site++) {
        Stand *stand = &self->stands[site];
        if (stand->found && stand->anchor < self->anchor_count) stand->anchor = moved[stand->anchor];
    }
    self->anchor_count = kept;
}

/* ---- placing the site ---- */

/* The item before which a site goes that has so many operations between the anchor and itself. */
static uint32_t place_of(const Adder *self, uint32_t anchor, double queued) {
    uint32_t items = self->turn->items.count, count = self->anchor_count;
    bool before_all = anchor >= count;
    const Anchor none = {0, UINT32_MAX}, *from = &none, *to = NULL;
    double total = self->before[items];
    if (count) from = &self->anchors[before_all ? count - 1 : anchor];
    if (count) to = &self->anchors[before_all ? 0 : (anchor + 1) % count];
    bool around = count && (before_all || anchor + 1 == count);
    double since = queued - from->queued_in_source + (count && before_all ? self->queued : 0);
    double span =
        (to ? to->queued_in_source : self->queued) - from->queued_in_source + (around ? self->queued : 0);
    uint32_t begin = count ? from->item + 1 : 0;
    double step = (to ? self->before[to->item] : total) - self->before[begin] + (around ? total : 0);
    double wanted = span > 0 ? step * fmin(fmax(since / span, 0), 1) : 0, passed = 0;
    uint32_t at = begin;
    for (uint32_t i = 0; i < items && passed + 1e-9 < wanted; i++, at++)
        passed += self->before[at % items + 1] - self->before[at % items];
    return at % items ? at % items : at ? items : 0;
}

/* ---- its own cost ---- */

typedef struct Own {
    ReplayStep step;
    double off_us;
} Own;

static Profile at_medians(const Profile *profile) {
    Profile middle = *profile;
#define QUANTITY(name, unit, median_, p10_, p90_, meaning) \
    middle.name.p10 = middle.name.p90 = middle.name.median;
#include "../calib/profile.def"
#undef QUANTITY
    return middle;
}

static Rates rates_of(const Profile *profile, Side side) {
    Rates rates = turn_rates(profile, side);
    rates.small_gpu_us = rates.long_gpu_us = turn_value(&profile->small_operation_gpu_us, side);
    return rates;
}

static double length_us(const Turn *turn, uint32_t index) {
    double sum_us = 0;
    for (uint32_t i = 0; i < turn->item_count; i++)
        if (turn->items[i].site == index) sum_us += turn->items[i].repeat * turn->items[i].host_us;
    return sum_us;
}

/* The site's own items, for one execution, are taken from the loop's static turn. */
static Own own_of(Adder *self, TurnPlan *plan, const Profile *middle, uint32_t index, double turns,
                  uint32_t number) {
    const AddedInput *input = self->input;
    static const double deviations = 2.56; /* from the 10th to the 90th percentile of a normal distribution */
    VEC(Item) items = {0};
    Rates quick = rates_of(input->profile, SIDE_QUICK), slow = rates_of(input->profile, SIDE_SLOW);
    double least_us, most_us;
    Turn turn = turn_make(plan, &quick);
    least_us = length_us(&turn, index);
    turn = turn_make(plan, &slow), most_us = length_us(&turn, index);
    Rates usual = rates_of(middle, SIDE_QUICK);
    turn = turn_make(plan, &usual);
    for (uint32_t i = 0; i < turn.item_count; i++) {
        Item item = turn.items[i];
        if (item.site != index) continue;
        item.site = number, item.thread = 0, item.object = 0;
        vec_push(self->scratch, &items, item);
    }
    return (Own){{items.items, items.count}, fabs(most_us - least_us) / deviations * turns};
}

/* ---- entry ---- */

static int by_item(const void *a, const void *b) {
    const Put *x = a, *y = b;
    return x->before != y->before ? (x->before > y->before) - (x->before < y->before)
                                  : (x->added > y->added) - (x->added < y->added);
}

static uint16_t stream_before(const KeptTurn *turn, uint32_t item) {
    for (uint32_t i = item; i-- > 0;)
        if (turn->items.items[i].kind == ITEM_LAUNCH) return turn->items.items[i].stream;
    return 0;
}

static void merge(Arena *arena, Adder *self, const Own *owns) {
    KeptTurn merged = {.setup = self->turn->setup};
    uint32_t next = 0;
    if (self->puts.count > 1) qsort(self->puts.items, self->puts.count, sizeof(Put), by_item);
    for (uint32_t i = 0; i <= self->turn->items.count; i++) {
        for (; next < self->puts.count && self->puts.items[next].before == i; next++) {
            const ReplayStep own = owns[self->puts.items[next].added].step;
            for (uint32_t k = 0; k < own.count; k++) {
                Item item = own.items[k];
                item.stream = stream_before(self->turn, i);
                vec_push(arena, &merged.items, item);
            }
        }
        if (i < self->turn->items.count) vec_push(arena, &merged.items, self->turn->items.items[i]);
    }
    *self->turn = merged;
}

static bool can_be_put(const Adder *self, const TurnSite *here) {
    const Stand *stand = &self->stands[here->id];
    bool known = stand->found && !stand->nested && stand->turns <= TURNS_LIMIT;
    return known && here->share_known && self->input->fresh[here->id];
}

AddedSites added_put(Arena *arena, const AddedInput *input, KeptTurn *turn, uint32_t *locals) {
    Arena scratch = {0};
    AddedSites added = {0};
    Adder *self = arena_new(&scratch, Adder, 1);
    *self = (Adder){.scratch = &scratch, .input = input, .turn = turn, .locals = locals};
    const HotLoop *loop = &input->findings->loops.items[input->loop];
    Profile middle = at_medians(input->profile);
    Own owns[ADDED_LIMIT];
    uint32_t count;
    self->stands = arena_new(&scratch, Stand, input->findings->sites.count + 1);
    count_queued(self);
    walk_source(self, loop);
    if (self->anchor_count) drop_disordered(self);
    uint32_t *zeros = arena_new(&scratch, uint32_t, input->findings->sites.count + 1);
    TurnPlan *plan = turn_plan(&scratch, input->findings, loop, NULL, 0, input->profile, zeros);
    const TurnSite *sites = turn_sites(plan, &count);
    for (uint32_t i = 1; i < count && added.count < ADDED_LIMIT; i++) {
        if (!can_be_put(self, &sites[i])) continue;
        const Stand *stand = &self->stands[sites[i].id];
        uint32_t number = input->number + added.count;
        owns[added.count] = own_of(self, plan, &middle, i, stand->turns, number);
        for (double k = 0; k < stand->turns; k++)
            vec_push(&scratch, &self->puts,
                     ((Put){place_of(self, stand->anchor, stand->queued + k * stand->again), added.count}));
        vec_push(arena, &added,
                 ((AddedSite){sites[i].id, number, stand->turns, sites[i].share, owns[added.count].off_us}));
        locals[sites[i].id] = number;
    }
    if (added.count) merge(arena, self, owns);
    arena_free(&scratch);
    return added;
}
