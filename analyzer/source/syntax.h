#ifndef SYNCL_SYNTAX_H
#define SYNCL_SYNTAX_H
/* Parses bytes to a syntax tree; the only place that knows tree-sitter. The tree is given as a flat array in
   source order, and nothing of the parser outlives the call. Every byte string parses: what is not Python
   becomes NODE_ERROR nodes, which are counted. */
#include "model.h"

typedef enum NodeKind {
    NODE_OTHER, /* a named node that lowering does not use */
    NODE_ERROR,
#define NODE(kind, name, named, keeps) NODE_##kind,
#include "syntax.def"
#undef NODE
    NODE_KIND_COUNT
} NodeKind;

static inline bool node_kind_is_statement(NodeKind kind) {
    return kind >= NODE_EXPRESSION_STATEMENT && kind <= NODE_DECORATED_DEFINITION;
}

/* Nodes stand in source order, parents before children. The children of node i are i + 1, then each one's
   `next`, while below nodes[i].next. */
typedef struct Node {
    uint32_t start, end; /* bytes, end exclusive */
    uint32_t next;       /* the first node after this one's subtree */
    uint8_t kind;        /* NodeKind */
    uint8_t missing;     /* the parser inserted it to recover from an error: it has no bytes */
} Node;

typedef struct Syntax {
    VEC(Node) nodes;      /* nodes.items[0] is the module, or the only error of a file that did not parse */
    VEC(Node) comments;   /* in order; not in nodes */
    uint32_t error_count; /* error and missing nodes */
    uint32_t first_error; /* byte offset of the first of them */
    bool given_up;        /* the parse budget ran out: nodes holds a single NODE_ERROR */
} Syntax;

/* Sets up tree-sitter's allocator; call before the first parser of any language is made (syntax_open does it
   too). Out of memory then prints one line and exits 2, where tree-sitter would abort, and trees are freed
   whole (grammars/tree_memory.h). */
void syntax_memory(void);

/* A parser with its tables. One a thread, used for many files. */
typedef struct SyntaxParser SyntaxParser;
SyntaxParser *syntax_open(void);
void syntax_close(SyntaxParser *parser);

/* Parses `bytes` without the gaps; positions are those in `bytes`. The nodes live in `arena`. The budget is
   counted in steps of the parser, a generous number for each byte, so that the outcome is the same on every
   machine. */
void syntax_parse(SyntaxParser *parser, Arena *arena, Text bytes, Gaps gaps, Syntax *out);

#endif
