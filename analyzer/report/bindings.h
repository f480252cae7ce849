#ifndef SYNCL_BINDINGS_H
#define SYNCL_BINDINGS_H
/* Where a file binds its names, and its functions and loops by place: found once a file, so that a question takes
   a binary search. Takes a file; gives the index in the arena, which points into the file. */
#include "program.h"

/* `name = value` or `for name in values`. */
typedef struct NameAt {
    Text name; /* a or a.b, as written */
    FuncId func;
    uint32_t start;
    StmtId stmt;
} NameAt;

typedef struct FuncAround {
    Span span;
    FuncId func;
    uint32_t outer; /* index of the one around it; 0 = the module */
} FuncAround;

typedef struct LoopAt {
    uint32_t start;
    StmtId stmt;
} LoopAt;

typedef struct Bindings {
    VEC(NameAt) names;    /* by name, function and place */
    VEC(FuncAround) funcs; /* by place, the outer first; items[0] is the module */
    VEC(LoopAt) loops;     /* by place */
} Bindings;

Bindings *bindings_find(Arena *arena, const SourceFile *file);
FuncId bindings_function(const Bindings *bindings, uint32_t offset); /* the innermost around it; 1 = the module */
StmtId bindings_loop(const Bindings *bindings, uint32_t start); /* the `for` or `while` that starts there; 0 = none */
/* The statement that defines the name as used at `before`; 0 = none, or one of several. */
StmtId bindings_maker(const Bindings *bindings, Text name, uint32_t before);

#endif
