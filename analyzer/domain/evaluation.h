#ifndef SYNCL_EVALUATION_H
#define SYNCL_EVALUATION_H
/* The state of one evaluation of one context, and the arguments of a call under way. Lives in scratch memory; nothing of
   it outlives the evaluation. */
#include "env.h"
#include "inference.h"

typedef struct LoopFrame {
    struct LoopFrame *outer;
    Env *broken; /* joined environments at `break`, NULL = none */
    Env *continued;
    bool first; /* the first turn: what a later statement gives a variable is not there yet, */
    bool early; /* and was read */
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
    uint32_t first_path; /* the first slot that is one of `a.b`, `a["k"]`; 0 = none */
    bool reachable;
    LoopFrame *loops;
    Env **heads; /* [loop of the function]: the environment at its head, as it was left last; NULL = not come to yet */
    uint32_t turns, turns_most; /* of the nest of loops that is walked now, all its loops together */
    Env *raised; /* joined environments that a handler may see; NULL outside try */
    uint32_t depth;       /* of calls */
    uint32_t nesting; /* of calls and iterations within this context: objects may call and iterate themselves */
    uint32_t nested_calls; /* made below the outermost of them: containers of callables branch */
    bool shared;           /* writes to variables also go to the store: nested functions or module scope */
    const FlowGraph *graph; /* of the function */
    const uint32_t *use;   /* [slot]: how the function uses each variable, see use.c */
    uint8_t rate;          /* CallRate of the calls made now */
    bool guessed;          /* ... are of what only the method's name tells */
    bool together;         /* arguments that are here or there are all on the GPU */
    bool fetched;          /* the receiver is asked for with .cpu(): what is here or there is there */
    uint16_t graphs;       /* ALT_CAPTURED, ALT_COMPILED of what is called now */
    ObjectId stream; /* of the `with torch.cuda.stream(s)` around, when s is a stream that the program makes */
    bool muted;      /* what waits here is not told */
    uint8_t on_cuda; /* within `with torch.device("cuda"):` */
    uint32_t pass;   /* through the parts of nn.Sequential; 0 = none */
    double times;    /* that many parts are called by the call made now; 0 = one */
    bool fails;      /* the statement raises an exception for sure */
    bool unpacks;    /* it names the parts of what a variable holds: `height, width = sizes` */
    bool unseen;     /* the receiver may be something that is not known: nothing is certain of it */
    bool apart;      /* the receiver is a tensor here or one there: nothing is certain of it */
    const Alt *keeper; /* whose attribute is asked for: what a page says that it holds it goes on holding */
    bool doubt;      /* the receiver may be something else that would not wait */
    ExprId promised; /* a call that an annotation says makes an instance of this class: `x: Policy = make(...)` */
    const Value *promised_class;
} Eval;

enum { ARGUMENTS = 32, NESTING = 24, NESTED_CALLS = 300 };

typedef struct Args {
    const Value *values[ARGUMENTS];
    ExprId exprs[ARGUMENTS];
    uint32_t count;
    Sym names[ARGUMENTS]; /* keywords */
    const Value *named[ARGUMENTS];
    ExprId named_exprs[ARGUMENTS];
    uint32_t named_count;
    bool star, double_star; /* more of unknown number or name follow */
    bool bottom;            /* some argument has no value yet: the call is not reached */
    const Value *star_value, *double_star_value;
    uint32_t star_length; /* values in star_value; 0 = unknown */
    ExprId receiver_expr; /* `model` in model.cuda(): what a mutating call rebinds; 0 = no name for it */
} Args;

typedef struct ItemDoubt {
    bool doubt, unseen;
} ItemDoubt;

/* The side of a branch that does not run as things are, and how sure a tensor can be that it alone makes. */
typedef struct OffSide {
    Tri off; /* YES: the body, NO: what else; unknown: neither */
    Confidence most;
} OffSide;

/* Where a tensor or module is made that names no device. */
static inline Device default_device(const Eval *eval) {
    return is_default_cuda(eval->inference, eval->file_id) || eval->on_cuda ? DEVICE_CUDA : DEVICE_CPU;
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
