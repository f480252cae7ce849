#ifndef SYNCL_PROJECT_WANTED_H
#define SYNCL_PROJECT_WANTED_H
/* What the module of one source binds, and which of its definitions are wanted. Lives in the scratch arena of
   the loading. */
#include "loading.h"

typedef struct Imported {
    Token written;
    uint32_t chunk; /* the line that it is; 0 = inside a function */
    uint32_t next;  /* index of the next import that binds the same name; 0 = last */
    bool placed;    /* its files have been added */
    Text place;     /* the path that it resolves to */
} Imported;

typedef struct Bound {
    uint32_t chunk, import; /* first chunk and first import that bind the name; 0 = none */
} Bound;

/* The demand on one source. */
struct Wanted {
    Arena *arena;
    Names names;           /* names that the module binds; "*" stands for its star imports */
    VEC(Bound) bound;      /* by name id - 1 */
    VEC(Imported) imports; /* items[0] unused */
    uint32_t *next_chunk;  /* [chunk]: the next chunk that binds the same name */
    bool *wanted;          /* [chunk]: the chunk is parsed */
    Names asked;
    Names locals; /* names of local variables; collected only where there are star imports */
    Roots *roots;
    uint32_t star_count;
    bool widened;
};

struct Wanted *wanted_new(Loading *loading, const Source *source);
/* Adds an import and gives its index in `imports`. chunk: the line that it is; 0 = inside a function. */
uint32_t wanted_import(struct Wanted *self, const Token *written, uint32_t chunk);
/* A built-in name, or a private one (`_x`): star imports are not searched for it. */
bool wanted_is_builtin(Text name);
/* Whether the name looks like a variable of a function or loop in `bytes`, the source's text: then no star
   import is searched for it. */
bool wanted_is_local(struct Wanted *self, Text bytes, Text name);

#endif
