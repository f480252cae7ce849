#ifndef SYNCL_LOOP_TURN_H
#define SYNCL_LOOP_TURN_H
/* What a loop gives in one turn, and what is made of it. Takes a place and an expression; answers no where it is not plain. */
#include "remedy_pattern.h"

/* The `for` statement around the place that goes through something; 0 = none. */
StmtId turn_statement(const FixPlace *place);
/* It is what the loop set, and the statement sets that variable again: nobody has what it was. Through comprehensions:
   `{k: v.to(d) for k, v in batch.items()}`. */
bool turn_is_rebound(const FixPlace *place, ExprId id);
/* It is what the loop set, or an item of it by a literal key, and all else that the function does with that gives numbers or
   tensors elsewhere: so nobody may write into it. */
bool turn_is_only_copied(const FixPlace *place, ExprId id);
/* The outermost loop in which the list is only added to, by the statement that the name stands in: it is empty before, and read
   behind alone; 0 = there is none. */
StmtId turn_gathers(const FixPlace *place, ExprId name);
/* The statement stands in the body of the loop around, below no condition. */
bool turn_is_steady(const FixPlace *place, ExprId id);

/* The statements among which it stands, and where; none where it is not seen. */
List turn_block(const FixPlace *place, StmtId id, uint32_t *at);
/* It stands by itself, right behind a statement that is the same code. */
bool turn_is_repeated(const FixPlace *place, ExprId expr);

#endif
