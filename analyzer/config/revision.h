#ifndef SYNCL_REVISION_H
#define SYNCL_REVISION_H
/* Checks another revision's sources out into a temporary folder, which is removed in the end: its Python files,
   and empty files of the names that mark the top of a project. Nothing of it is ever run. While entered, it is
   the working folder. */
#include "git.h"
#include "repository.h"

typedef struct Revision {
    Text folder; /* the temporary one, as getcwd gives it */
    int back;    /* descriptor of the previous working folder */
} Revision;

/* False: *error says why, and nothing is left behind. */
bool revision_enter(Arena *arena, const Repository *repository, const char *name, Revision *revision, Text *error);
void revision_leave(Arena *arena, Revision *revision);

#endif
