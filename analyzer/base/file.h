#ifndef SYNCL_FILE_H
#define SYNCL_FILE_H
/* A small file at once: configuration, baselines, lists. Takes a path, gives its bytes in the arena, terminated. Fails
   with why ("No such file or directory", "is not a regular file", "is larger than 64 MiB"). Never waits on a FIFO. */
#include "text.h"

bool file_read(Arena *arena, Text path, Text *bytes, Text *error);
bool file_exists(Arena *arena, Text path); /* a regular file */

#endif
