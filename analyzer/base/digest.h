#ifndef SYNCL_DIGEST_H
#define SYNCL_DIGEST_H
/* 128 bits that stand for bytes: XXH3 (xxhash, pinned in grammars/). The same on every machine. Good against accidents;
   it is no signature: whoever crafts two files on purpose can make them collide. */
#include "text.h"

typedef struct Digest { uint64_t low, high; } Digest;

Digest digest_of(Text bytes);
bool digest_equal(Digest a, Digest b);
Text digest_hex(Arena *arena, Digest digest); /* 32 hex digits */

#endif
