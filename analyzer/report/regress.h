#ifndef SYNCL_REGRESS_H
#define SYNCL_REGRESS_H
/* Checks fixes by comparing the analyses before and after: each wait that should disappear has; no other wait
   appeared, disappeared or became more frequent; none became visible; no file's loops cost more. Takes both
   analyses; refuses the fixes that wrote the code where they differ. Where that is unclear, puts off the
   cheaper half of the fixes that change a file in which something is worse, or of all fixes; a single one is
   refused. */
#include "patch.h"
#include "report.h"

typedef struct ChosenFix {
    const Finding *finding;
    const Fix *fix;
    bool refused, put_off; /* refused for good, or put off for a later try */
} ChosenFix;

typedef struct ChosenFixes {
    ChosenFix *items;
    uint32_t count, capacity;
} ChosenFixes;

typedef struct OwnedChange {
    Change change;
    uint32_t owner; /* index of the chosen fix */
} OwnedChange;

typedef struct MendedFile {
    Text absolute;
    SourceEdit edit;
    Patch patch, tried;
    VEC(OwnedChange) changes; /* of this round, in order */
    bool closed;              /* it may not be written */
    bool changed;
} MendedFile;

typedef struct Regress {
    Arena *arena;
    const Analysis *before, *after;
    ChosenFixes *chosen;
    const MendedFile *files; /* [file_count] */
    uint32_t file_count;
    Confidence least; /* lowest confidence that is shown */
    uint32_t *with;   /* set if there is no difference: how many other waits disappear with these fixes */
} Regress;

static inline bool fix_is_tried(const ChosenFix *fix) { return !fix->refused && !fix->put_off; }

bool regress_none(const Regress *asked);

#endif
