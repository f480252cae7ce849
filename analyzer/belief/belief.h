#ifndef SYNCL_BELIEF_H
#define SYNCL_BELIEF_H
/* Beliefs about a value by conventions of names and uses, and evidence from how an operation uses a value, from
   which confidence.def computes a finding's level. Works on the values of the current evaluation. Cannot fail. */
#include "clause.h"

/* ---- doubt.c ---- */
bool device_of_tensor(const Eval *eval, ExprId id);        /* `x.device`: where the data is */
/* The function itself calls backward(), and reads or sends the value by a method that only tensors have:
   `loss.item()`. */
bool trained_with(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* The operation works for numbers and strings too, so the value may be one: `if a > b:`, `range(n)`, f"{x}". */
bool reads_plainly(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* The same, but the value is computed as only tensors are, so it is one, on whichever device: `if x.norm() >
   1:`. */
bool reads_computed(Eval *eval, const EffectRecord *made, const Bound *bound);
/* The value is printed and may also be unknown. Anything can be printed, so that it is a tensor is a guess:
   `print(stats)`. */
bool prints_unknown(Eval *eval, HazardId hazard, const Bound *bound);
/* The value may be something else, but is used as only tensors are, so it most likely is one: `(x > 0).any()`. */
bool asked_as_tensor(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* The value is believed to be a tensor, but used where a number is expected, so it most likely is a number:
   `x[:size]`. */
bool believed_number(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* The wait depends on an unknown property of one operand. Fewer than half of such places wait, so it is no
   finding: `a + b` where nothing says that b is on the CPU. */
bool hardly_waits(Eval *eval, const EffectRecord *made, const Bound *bound);
/* The value may be something else, the operation works for numbers too, and no tensor computation gave it:
   `if tolerance > 0:`. That is evidence against a wait, and no more. */
bool perhaps_number(Eval *eval, const EffectRecord *made, EffectRole role);

/* ---- convention.c ---- */
const Value *tensors_on_host(Eval *eval, const Value *value);
const Value *narrowed_by_use(Eval *eval, uint32_t slot, const Value *value, Span span);
const Value *likely_tensor(Eval *eval, Span span, uint8_t flags);
const Value *likely_object(Eval *eval, EntryId entry, Span span, bool on_gpu);
const Value *loader_by_name(Eval *eval, ExprId id, const Value *value);
const Value *module_by_method(Eval *eval, const Value *object, Text method, Span span);
const Value *named_parameter(Eval *eval, Text name, uint32_t use, Span span);
const Value *masked_by_name(Eval *eval, ExprId index_expr, const Value *index);
bool is_constructor(const Eval *eval);
bool names_host(const Eval *eval, const Param *param);
/* Whether a framework calls this method; then *rate says how often, *declared which clause declares its
   parameters. */
bool framework_calls(Inference *inference, GlobalClass class_id, Sym method, CallRate *rate,
                     const Clause **declared);

#endif
