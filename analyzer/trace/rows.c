#include "rows.h"
#include <assert.h>

enum { ROW_LIMIT = 256 };

void *rows_add(Arena *arena, Rows *rows) {
    assert(rows->size > 0 && rows->size <= ROW_LIMIT);
    if (rows->count == rows->blocks.count * ROWS_BLOCK) {
        char *block = arena_alloc(arena, rows->size * ROWS_BLOCK);
        vec_push(arena, &rows->blocks, block);
    }
    return rows_at(rows, rows->count++);
}

static void swap(Rows *rows, uint32_t a, uint32_t b) {
    char kept[ROW_LIMIT];
    memcpy(kept, rows_at(rows, a), rows->size);
    memcpy(rows_at(rows, a), rows_at(rows, b), rows->size);
    memcpy(rows_at(rows, b), kept, rows->size);
}

static void sink(Rows *rows, RowBefore *before, uint32_t root, uint32_t end) {
    for (uint32_t child; (child = 2 * root + 1) < end; root = child) {
        if (child + 1 < end && before(rows_at(rows, child), rows_at(rows, child + 1))) child++;
        if (!before(rows_at(rows, root), rows_at(rows, child))) return;
        swap(rows, root, child);
    }
}

/* Heap sort: needs no memory and has no bad case. Traces are mostly sorted already; then nothing is done. */
void rows_sort(Rows *rows, RowBefore *before) {
    bool sorted = true;
    for (uint32_t i = 1; i < rows->count && sorted; i++)
        sorted = !before(rows_at(rows, i), rows_at(rows, i - 1));
    if (sorted) return;
    for (uint32_t root = rows->count / 2; root-- > 0;) sink(rows, before, root, rows->count);
    for (uint32_t end = rows->count; end-- > 1;) {
        swap(rows, 0, end);
        sink(rows, before, 0, end);
    }
}
