#ifndef SYNCL_SAID_SHAPE_H
#define SYNCL_SAID_SHAPE_H
/* `# syncl: shape=(64, 3, 224, 224), (64,)`: the shapes of what a statement binds, in order: the targets of an
   assignment, a `for` or a `with`, or the parameters of a def except self. Takes the words of a comment and its
   statement. */
#include "given_shape.h"
#include "program.h"

/* A binding: an expression, or a parameter. */
typedef enum BoundKind { BOUND_EXPR, BOUND_PARAM } BoundKind;

typedef struct SaidShape {
    FileId file;
    BoundKind kind;
    uint32_t id; /* ExprId, or index in FileModel.params */
    GivenShape shape;
} SaidShape;

typedef VEC(SaidShape) SaidShapes;

/* Reads `(64, 3), (64,)` from text.bytes[at] on. Gives the end; 0 = these are no shapes, or more than the
   statement binds. */
uint32_t said_shapes_read(Arena *arena, SaidShapes *shapes, const Program *program, FileId file, StmtId stmt, Text text, uint32_t at);
void said_shapes_sort(SaidShapes *shapes);
/* NULL = no comment states it. */
const GivenShape *said_shape(const SaidShapes *shapes, FileId file, BoundKind kind, uint32_t id);

#endif
