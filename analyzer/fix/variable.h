#ifndef SYNCL_VARIABLE_H
#define SYNCL_VARIABLE_H
/* What a function does with one of its variables, as its text and its flow graph show. Takes a place and a name; answers no
   where it is not plain. */
#include "remedy_pattern.h"

/* No other function sees the variable. */
bool variable_is_private(const FixPlace *place, uint32_t slot);
/* Likewise; that of a module's own code, where no function of its file names it. */
bool variable_is_own(const FixPlace *place, ExprId name);
/* A flag: it begins as False, and this statement sets it. */
bool variable_is_raised(const FixPlace *place, ExprId name);
/* What a definition gives the variable: all of `a = 0.0`, its part of `a, b = 0.0, 0`; 0 = no such. */
ExprId variable_given(const FixPlace *place, AccessId def);
/* A `for` sets it, of this name. */
bool variable_is_turned(const FixPlace *place, ExprId name);
/* What is read of that which a `for` sets; false: something else may be read there too. */
bool variable_turned_uses(const FixPlace *place, ExprId name, Reaching *uses);
/* Nothing but the statements that the match takes names it. */
bool variable_is_confined(const PatternMatch *match, ExprId name);

#endif
