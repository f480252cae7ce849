#ifndef SYNCL_EVAL_H
#define SYNCL_EVAL_H
/* The recursion of the interpreter: transfer functions of expressions, statements and calls. Each gives a value
   (NULL = bottom: not reached yet) and records facts and effects in eval's context. */
#include "evaluation.h"

/* ---- annotation.c ---- */
const Value *annotated(Eval *eval, ExprId annotation);
const Value *checked_by_annotation(Eval *eval, ExprId annotation, const Value *value);
/* The value of a parameter that no visible caller passes. */
const Value *assumed_parameter(Eval *eval, const Param *param, uint32_t position, const Clause *declared);

/* ---- assign.c ---- */
void assign_attribute(Eval *eval, ExprId expr, const Value *object, Sym name, const Value *value);
void assign(Eval *eval, ExprId target, const Value *value);
void bind_target(Eval *eval, ExprId target, const Value *value);
/* Rebinds the receiver of a mutating call to its result: model.cuda(). */
void assign_back(Eval *eval, ExprId target, const Value *value);

/* ---- attribute.c ---- */
bool call_setter(Eval *eval, ExprId expr, const Alt *instance, Sym name, const Value *value);
const Value *eval_attribute(Eval *eval, ExprId expr, const Value *object, Sym name);
const Value *any_attribute(Eval *eval, const Value *object, ExprId name_expr);
/* The result of `__getattr__` for an attribute that the instance lacks; NULL: it has none, or nothing is known
   of it. */
const Value *asked_attribute(Eval *eval, ExprId expr, const Alt *instance, Sym name);
/* The object whose parameters `self.parameters()` gives, where only a part of the module was moved:
   self.net.to(device). */
Alt holder_of_parts(Eval *eval, const Alt *instance, Sym name);

/* ---- call.c ---- */
const Value *unknown_result(Eval *eval, ExprId expr, const Args *args);
void run_text_methods(Eval *eval, ExprId expr, Text api, const Args *args);
const Value *call_value(Eval *eval, ExprId expr, const Value *callee, const Args *args);
const Value *eval_call(Eval *eval, ExprId expr);
void construct_base(Eval *eval, ExprId expr, const Alt *made, EntryId base, const Args *args);
/* The argument of a collate function: a list of samples of the program's dataset; of an unknown dataset, CPU
   tensors in any structure. */
const Value *dataset_rows(Eval *eval, ExprId expr, const Value *dataset);
const Value *construct(Eval *eval, ExprId expr, EntryId class_entry, const Args *args);

/* ---- expression.c ---- */
const Value *eval_truth(Eval *eval, ExprId expr, Tri *truth); /* its value, after __bool__ was applied */
const Value *eval_expr(Eval *eval, ExprId expr);

/* ---- function.c ---- */
void evaluate_context(Inference *inference, ContextId id, uint32_t depth);
const Value *call_function(Eval *eval, ExprId expr, const Alt *function, const Value *self, const Args *args);

/* ---- item.c ---- */
const Value *eval_subscript(Eval *eval, ExprId expr, const Value *object, ExprId index);
/* an element, as iterating gives it */
const Value *element_of(Eval *eval, ExprId expr, const Value *iterable, bool report);
const Value *position_of(Eval *eval, const Value *tuple, uint32_t position);
/* the element bound to the target of a loop, which differs where the iterable is a dict */
const Value *turn_of(Eval *eval, ExprId target, ExprId iterable, const Value *value, Span loop);
/* Stores `left + right` in a tuple object of the expression; false when left's number of positions is unknown. */
bool join_tuples(Eval *eval, ObjectId into, ExprId right_expr, const Value *left, const Value *right);
const Value *add_to_tuple(Eval *eval, ExprId right_expr, const Value *left, const Value *right);
void use_count(Eval *eval, ExprId expr, const Value *left, const Value *right); /* for left * right */
const Value *taken_apart(Eval *eval, EntryId entry, const Value *value);

/* ---- method.c ---- */
const Value *subclasses_result(Eval *eval, ExprId expr, Sym name, GlobalClass base, const Args *args);
const Value *subclasses_told(Eval *eval, ExprId expr, Sym name, GlobalClass base, const Args *args);
void run_text_method(Eval *eval, ExprId expr, const Alt *alt);
const Value *call_method(Eval *eval, ExprId expr, const Value *receiver, Sym name, const Args *args);
const Value *call_super(Eval *eval, ExprId expr, Sym name, const Args *args);

/* ---- statement.c ---- */
void exec_stmt(Eval *eval, const Stmt *stmt);
void exec_block(Eval *eval, List block);
const Value *made_function(Eval *eval, FuncId id); /* the value of a def or lambda; evaluates its defaults */

#endif
