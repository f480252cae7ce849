#ifndef SYNCL_SEARCH_H
#define SYNCL_SEARCH_H
/* Binary search in items that stand in the order of a number: where the first of them has it, how many items there are, and
   how large one is. Of no items there may be no address either. */
#include <stddef.h>
#include <stdint.h>

/* The first item whose number is `number` or larger; `count` if there is none. */
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

/* The last item whose number is below; 0 if there is none. */
static inline uint32_t last_below(const uint32_t *numbers, uint32_t count, size_t size, uint32_t number) {
    uint32_t first = first_from(numbers, count, size, number);
    return first ? first - 1 : 0;
}

/* The same by a member of the items: `FIRST_FROM(writes, count, name, id)`. */
#define FIRST_FROM(items, count, member, number) \
    first_from((count) ? &(items)->member : NULL, (count), sizeof *(items), (number))
#define LAST_BELOW(items, count, member, number) \
    last_below((count) ? &(items)->member : NULL, (count), sizeof *(items), (number))

#endif
