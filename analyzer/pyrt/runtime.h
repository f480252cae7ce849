#ifndef SYNCL_RUNTIME_H
#define SYNCL_RUNTIME_H
/* Python's own containers and built-ins whose result depends on their structure. May call what they are given:
   map(f, xs), sorted(xs, key=f). */
#include "evaluation.h"

void eval_percent(Eval *eval, ExprId id, ExprId format, ExprId right);
void update_container(Eval *eval, ObjectId object, const Value *other);
const Value *call_native(Eval *eval, ExprId expr, const Alt *container, Sym name, const Args *args,
                         bool *handled);
const Value *make_dict(Eval *eval, ExprId expr, const Args *args);
const uint8_t *find_builtins(Arena *arena, const Rulebook *book); /* [EntryId] */
const Value *call_builtin(Eval *eval, ExprId expr, EntryId entry, const Args *args, bool *handled);

#endif
