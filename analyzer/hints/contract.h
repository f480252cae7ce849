#ifndef SYNCL_CONTRACT_H
#define SYNCL_CONTRACT_H
/* Comments in which a person says what the code cannot: `# syncl: sync-free` (no wait below this function, loop or
   block), `hot` and `cold` (how often it runs), `device=cpu|cuda` (where what the statement gives is), `shape=(64, 3)` (how
   large what it binds is). A comment belongs
   to the statement in whose head's lines it stands, or that follows it when it has a line of its own. Takes the program,
   const; gives the contracts of all files in order, in the arena. */
#include "said_shape.h"

typedef enum ContractKind {
    CONTRACT_NO,
    CONTRACT_SYNC_FREE,
    CONTRACT_HOT,
    CONTRACT_COLD,
    CONTRACT_CPU,
    CONTRACT_CUDA,
    CONTRACT_SHAPE,
    CONTRACT_UNKNOWN, /* `# syncl: hott`: no word of ours */
} ContractKind;

typedef struct Contract {
    uint8_t kind;
    FileId file;
    StmtId stmt; /* 0 = no statement is there */
    Span span;   /* the whole statement */
    Span words;  /* of the comment, from `syncl:` on */
} Contract;

typedef uint32_t ContractId;

/* Where a contract is found by its key: where its statement begins, or the statement. */
typedef struct ContractPlace {
    uint32_t key;
    ContractId id;
    uint32_t outer; /* place of the statement around this one; 0 = none */
} ContractPlace;

typedef struct Contracts {
    VEC(Contract) items; /* items[0] unused; in file, then position order */
    ContractPlace *by_start, *by_stmt; /* as many, in order within each file */
    ContractId *first;   /* [FileId]: its first one; first[file + 1] ends them */
    SaidShapes shapes;
} Contracts;

const Contracts *contracts_read(Arena *arena, const Program *program);
/* The innermost of a kind whose statement holds the offset; 0 = none. */
ContractId contract_around(const Contracts *contracts, FileId file, uint32_t offset, ContractKind kind);
/* Of a kind, on exactly this statement; 0 = none. */
ContractId contract_on(const Contracts *contracts, FileId file, StmtId stmt, ContractKind kind);

#endif
