#ifndef SYNCL_VARIABLE_H
#define SYNCL_VARIABLE_H
/* How a function uses one of its variables, by its text and flow graph. Takes a place and a name; answers false
   or 0 unless certain. */
#include "remedy_pattern.h"

/* No other function mentions the variable, of a function or of the module. */
bool variable_is_own(const FixPlace *place, ExprId name);
/* The place is in a module's body, whose variables another file may read: it imports the module. Goes through the
   imports of all files, so ask last. */
bool variable_is_importable(const FixPlace *place);
/* A flag: it starts as False, and this statement sets it. */
bool variable_is_raised(const FixPlace *place, ExprId name);
/* The value that a definition gives the variable: all of `a = 0.0`, its element of `a, b = 0.0, 0`; 0 =
   neither. */
ExprId variable_given(const FixPlace *place, AccessId def);
/* A `for` binds the name. */
bool variable_is_turned(const FixPlace *place, ExprId name);
/* The uses of what a `for` binds; false: other definitions reach some of them. */
bool variable_turned_uses(const FixPlace *place, ExprId name, Reaching *uses);
/* Only the matched statements mention it. */
bool variable_is_confined(const PatternMatch *match, ExprId name);

#endif
