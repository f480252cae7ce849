#define _DEFAULT_SOURCE /* flockfile */
#include "arena.h"
#include "supply.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Under the address sanitizer each allocation is followed by a gap, and memory not yet handed out is poisoned. */
#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#endif
#ifdef WATCHED
#include <sanitizer/asan_interface.h>
enum { GAP = 16 };
#define forbid(start, bytes) ASAN_POISON_MEMORY_REGION(start, bytes)
#define permit(start, bytes) ASAN_UNPOISON_MEMORY_REGION(start, bytes)
#else
enum { GAP = 0 };
#define forbid(start, bytes) ((void)(start), (void)(bytes))
#define permit(start, bytes) ((void)(start), (void)(bytes))
#endif

enum { ALIGN = 16, FIRST_BLOCK = 64 * 1024, LARGEST_STEP = 8 * 1024 * 1024, HUGE_PAGE = 2 * 1024 * 1024 };
enum { SUPPLIED = 64 * 1024 * 1024 }; /* smaller blocks do not repay a thread */

struct ArenaBlock {
    ArenaBlock *next;
    size_t capacity;
};

enum { HEADER = (sizeof(ArenaBlock) + ALIGN - 1) / ALIGN * ALIGN };

/* Several threads may fail at once: the first one keeps the lock, so that only one line is printed. */
_Noreturn void out_of_memory(size_t bytes) {
    flockfile(stderr);
    fprintf(stderr, "syncl: out of memory (asked for %zu more bytes)\n", bytes);
    _exit(2);
}

static char *block_bytes(ArenaBlock *block) { return (char *)block + HEADER; }

static size_t rounded(size_t bytes) {
    if (bytes > SIZE_MAX / 4) out_of_memory(bytes);
    return ((bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1)) + GAP;
}

/* A large block comes from the supply where the arena has one and a block is ready; else it is allocated here. */
static ArenaBlock *get_block(const Arena *arena, size_t bytes) {
    bool large = arena->reserved >= SUPPLIED;
    ArenaBlock *block = arena->supply ? supply_take(arena->supply, bytes, large) : NULL;
    return block ? block : supply_block(bytes);
}

