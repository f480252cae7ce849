#ifndef SYNCL_SIBLING_H
#define SYNCL_SIBLING_H
/* Becomes another program that was installed beside this one. Comes back only on failure, with one clear line. */
#include "text.h"

/* invoked: this program's argv[0]; arguments: NULL-terminated, without the program's name. */
Text sibling_run(Arena *arena, const char *invoked, const char *name, char **arguments);

#endif
