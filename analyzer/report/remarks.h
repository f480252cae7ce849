#ifndef SYNCL_REMARKS_H
#define SYNCL_REMARKS_H
/* Remarks on the comments that allow waits: one that allows nothing (unused-allow), one without a reason
   (allow-without-reason), and an unknown word (unknown-comment). Given as sites, though no analysis found them,
   so that every format writes them like findings. Empty where the rulebook lacks these pages. */
#include "analyze.h"

typedef struct Remarks {
    VEC(Site) sites; /* items[0] unused; in file, then line order */
    SiteCost cost;   /* the cost of each: zero */
} Remarks;

typedef struct RemarkWishes {
    bool unused, reasons;
} RemarkWishes;

Remarks *remarks_make(Arena *result, const Analysis *analysis, RemarkWishes wishes);

#endif
