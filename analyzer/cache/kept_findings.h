#ifndef SYNCL_KEPT_FINDINGS_H
#define SYNCL_KEPT_FINDINGS_H
/* The third level of the cache: the findings of a part of a program, by everything that they depend on. A part
   is analysed again only when one of its files changes, or the set of its files. What is asked about the
   findings (rules, prices, formats, a baseline) does not matter. Nothing smaller is cached: the result of one
   call is valid only while everything that was read for it is unchanged.

   The key: for each file of the part its bytes, gaps, path, module name and folders, and whether it is read
   whole; the names of modules; whether something was left out; the lowest confidence at which loops are
   reported; the given shapes; and the build, by `cache`. The rule pages are those of the build: with others
   nothing is cached.

   Unpacking checks that ids, spans and words are in range; else it is a miss. */
#include "pack.h"
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
/* What prices a site, an event, or the work of one: everything but places, ids and reasons. For keys of prices too. */
void kept_site(Pack *io, Site *one);
void kept_event(Pack *io, Event *one);
void kept_workload(Pack *io, Workload *one);
/* A deep copy of the findings in `result`, so that the arena they were made in can be freed. */
const Findings *kept_findings_copy(Arena *result, const Findings *findings);

#endif
