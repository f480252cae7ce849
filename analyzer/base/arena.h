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
void arena_reset(Arena *arena); /* everything handed out is gone; the largest block is kept */
void arena_free(Arena *arena);
/* Moves every block of `from` into `into`: what was handed out stays where it is and lives as long as `into`. */
void arena_adopt(Arena *into, Arena *from);

#define arena_new(arena, Type, count) ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count)))

/* A growing array in an arena: VEC(Expr) exprs; vec_push(arena, &exprs, e); */
#define VEC(Type)                                                                                            \
    struct {                                                                                                 \
        Type *items;                                                                                         \
        uint32_t count, capacity;                                                                            \
    }

#define vec_reserve(arena, vec)                                                                              \
    ((vec)->count < (vec)->capacity                                                                          \
         ? (void)0                                                                                           \
         : (void)((vec)->items = arena_grow((arena), (vec)->items, sizeof *(vec)->items * (vec)->capacity,   \
                                            sizeof *(vec)->items * ((vec)->capacity ? (vec)->capacity * 2 : 8)), \
                  (vec)->capacity = (vec)->capacity ? (vec)->capacity * 2 : 8))

#define vec_push(arena, vec, value) (vec_reserve((arena), (vec)), (void)((vec)->items[(vec)->count++] = (value)))

#endif
