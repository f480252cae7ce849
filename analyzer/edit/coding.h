#ifndef SYNCL_CODING_H
#define SYNCL_CODING_H
/* How the bytes of a Python source become characters: by its byte order mark, by a `# coding: NAME` in its first two lines
   (PEP 263), else UTF-8. Takes the bytes, gives what may be added to them. Cannot fail. */
#include "text.h"

typedef enum Coding {
    CODING_UTF8,
    CODING_BYTES,   /* a byte a character, and ASCII is itself: Latin-1, ASCII, Windows-1252, ... */
    CODING_UNKNOWN, /* any other: what a byte means depends on those around it */
} Coding;

Coding coding_of(Text source);
/* The source's bytes are of its coding, as far as that can be told; where they are not, no Python reads it. */
bool coding_fits(Coding coding, Text source);
/* A text of UTF-8 means the same there, byte for byte. */
bool coding_holds(Coding coding, Text text);

#endif
