#ifndef SYNCL_LEXICAL_H
#define SYNCL_LEXICAL_H
/* The lexical analysis of Python, as strict as CPython's and after the rules of 3.8, which hold in every version since:
   an f-string is one string, whatever stands in its braces. tree-sitter is lenient where an edit can do harm: a comment
   behind a backslash at a line's end, one inside a string's braces, odd indentation.

   Takes bytes in which a line ends with \n or \r\n; gives lexemes in the arena, that point at them. `wrong`: the bytes
   are no Python, the lexemes end at `wrong_at`. */
#include "text.h"

typedef enum LexKind {
    LEX_INDENT,  /* the indentation of a logical line; may be empty */
    LEX_WORD,    /* a name, a keyword, a number */
    LEX_MARK,    /* one character of an operator or a bracket */
    LEX_STRING,  /* with its prefix */
    LEX_COMMENT,
    LEX_LINE,    /* the end of a logical line */
    LEX_BREAK,   /* any other line end: in brackets, or after blanks or a comment only */
} LexKind;

typedef struct Lexeme {
    uint32_t start, end;
    uint8_t kind; /* LexKind */
} Lexeme;

typedef struct Lexemes {
    VEC(Lexeme) items;
    const char *wrong; /* NULL = valid */
    uint32_t wrong_at;
} Lexemes;

void lexical_read(Arena *arena, Text bytes, Lexemes *out);
/* Whether a line, or the file, ends at this byte: outside of strings and not after a backslash. */
bool lexical_ends_line(const Lexemes *lexemes, uint32_t at);
/* Whether two sources are the same program, apart from comments and line breaks. */
bool lexical_same_code(Text a, const Lexemes *of_a, Text b, const Lexemes *of_b);

#endif
