#ifndef SYNCL_BELIEF_H
#define SYNCL_BELIEF_H
/* How far a value or a wait is believed: conventions of names and uses, and the doubts that lower a finding's level. */
#include "clause.h"

/* ---- doubt.c ---- */
bool device_of_tensor(const Eval *eval, ExprId id);        /* `x.device`: where the data is */
bool trained_with(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* `if a > b:`, `range(n)`, f"{x}": what Python does with numbers and texts too. */
bool reads_plainly(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* Of what is read plainly: what waits is surely a tensor, wherever it is. */
bool reads_computed(Eval *eval, const EffectRecord *made, const Bound *bound);
/* Anything is printed: what may also be something unknown is only perhaps a tensor there. */
bool prints_unknown(Eval *eval, HazardId hazard, const Bound *bound);
bool asked_as_tensor(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* A number's work done with what is only believed to be a tensor. */
bool believed_number(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* A finding that is only possible, and of a kind that is less often there than not. */
bool hardly_waits(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);

/* ---- convention.c ---- */
OriginId origin_at(Eval *eval, OriginKind kind, Span span, Confidence confidence);
const Value *tensors_on_host(Eval *eval, const Value *value);
const Value *narrowed_by_use(Eval *eval, uint32_t slot, const Value *value, Span span);
const Value *likely_tensor(Eval *eval, Span span, uint8_t flags);
const Value *likely_object(Eval *eval, EntryId entry, Span span, bool on_gpu);
const Value *loader_by_name(Eval *eval, ExprId id, const Value *value);
const Value *named_parameter(Eval *eval, Text name, uint32_t use, Span span);
const Value *masked_by_name(Eval *eval, ExprId index_expr, const Value *index);
bool is_constructor(const Eval *eval);
bool names_settings(Text name);
bool names_host(const Eval *eval, const Param *param);
/* Whether a framework calls this method, how often, and which clause declares its parameters. */
bool framework_calls(Inference *inference, GlobalClass class_id, Sym method, CallRate *rate,
                     const Clause **declared);

#endif
