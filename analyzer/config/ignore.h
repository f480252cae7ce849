#ifndef SYNCL_IGNORE_H
#define SYNCL_IGNORE_H
/* What git leaves out of a repository: .gitignore files of the folder and those above it up to the repository's root,
   and .git/info/exclude. Git is not run. Files are read once each; what cannot be read ignores nothing, and
   is remembered. */
#include "repository.h"
#include "inputs.h"

typedef struct Ignores Ignores;

Ignores *ignores_new(Arena *result, const Repository *repository, Inputs *inputs);
bool ignores_path(Ignores *self, Text absolute, bool is_folder);
/* The nth file of rules that is there and could not be read so far, with why; empty = there is none. */
Text ignores_unread(const Ignores *self, uint32_t nth);

#endif
