#ifndef SYNCL_GIVEN_SHAPE_H
#define SYNCL_GIVEN_SHAPE_H
/* A shape that the user tells of a variable whose size the code does not say: `images=64x3x224x224`. */
#include "arena.h"
#include "text.h"
#include <stdbool.h>

enum { GIVEN_RANK = 8 };

typedef struct GivenShape {
    Text name; /* of a variable or a parameter, wherever it stands */
    double dims[GIVEN_RANK];
    uint32_t rank;
} GivenShape;

typedef struct SizeOptions {
    const GivenShape *given; /* of variables whose shape the code does not say */
    uint32_t given_count;
    bool shapes; /* every expression's is wanted: size_shape */
} SizeOptions;

/* False with a clear line in *error. */
bool given_shape_read(Arena *arena, const char *text, GivenShape *out, Text *error);

#endif
