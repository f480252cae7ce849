#ifndef SYNCL_REWRITE_H
#define SYNCL_REWRITE_H
/* The only way in which a file of the user is changed. Takes its path, the bytes that were read from it and the
   new bytes. At every moment the path names either the whole old or the whole new file: the new bytes are
   written beside it, synced to disk, then renamed over it. Owner, group, mode and extended attributes are kept;
   through a symbolic link its target is changed. Signals are held back during the change, so no temporary file
   is left behind.

   Refused, with one line in *error: a file that is read-only, that belongs to another user, that a link reaches
   outside of `root`, that has several hard links (a rename would break them), that is not a regular file, or
   that has changed since it was read. */
#include "text.h"

/* Whether rewrite_file would try: all checks but the comparison of the bytes. */
bool rewrite_may(Arena *arena, Text path, Text root, Text *error);
bool rewrite_file(Arena *arena, Text path, Text was, Text now, Text root, Text *error);

#endif
