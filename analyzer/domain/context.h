#ifndef SYNCL_CONTEXT_H
#define SYNCL_CONTEXT_H
/* Contexts: a function with a tuple of abstract arguments, at most CONTEXTS_A_FUNCTION of them for a function
   (more for a short one); further ones are joined into a few. A context records what its last evaluation found:
   facts, effects, call edges, uses of time points. Owned by Inference.arena. */
#include "store.h"

typedef struct Args Args;

enum {
    CONTEXTS_A_FUNCTION = 4,
    CONTEXTS_GIVEN_FUNCTIONS = 24,
    CONTEXTS_OF_A_HELPER = 48,
    CONTEXTS_SHARED = 4,
    HELPER_EXPRS = 40,
    CLOSURES_DEEP = 3,
    EVALUATIONS_A_CONTEXT = 100, /* more than any takes: a bound, should one never come to rest */
    CALL_DEPTH = 40
};

/* Which operation at an expression an effect belongs to: its own, or a protocol by which its value is used. `if
   x[m]:` first indexes (OWN), then asks for the truth value (USE). */
typedef enum EffectRole { EFFECT_OWN, EFFECT_USE, EFFECT_ROLES } EffectRole;

/* What an operation says about the order of events, besides waiting: bits of EffectRecord.says. */
enum {
    SAYS_CLOCK = 1,       /* reads a host clock */
    SAYS_FENCE = 2,       /* everything queued before it is done after it; an operation that waits is a fence too */
    SAYS_STALE = 4,       /* subject: a copy that is still under way */
    SAYS_ORDERS = 8,      /* subject: the stream that the GPU waits for, or SUBJECT_ALL */
    SAYS_KEEPS = 16,      /* subject: a tensor whose memory stays allocated (record_stream) */
    SAYS_STREAM = 32,     /* a `with` over it runs its body on the stream `subject` */
    SAYS_CAPTURE = 64,    /* a `with` over it captures its body into a CUDA graph */
    SAYS_BREAKS = 128,    /* ends a graph capture, though it does not wait */
    SAYS_SURVIVES = 256,  /* can be captured like any other work, though it waits otherwise */
    SAYS_FOUND = 512,     /* the call itself is the finding, whether or not it waits */
    SAYS_ANYWHERE = 1024, /* with SAYS_FOUND: wherever it stands, in setup code too */
    SAYS_MINOR = 4096,    /* with SAYS_FOUND: reported as a note */
    SAYS_PROFILED = 2048, /* a `with` over it profiles its body */
    SAYS_ASIDE = 8192,    /* the fence serves other processes or memory: it does not make a clock reading right */
    SAYS_MARKS = 32768,    /* records an event into the queue */
    SAYS_PERHAPS = 16384,  /* a wait too unlikely to report; but no clock read after it is called wrong either */
};

#define SUBJECT_ALL UINT32_MAX /* subject of SAYS_ORDERS: every stream */

/* What an operation costs each time it runs. Equal costs are stored once: a program has a few hundred of them. */
typedef struct EffectCost {
    double waits, backward_waits, launches, backward_launches;
    Text host_quantity;
    double host_count;
} EffectCost;

typedef struct EffectRecord {
    ExprId expr;
    uint32_t next; /* index of the next record of the same expression and role; 0 = last */
    ClauseId clause;
    EntryId entry;
    HazardId hazard;    /* 0 = no hazard: it only launches, or says something of the order of events */
    uint16_t says;      /* SAYS_ bits */
    uint8_t need;       /* Need as stated on the page */
    bool optimizer_step : 1, backward_pass : 1, matmul : 1, to_device : 1, copies : 1, setup : 1;
    bool busies_host : 1, clears_gradients : 1;
    bool doubted : 1;  /* the receiver may also be something that does not wait */
    bool converts : 1; /* explicitly makes a number of what may be a tensor: float(x) */
    uint32_t pass;    /* which pass of nn.Sequential through its parts made it: equal records of different passes
                         add up; 0 = none */
    OriginId origin;  /* why the value is believed to be on the GPU */
    ObjectId subject; /* the object of a time point that `says` is about */
    Evidence evidence; /* evidence from the operation itself; BELIEVED and GUESSED: what its wait rests on */
    const EffectCost *cost;
} EffectRecord;

/* A place whose time matters later: where a clock is read, a copy is started, a stream is made. Values that
   come from it carry its object. */
typedef enum PointKind { POINT_CLOCK, POINT_STALE, POINT_STREAM, POINT_KINDS } PointKind;

typedef struct TimePoint {
    uint8_t kind;
    FileId file;
    ExprId expr;
    ObjectId object;
} TimePoint;

/* A place where time points meet: two clock readings are subtracted, a copy is read, a tensor of one stream is
   used on another. */
typedef struct Use {
    ExprId expr;
    uint8_t kind;  /* PointKind of `of` */
    ObjectId of;   /* the point; of two clock readings the later one */
    ObjectId from; /* of two clock readings the earlier one; else 0 */
} Use;

typedef enum CallRate {
    RATE_CALL,
    RATE_ONCE,
    RATE_STEP,
    RATE_EPOCH,
    RATE_EVALUATION,
    RATE_FORWARD,
    RATE_WORKER
} CallRate;

typedef struct CallEdge {
    ExprId expr;
    ContextId callee;
    uint8_t rate;    /* RATE_CALL: called here; others: registered here and called by a framework at that rate */
    bool guessed;    /* the receiver is unknown: the callee was chosen by the method's name alone */
    uint16_t graphs; /* ALT_CAPTURED and ALT_COMPILED of the callee */
    uint32_t pass;   /* as in EffectRecord */
    uint32_t at;     /* Context.executed at the last call */
    double times;    /* how many equal parts this one edge stands for */
} CallEdge;

