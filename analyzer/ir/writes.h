#ifndef SYNCL_WRITES_H
#define SYNCL_WRITES_H
/* All bindings of a name in a file: of attributes on any object, and of variables of the module and of class
   bodies. (A function's own variables are in its flow graph.) Takes a file of a linked program; the result
   lives in the arena. */
#include "graph.h"
#include "program.h"

typedef struct Write {
    Sym name;
    StmtId stmt;
    ExprId target; /* EXPR_ATTRIBUTE or EXPR_NAME */
    FuncId func;
    uint8_t kind;  /* DEF_ASSIGN, DEF_PART, DEF_AUGMENT, DEF_TURN, DEF_TURN_PART */
} Write;

typedef struct Writes {
    const Write *items; /* by name, then in textual order */
    uint32_t count;
} Writes;

const Writes *writes_make(Arena *arena, Arena *scratch, const SourceFile *file);
/* for (const Write *w = writes_of_name(all, name); w; w = write_next(all, w)) */
const Write *writes_of_name(const Writes *all, Sym name); /* NULL = nothing binds the name */
const Write *write_next(const Writes *all, const Write *write);

#endif
