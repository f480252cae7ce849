#ifndef SYNCL_REPOSITORY_H
#define SYNCL_REPOSITORY_H
/* Finds the repository of the sources: code scanning wants paths from its root. Takes the current folder and
   looks upwards for `.git` (git itself is not run). Outside of a repository the current folder is the root. */
#include "inputs.h"

typedef struct Repository {
    Text current; /* the current folder, absolute */
    Text root;    /* the same folder or one above */
    bool found;   /* false: there is no repository, and root is the current folder */
} Repository;

Repository repository_find(Arena *result, Inputs *inputs); /* `inputs` records what is asked, or is NULL */
/* `path` relative to the root, with slashes and without "."; a path outside of the root stays absolute. */
Text repository_path(Arena *result, const Repository *repository, Text path);

#endif
