#ifndef SYNCL_ADD_ALLOW_H
#define SYNCL_ADD_ALLOW_H
/* --add-allow: writes `# syncl: allow[rule] reason` into the sources, after the statement of each finding of a
   report. Left unchanged and counted: places that cannot hold a comment (inside a string or before a backslash
   continuation), notebooks, and files that do not parse, whose encoding cannot hold the reason, or that changed
   since they were read (edit/edit.h). Fails with one line when a file may not be written (base/rewrite.h): then
   none is. If one cannot be written although it may, those before it have been. */
#include "report.h"

typedef struct Added {
    uint32_t comments, files;
    uint32_t left; /* findings that got no comment */
} Added;

bool add_allow(Arena *arena, const Report *report, const char *reason, Added *added, Text *error);

#endif
