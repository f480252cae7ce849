#ifndef SYNCL_REGRESS_H
#define SYNCL_REGRESS_H
/* Whether fixes did what they should, told from the analyses before and after: each wait that was to go is gone, and of all
   others none came, went or became more frequent, and none is shown that was not; no loop's price grew. Takes both, const;
   refuses the fixes that wrote where a difference is. Where that is not plain, it puts off the cheaper half of them; one alone
   it refuses. */
#include "patch.h"
#include "report.h"

typedef struct ChosenFix {
    const Finding *finding;
    const Fix *fix;
    bool refused, put_off; /* for good, or for a later try */
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
    bool closed;              /* it is not to be written */
    bool changed;
} MendedFile;

typedef struct Regress {
    Arena *arena;
    const Analysis *before, *after;
    ChosenFixes *chosen;
    const MendedFile *files; /* [file_count] */
    uint32_t file_count;
    Confidence least; /* that is shown */
    uint32_t *with;   /* where there is none: how many others wait no more by these fixes */
} Regress;

static inline bool fix_is_tried(const ChosenFix *fix) { return !fix->refused && !fix->put_off; }

bool regress_none(const Regress *asked);

#endif
