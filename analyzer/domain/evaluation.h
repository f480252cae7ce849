#ifndef SYNCL_EVALUATION_H
#define SYNCL_EVALUATION_H
/* The state of one evaluation of one context, and the arguments of a call under way. Lives in scratch memory
   and does not outlive the evaluation. */
#include "env.h"
#include "inference.h"

typedef struct LoopFrame {
    struct LoopFrame *outer;
    Env *broken; /* join of the environments at each `break`; NULL = none yet */
    Env *continued;
    bool first; /* in the first iteration: variables that later statements of the body bind may be unbound still */
    bool early; /* such a variable was read */
} LoopFrame;

typedef struct Eval {
    Inference *inference;
    ContextId id;
    Context *context;
    const SourceFile *file;
    FileId file_id;
    const FileModel *model;
    const Func *func;
    FuncId func_id;
    Arena *scratch;      /* environments; gone when the evaluation ends */
    Env *env;
    uint32_t first_path; /* first slot that is a path (`a.b`, `a["k"]`); 0 = none */
    bool reachable;
    LoopFrame *loops;
    Env **heads; /* [loop of the function]: environment at its head when it was last left; NULL = not reached yet */
    uint32_t turns, turns_most; /* iterations used by the current nest of loops, all its loops together, and their
                                   bound */
    Env *raised; /* join of the environments that an exception handler may see; NULL outside of try */
    uint32_t depth;       /* depth of calls from context to context */
    uint32_t nesting; /* depth of calls and iterations within this context (objects may call and iterate themselves) */
    uint32_t nested_calls; /* number of them below the outermost one; bounds the branching of containers of callables */
    bool shared;           /* variables are written to the store as well, for nested functions or as module variables */
    const FlowGraph *graph; /* flow graph of the function */
    const uint32_t *use;   /* [slot]: how the function uses the variable, see use.c */
    uint8_t rate;          /* CallRate of the calls being made */
    bool guessed;          /* their callee is chosen by the method's name alone */
    bool together;         /* arguments that may be on either device are correlated: take all of them to be on the
                              GPU */
    bool fetched;          /* the receiver is asked for by .cpu() or the like: if it may be on either device, take
                              it to be on the GPU */
    uint16_t graphs;       /* ALT_CAPTURED and ALT_COMPILED of the callee */
    ObjectId stream; /* stream of the enclosing `with torch.cuda.stream(s)`, where the program makes s; else 0 */
    bool muted;      /* waits are not recorded here */
    uint8_t on_cuda; /* inside `with torch.device("cuda"):` */
    uint32_t pass;   /* current pass through the parts of nn.Sequential; 0 = none */
    double times;    /* number of equal parts that the current call stands for; 0 = one */
    bool chosen;     /* in a branch that some callers choose */
    bool fails;      /* the current statement certainly raises an exception */
    bool unpacks;    /* the current statement unpacks what a variable holds: `height, width = sizes` */
    bool unseen;     /* the receiver may also be unknown, so nothing is certain of it */
    bool apart;      /* the receiver may be a tensor on either device, so nothing is certain of it */
    const Alt *keeper; /* object whose stub attribute is being read: a container that the stub declares there is one
                          object, kept by it */
    bool doubt;      /* the receiver may also be something that would not wait */
    ExprId promised; /* a call whose result an annotation declares to be of promised_class: `x: Policy = make(...)` */
    const Value *promised_class;
} Eval;

enum { ARGUMENTS = 32, NESTING = 24, NESTED_CALLS = 300 };

typedef struct Args {
    const Value *values[ARGUMENTS];
    ExprId exprs[ARGUMENTS];
    uint32_t count;
    Sym names[ARGUMENTS]; /* keyword arguments */
    const Value *named[ARGUMENTS];
    ExprId named_exprs[ARGUMENTS];
    uint32_t named_count;
    bool star, double_star; /* a *args or **kwargs of unknown length follows */
    bool bottom;            /* some argument is bottom, so the call is not reached */
    const Value *star_value, *double_star_value;
    uint32_t star_length; /* number of values in star_value; 0 = unknown */
    ExprId receiver_expr; /* the receiver's expression, e.g. `model` in model.cuda(), which a mutating call rebinds;
                             0 = it has no name */
} Args;

typedef struct ItemDoubt {
    bool doubt, unseen;
} ItemDoubt;

/* A branch that does not run in the run that is priced (e.g. the one without a GPU), and what a
   tensor that is made only there rests on. */
typedef struct OffSide {
    Tri off; /* YES: the body does not run; NO: the else branch does not; UNKNOWN: both may */
    uint8_t belief;
} OffSide;

/* The device of a tensor or module made without naming one. */
static inline Device default_device(const Eval *eval) {
    return is_default_cuda(eval->inference, eval->file_id) || eval->on_cuda ? DEVICE_CUDA : DEVICE_CPU;
}

/* An origin in the file that is being evaluated; it begins a chain. */
static inline OriginId origin_at(Eval *eval, OriginKind kind, Span span) {
    return origin_add(&eval->inference->values,
                      (Origin){.kind = (uint8_t)kind, .file = eval->file_id, .span = span});
}

/* An origin at an expression, concluded from `parent`; 0 = it begins a chain. */
static inline OriginId origin_of(Eval *eval, OriginKind kind, ExprId expr, OriginId parent) {
    return origin_add(&eval->inference->values, (Origin){.kind = (uint8_t)kind,
                                                         .file = eval->file_id,
                                                         .span = eval->model->exprs.items[expr].span,
                                                         .parent = parent});
}

static inline const Value *kind_value(Eval *eval, Kind kind) {
    return value_kind(&eval->inference->values, kind);
}

static inline const Value *join_values(Eval *eval, const Value *a, const Value *b) {
    return value_either(&eval->inference->values, a, b);
}

static inline Text sym_text(const Eval *eval, Sym name) {
    return names_text(&eval->inference->program->names, name);
}

static inline Sym sym_of(const Eval *eval, NameId name) { return name ? eval->file->syms[name] : 0; }

#endif
