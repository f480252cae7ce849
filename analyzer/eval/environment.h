#ifndef SYNCL_ENVIRONMENT_H
#define SYNCL_ENVIRONMENT_H
/* Environments (a value for each local slot); binding of arguments to parameters; receivers of
   methods. */
#include "conventions.h"
#include "evaluation.h"
#include "env_join.h"

/* ---- environment.c ---- */
bool env_path_below(Text path, Text prefix);
void assign_slot(Eval *eval, uint32_t slot, const Value *value);
void assign_name(Eval *eval, const Expr *expr, const Value *value);
bool yields_early(const Eval *eval, ExprId id);
const Value *function_value(Eval *eval, FuncId func);

/* ---- arguments.c ---- */
void args_push(Args *args, ExprId expr, const Value *value);
void args_push_named(Args *args, Sym name, ExprId expr, const Value *value);
void args_push_mapping(Eval *eval, Args *args, ExprId expr, const Value *value);
bool args_hold(Eval *eval, const Args *args, Device device, Alt *witness);
bool args_fit(Eval *eval, const Alt *alt, const Args *args);
bool args_fit_some(Eval *eval, const Value *callee, const Args *args);
const Value *named_argument(const Args *args, Sym name, bool *taken); /* NULL when absent */
void args_bind(Eval *eval, ExprId expr, const SourceFile *file, GlobalFunc global, const Value *self, const Args *args, const Value **bound);
const Value *generator_value(Eval *eval, ContextId callee);
const Value *own_result(Eval *eval, ContextId id, const Func *func, const Value *const *bound, const Value *result);

/* ---- receiver.c ---- */
bool tensors_have(const Eval *eval, Text name);
Alt surer_by_use(Eval *eval, const Alt *alt, Sym name);
const Value *batch_method(Eval *eval, ExprId expr, const Alt *alt, Sym name);
bool asks_own(const Eval *eval, Sym name);
const Value *receiver_no_tensor(Eval *eval, const Alt *alt);
const Value *receiver_batch(Eval *eval, const Alt *alt, Text method);
const Value *register_tensor(Eval *eval, const Alt *alt, const Args *args);
bool gives_any(const Eval *eval, const Args *args, Named named);
bool names_tokenizer(const Rulebook *book, Text name);
const Value *asked_key(const Eval *eval, Sym name, const Args *args);
const Value *keyed_place(Eval *eval, ExprId expr, const Value *key, const Value *otherwise);
bool others_known(const Eval *eval, const Value *receiver, Sym name);
const Value *some_module(Eval *eval, ExprId expr);
const uint32_t *super_next(Inference *inference, const Value *self, GlobalClass class_id, uint32_t *count);

#endif
