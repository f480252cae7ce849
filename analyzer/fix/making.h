#ifndef SYNCL_MAKING_H
#define SYNCL_MAKING_H
/* The calls that make what a loop iterates over, e.g. a DataLoader: found by following names through variables,
   attributes, parameters and return values, in all files of the part. A result is only a candidate for an edit,
   and proves nothing: whether the edit helps is found out by analysing again. Takes a place; gives calls, in
   the scratch arena. */
#include "remedy_pattern.h"

MadeCalls making_find(const FixPlace *place, ExprId expr, EntryId entry);

#endif
