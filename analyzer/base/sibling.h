#ifndef SYNCL_SIBLING_H
#define SYNCL_SIBLING_H
/* Another program that is installed beside this one (e.g. syncl-calibrate): run it in place of this one, or as
   a child. */
#include "text.h"

/* The path where it should be, whether or not it exists; NULL: our own location is unknown. invoked: our
   argv[0]. */
const char *sibling_path(Arena *arena, const char *invoked, const char *name);
/* Replaces this process by it. arguments: NULL-terminated, without the program's name. Returns only on failure,
   with one line for the user. */
Text sibling_run(Arena *arena, const char *invoked, const char *name, char **arguments);
/* Runs it as a child and waits, its output redirected to standard error. Gives its exit status; -1, with one
   line in *error, where it could not be run. */
int sibling_wait(Arena *arena, const char *invoked, const char *name, char **arguments, Text *error);

#endif
