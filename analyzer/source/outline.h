#ifndef SYNCL_OUTLINE_H
#define SYNCL_OUTLINE_H
/* What stands where in a Python file, told by its lines, brackets and strings alone: a hundredth of a parse. Which
   functions of a neighbour are parsed at all is decided on it. Takes the bytes; gives spans into them. Never fails: of
   what is not Python it says something, and nothing outside the bytes. */
#include "model.h"

typedef enum ChunkKind {
    CHUNK_NONE, /* index 0 */
    CHUNK_DEF,
    CHUNK_CLASS,
    CHUNK_VARIABLE, /* `name = ...`, `name: T = ...` */
    CHUNK_IMPORT,   /* a line of nothing else; see imports */
    CHUNK_TEXT,     /* a string alone: documentation */
    CHUNK_OTHER,    /* any other line, the head of an `if` as well */
} ChunkKind;

/* A statement that stands in no function. What a class holds follows it. */
typedef struct Chunk {
    uint8_t kind;
    bool is_typed;  /* CHUNK_VARIABLE with an annotation */
    uint32_t outer; /* the class around it, 0 = none */
    Text name;      /* of the first three kinds */
    Span span;      /* with its decorators */
    Span body;      /* CHUNK_DEF, CHUNK_CLASS: from behind the colon to before the last line's end */
    Span text;      /* CHUNK_DEF: its documentation, where more follows */
} Chunk;

typedef struct ImportLine {
    Span span;        /* a line that imports, or may */
    uint32_t chunk;    /* that it is, or the def around it */
    bool in_function;
} ImportLine;

typedef struct Outline {
    VEC(Chunk) chunks; /* items[0] unused */
    VEC(ImportLine) imports;
} Outline;

void outline_read(Arena *arena, Text bytes, Outline *out);

/* ---- the words of a part of it ---- */

typedef enum TokenKind { TOKEN_END, TOKEN_NAME, TOKEN_STRING, TOKEN_IMPORT } TokenKind;

typedef struct Token {
    TokenKind kind;
    Text text;       /* a name; what a string holds */
    Text rest;       /* of a name: the names behind dots that follow at once, `b.c` of `a.b.c` */
    bool is_member;  /* behind a dot itself: `a().b` */
    bool is_bound;   /* `name =`, `name :=`: a variable that is assigned, a keyword */
    /* TOKEN_IMPORT, one for each name that is bound: */
    uint32_t dots;
    Text module;     /* as written; empty for `from . import x` */
    Text name;       /* behind `from x import`; "*" for all; empty = `import x` */
    Text alias;      /* behind `as`; empty = none */
} Token;

/* What an import binds: nothing for a star. */
Text token_bound(const Token *import);

typedef struct Tokens {
    Text bytes;
    uint32_t at, end, depth;
    uint32_t format_end;   /* of the f-string whose {} we are in; 0 = in none */
    uint32_t format_depth; /* of brackets in such a {} */
    bool starts;           /* a statement may begin here */
    bool is_from, in_import;
    Token import;
} Tokens;

Tokens tokens_in(Text bytes, Span span);
bool tokens_next(Tokens *self, Token *out); /* false: there are no more */

#endif
