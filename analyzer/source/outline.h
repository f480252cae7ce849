#ifndef SYNCL_OUTLINE_H
#define SYNCL_OUTLINE_H
/* Finds the definitions, classes, variables and imports of a Python file by its lines, brackets and strings
   alone, at a hundredth of the cost of a parse. It decides which functions of a neighbour are parsed at all.
   Takes the bytes; gives spans inside them. Never fails: input that is not Python gives some outline. */
#include "model.h"

typedef enum ChunkKind {
    CHUNK_NONE, /* index 0 */
    CHUNK_DEF,
    CHUNK_CLASS,
    CHUNK_VARIABLE, /* `name = ...`, `name: T = ...` */
    CHUNK_IMPORT,   /* a line with nothing but an import; see Outline.imports */
    CHUNK_TEXT,     /* a lone string: documentation */
    CHUNK_OTHER,    /* any other statement, and the head of an `if` */
} ChunkKind;

/* A statement outside of all functions. The chunks of a class's body follow the class. */
typedef struct Chunk {
    uint8_t kind;
    bool is_typed;  /* CHUNK_VARIABLE with an annotation */
    uint32_t outer; /* the class around it, 0 = none */
    Text name;      /* what the first three kinds bind */
    Span span;      /* with its decorators */
    Span body;      /* CHUNK_DEF, CHUNK_CLASS: from after the colon to the end of the last line */
    Span text;      /* CHUNK_DEF: its docstring, where other statements follow it */
} Chunk;

typedef struct ImportLine {
    Span span;        /* a line that is an import, or may be one */
    uint32_t chunk;    /* the chunk that it is, or of the def around it */
    bool in_function;
} ImportLine;

typedef struct Outline {
    VEC(Chunk) chunks; /* items[0] unused */
    VEC(ImportLine) imports;
} Outline;

void outline_read(Arena *arena, Text bytes, Outline *out);

/* ---- the tokens of a span ---- */

typedef enum TokenKind { TOKEN_END, TOKEN_NAME, TOKEN_STRING, TOKEN_IMPORT } TokenKind;

typedef struct Token {
    TokenKind kind;
    Text text;       /* the name, or the contents of the string */
    Text rest;       /* after a name: the attributes that follow directly, `b.c` of `a.b.c` */
    bool is_member;  /* the name follows a dot, as b in `a().b` */
    bool is_bound;   /* `name =`, `name :=`: an assigned variable or a keyword argument */
    /* TOKEN_IMPORT gives one token for each name that the import binds: */
    uint32_t dots;
    Text module;     /* as written; empty for `from . import x` */
    Text name;       /* the x of `from m import x`; "*" for all names; empty for `import m` */
    Text alias;      /* the name after `as`; empty = none */
} Token;

/* The name that an import token binds; empty for a star. */
Text token_bound(const Token *import);

typedef struct Tokens {
    Text bytes;
    uint32_t at, end, depth;
    uint32_t format_end;   /* end of the f-string in whose {} we are; 0 = in none */
    uint32_t format_depth; /* bracket depth inside that {} */
    bool starts;           /* a statement may begin here */
    bool is_from, in_import;
    Token import;
} Tokens;

Tokens tokens_in(Text bytes, Span span);
bool tokens_next(Tokens *self, Token *out); /* false: the span is used up */

#endif
