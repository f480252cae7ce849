/* The readers of a slot as a list of differences. A difference is folded so that its sign is the lowest bit, and written
   seven bits a byte, low ones first; all bytes but its last have the highest bit set, so it is read from either end. */
#include "memo.h"
#include <assert.h>

enum { FIRST_BITS = 5, LONGEST = 5 }; /* of a list; bytes of a difference */

/* A context reads the same slots repeatedly, most often the last one: only the latest few readers are compared.
   One that is listed twice is still queued once. */
enum { READERS_LOOKED_AT = 6 };

static uint32_t fold(uint32_t difference) { return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0); }

static uint32_t unfold(uint32_t folded) { return folded >> 1 ^ (folded & 1 ? UINT32_MAX : 0); }

static uint8_t *put(uint8_t *at, uint32_t folded) {
    for (; folded > 127; folded >>= 7) *at++ = (uint8_t)(folded | 128);
    *at++ = (uint8_t)folded;
    return at;
}

Readers readers_of(const Slot *slot) {
    if (slot->listed == LISTED_NEVER) return (Readers){0};
    if (slot->listed < LISTED_MANY) return (Readers){.few = slot->readers.few, .few_left = slot->listed};
    const ReaderList *list = slot->readers.many;
    return (Readers){.at = list->coded, .end = list->coded + list->bytes};
}

bool readers_next(Readers *self) {
    if (self->few_left) {
        self->few_left--, self->id = *self->few++;
        return true;
    }
    if (self->at == self->end) return false;
    uint32_t folded = 0, shift = 0;
    for (; *self->at > 127; shift += 7) folded |= (uint32_t)(*self->at++ & 127) << shift;
    folded |= (uint32_t)*self->at++ << shift;
    self->id += unfold(folded);
    return true;
}

bool reader_is_recent(const Slot *slot, EvaluationId reader) {
    if (slot->listed < LISTED_MANY) {
        for (uint32_t i = 0; i < slot->listed; i++)
            if (slot->readers.few[i] == reader) return true;
        return false;
    }
    const ReaderList *list = slot->readers.many;
    const uint8_t *at = list->coded + list->bytes;
    EvaluationId id = list->last;
    for (uint32_t i = 0; i < READERS_LOOKED_AT && at > list->coded; i++) {
        if (id == reader) return true;
        uint32_t folded = *--at;
        while (at > list->coded && at[-1] > 127) folded = folded << 7 | (*--at & 127);
        id -= unfold(folded);
    }
    return false;
}

/* Drops stale readers: evaluations that a later one of the same context or step has replaced. In place, as a difference
   is no longer than those that it is the sum of. */
static void drop_past(const Inference *inference, Slot *slot) {
    Readers readers = readers_of(slot);
    if (slot->listed < LISTED_MANY) {
        slot->listed = 0;
        while (readers_next(&readers))
            if (memo_reads(inference, readers.id)) slot->readers.few[slot->listed++] = readers.id;
        return;
    }
    ReaderList *list = slot->readers.many;
    uint8_t *at = list->coded;
    EvaluationId last = 0;
    while (readers_next(&readers)) {
        if (!memo_reads(inference, readers.id)) continue;
        at = put(at, fold(readers.id - last));
        last = readers.id;
    }
    list->bytes = (uint32_t)(at - list->coded);
    list->last = last;
}

static uint32_t room(const ReaderList *list) { return (1u << list->bits) - (uint32_t)sizeof *list; }

static ReaderList *take(Inference *inference, uint32_t bits) {
    assert(bits < 32);
    ReaderList *list = outgrown_take(&inference->outgrown_readers, bits, inference->working, (size_t)1 << bits);
    *list = (ReaderList){.bits = bits};
    return list;
}

static void push(ReaderList *list, EvaluationId reader) {
    list->bytes = (uint32_t)(put(list->coded + list->bytes, fold(reader - list->last)) - list->coded);
    list->last = reader;
}

void reader_add(Inference *inference, Slot *slot, EvaluationId reader) {
    if (slot->listed == FEW_READERS) drop_past(inference, slot);
    if (slot->listed < FEW_READERS) {
        slot->readers.few[slot->listed++] = reader;
        return;
    }
    if (slot->listed == FEW_READERS) {
        ReaderList *list = take(inference, FIRST_BITS);
        for (uint32_t i = 0; i < FEW_READERS; i++) push(list, slot->readers.few[i]);
        slot->readers.many = list;
        slot->listed = LISTED_MANY;
    }
    ReaderList *list = slot->readers.many;
    bool full = room(list) - list->bytes < LONGEST;
    if (full) drop_past(inference, slot);
    if (full && list->bytes > room(list) / 4 * 3) {
        ReaderList *more = take(inference, list->bits + 1);
        more->bytes = list->bytes;
        more->last = list->last;
        memcpy(more->coded, list->coded, list->bytes);
        outgrown_give(&inference->outgrown_readers, list->bits, list);
        slot->readers.many = list = more;
    }
    push(list, reader);
}

void readers_drop(Slot *slot) {
    if (slot->listed == LISTED_MANY)
        slot->readers.many->bytes = slot->readers.many->last = 0;
    else if (slot->listed < LISTED_MANY)
        slot->listed = 0;
}
