#ifndef SYNCL_KEPT_MODEL_H
#define SYNCL_KEPT_MODEL_H
/* The second level of the cache: a FileModel by the bytes of its file and its gaps, so that an unchanged file
   is not parsed and lowered again, wherever it is. A FileModel depends on nothing else and holds no pointers
   but to its own arrays.

   The format: every field as a number of seven bits a byte, spans and ids as distances: a fifth of the arrays'
   size. Unpacking checks what model.h promises: ids in range, children before parents and statements after
   them, nesting within the limit; else it is a miss. This keeps memory safe; a forged model that follows these
   rules is accepted. */
#include "cache.h"
#include "model.h"

enum { KEPT_MODEL_LEAST = 1024 }; /* bytes of a file; smaller ones are parsed faster than they are found */

/* Thread-safe. False: a miss. The model lives in `result`. */
bool kept_model_find(const Cache *cache, Arena *result, Arena *scratch, Text bytes, Gaps gaps, FileModel *model);
/* Gives the number of bytes added. */
uint64_t kept_model_keep(const Cache *cache, Arena *scratch, Text bytes, Gaps gaps, const FileModel *model);

Text model_pack(Arena *result, const FileModel *model);
/* False: malformed bytes. `byte_count`: of the file. The model does not refer to `packed`. */
bool model_unpack(Arena *result, Arena *scratch, Text packed, uint32_t byte_count, FileModel *model);

#endif
