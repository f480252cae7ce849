#ifndef SYNCL_ARENA_H
#define SYNCL_ARENA_H
/* Memory by region. Takes sizes in bytes, gives zeroed memory aligned to 16, owns every block until
   arena_free. Fails in one place: out of memory prints one line and exits 2. An Arena * parameter means
   "your result lives here"; callers keep a second arena for scratch and reset it. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct ArenaBlock ArenaBlock;
struct Supply;

typedef struct Arena {
    ArenaBlock *head;
    size_t used;     /* bytes used in head */
    size_t reserved; /* bytes obtained from the system, for --dump and limits */
    struct Supply *supply; /* where blocks are made ready once it is large (supply.h); NULL = nowhere */
} Arena;

_Noreturn void out_of_memory(size_t bytes); /* for parsers that have a memory of their own too */
void *arena_alloc(Arena *arena, size_t bytes);
void *arena_copy(Arena *arena, const void *bytes, size_t count);
/* Grows an array in place where it is the newest allocation, else copies it. */
void *arena_grow(Arena *arena, void *old, size_t old_bytes, size_t new_bytes);
/* The same, with what is new left as it is: for what is written over at once, and memory that may never be touched. */
void *arena_raw(Arena *arena, size_t bytes);
void *arena_stretch(Arena *arena, void *old, size_t old_bytes, size_t new_bytes);
/* As arena_stretch, for an array that nothing points into: where it is large and alone in its block, the block grows, and
   no copy stays behind. */
void *arena_extend(Arena *arena, void *old, size_t old_bytes, size_t new_bytes);
void arena_reset(Arena *arena); /* everything handed out is gone; the largest block is kept */
void arena_free(Arena *arena);
/* Moves every block of `from` into `into`: what was handed out stays where it is and lives as long as `into`. */
void arena_adopt(Arena *into, Arena *from);

/* Lists that were outgrown, by how often their room was doubled: each serves again where so much is wanted, and begins with the
   next of its size. Nothing may point into one that is given. */
typedef struct Outgrown {
    void *lists[32];
} Outgrown;

/* One of `bytes`, which is what all of so many doublings have; from the arena where none was given. Not zeroed. */
void *outgrown_take(Outgrown *outgrown, uint32_t doublings, Arena *arena, size_t bytes);
void outgrown_give(Outgrown *outgrown, uint32_t doublings, void *list);

#define arena_new(arena, Type, count) ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count)))

/* A growing array in an arena: VEC(Expr) exprs; vec_push(arena, &exprs, e); what is beyond `count` is not zeroed. */
#define VEC(Type)                                                                                            \
    struct {                                                                                                 \
        Type *items;                                                                                         \
        uint32_t count, capacity;                                                                            \
    }

/* Room for so many more. */
#define vec_room(arena, vec, more)                                                                           \
    ((more) <= (vec)->capacity - (vec)->count                                                                \
         ? (void)0                                                                                           \
         : (void)((vec)->items = arena_stretch((arena), (vec)->items, sizeof *(vec)->items * (vec)->capacity, \
                                               sizeof *(vec)->items * vec_next((vec)->count, (vec)->capacity, (more))), \
                  (vec)->capacity = vec_next((vec)->count, (vec)->capacity, (more))))

static inline uint32_t vec_next(uint32_t count, uint32_t capacity, uint32_t more) {
    uint32_t next = capacity ? capacity * 2 : 8;
    return next - count < more ? count + more : next;
}

/* The value is made before there is room for it: what makes it may push too. */
#define vec_push(arena, vec, value)                                                                          \
    do {                                                                                                     \
        __typeof__(*(vec)->items) vec_value = (value);                                                       \
        vec_room((arena), (vec), 1);                                                                         \
        (vec)->items[(vec)->count++] = vec_value;                                                            \
    } while (0)

#endif
