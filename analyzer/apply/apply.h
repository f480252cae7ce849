#ifndef SYNCL_APPLY_H
#define SYNCL_APPLY_H
/* Applies entries of the rulebook to a receiver and arguments: records their effects, gives their result (NULL
   = bottom). May call functions among the arguments (hooks, collate functions). */
#include "clause.h"

const Value *apply_entry(Eval *eval, ExprId expr, EffectRole role, EntryId entry, const Value *receiver,
                         const Args *args);
/* The value of an attribute entry (a property or a typed name) on a receiver. */
const Value *apply_attribute(Eval *eval, ExprId expr, EntryId entry, const Value *receiver);
void use_protocol(Eval *eval, ExprId expr, const Value *value, const char *method, const Value *argument);

#endif
