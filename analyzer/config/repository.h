#ifndef SYNCL_REPOSITORY_H
#define SYNCL_REPOSITORY_H
/* Where the sources stand in their repository: code scanning wants paths from its root. Takes the current folder, looks
   upwards for `.git` (git itself is not run). Outside of a repository the current folder is the root. */
#include "inputs.h"

typedef struct Repository {
    Text current; /* the current folder, absolute */
    Text root;    /* at it or above */
    bool found;   /* false: there is none, and the root is the current folder */
} Repository;

Repository repository_find(Arena *result, Inputs *inputs); /* `inputs` writes down what is asked, or is NULL */
/* `path` from the root, with slashes and without "."; what is not below the root stays absolute. */
Text repository_path(Arena *result, const Repository *repository, Text path);

#endif