static size_t whole_pages(size_t capacity) {
    return (capacity + HEADER + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE - HEADER;
}

/* A new block is as large as all blocks so far, up to LARGEST_STEP: a large arena has few blocks, a small one
   wastes little. */
static void add_block(Arena *arena, size_t bytes) {
    size_t capacity = arena->reserved < FIRST_BLOCK ? FIRST_BLOCK : arena->reserved;
    if (capacity > LARGEST_STEP) capacity = LARGEST_STEP;
    if (capacity < bytes) capacity = bytes;
    if (capacity >= HUGE_PAGE) capacity = whole_pages(capacity);
    ArenaBlock *block = get_block(arena, HEADER + capacity);
    if (!block) out_of_memory(bytes);
    block->capacity = capacity;
    block->next = arena->head;
    forbid(block_bytes(block), capacity);
    arena->head = block;
    arena->used = 0;
    arena->reserved += capacity;
}

static bool has_room(const Arena *arena, size_t size) {
    return arena->head && arena->head->capacity - arena->used >= size;
}

static void *take(Arena *arena, size_t bytes) {
    size_t size = rounded(bytes ? bytes : 1);
    if (!has_room(arena, size)) add_block(arena, size);
    void *start = block_bytes(arena->head) + arena->used;
    arena->used += size;
    permit(start, bytes ? bytes : 1);
    return start;
}

/* A large array for which the block has no room: one of its own behind it, so that what is left of the block is still used. */
static void *take_apart(Arena *arena, size_t bytes) {
    size_t capacity = whole_pages(rounded(bytes));
    ArenaBlock *block = supply_block(HEADER + capacity);
    if (!block) out_of_memory(bytes);
    *block = (ArenaBlock){arena->head->next, capacity};
    arena->head->next = block;
    arena->reserved += capacity;
    forbid(block_bytes(block), capacity);
    permit(block_bytes(block), bytes);
    return block_bytes(block);
}

static void *take_any(Arena *arena, size_t bytes) {
    bool apart = bytes >= HUGE_PAGE && arena->head && !has_room(arena, rounded(bytes));
    return apart ? take_apart(arena, bytes) : take(arena, bytes);
}

void *arena_raw(Arena *arena, size_t bytes) { return take_any(arena, bytes); }

void *arena_alloc(Arena *arena, size_t bytes) { return memset(take_any(arena, bytes), 0, bytes ? bytes : 1); }

void *arena_copy(Arena *arena, const void *bytes, size_t count) {
    void *copy = take_any(arena, count);
    if (count) memcpy(copy, bytes, count);
    return copy;
}

void *arena_stretch(Arena *arena, void *old, size_t old_bytes, size_t new_bytes) {
    if (!old || !old_bytes) return take(arena, new_bytes);
    size_t old_size = rounded(old_bytes), new_size = rounded(new_bytes);
    char *newest = arena->head ? block_bytes(arena->head) + arena->used - old_size : NULL;
    bool in_place = arena->head && arena->used >= old_size && newest == old &&
                    arena->head->capacity - (arena->used - old_size) >= new_size;
    if (in_place) {
        arena->used = arena->used - old_size + new_size;
        forbid(old, new_size < old_size ? old_size : 0);
        permit(old, new_bytes);
    } else {
        void *moved = take(arena, new_bytes);
        old = memcpy(moved, old, old_bytes < new_bytes ? old_bytes : new_bytes);
    }
    return old;
}

/* A block beyond LARGEST_STEP starts and ends at page boundaries, so that realloc can remap pages instead of
   copying. */
void *arena_extend(Arena *arena, void *old, size_t old_bytes, size_t new_bytes) {
    size_t size = rounded(new_bytes);
    ArenaBlock *block = arena->head;
    bool alone = old && block && block_bytes(block) == old && arena->used == rounded(old_bytes);
    if (!alone || block->capacity < LARGEST_STEP || size <= block->capacity)
        return arena_stretch(arena, old, old_bytes, new_bytes);
    size_t capacity = whole_pages(size), before = block->capacity;
    permit(old, before);
    block = realloc(block, HEADER + capacity);
    if (!block) out_of_memory(new_bytes);
    block->capacity = capacity;
    forbid(block_bytes(block), capacity);
    permit(block_bytes(block), new_bytes);
    arena->head = block;
    arena->used = size;
    arena->reserved += capacity - before;
    return block_bytes(block);
}

void *arena_grow(Arena *arena, void *old, size_t old_bytes, size_t new_bytes) {
    if (!old) old_bytes = 0;
    char *grown = arena_stretch(arena, old, old_bytes, new_bytes);
    if (new_bytes > old_bytes) memset(grown + old_bytes, 0, new_bytes - old_bytes);
    return grown;
}

static void give_back(ArenaBlock *block) {
    permit(block_bytes(block), block->capacity);
    free(block);
}

void arena_reset(Arena *arena) {
    ArenaBlock *largest = arena->head;
    for (ArenaBlock *block = arena->head; block; block = block->next)
        if (block->capacity > largest->capacity) largest = block;
    for (ArenaBlock *block = arena->head, *next; block; block = next) {
        next = block->next;
        if (block != largest) give_back(block);
    }
    if (largest) largest->next = NULL;
    if (largest) forbid(block_bytes(largest), largest->capacity);
    arena->head = largest;
    arena->used = 0;
    arena->reserved = largest ? largest->capacity : 0;
}

void arena_free(Arena *arena) {
    for (ArenaBlock *block = arena->head, *next; block; block = next) {
        next = block->next;
        give_back(block);
    }
    *arena = (Arena){.supply = arena->supply};
}

void arena_adopt(Arena *into, Arena *from) {
    ArenaBlock **end = into->head ? &into->head->next : &into->head; /* `into` keeps filling its own head */
    if (!into->head) into->used = from->used;
    ArenaBlock *last = from->head;
    while (last && last->next) last = last->next;
    if (last) {
        last->next = *end;
        *end = from->head;
    }
    into->reserved += from->reserved;
    *from = (Arena){0};
}

void *outgrown_take(Outgrown *outgrown, uint32_t doublings, Arena *arena, size_t bytes) {
    void *list = outgrown->lists[doublings];
    if (!list) return arena_raw(arena, bytes);
    memcpy(&outgrown->lists[doublings], list, sizeof list);
    return list;
}

void outgrown_give(Outgrown *outgrown, uint32_t doublings, void *list) {
    memcpy(list, &outgrown->lists[doublings], sizeof list);
    outgrown->lists[doublings] = list;
}

static uint32_t log2_of(size_t bytes) {
    uint32_t bits = 0;
    while ((size_t)1 << bits < bytes) bits++;
    return bits;
}

void *table_take(Outgrown *outgrown, Arena *arena, size_t bytes) {
    return memset(outgrown_take(outgrown, log2_of(bytes), arena, bytes), 0, bytes);
}

void table_give(Outgrown *outgrown, void *table, size_t bytes) {
    outgrown_give(outgrown, log2_of(bytes), table);
}
