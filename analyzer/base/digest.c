#include "digest.h"
#include <inttypes.h>
#include <xxhash.h>

Digest digest_of(Text bytes) {
    XXH128_hash_t hash = XXH3_128bits(bytes.length ? bytes.bytes : "", bytes.length);
    return (Digest){hash.low64, hash.high64};
}

bool digest_equal(Digest a, Digest b) { return a.low == b.low && a.high == b.high; }

Text digest_hex(Arena *arena, Digest digest) {
    return text_format(arena, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}
