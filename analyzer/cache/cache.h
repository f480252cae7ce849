#ifndef SYNCL_CACHE_H
#define SYNCL_CACHE_H
/* A folder of blocks that earlier runs left. Takes a kind, a key and bytes; gives the bytes back, or nothing.

   A block is a file: a header (magic, format, kind, key, the build that wrote it, length) and the bytes, all under one
   checksum. What is damaged, cut, of another build, or of another place is no block: it is removed, and nothing is
   given. A checksum is no proof of who wrote it, so those who unpack a block check every index in it too.
   Blocks are written beside their place and renamed, so that runs side by side see whole ones; they never wait for each
   other. Whatever fails (no home folder, no rights, a full disk) leaves the run without a cache, and is no error.

   Bounded: CACHE_LIMIT_BYTES in all, and nothing that was not used for CACHE_DAYS; the longest unused go first. What a
   run adds is counted in `syncl-cache-size`; a run that goes beyond the limit, or the first of a day, counts afresh. Runs
   side by side may miss each other's additions until then.

   The folder: the one given, else $XDG_CACHE_HOME/syncl, else ~/.cache/syncl. Made for its owner only. Never in the
   project, unless it is given there; git and backups are told to pass it over. */
#include "digest.h"

enum { CACHE_DAYS = 30 };
static const uint64_t CACHE_LIMIT_BYTES = (uint64_t)512 << 20;

typedef enum BlockKind { BLOCK_RESULT, BLOCK_MODEL, BLOCK_FINDINGS, BLOCK_KINDS } BlockKind;

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
