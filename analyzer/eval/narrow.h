#ifndef SYNCL_NARROW_H
#define SYNCL_NARROW_H
/* Narrowing of values by conditions, types and device names: isinstance, versions, branches that do not run. */
#include "evaluation.h"

/* ---- narrow.c ---- */
uint32_t slot_of(const Eval *eval, ExprId id); /* of a local variable or path; 0 = none */
void refine(Eval *eval, ExprId condition, bool truth);
void refine_having(Eval *eval, ExprId owner, const Value *value, Sym name); /* the attribute was read successfully */

/* ---- side.c ---- */
OffSide off_side(Eval *eval, ExprId condition);
bool is_true_by_default(const Eval *eval, ExprId name);
bool is_choice(Eval *eval, ExprId condition); /* callers choose the branch, for reasons other than devices */
/* Doubts the tensors made in one branch where the other certainly makes something else. */
void doubt_side(Eval *eval, Env *off, const Env *on, uint8_t belief);

/* ---- type.c ---- */
const Value *none_test(Eval *eval, Operator op, const Value *left, const Value *right);
Tri is_of_type(Eval *eval, const Alt *alt, const Value *type); /* the answer of isinstance() */
const Value *type_of(Eval *eval, const Value *value); /* NULL: of bottom */
bool asks_text(Text name);
const Value *that_has(Eval *eval, const Value *receiver, Sym name);

/* ---- version.c ---- */
const Value *version_test(Eval *eval, const Expr *expr, const Value *otherwise);

/* ---- device.c ---- */
/* Whether the program runs on an accelerator other than CUDA, when asked for one by name. */
bool device_other(const Eval *eval);
/* The device that a text such as "cuda:1" or "mps" names; DEVICE_UNKNOWN: none. */
Device device_named(const Eval *eval, Text text);
const Value *device_text(Eval *eval, const Value *beginning);
/* The value, on the device that `# syncl: device=...` states for the statement. */
const Value *contracted(Eval *eval, const Stmt *stmt, const Value *value);
/* of "cpu" or "cuda": likely the GPU, where the run is priced */
const Value *priced_place(Eval *eval, ExprId expr, const Value *value);
/* Takes arguments that are named like GPU numbers for devices: `x.to(args.local_rank)`, `device=gpu_ids[0]`. */
void place_numbers(Eval *eval, Sym callee, Args *args);
/* A module that is never visibly moved, or one of its parameters: it is on the GPU by the time it is used. */
bool is_moved_later(Eval *eval, const Alt *alt);
/* a module contained in the value, as far as it is on the GPU */
const Value *part_of_module(Eval *eval, const Value *value);
const Value *device_truth(Eval *eval, bool truth); /* the answer to whether a GPU is available */
/* The name in `torch.device("cpu")` that a device is compared with; else the value itself. */
const Value *device_literal(Eval *eval, ExprId id, const Value *value);
const Value *device_test(Eval *eval, Operator op, const Value *left, const Value *right);
const Value *moved_with(Eval *eval, const Alt *owner, const Value *kept); /* what a graph or batch contains */
bool is_outvoted(Eval *eval, const Value *model, const Value *args);

#endif
