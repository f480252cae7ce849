#include "interned.h"
#include <string.h>

uint32_t interned_id(Interned *self, uint64_t hash, bool *fresh) {
    hash += !hash; /* 0 marks a free slot */
    uint32_t at = (uint32_t)hash % (2 * INTERNED_LIMIT);
    *fresh = false;
    while (self->hashes[at] && self->hashes[at] != hash) at = (at + 1) % (2 * INTERNED_LIMIT);
    if (self->hashes[at]) return self->ids[at];
    if (self->count == INTERNED_LIMIT) return 0;
    *fresh = true;
    self->hashes[at] = hash;
    return self->ids[at] = ++self->count;
}

uint64_t interned_hash(const void *bytes, uint32_t count) {
    uint64_t hash = count, word;
    const char *at = bytes;
    for (; count >= sizeof word; count -= (uint32_t)sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = interned_mix(hash, word);
    }
    word = 0;
    memcpy(&word, at, count);
    return interned_mix(hash, word);
}
