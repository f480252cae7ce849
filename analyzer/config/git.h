#ifndef SYNCL_GIT_H
#define SYNCL_GIT_H
/* Reads files of a revision of a git repository that may be hostile. Takes the repository's root and a
   revision; gives the files in the order of the tree. git is run so that nothing configured in the repository
   runs: no hook, fsmonitor, external diff, textconv, filter, pager, transport or lazy fetch; objects are only
   read. Fails with one line. */
#include "text.h"

typedef struct GitFile {
    Text path; /* from the root; each component is a plain name */
    Text bytes;
} GitFile;

typedef struct GitTree {
    VEC(GitFile) files;
} GitTree;

bool git_files(Arena *result, Text root, const char *revision, bool (*is_wanted)(Text path), GitTree *tree,
               Text *error);

#endif
