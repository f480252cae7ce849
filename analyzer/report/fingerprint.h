#ifndef SYNCL_FINGERPRINT_H
#define SYNCL_FINGERPRINT_H
/* Identifiers of findings that survive unrelated edits: a hash of the rule, the path from the repository's
   root, the waiting expression and its statement without layout, and a counter among equal ones; no line
   numbers. Takes the analysis; gives one 64-bit number a site. Stable across versions, since baselines and code
   scanning store them. */
#include "analyze.h"
#include "repository.h"

/* Of sites[1 .. count); sites[0] is unused. */
uint64_t *fingerprints(Arena *result, const Analysis *analysis, const Repository *repository, const Site *sites,
                       uint32_t count);

/* a hash of source text without its layout; stable as well */
uint64_t fingerprint_source(const SourceFile *file, Span span);

#endif
