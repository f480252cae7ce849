#ifndef SYNCL_GIVEN_SHAPE_H
#define SYNCL_GIVEN_SHAPE_H
/* A shape that the user states for a variable whose size the code does not tell: `--shape=images=64x3x224x224`,
   or a comment after the code that binds it, `# syncl: shape=(64, 3, 224, 224)`. */
#include "arena.h"
#include "text.h"
#include <stdbool.h>

enum { GIVEN_RANK = 8 };

typedef struct GivenShape {
    Text name; /* of a variable or parameter, in any function; empty for a comment's shape */
    double dims[GIVEN_RANK];
    uint32_t rank;
} GivenShape;

typedef struct SizeOptions {
    const GivenShape *given; /* from --shape */
    uint32_t given_count;
    bool shapes; /* record the shape of every expression, for size_shape */
} SizeOptions;

/* Reads `(64, 3, 224, 224)` or `[64, 3]` from text.bytes[*at] on and moves *at behind it; false where there is
   none. */
bool given_shape_in_brackets(Text text, uint32_t *at, GivenShape *out);
/* Reads a --shape option. False, with a clear line in *error, where it is malformed. */
bool given_shape_read(Arena *arena, const char *text, GivenShape *out, Text *error);

#endif
