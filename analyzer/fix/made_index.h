#ifndef SYNCL_MADE_INDEX_H
#define SYNCL_MADE_INDEX_H
/* A variable with a single assignment that the function only uses to index GPU tensors. Takes a place and the
   name; answers false unless certain. */
#include "remedy_pattern.h"

enum { INDEXED_MOST = 32 };

typedef struct MadeIndex {
    AccessId def;
    ExprId value;                /* the assigned value */
    ExprId indexed[INDEXED_MOST]; /* each `x[i]` after it */
    uint32_t count;
    bool sliced; /* it is the whole, `p` of `i = p[a:b]`, which is used for nothing but slices that index */
} MadeIndex;

bool made_index_find(const FixPlace *place, ExprId name, MadeIndex *made);
/* The API whose call makes it, or makes what it is a slice of; 0 = none. */
ExprId made_index_maker(const FixPlace *place, ExprId name);
/* There are several uses, and the name is not in the last one; or the whole array can be sent. */
bool made_index_saves(const FixPlace *place, ExprId name);

#endif
