#ifndef SYNCL_GIVEN_SHAPE_H
#define SYNCL_GIVEN_SHAPE_H
/* A shape that the user tells of a variable whose size the code does not say: `--shape=images=64x3x224x224`, or a comment
   behind what binds it, `# syncl: shape=(64, 3, 224, 224)`. */
#include "arena.h"
#include "text.h"
#include <stdbool.h>

enum { GIVEN_RANK = 8 };

typedef struct GivenShape {
    Text name; /* of a variable or a parameter, wherever it stands; of a comment's shape empty */
    double dims[GIVEN_RANK];
    uint32_t rank;
} GivenShape;

typedef struct SizeOptions {
    const GivenShape *given; /* of variables whose shape the code does not say */
    uint32_t given_count;
    bool shapes; /* every expression's is wanted: size_shape */
} SizeOptions;

/* `(64, 3, 224, 224)` or `[64, 3]`, from text.bytes[*at] on: moved behind it, or false. */
bool given_shape_in_brackets(Text text, uint32_t *at, GivenShape *out);
/* False with a clear line in *error. */
bool given_shape_read(Arena *arena, const char *text, GivenShape *out, Text *error);

#endif
