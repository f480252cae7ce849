#ifndef SYNCL_ROWS_H
#define SYNCL_ROWS_H
/* A growing table in blocks that never move, so that a million rows need no copying. Rows have one size, are
   zeroed when added, and live as long as the arena. Sorts in place. */
#include "arena.h"
#include <stdbool.h>

enum { ROWS_BLOCK = 4096 };

typedef struct Rows {
    size_t size; /* of a row, in bytes */
    VEC(char *) blocks;
    uint32_t count;
} Rows;

typedef bool RowBefore(const void *a, const void *b); /* strict order */

void *rows_add(Arena *arena, Rows *rows);
static inline void *rows_at(const Rows *rows, uint32_t index) {
    return rows->blocks.items[index / ROWS_BLOCK] + rows->size * (index % ROWS_BLOCK);
}
void rows_sort(Rows *rows, RowBefore *before); /* deterministic, given that no two rows are equal */

#endif
