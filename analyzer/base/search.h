#ifndef SYNCL_SEARCH_H
#define SYNCL_SEARCH_H
/* Binary search in an array of structs sorted by a uint32_t member. `numbers` is the address of that member in
   the first item, `size` that of one item in bytes. With count 0, `numbers` may be NULL. */
#include <stddef.h>
#include <stdint.h>

/* Index of the first item whose number is `number` or larger; `count` if there is none. */
static inline uint32_t first_from(const uint32_t *numbers, uint32_t count, size_t size, uint32_t number) {
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (*(const uint32_t *)((const char *)numbers + middle * size) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Index of the last item whose number is below `number`; 0 if there is none. */
static inline uint32_t last_below(const uint32_t *numbers, uint32_t count, size_t size, uint32_t number) {
    uint32_t first = first_from(numbers, count, size, number);
    return first ? first - 1 : 0;
}

/* For qsort: by a uint32_t at the start of each item, and by the two there. */
static inline int number_order(const void *a, const void *b) {
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

static inline int pair_order(const void *a, const void *b) {
    int order = number_order(a, b);
    return order ? order : number_order((const uint32_t *)a + 1, (const uint32_t *)b + 1);
}

/* The same by the member's name: FIRST_FROM(writes, count, name, id). */
#define FIRST_FROM(items, count, member, number) \
    first_from((count) ? &(items)->member : NULL, (count), sizeof *(items), (number))
#define LAST_BELOW(items, count, member, number) \
    last_below((count) ? &(items)->member : NULL, (count), sizeof *(items), (number))

/* For other orders: narrows [low, high), two uint32_t variables, to the first index that is not `before`, an expression
   of `middle`: LOWER_BOUND(low, high, items[middle].at_us < at_us). */
#define LOWER_BOUND(low, high, before) \
    while (low < high) { \
        uint32_t middle = low + (high - low) / 2; \
        if (before) \
            low = middle + 1; \
        else \
            high = middle; \
    }

#endif
