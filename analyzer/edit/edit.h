#ifndef SYNCL_EDIT_H
#define SYNCL_EDIT_H
/* Changes to a user's source file. All edits go through here: --add-allow's comments and fixes.

   Takes a file of the program and changes to its bytes, in order and without overlap; gives the new bytes, and
   writes them where asked to (base/rewrite.h says what is kept and refused). A result is accepted only if it is
   valid Python for every version since 3.8, as far as that can be told: the source was valid before; its
   encoding (PEP 263) is known and can hold the new text; byte order mark and line ends stay; the lexical
   analysis is CPython's (lexical.h); tree-sitter finds no new error. A file that changed since it was read is
   left alone. In notebooks cells are edited (cells.h), but get no comments. */
#include "program.h"

typedef struct Change {
    uint32_t start, end; /* the bytes to remove; end = start: none */
    Text text;           /* the text inserted there */
    bool refused;        /* set by edit_comments */
} Change;

typedef struct SourceEdit {
    const SourceFile *file;
    VEC(Change) changes;
    Text written; /* the file as it is on disk, where lines may end with a lone carriage return */
    Text made;    /* its new contents */
    bool piped;   /* it came from standard input and is on no disk */
} SourceEdit;

/* Adds comments at line ends. Refuses each change that would not be a comment, and all changes if the result is
   not accepted. False: all were refused. */
bool edit_comments(Arena *arena, SourceEdit *edit);
/* Reads the file from disk, with its own line ends. False: it may not be edited, as it is invalid Python, or
   changed since it was analysed. */
bool edit_open(Arena *arena, SourceEdit *edit);
/* Whether the edited text is as good: no new error, the same encoding, no character that it cannot hold. */
bool edit_holds(Arena *arena, const SourceEdit *edit, Text made);
/* Whether writing would be tried; `root`: the folder that no link may lead out of. */
bool edit_may_write(Arena *arena, const SourceEdit *edit, Text root, Text *error);
bool edit_write(Arena *arena, const SourceEdit *edit, Text root, Text *error);

#endif
