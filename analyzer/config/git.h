#ifndef SYNCL_GIT_H
#define SYNCL_GIT_H
/* Files of a revision of a git repository, which may be anybody's. Takes the repository's root and a revision; gives the
   files in the order of the tree. git is started so that nothing of the repository's is: no hook, no fsmonitor, no
   external diff, no textconv, no filter, no pager, no transport, no lazy fetch; objects are only read. Fails with one line. */
#include "text.h"

typedef struct GitFile {
    Text path; /* from the root; every part is a plain name */
    Text bytes;
} GitFile;

typedef struct GitTree {
    VEC(GitFile) files;
} GitTree;

bool git_files(Arena *result, Text root, const char *revision, bool (*is_wanted)(Text path), GitTree *tree,
               Text *error);

#endif
