#ifndef SYNCL_ARGFILE_H
#define SYNCL_ARGFILE_H
/* `@FILE` on the command line: the file's lines stand in its place, an argument each, empty ones left out. Takes argc
   and argv, gives new ones in the arena where a file was named. A line that begins with @ is an argument as it is, and
   after `--` so is every word. Fails (false, one line in *error) where the file cannot be read. */
#include "text.h"

/* files: the names of those read. */
bool argfile_expand(Arena *arena, int *argc, char ***argv, Strings *files, Text *error);

#endif
