#ifndef SYNCL_NARROW_H
#define SYNCL_NARROW_H
/* What a condition, a type or a device name says of a value: narrowing, isinstance, versions, sides of branches. */
#include "evaluation.h"

/* ---- narrow.c ---- */
uint32_t slot_of(const Eval *eval, ExprId id); /* of a local name or path, 0 = none */
void refine(Eval *eval, ExprId condition, bool truth);
void refine_having(Eval *eval, ExprId owner, const Value *value, Sym name); /* it was asked for that attribute */

/* ---- side.c ---- */
OffSide off_side(Eval *eval, ExprId condition);
/* Tensors of the one side where the other makes something else for sure. */
void doubt_side(Eval *eval, Env *off, const Env *on, Confidence most);

/* ---- type.c ---- */
const Value *none_test(Eval *eval, Operator op, const Value *left, const Value *right);
Tri is_of_type(Eval *eval, const Alt *alt, const Value *type); /* as isinstance() answers */
const Value *type_of(Eval *eval, const Value *value); /* NULL: of nothing yet */
bool asks_text(Text name);
const Value *that_has(Eval *eval, const Value *receiver, Sym name);

/* ---- version.c ---- */
const Value *version_test(Eval *eval, const Expr *expr, const Value *otherwise);

/* ---- device.c ---- */
/* An accelerator other than CUDA is asked for by name: whether it is the one that the program runs on. */
bool device_other(const Eval *eval);
/* Where text such as "cuda:1" or "mps" means; DEVICE_UNKNOWN: it is no device's name. */
Device device_named(const Eval *eval, Text text);
const Value *device_text(Eval *eval, const Value *beginning);
/* A value where `# syncl: device=...` on the statement says that it is. */
const Value *contracted(Eval *eval, const Stmt *stmt, const Value *value);
const Value *priced_place(Eval *eval, ExprId expr, const Value *value); /* of "cpu" and "cuda": the GPU, likely */
/* `x.to(args.local_rank)`, `device=gpu_ids[0]`: arguments that are called as the numbers of GPUs are. */
void place_numbers(Eval *eval, Sym callee, Args *args);
/* A module that was made and not moved in sight, or a parameter of one: on the GPU by the time somebody asks. */
bool is_moved_later(Eval *eval, const Alt *alt);
const Value *part_of_module(Eval *eval, const Value *value); /* some module in it, as far as it is on the GPU */
const Value *device_truth(Eval *eval, bool truth); /* an answer to whether a GPU is there */
/* The name in `torch.device("cpu")`, which a device is compared with; else what it is. */
const Value *device_literal(Eval *eval, ExprId id, const Value *value);
const Value *device_test(Eval *eval, Operator op, const Value *left, const Value *right);
const Value *moved_with(Eval *eval, const Alt *owner, const Value *kept); /* what a graph or a batch holds */
bool is_outvoted(Eval *eval, const Value *model, const Value *args);

#endif
