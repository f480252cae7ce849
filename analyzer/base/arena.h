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
    struct Supply *supply; /* supply of pages made ready ahead of use, for large arenas (supply.h); NULL = none */
} Arena;

_Noreturn void out_of_memory(size_t bytes); /* prints one line and exits 2; also called by parsers that allocate for
                                               themselves */
void *arena_alloc(Arena *arena, size_t bytes);
void *arena_copy(Arena *arena, const void *bytes, size_t count);
/* Grows an array: in place where it is the arena's newest allocation, else it is copied. New bytes are zeroed. */
void *arena_grow(Arena *arena, void *old, size_t old_bytes, size_t new_bytes);
/* The same without zeroing the new bytes: for memory that is overwritten at once, or that may never be touched. */
void *arena_raw(Arena *arena, size_t bytes);
void *arena_stretch(Arena *arena, void *old, size_t old_bytes, size_t new_bytes);
/* As arena_stretch, for an array that nothing points into. A large array that is alone in its block is grown
   with realloc, so no copy of it stays behind. */
void *arena_extend(Arena *arena, void *old, size_t old_bytes, size_t new_bytes);
void arena_reset(Arena *arena); /* drops every allocation; the largest block is kept for reuse */
void arena_free(Arena *arena);
/* Moves every block of `from` into `into`. What was allocated keeps its address and lives as long as `into`. */
void arena_adopt(Arena *into, Arena *from);

/* A free list of arrays that their owners outgrew, so that an arena can use their memory again. lists[n] holds
   arrays whose capacity was doubled n times; the first bytes of each link to the next. Nothing may still point
   into an array that is given back. */
typedef struct Outgrown {
    void *lists[32];
} Outgrown;

/* An array of `bytes`, the size that every array of so many doublings has: a returned one, else a new one from
   the arena. Not zeroed. */
void *outgrown_take(Outgrown *outgrown, uint32_t doublings, Arena *arena, size_t bytes);
void outgrown_give(Outgrown *outgrown, uint32_t doublings, void *list);

/* The same for tables of a power of two of bytes; these are zeroed. */
void *table_take(Outgrown *outgrown, Arena *arena, size_t bytes);
void table_give(Outgrown *outgrown, void *table, size_t bytes);

#define arena_new(arena, Type, count) ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count)))

/* A growing array in an arena: VEC(Expr) exprs; vec_push(arena, &exprs, e); Items beyond `count` are not
   zeroed. */
#define VEC(Type)                                                                                            \
    struct {                                                                                                 \
        Type *items;                                                                                         \
        uint32_t count, capacity;                                                                            \
    }

/* Makes room for `more` items beyond `count`. */
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

/* The value is evaluated before room is made, because evaluating it may push to the same vector. */
#define vec_push(arena, vec, value)                                                                          \
    do {                                                                                                     \
        __typeof__(*(vec)->items) vec_value = (value);                                                       \
        vec_room((arena), (vec), 1);                                                                         \
        (vec)->items[(vec)->count++] = vec_value;                                                            \
    } while (0)

/* The same at index `at`, before what is there. */
#define vec_insert(arena, vec, at, value)                                                                    \
    do {                                                                                                     \
        __typeof__(*(vec)->items) vec_value = (value);                                                       \
        uint32_t vec_at = (at);                                                                              \
        vec_room((arena), (vec), 1);                                                                         \
        memmove((vec)->items + vec_at + 1, (vec)->items + vec_at,                                            \
                sizeof *(vec)->items * ((vec)->count++ - vec_at));                                           \
        (vec)->items[vec_at] = vec_value;                                                                    \
    } while (0)

#endif
