#include "tree_memory.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <tree_sitter/api.h>

#if defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#endif
#ifndef WATCHED
#define WATCHED 0
#endif

enum { STEP = 16, SMALL = 1024, CLASSES = SMALL / STEP + 1, BLOCK = 1 << 20, BLOCKS_KEPT = 8, LARGE = CLASSES };

/* Before each piece: its class, so many steps long with this; LARGE = malloc's. */
typedef struct Head {
    uint64_t class;
} Head;

/* One of malloc's, on the list of those to be given back. */
typedef struct Large {
    struct Large *next, *before; /* NULL = taken while nothing was open */
    uint64_t bytes;
    Head head;
} Large;

typedef struct Block {
    struct Block *next;
    uint64_t unused;
} Block;

struct TreeMemory {
    void *given_back[CLASSES]; /* each holds the next */
    char *at, *end;            /* of the block that is cut */
    Block *first, *block;
    Large large; /* the list's ends */
};

static void (*none_left)(size_t bytes);
static _Thread_local TreeMemory *opened;

static Head *head_of(void *piece) { return (Head *)piece - 1; }
static Large *large_of(void *piece) { return (Large *)((char *)piece - sizeof(Large)); }

static void *checked(void *memory, size_t bytes) {
    if (!memory) none_left(bytes);
    return memory;
}

/* ---- large pieces ---- */

static void link_large(Large *self) {
    self->next = self->before = NULL;
    if (!opened) return;
    self->next = opened->large.next;
    self->before = &opened->large;
    self->next->before = self->before->next = self;
}

static void unlink_large(Large *self) {
    if (!self->next) return;
    self->next->before = self->before;
    self->before->next = self->next;
}

static void *take_large(size_t bytes) {
    if (bytes > SIZE_MAX / 2) none_left(bytes);
    Large *self = checked(malloc(sizeof *self + bytes), bytes);
    self->bytes = bytes;
    self->head.class = LARGE;
    link_large(self);
    return self + 1;
}

static void *stretch_large(Large *self, size_t bytes) {
    if (bytes > SIZE_MAX / 2) none_left(bytes);
    unlink_large(self);
    self = checked(realloc(self, sizeof *self + bytes), bytes);
    self->bytes = bytes;
    link_large(self);
    return self + 1;
}

/* ---- small ones ---- */

static void next_block(TreeMemory *self) {
    Block **next = self->block ? &self->block->next : &self->first;
    if (!*next) {
        *next = checked(malloc(BLOCK), BLOCK);
        (*next)->next = NULL;
    }
    self->block = *next;
    self->at = (char *)(self->block + 1);
    self->end = (char *)self->block + BLOCK;
}

static void *take(size_t bytes) {
    TreeMemory *self = opened;
    if (WATCHED || !self || bytes > SMALL - sizeof(Head)) return take_large(bytes);
    size_t class = (bytes + sizeof(Head) + STEP - 1) / STEP;
    void *piece = self->given_back[class];
    if (piece) {
        self->given_back[class] = *(void **)piece;
        return piece;
    }
    if ((size_t)(self->end - self->at) < class * STEP) next_block(self);
    Head *head = (Head *)self->at;
    head->class = class;
    self->at += class * STEP;
    return head + 1;
}

static void give_back(void *piece) {
    if (!piece) return;
    uint64_t class = head_of(piece)->class;
    if (class == LARGE) {
        unlink_large(large_of(piece));
        free(large_of(piece));
    } else {
        *(void **)piece = opened->given_back[class];
        opened->given_back[class] = piece;
    }
}

static void *take_cleared(size_t count, size_t bytes) {
    if (bytes && count > SIZE_MAX / 2 / bytes) none_left(SIZE_MAX);
    return memset(take(count * bytes), 0, count * bytes);
}

static void *take_again(void *old, size_t bytes) {
    if (!old) return take(bytes);
    uint64_t class = head_of(old)->class;
    if (class == LARGE) return stretch_large(large_of(old), bytes);
    size_t room = class * STEP - sizeof(Head);
    if (bytes <= room) return old;
    void *piece = memcpy(take(bytes), old, room);
    give_back(old);
    return piece;
}

/* ---- all of them ---- */

void tree_memory_use(void (*failed)(size_t bytes)) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!none_left) {
        none_left = failed;
        ts_set_allocator(take, take_cleared, take_again, give_back);
    }
    pthread_mutex_unlock(&lock);
}

TreeMemory *tree_memory_new(void) {
    TreeMemory *self = checked(calloc(1, sizeof *self), sizeof *self);
    self->large.next = self->large.before = &self->large;
    return self;
}

void tree_memory_open(TreeMemory *self) { opened = self; }

static void free_blocks(Block *block) {
    for (Block *next; block; block = next) {
        next = block->next;
        free(block);
    }
}

void tree_memory_close(TreeMemory *self) {
    for (Large *large = self->large.next, *next; large != &self->large; large = next) {
        next = large->next;
        free(large);
    }
    self->large.next = self->large.before = &self->large;
    memset(self->given_back, 0, sizeof self->given_back);
    Block *last = self->first;
    for (int i = 1; last && i < BLOCKS_KEPT; i++) last = last->next;
    if (last) {
        free_blocks(last->next);
        last->next = NULL;
    }
    self->block = NULL;
    self->at = self->end = NULL;
    opened = NULL;
}

void tree_memory_free(TreeMemory *self) {
    free_blocks(self->first);
    free(self);
}
