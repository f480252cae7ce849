#ifndef SYNCL_SYNTAX_H
#define SYNCL_SYNTAX_H
/* Bytes to a syntax tree: the only place that knows tree-sitter. The tree is handed out flat, in source order, so
   that readers walk an array and nothing of the parser survives. Every byte string parses: what is not Python
   becomes NODE_ERROR nodes, which are counted. */
#include "model.h"

typedef enum NodeKind {
    NODE_OTHER, /* a named node that lowering has no use for */
    NODE_ERROR,
#define NODE(kind, name, named, keeps) NODE_##kind,
#include "syntax.def"
#undef NODE
    NODE_KIND_COUNT
} NodeKind;

static inline bool node_kind_is_statement(NodeKind kind) {
    return kind >= NODE_EXPRESSION_STATEMENT && kind <= NODE_DECORATED_DEFINITION;
}

/* In source order, a parent before its children: the children of node i are i + 1, then each one's `next`, while
   below nodes[i].next. */
typedef struct Node {
    uint32_t start, end; /* bytes, end exclusive */
    uint32_t next;       /* the first node after this one's subtree */
    uint8_t kind;        /* NodeKind */
    uint8_t missing;     /* the parser made it up: it has no bytes */
} Node;

typedef struct Syntax {
    VEC(Node) nodes;      /* nodes.items[0] is the module, or the one error of a file that did not parse */
    VEC(Node) comments;   /* in order; not in nodes */
    uint32_t error_count; /* error and missing nodes */
    uint32_t first_error; /* byte where the first of them stands */
    bool given_up;        /* the parse budget ran out: nodes holds only an NODE_ERROR */
} Syntax;

/* Before the first parser of any language: one without memory then says so in one line and exits 2, where tree-sitter
   would abort, and trees are dropped whole (grammars/tree_memory.h). syntax_open sees to it too. */
void syntax_memory(void);

/* A parser with its tables: one a thread, used for many files. */
typedef struct SyntaxParser SyntaxParser;
SyntaxParser *syntax_open(void);
void syntax_close(SyntaxParser *parser);

/* The nodes live in `arena`. The budget is counted in the parser's own steps, a generous number for each byte, so
   that the answer is the same on every machine. Gaps are jumped over; positions are those in `bytes`. */
void syntax_parse(SyntaxParser *parser, Arena *arena, Text bytes, Gaps gaps, Syntax *out);

#endif
