#ifndef SYNCL_ADD_ALLOW_H
#define SYNCL_ADD_ALLOW_H
/* --add-allow: writes `# syncl: allow[rule] reason` behind the statement of each finding of a report, into the sources.
   A place that can hold no comment (a string or a backslash goes on there), a notebook, a file that does not parse, or
   whose coding cannot hold the reason, and one that changed since it was read are left as they are and counted
   (edit/edit.h). Fails with one line when a file may not be written (base/rewrite.h): then none is; one that cannot be
   written although it may leaves those before it written. */
#include "report.h"

typedef struct Added {
    uint32_t comments, files;
    uint32_t left; /* findings without a comment of theirs */
} Added;

bool add_allow(Arena *arena, const Report *report, const char *reason, Added *added, Text *error);

#endif
