#ifndef SYNCL_CACHE_H
#define SYNCL_CACHE_H
/* The cache: a folder of blocks left by earlier runs. Takes a kind, a key and bytes; gives the bytes back, or
   nothing.

   A block is a file: a header (magic, format, kind, key, the build that wrote it, length) and the bytes, under
   one checksum. A file that is damaged, truncated, of another build or in the wrong place is removed, and
   counts as absent. A checksum does not prove who wrote a block, so whoever unpacks one checks every index in
   it too. Blocks are written to a temporary file and renamed, so that concurrent runs see whole ones; they
   never wait for each other. Any failure (no home folder, no permission, a full disk) leaves the run without a
   cache and is no error.

   Bounded: CACHE_LIMIT_BYTES in all, and nothing unused for CACHE_DAYS; the least recently used go first.
   `syncl-cache-size` counts what runs add; a run that exceeds the limit, or is the first of a day, counts
   afresh. Concurrent runs may miss each other's additions until then.

   The folder is the one given, else $XDG_CACHE_HOME/syncl, else ~/.cache/syncl; readable by its owner only.
   Never in the project unless given there; git and backups are told to skip it. */
#include "digest.h"

enum { CACHE_DAYS = 30 };
static const uint64_t CACHE_LIMIT_BYTES = (uint64_t)512 << 20;

typedef enum BlockKind { BLOCK_RESULT, BLOCK_MODEL, BLOCK_FINDINGS, BLOCK_PRICES, BLOCK_KINDS } BlockKind;

typedef struct Cache {
    const char *folder; /* NULL: the cache is off */
    Digest build;
    uint64_t limit_bytes;
} Cache;

/* Does no I/O. `given`: of --cache-dir, or NULL; `build`: a text that differs for each build of the program. */
Cache cache_at(Arena *result, const char *given, const char *build);
/* False: no such block. */
bool cache_read(const Cache *self, Arena *result, BlockKind kind, Digest key, Text *bytes);
/* Gives the number of bytes added; 0 where nothing could be written. Thread-safe. */
uint64_t cache_write(const Cache *self, BlockKind kind, Digest key, Text bytes);
void cache_remove(const Cache *self, BlockKind kind, Digest key);
/* Call at the end of a run that added so many bytes: enforces the limits. */
void cache_trim(const Cache *self, uint64_t added_bytes);
/* Removes all blocks and the cache's folders, and nothing else; gives the number of blocks removed. */
uint32_t cache_clear(const Cache *self);

#endif
