#ifndef SYNCL_ROWS_H
#define SYNCL_ROWS_H
/* A table that only grows, in blocks that never move: a million rows cost what a million rows take. Rows are of one
   size and zeroed when added; they live as long as the arena. Sorts in place. */
#include "arena.h"
#include <stdbool.h>

enum { ROWS_BLOCK = 4096 };

typedef struct Rows {
    size_t size; /* of a row, in bytes */
    VEC(char *) blocks;
    uint32_t count;
} Rows;

typedef bool RowBefore(const void *a, const void *b); /* strictly */

void *rows_add(Arena *arena, Rows *rows);
static inline void *rows_at(const Rows *rows, uint32_t index) {
    return rows->blocks.items[index / ROWS_BLOCK] + rows->size * (index % ROWS_BLOCK);
}
void rows_sort(Rows *rows, RowBefore *before); /* the same order on every run for rows that differ */

#endif
