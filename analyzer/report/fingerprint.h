#ifndef SYNCL_FINGERPRINT_H
#define SYNCL_FINGERPRINT_H
/* Names for findings that survive unrelated edits: made of rule, path from the repository's root, the waiting
   expression and its statement without their layout, and a count among equals; no line numbers. Takes the analysis,
   const; gives one 64-bit number a site. Stable from version to version: baselines and code scanning keep them. */
#include "analyze.h"
#include "repository.h"

/* Of sites[1 .. count): the first is left out, as everywhere. */
uint64_t *fingerprints(Arena *result, const Analysis *analysis, const Repository *repository, const Site *sites,
                       uint32_t count);

uint64_t fingerprint_source(const SourceFile *file, Span span); /* without its layout; stable as well */

#endif
