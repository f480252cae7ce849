#include "order.h"

Since *order_since(Order *order, ObjectId point) {
    for (uint32_t i = 0; i < order->live_count; i++)
        if (order->live[i].point == point) return &order->live[i];
    return NULL;
}

const Pair *order_pair(const Order *order, ObjectId from, ObjectId to) {
    for (uint32_t i = 0; i < order->pair_count; i++)
        if (order->pairs[i].to == to && order->pairs[i].since.point == from) return &order->pairs[i];
    return NULL;
}

StreamOrder *order_stream(Order *order, ObjectId stream) {
    for (uint32_t i = 0; i < order->stream_count; i++)
        if (order->streams[i].stream == stream) return &order->streams[i];
    if (order->stream_count == ORDER_STREAMS) return NULL;
    order->streams[order->stream_count] = (StreamOrder){.stream = stream};
    return &order->streams[order->stream_count++];
}

void order_copy(Order *into, const Order *other) {
    memcpy(into, other, offsetof(Order, streams));
    memcpy(into->streams, other->streams, sizeof *into->streams * other->stream_count);
    memcpy(into->live, other->live, sizeof *into->live * other->live_count);
    memcpy(into->pairs, other->pairs, sizeof *into->pairs * other->pair_count);
}

/* ---- joining ---- */

static uint8_t most(uint8_t a, uint8_t b) { return a > b ? a : b; }

static void join_since(Since *into, const Since *other, bool fenced) {
    into->work = most(into->work, other->work);
    into->tail = fenced ? other->tail : most(into->tail, other->tail);
    into->heavy |= other->heavy;
    into->fenced |= other->fenced;
    into->far |= other->far;
    into->looped |= other->looped;
    into->queued |= other->queued;
    into->cold |= other->cold;
    into->inside |= other->inside;
    if (!into->fence.file) into->fence = other->fence;
    if (other->number > into->number) into->number = other->number;
}

/* at: where it stands in the other order, and mostly in this one, as both were one before the branch. */
static void join_pair(Order *order, const Pair *other, uint32_t at) {
    for (uint32_t i = 0; i < order->pair_count; i++) {
        Pair *old = &order->pairs[(at + i) % order->pair_count];
        if (old->to != other->to || old->since.point != other->since.point) continue;
        join_since(&old->since, &other->since, false);
        if (!old->fence.file) old->fence = other->fence;
        return;
    }
    if (order->pair_count < ORDER_PAIRS) order->pairs[order->pair_count++] = *other;
}

/* Most of what two paths know is from before they parted, and stands at the same place in both. */
static bool is_old(const void *a, const void *b, size_t bytes) { return memcmp(a, b, bytes) == 0; }

void order_join(Order *into, const Order *other, bool fenced) {
    for (uint32_t i = 0; i < other->live_count; i++) {
        if (i < into->live_count && is_old(&into->live[i], &other->live[i], sizeof *into->live)) continue;
        Since *old = order_since(into, other->live[i].point);
        if (old)
            join_since(old, &other->live[i], fenced);
        else if (into->live_count < ORDER_LIVE)
            into->live[into->live_count++] = other->live[i];
    }
    for (uint32_t i = 0; i < other->pair_count; i++)
        if (i >= into->pair_count || !is_old(&into->pairs[i], &other->pairs[i], sizeof *into->pairs))
            join_pair(into, &other->pairs[i], i);
    for (uint32_t i = 0; i < other->stream_count; i++) {
        const StreamOrder *theirs = &other->streams[i];
        StreamOrder *ours = order_stream(into, theirs->stream);
        if (ours) *ours = *theirs; /* `if self.stream is not None:` tells it to wait only where there is one */
    }
    into->queued = fenced ? other->queued : most(into->queued, other->queued);
    into->warm |= other->warm;
    if (other->number > into->number) into->number = other->number;
    if (other->fences > into->fences) into->fences = other->fences;
    into->fence = other->fence;
}

/* ---- transfer functions ---- */

void order_work(Order *order, Confidence sure, bool heavy, ObjectId stream) {
    for (uint32_t i = 0; i < order->live_count; i++) {
        Since *since = &order->live[i];
        since->work = most(since->work, (uint8_t)sure);
        since->tail = most(since->tail, (uint8_t)sure);
        since->heavy |= heavy;
    }
    order->queued = most(order->queued, heavy ? 2 : 1);
    order->warm |= heavy;
    order->fence = (OrderPlace){0};
    StreamOrder *there = stream ? order_stream(order, stream) : NULL;
    if (there) there->unordered = true, there->by = (OrderPlace){0};
}

/* The host waits for one stream or, with an explicit synchronisation, perhaps for all. */
void order_fence(Order *order, ObjectId stream, bool explicit_, OrderPlace place) {
    for (uint32_t i = 0; i < order->live_count; i++) {
        Since *since = &order->live[i];
        if (!explicit_ && since->stream != stream) continue;
        since->tail = 0;
        since->fenced = true;
    }
    order->queued = 0;
    order->fences++;
    if (explicit_) order->fence = place;
    for (uint32_t i = 0; i < order->stream_count; i++) {
        StreamOrder *there = &order->streams[i];
        if (explicit_ || !stream) there->used = false;
        if (!explicit_ && there->stream != stream) continue;
        if (there->unordered && explicit_) there->by = place;
        there->unordered = false;
    }
}

static Since *oldest(Order *order) {
    Since *found = &order->live[0];
    for (uint32_t i = 1; i < order->live_count; i++)
        if (order->live[i].number < found->number) found = &order->live[i];
    return found;
}

static bool is_wanted(const WantedPairs *wanted, ObjectId from, ObjectId to) {
    for (uint32_t i = 0; i < wanted->items.count; i++)
        if (wanted->items.items[i].from == from && wanted->items.items[i].to == to) return true;
    return false;
}

void order_start(Order *order, ObjectId point, ObjectId stream, bool inside) {
    Since *since = order_since(order, point);
    if (!since && order->live_count == ORDER_LIVE) since = oldest(order);
    if (!since) since = &order->live[order->live_count++];
    *since = (Since){.point = point,
                     .stream = stream,
                     .queued = order->queued == 2 && !order->first_turn,
                     .cold = !order->warm,
                     .inside = inside,
                     .fence = order->fence,
                     .number = ++order->number};
}

void order_reading(Order *order, ObjectId clock, bool inside, const WantedPairs *wanted) {
    for (uint32_t i = 0; i < order->live_count; i++) {
        if (!is_wanted(wanted, order->live[i].point, clock)) continue;
        Pair pair = {.to = clock, .fence = order->fence, .since = order->live[i]};
        join_pair(order, &pair, 0);
    }
    order_start(order, clock, 0, inside);
}

void order_unseen(Order *order) {
    for (uint32_t i = 0; i < order->live_count; i++) {
        Since *since = &order->live[i];
        uint8_t most = since->heavy ? CONFIDENCE_LIKELY : CONFIDENCE_POSSIBLE;
        if (since->tail > most) since->tail = most;
    }
}

void order_doubt(Order *order) {
    for (uint32_t i = 0; i < order->live_count; i++)
        if (order->live[i].tail > CONFIDENCE_POSSIBLE) order->live[i].tail = CONFIDENCE_POSSIBLE;
}
