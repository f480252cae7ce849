#ifndef SYNCL_KEPT_FINDINGS_H
#define SYNCL_KEPT_FINDINGS_H
/* The third level of the cache: what is found in a part of a program, by all that it depends on. A part is analysed again only
   when one of its files changes, or which they are; what is asked of the findings (rules, prices, formats, a baseline)
   has no say. Below that nothing is kept: what a call gives holds while everything that was read for it gives the same again.

   A key is: of each file of the part its bytes, gaps, path, module name and folders, and whether it is whole; the names that
   modules have; whether something was not read; from which confidence on loops are told; what shapes are;
   and the build, by `cache`. The rule pages are those of the build: with others nothing is kept.

   What is unpacked has ids, spans and words in range; else it is a miss. */
#include "cache.h"
#include "given_shape.h"
#include "part.h"
#include "site.h"

typedef struct FindingsAsked {
    const Program *whole;
    const Part *part;
    const Rulebook *book;
    Confidence told; /* see sites_find */
    const GivenShape *shapes; /* from --shape */
    uint32_t shape_count;
} FindingsAsked;

Digest kept_findings_key(Arena *scratch, const FindingsAsked *asked);
/* Thread-safe. NULL: a miss. Ids are those of the part's program (part.h); everything lives in `result`. */
const Findings *kept_findings_find(const Cache *cache, Arena *result, Arena *scratch, Digest key,
                                   const FindingsAsked *asked);
/* Gives the number of bytes added. */
uint64_t kept_findings_keep(const Cache *cache, Arena *scratch, Digest key, const Findings *findings);
/* A deep copy of the findings in `result`, so that the arena they were made in can be freed. */
const Findings *kept_findings_copy(Arena *result, const Findings *findings);

#endif
