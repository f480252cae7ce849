#ifndef SYNCL_ADD_ALLOW_H
#define SYNCL_ADD_ALLOW_H
/* --add-allow: writes `# syncl: allow[rule] reason` behind the statement of each finding of a report, into the sources.
   A file keeps its encoding, line ends and permissions, and is replaced whole or not at all. A place that can hold no
   comment (a string goes on there), a notebook, and a file that changed since it was read are left as they are and
   counted. Fails with one line when a file cannot be written; those written before stay written. */
#include "report.h"

typedef struct Added {
    uint32_t comments, files;
    uint32_t left; /* findings without a comment of theirs */
} Added;

bool add_allow(Arena *arena, const Report *report, const char *reason, Added *added, Text *error);

#endif
