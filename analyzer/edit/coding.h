#ifndef SYNCL_CODING_H
#define SYNCL_CODING_H
/* The character encoding of a Python source: by its byte order mark, by a `# coding: NAME` in its first two
   lines (PEP 263), else UTF-8. Takes the bytes; says what may be inserted into them. Cannot fail. */
#include "text.h"

typedef enum Coding {
    CODING_UTF8,
    CODING_BYTES,   /* one byte a character, ASCII included: Latin-1, ASCII, Windows-1252, ... */
    CODING_UNKNOWN, /* any other: the meaning of a byte depends on its neighbours */
} Coding;

Coding coding_of(Text source);
/* Whether the bytes are valid in the encoding, as far as that can be told; if not, Python does not read the
   file. */
bool coding_fits(Coding coding, Text source);
/* Whether a UTF-8 text has the same bytes in the encoding. */
bool coding_holds(Coding coding, Text text);

#endif
