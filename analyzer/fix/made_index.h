#ifndef SYNCL_MADE_INDEX_H
#define SYNCL_MADE_INDEX_H
/* A variable that one assignment makes, and with which the function then does nothing but index tensors on the GPU. Takes a place
   and the name; answers no where it is not plain. */
#include "remedy_pattern.h"

enum { INDEXED_MOST = 32 };

typedef struct MadeIndex {
    AccessId def;
    ExprId value;                /* what it is made of */
    ExprId indexed[INDEXED_MOST]; /* each `x[i]` behind it */
    uint32_t count;
} MadeIndex;

bool made_index_find(const FixPlace *place, ExprId name, MadeIndex *made);
/* What is called to make it, or to make what it is a slice of; 0 = no such. */
ExprId made_index_maker(const FixPlace *place, ExprId name);
/* There are several of these, and the name does not stand in the last. */
bool made_index_saves(const FixPlace *place, ExprId name);

#endif
