#ifndef SYNCL_SIBLING_H
#define SYNCL_SIBLING_H
/* Another program that was installed beside this one: becomes it, or runs it and waits. */
#include "text.h"

/* Where it would be, there or not; NULL: nobody can tell where we are. invoked: this program's argv[0]. */
const char *sibling_path(Arena *arena, const char *invoked, const char *name);
/* arguments: NULL-terminated, without the program's name. Comes back only on failure, with one clear line. */
Text sibling_run(Arena *arena, const char *invoked, const char *name, char **arguments);
/* Its exit status, its output on standard error; -1 with one line in *error when it could not be run. */
int sibling_wait(Arena *arena, const char *invoked, const char *name, char **arguments, Text *error);

#endif
