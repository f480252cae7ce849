#ifndef SYNCL_LOOP_TURN_H
#define SYNCL_LOOP_TURN_H
/* What a loop binds in each iteration, and how it is used. Takes a place and an expression; answers false or 0
   unless certain. */
#include "remedy_pattern.h"

/* The `for` statement around the place that iterates over something; 0 = none. */
StmtId turn_statement(const FixPlace *place);
/* The value is what the loop bound, and the statement binds that variable again: nothing else refers to the old
   value. It looks through comprehensions: `{k: v.to(d) for k, v in batch.items()}`. */
bool turn_is_rebound(const FixPlace *place, ExprId id);
/* The expression is what the loop binds, or an item of it by a literal key, and every other use of that in the
   function copies it to numbers or to another device: so nothing can write into it. */
bool turn_is_only_copied(const FixPlace *place, ExprId id);
/* The outermost loop in which the list is only appended to, by the statement with the name. The list is empty
   before the loop and read only after it; 0 = there is none. */
StmtId turn_gathers(const FixPlace *place, ExprId name);
/* The statement is directly in the body of the enclosing loop, below no condition. */
bool turn_is_steady(const FixPlace *place, ExprId id);

/* The block that contains the statement, and its index there; empty where unknown. */
List turn_block(const FixPlace *place, StmtId id, uint32_t *at);
/* It is a whole statement, right after an identical one. */
bool turn_is_repeated(const FixPlace *place, ExprId expr);

#endif
