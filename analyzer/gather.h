#ifndef SYNCL_GATHER_H
#define SYNCL_GATHER_H
/* What was found in the parts of a program as the findings of the whole, in its ids: all of what is reported, of the rest
   what prices it. */
#include "part.h"
#include "site.h"

/* found: [part] */
const Findings *findings_gather(Arena *arena, const Program *whole, const Parts *parts, const Findings *const *found);

#endif
