#ifndef SYNCL_WRITES_H
#define SYNCL_WRITES_H
/* Who binds a name in a file: attributes of whatever owner, and variables of the module and of class bodies. What is one function's
   own stands in its flow graph. Takes a file of a linked program, const; the result lives in the arena. */
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
    const Write *items; /* by name, then as they stand in the file */
    uint32_t count;
} Writes;

const Writes *writes_make(Arena *arena, Arena *scratch, const SourceFile *file);
/* for (const Write *w = writes_of_name(all, name); w; w = write_next(all, w)) */
const Write *writes_of_name(const Writes *all, Sym name); /* NULL = nothing binds it */
const Write *write_next(const Writes *all, const Write *write);

#endif
