#ifndef SYNCL_GROUPING_H
#define SYNCL_GROUPING_H
/* Structs by a uint32_t member that is below `keys`: a counting sort, which keeps the order of equal ones. Those with
   key k are items[order[first[k]]] up to items[order[first[k + 1]]], exclusive. With count 0, `items` may be NULL. */
#include "arena.h"

typedef struct Grouping {
    uint32_t *first, *order;
} Grouping;

/* `members` is the address of that member in the first item, `size` that of one item in bytes. */
static inline Grouping grouping_of(Arena *arena, const uint32_t *members, uint32_t count, size_t size, uint32_t keys) {
    Grouping made = {arena_new(arena, uint32_t, keys + 2u), arena_new(arena, uint32_t, count + 1u)};
    const char *at = (const char *)members;
    for (uint32_t i = 0; i < count; i++) made.first[*(const uint32_t *)(at + i * size) + 2]++;
    for (uint32_t key = 1; key <= keys; key++) made.first[key + 1] += made.first[key];
    for (uint32_t i = 0; i < count; i++) made.order[made.first[*(const uint32_t *)(at + i * size) + 1]++] = i;
    return made;
}

/* The same by the member's name: GROUPING(arena, sets, count, loop, loops). */
#define GROUPING(arena, items, count, member, keys) \
    grouping_of((arena), (count) ? &(items)->member : NULL, (count), sizeof *(items), (keys))

#endif
