#ifndef SYNCL_EDIT_H
#define SYNCL_EDIT_H
/* Changes to a source of the user's: what --add-allow writes goes through here, and all that ever does.

   Takes a file of the program and changes to its bytes, in order, none in another; gives the new bytes, and writes them
   where that is asked for (base/rewrite.h says what stays and what is refused). A result is believed only where it is
   Python of every version since 3.8 as far as that can be told: the source was so before, its coding (PEP 263) is known
   and holds what is added, byte order mark and line ends stay, the lexical analysis is CPython's (lexical.h), and
   tree-sitter finds no error that it had not found. Files that changed since they were read are left alone; of notebooks
   cells are changed (cells.h), and get no comments. */
#include "program.h"

typedef struct Change {
    uint32_t start, end; /* bytes of the file that go; end = start: none do */
    Text text;           /* what comes in their place */
    bool refused;        /* set by edit_comments */
} Change;

typedef struct SourceEdit {
    const SourceFile *file;
    VEC(Change) changes;
    Text written; /* the file as it lies there: lines may end with a carriage return alone */
    Text made;    /* what is to lie there */
    bool piped;   /* it came from standard input, and lies nowhere */
} SourceEdit;

/* Comments that are added where lines end. Refuses each change that would become anything else, and all of them where
   the result is not believed; false: all were. */
bool edit_comments(Arena *arena, SourceEdit *edit);
/* Whether it would be tried; `root`: the folder that no link may lead out of. */
/* The file as it lies there, with the line ends that it has. False: its changes would not be believed, as it is no Python, or
   another than the one that was read. */
bool edit_open(Arena *arena, SourceEdit *edit);
/* Whether what is made of it is as good: no error more, the same coding, nothing that this cannot hold. */
bool edit_holds(Arena *arena, const SourceEdit *edit, Text made);
bool edit_may_write(Arena *arena, const SourceEdit *edit, Text root, Text *error);
bool edit_write(Arena *arena, const SourceEdit *edit, Text root, Text *error);

#endif
