#ifndef SYNCL_CONSTRUCT_H
#define SYNCL_CONSTRUCT_H
/* Making instances, loaders, custom operations and class hierarchies, as far as no call must be evaluated for
   it. */
#include "conventions.h"
#include "evaluation.h"

enum { FEW = VALUE_ALTS, DEFINERS = 40 };

typedef struct Definer {
    Sym name;
    GlobalClass class_id;
} Definer;

typedef struct Edge {
    GlobalClass class_id;
    uint32_t next;
} Edge;

struct Methods {
    Definer *definers; /* sorted by name */
    uint32_t count;
    bool *taken; /* [Sym]: some stub class has a method of that name */
    uint32_t taken_count;
    uint32_t *child; /* [GlobalClass]: index in `edges` of its first direct subclass; 0 = none */
    VEC(Edge) edges; /* items[0] unused */
};

typedef struct Below {
    Sym name;
    GlobalClass items[DEFINERS];
    uint32_t count, seen;
    bool many;
} Below;

/* How the rows of a loader are collated: the number of the objects made, and the tensor that stands for an
   unknown one. */
typedef struct Collating {
    ExprId expr;
    PartOf number;
    const Value *tensor;
} Collating;

/* ---- family.c ---- */
struct Methods *infer_methods(Inference *inference);
void link_subclasses(Inference *inference);
const Value *subclass_instance(Eval *eval, ExprId expr, GlobalClass id);
uint32_t first_definer(const struct Methods *methods, Sym name, GlobalClass from);
bool method_named(const Inference *inference, Sym name); /* some class of the program has a method of that name */
void subclasses_below(const struct Methods *methods, GlobalClass id, uint32_t depth, Below *below);
bool subclass_is_told(const Value *value);
const Value *kept_by_subclasses(Eval *eval, const Alt *instance, Sym name);
bool filled_by_subclasses(const Eval *eval, const SourceFile *file, const Func *func);
bool left_open(Eval *eval, const FileModel *model, const Func *func, Sym name, const Value *self);
const Value *guessed_receiver(Eval *eval, ExprId expr, Sym name); /* NULL = no particular class */

/* ---- operation.c ---- */
/* torch.autograd.Function: `apply` of a subclass (NULL = its forward is unknown), the contents of its context,
   and whether a method's first parameter is that context. */
bool is_operation(Inference *inference, GlobalClass class_id);
bool operation_method(Inference *inference, GlobalClass class_id, Sym name, Alt *out);
bool operation_has_setup(Inference *inference, GlobalClass class_id, Alt *setup);
bool takes_context(Inference *inference, GlobalClass class_id, Sym method);
const Value *operation_context(Eval *eval, GlobalClass class_id);
const Value *save_for_backward(Eval *eval, const Alt *context, const Args *args);

/* ---- construct.c ---- */
void fill_dataclass(Eval *eval, const Alt *made, const Args *args);
void place_optimizer(Eval *eval, ExprId expr, const Args *args, Alt *optimizer);
bool is_plain_dict(Inference *inference, GlobalClass class_id);
void note_options(Eval *eval, const Args *args, Alt *alt);
const Value *instance_placed(Eval *eval, Alt made);
bool loader_in_process(Eval *eval, const Args *args);
const Value *collated_batch(Eval *eval, const Collating *how, const Value *value, uint32_t path);
const Value *batch_tensor(Eval *eval, uint8_t pinned, uint16_t flags);
const Value *loader_argument(Eval *eval, const Args *args, Named named, uint32_t position);
bool items_all_on_gpu(const Value *value);

#endif
