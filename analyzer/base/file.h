#ifndef SYNCL_FILE_H
#define SYNCL_FILE_H
/* Reads small files whole: configuration, baselines, lists. Takes a path, gives the bytes in the arena, with a
   zero byte behind them. Fails with the reason in *error ("No such file or directory", "is not a regular file",
   "is larger than 64 MiB"). Never blocks on a FIFO. */
#include "text.h"
#include <stdbool.h>
#include <sys/types.h>

bool file_read(Arena *arena, Text path, Text *bytes, Text *error);
/* The same for a path that a user typed, which may be a pipe too (`@<(git ls-files)`): read to its end. Fails
   with "is a pipe that nobody writes to" where no writer comes. */
bool file_read_named(Arena *arena, Text path, uint32_t most_bytes, Text *bytes, Text *error);

/* The two steps of a read, for files too large to read at once. file_open never waits for a writer; -1: see
   errno. */
int file_open(const char *path);
ssize_t file_piece(int file, char *bytes, size_t room); /* waits until there are bytes; 0 = end of file, -1 = see
                                                           errno */
bool file_is_written(int pipe); /* whether a writer opens the pipe within a few seconds */
bool file_exists(Arena *arena, Text path); /* whether it is a regular file */

#endif
