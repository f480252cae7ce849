#ifndef SYNCL_CONTRACT_H
#define SYNCL_CONTRACT_H
/* Contract comments, in which a person says what the code cannot show: `# syncl: sync-free` (nothing below this
   function, loop or block waits), `hot` and `cold` (how often it runs), `device=cpu|cuda` (where the
   statement's result is), `shape=(64, 3)` (the size of what it binds). A comment belongs to the statement on
   whose head's lines it stands or, on a line of its own, to the next statement. Takes the program; gives the
   contracts of all files in order, in the arena. */
#include "said_shape.h"

typedef enum ContractKind {
    CONTRACT_NO,
    CONTRACT_SYNC_FREE,
    CONTRACT_HOT,
    CONTRACT_COLD,
    CONTRACT_CPU,
    CONTRACT_CUDA,
    CONTRACT_SHAPE,
    CONTRACT_UNKNOWN, /* an unknown word, as in `# syncl: hott` */
} ContractKind;

typedef struct Contract {
    uint8_t kind;
    FileId file;
    StmtId stmt; /* 0 = there is no statement */
    Span span;   /* the whole statement */
    Span words;  /* the part of the comment from `syncl:` on */
} Contract;

typedef uint32_t ContractId;

/* An index entry: finds a contract by where its statement begins, or by the statement. */
typedef struct ContractPlace {
    uint32_t key;
    ContractId id;
    uint32_t outer; /* index of the entry of the enclosing statement; 0 = none */
} ContractPlace;

typedef struct Contracts {
    VEC(Contract) items; /* items[0] unused; in file, then position order */
    ContractPlace *by_start, *by_stmt; /* as many, sorted within each file */
    ContractId *first;   /* [FileId]: its first contract; first[file + 1] is the end */
    SaidShapes shapes;
} Contracts;

const Contracts *contracts_read(Arena *arena, const Program *program);
/* The innermost contract of the kind whose statement contains the offset; 0 = none. */
ContractId contract_around(const Contracts *contracts, FileId file, uint32_t offset, ContractKind kind);
/* The contract of the kind on exactly this statement; 0 = none. */
ContractId contract_on(const Contracts *contracts, FileId file, StmtId stmt, ContractKind kind);

#endif
