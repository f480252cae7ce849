#ifndef SYNCL_REVISION_H
#define SYNCL_REVISION_H
/* Another revision of the sources as files: its Python, and the names of the files by which a project's top is known, in a
   temporary folder that is removed in the end. Nothing of it is ever run. While it is entered, it is the working folder. */
#include "git.h"
#include "repository.h"

typedef struct Revision {
    Text folder; /* the temporary one, as getcwd gives it */
    int back;    /* descriptor of the folder that was left */
} Revision;

/* False: *error says why, and nothing is left behind. */
bool revision_enter(Arena *arena, const Repository *repository, const char *name, Revision *revision, Text *error);
void revision_leave(Arena *arena, Revision *revision);

#endif
