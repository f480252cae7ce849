#ifndef SYNCL_MAKING_H
#define SYNCL_MAKING_H
/* Which calls make what a loop goes through: followed by names through variables, attributes, parameters and what functions
   return, in all files of the part. What is found is a place to be edited, and nothing is proven by it: that the edit helps is
   told by analysing again. Takes a place; gives calls, in the scratch arena. None: none was found. */
#include "remedy_pattern.h"

MadeCalls making_find(const FixPlace *place, ExprId expr, EntryId entry);

#endif
