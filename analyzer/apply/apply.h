#ifndef SYNCL_APPLY_H
#define SYNCL_APPLY_H
/* Entries of the rulebook applied to a receiver and arguments: records what they do, gives what they return; NULL is
   bottom. May call what the arguments hold (hooks, collate functions). */
#include "clause.h"

const Value *apply_entry(Eval *eval, ExprId expr, EffectRole role, EntryId entry, const Value *receiver,
                         const Args *args);
/* The value of an attribute entry (property or typed name) of a receiver. */
const Value *apply_attribute(Eval *eval, ExprId expr, EntryId entry, const Value *receiver);
void use_protocol(Eval *eval, ExprId expr, const Value *value, const char *method, const Value *argument);

#endif