/* Hash entry: the first record of an expression in a role. */
typedef struct EffectHead {
    uint32_t of;   /* expr * EFFECT_ROLES + role; 0 = free */
    uint32_t head; /* index in Context.effects; 0 = none left */
} EffectHead;

/* Hash entry: the first object that an expression made. */
typedef struct Made {
    ExprId expr; /* 0 = free */
    ObjectId object;
} Made;

typedef struct Context {
    FileId file;
    FuncId func;       /* id within the file */
    ExprId first_expr; /* of the function */
    uint32_t exprs;    /* number of its expressions */
    ContextId closure; /* for a nested function: the context that defines it, whose variables it sees; 0 = any */
    uint32_t arg_count;
    const Value **args; /* one a parameter; NULL = not given, so its default; joined in a context that calls share */
    SlotId returns, yields;
    const Values *values;
    ValueRef *facts;           /* [expr - func.first_expr]: the value of each expression: see infer_fact, set_fact */
    Made *made;                /* hash table of objects by expression, see store.c */
    uint32_t made_room, made_count;
    bool makes;                /* `made` is used; else its objects are in Inference.store_map */
    EffectHead *effect_heads;  /* hash table of effects by expression and role, see effects_at */
    uint32_t effect_room, effect_count; /* of effect_heads: capacity (0 or a power of two), entries in use */
    VEC(EffectRecord) effects; /* items[0] unused */
    VEC(CallEdge) edges;
    uint32_t *edge_slots; /* hash table by expression and callee: index in `edges` + 1; covers the first
                             edges_hashed edges */
    uint32_t edge_room, edges_hashed;
    VEC(ExprId) unseen; /* calls of unknown callees that could be a model */
    VEC(Use) uses;
    uint32_t evaluations, passes;
    uint32_t executed; /* statements executed so far, counting each iteration of a loop */
    EvaluationId evaluation; /* id of the last evaluation */
    EvaluationId reader;     /* the reader under which slots are listed now: of the evaluation, or of one of its
                                steps (memo.c) */
    struct Memo *memo;       /* memo of the last evaluation; NULL = none */
    uint32_t ended_at; /* index in Inference.ended */
    uint32_t callers; /* call edges that lead here in the latest evaluations of the callers */
    bool evaluating, ended, dirty, merged, met_bottom, met_unknown;
    bool cut_short; /* a nest of loops in it reached its bound of iterations before a fixpoint */
    bool takes_tensor; /* for a root: some argument is likely a GPU tensor */
    bool takes_array;  /* for a root: some argument is a host array or image, so it prepares data */
    bool takes_parts;  /* for a root: it is a method, or gets a module or an optimizer */
    uint8_t root;            /* 0 = called by the program; else 1 + CallRate at which a framework or unseen code
                                calls it */
} Context;

/* The fields that a search for an equal context compares. */
typedef struct ContextLink {
    ContextId next; /* next context of the same function; 0 = last */
    ContextId closure;
    uint32_t args_hash; /* hash of the arguments without their provenance */
    bool merged;
} ContextLink;

typedef struct StepCounts {
    uint16_t effects, edges, unseen, uses;
} StepCounts;

/* A cursor over the results of a context's last evaluation, from which memoised steps are taken over in order. */
typedef struct Kept {
    const EffectRecord *effects;
    const EffectHead *heads;
    uint32_t head_room, at; /* at: index of the next effect */
    const CallEdge *edges;  /* the next edge; likewise below */
    const ExprId *unseen;
    const Use *uses;
} Kept;

/* ---- context.c ---- */
bool context_is_live(const Context *context);
void context_reset(const Inference *inference, Context *context, bool again);
Arena *scratch_take(Inference *inference);
void scratch_free(Inference *inference);
const Value *infer_fact(const Context *context, const FileModel *model, ExprId expr);
static inline void set_fact(Context *context, ExprId expr, const Value *value) {
    context->facts[expr - context->first_expr] = value_ref(value);
}
GlobalFunc global_func(const Inference *inference, FileId file, FuncId func);
/* The value of a name that the program defines but nothing has assigned yet: bottom in the first phase, unknown
   in the second (Inference.bottom_is_unknown). */
const Value *not_yet(Eval *eval);
SlotId captured_slot(Eval *eval, FuncId func, uint32_t slot); /* the slot of an enclosing function's variable */
ContextId context_for(Eval *eval, FileId file, FuncId func, ContextId closure, const Value **args);
void add_edge(Eval *eval, ExprId expr, ContextId callee, CallRate rate);

/* ---- effect_record.c ---- */
/* Index in Context.effects of the first record of an expression in a role; 0 = none. */
uint32_t effects_at(const Context *context, ExprId expr, EffectRole role);
void effects_clear(Eval *eval, ExprId expr, EffectRole role);
void effects_reset(Context *context);
/* How sure the wait is by its clause's match and by how the operation asks for a tensor, before anything is known of
   how the line is reached: what the order of events goes by. */
Confidence effect_confidence(const EffectRecord *record);
/* Moves the records of all contexts into the inference's arena, without the room that none took. */
void effects_settle(const Inference *inference);
/* Adds a record with that cost; merged into an existing record of the same expression and role that says the
   same. */
void effects_add(Eval *eval, EffectRole role, EffectRecord record, EffectCost cost);
void kept_open(Kept *self, Arena *scratch, const Context *context);
void kept_pass(Kept *self, const StepCounts *counts);
void kept_take(Inference *inference, Context *context, Kept *self, const StepCounts *counts);

#endif
