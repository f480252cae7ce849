#ifndef SYNCL_REMARKS_H
#define SYNCL_REMARKS_H
/* What is to be said of the comments that allow: that they allow nothing (unused-allow), that they give no reason
   (allow-without-reason), or that syncl knows no such word (unknown-comment). Gives them as sites that no
   analysis found, so that every format writes them as it writes findings. Empty where the rulebook lacks the
   pages. */
#include "analyze.h"

typedef struct Remarks {
    VEC(Site) sites; /* items[0] unused; in file, then line order */
    SiteCost cost;   /* of each: nothing */
} Remarks;

typedef struct RemarkWishes {
    bool unused, reasons;
} RemarkWishes;

Remarks *remarks_make(Arena *result, const Analysis *analysis, RemarkWishes wishes);

#endif
