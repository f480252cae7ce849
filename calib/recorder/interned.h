#ifndef SYNCL_INTERNED_H
#define SYNCL_INTERNED_H
/* Small ids for recurring things, identified by a 64-bit hash. Fixed memory; no locking. */
#include <stdbool.h>
#include <stdint.h>

enum { INTERNED_LIMIT = 1 << 15 };

typedef struct Interned {
    uint64_t hashes[2 * INTERNED_LIMIT];
    uint32_t ids[2 * INTERNED_LIMIT];
    uint32_t count;
} Interned;

/* 0 = the table is full. *fresh: it was new. */
uint32_t interned_id(Interned *self, uint64_t hash, bool *fresh);

static inline uint64_t interned_mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}
uint64_t interned_hash(const void *bytes, uint32_t count);

#endif
