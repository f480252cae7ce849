#ifndef SYNCL_REWRITING_H
#define SYNCL_REWRITING_H
/* Makes the edits of a matched remedy: only where its replacement differs from its pattern, so that comments,
   formatting and quotes elsewhere stay. Takes a match; gives edits in the arena, in order. False: a comment is
   in the way, or a needed name is not imported. */
#include "meaning.h"

typedef struct Rewriting {
    VEC(FixEdit) edits;
    VEC(FixSpan) with; /* see Fix */
} Rewriting;

bool rewriting_make(const PatternMatch *match, Rewriting *out);

#endif
