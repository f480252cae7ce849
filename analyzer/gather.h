#ifndef SYNCL_GATHER_H
#define SYNCL_GATHER_H
/* Gathers the findings of the parts of a program into findings of the whole, with its ids: everything that is
   reported and, of the rest, what prices it. */
#include "part.h"
#include "site.h"

/* found: [part] */
const Findings *findings_gather(Arena *arena, const Program *whole, const Parts *parts, const Findings *const *found);

#endif
