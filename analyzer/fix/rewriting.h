#ifndef SYNCL_REWRITING_H
#define SYNCL_REWRITING_H
/* The edits that make of a place what a remedy writes there: only what differs between its pattern and its replacement, so that
   comments, formatting and quotes of the rest stay. Takes a match; gives edits in the arena, in order. False: they cannot be
   written so, for a comment stands in the way, or a name that is needed is not imported. */
#include "meaning.h"

typedef struct Rewriting {
    VEC(FixEdit) edits;
    VEC(FixSpan) with; /* see Fix */
} Rewriting;

bool rewriting_make(const PatternMatch *match, Rewriting *out);

#endif
