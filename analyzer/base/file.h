#ifndef SYNCL_FILE_H
#define SYNCL_FILE_H
/* A small file at once: configuration, baselines, lists. Takes a path, gives its bytes in the arena, terminated. Fails
   with why ("No such file or directory", "is not a regular file", "is larger than 64 MiB"). Never waits on a FIFO. */
#include "text.h"
#include <stdbool.h>
#include <sys/types.h>

bool file_read(Arena *arena, Text path, Text *bytes, Text *error);
/* What a user names may be a pipe as well (`@<(git ls-files)`): read to its end, or "is a pipe that nobody writes to". */
bool file_read_named(Arena *arena, Text path, uint32_t most_bytes, Text *bytes, Text *error);

/* The two steps of it, for what is too large to be read at once. Opened without waiting for somebody to write; -1:
   errno says why. */
int file_open(const char *path);
ssize_t file_piece(int file, char *bytes, size_t room); /* waits until there are some; 0 at the end, -1: errno */
bool file_is_written(int pipe); /* somebody begins to within seconds */
bool file_exists(Arena *arena, Text path); /* a regular file */

#endif
