#ifndef SYNCL_ARGFILE_H
#define SYNCL_ARGFILE_H
/* `@FILE` on the command line is replaced by the lines of the file, one argument each; empty lines are skipped.
   Takes argc and argv; gives new ones in the arena if a file was named. A line that itself begins with @ is a
   plain argument, and so is every word after `--`. Fails (false, one line in *error) where the file cannot be
   read. */
#include "text.h"

/* files: the paths of the files read. */
bool argfile_expand(Arena *arena, int *argc, char ***argv, Strings *files, Text *error);

#endif
