#ifndef SYNCL_PROJECT_WANTED_H
#define SYNCL_PROJECT_WANTED_H
/* What one source binds to which names, and what of it is wanted. In the scratch arena of the loading. */
#include "loading.h"

typedef struct Imported {
    Token written;
    uint32_t chunk; /* its line; 0 = in a function */
    uint32_t next;  /* of the same name; 0 = last */
    bool placed;    /* its files were added */
    Text place;     /* where it leads to */
} Imported;

typedef struct Bound {
    uint32_t chunk, import; /* the first of each; 0 = none */
} Bound;

/* What is known of the demand on one source. */
struct Wanted {
    Arena *arena;
    Names names;           /* that its module binds; "*" stands for its star imports */
    VEC(Bound) bound;      /* by name - 1 */
    VEC(Imported) imports; /* items[0] unused */
    uint32_t *next_chunk;  /* of the same name */
    bool *wanted;          /* by chunk; of the first, which is none, it says nothing */
    Names asked;
    Names locals; /* known where it has star imports */
    Roots *roots;
    uint32_t star_count;
    bool widened;
};

struct Wanted *wanted_new(Loading *loading, const Source *source);
/* Adds an import: gives its index of imports. chunk: its line; 0 = in a function. */
uint32_t wanted_import(struct Wanted *self, const Token *written, uint32_t chunk);
/* A name of Python's own, or private: a star import that gives another of that name is not looked for. */
bool wanted_is_builtin(Text name);
/* A variable of a function or a loop, as far as words tell: no star import gives it. bytes: of the source. */
bool wanted_is_local(struct Wanted *self, Text bytes, Text name);

#endif
