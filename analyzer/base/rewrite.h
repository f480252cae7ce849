#ifndef SYNCL_REWRITE_H
#define SYNCL_REWRITE_H
/* The one way in which a file of the user's is changed. Takes its path, the bytes that were read and those that shall
   stand there; leaves the file either way whole: the new bytes lie beside it, are on the disk, and take its name at once.
   Owner, group, mode and extended attributes stay; a link stays a link, and what it leads to is changed. Signals that end
   the program come before or behind the change, and no temporary file is left.

   Refused, with one line: what is read-only by its mode, what belongs to somebody else, what a link leads to out of
   `root`, what has several names (a hard link can be kept, or the file can be whole at every moment, but not both), what
   is no regular file, and what changed since it was read. */
#include "text.h"

/* Whether it would be tried. */
bool rewrite_may(Arena *arena, Text path, Text root, Text *error);
bool rewrite_file(Arena *arena, Text path, Text was, Text now, Text root, Text *error);

#endif
