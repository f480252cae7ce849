#ifndef SYNCL_IGNORE_H
#define SYNCL_IGNORE_H
/* What git ignores in a repository: the .gitignore files from the folder up to the repository's root, and
   .git/info/exclude. git itself is not run. Each file is read once; one that cannot be read ignores nothing,
   and is recorded. */
#include "repository.h"
#include "inputs.h"

typedef struct Ignores Ignores;

Ignores *ignores_new(Arena *result, const Repository *repository, Inputs *inputs);
bool ignores_path(Ignores *self, Text absolute, bool is_folder);
/* The nth ignore file that exists but could not be read so far, with the reason; empty = there is none. */
Text ignores_unread(const Ignores *self, uint32_t nth);

#endif
