#ifndef SYNCL_CONTEXT_H
#define SYNCL_CONTEXT_H
/* Contexts: a function per tuple of abstract arguments (at most 4 a function, more of a short one, then joined), and what
   one evaluation of it records: facts, effects, call edges, uses of time points. Owned by Inference.arena. */
#include "store.h"

typedef struct Args Args;

enum {
    CONTEXTS_A_FUNCTION = 4,
    CONTEXTS_GIVEN_FUNCTIONS = 24,
    CONTEXTS_OF_A_HELPER = 48,
    HELPER_EXPRS = 40,
    CLOSURES_DEEP = 3,
    EVALUATIONS_A_CONTEXT = 12,
    CALL_DEPTH = 40
};

/* What an operation at an expression does besides giving a value. An expression may be an operation of its own
   and be used by a protocol as well: `if x[m]:` indexes and then asks for truth. */
typedef enum EffectRole { EFFECT_OWN, EFFECT_USE, EFFECT_ROLES } EffectRole;

/* What an operation says about the order of things, beside waiting. */
enum {
    SAYS_CLOCK = 1,       /* reads a host clock */
    SAYS_FENCE = 2,       /* everything queued is done afterwards; what waits is one as well */
    SAYS_STALE = 4,       /* subject: a copy under way */
    SAYS_ORDERS = 8,      /* subject: the stream that is waited for on the GPU; 0 = all */
    SAYS_KEEPS = 16,      /* subject: the tensor whose memory is kept */
    SAYS_STREAM = 32,     /* a `with` over it runs on the stream subject */
    SAYS_CAPTURE = 64,    /* a `with` over it is captured into a CUDA graph */
    SAYS_BREAKS = 128,    /* ends a capture, though it does not wait */
    SAYS_SURVIVES = 256,  /* captured like any other work, though it waits otherwise */
    SAYS_FOUND = 512,     /* the call itself is the finding */
    SAYS_ANYWHERE = 1024, /* ... wherever it stands */
    SAYS_MINOR = 4096,    /* ... as a note */
    SAYS_PROFILED = 2048, /* a `with` over it records all that runs */
    SAYS_ASIDE = 8192,    /* the fence is there for other processes, or for memory: for no clock */
    SAYS_MARKS = 32768,    /* an event stands in the queue from here on */
    SAYS_PERHAPS = 16384,  /* it may wait, but hardly: not told, and no clock behind it is called wrong */
};

#define SUBJECT_ALL UINT32_MAX /* of SAYS_ORDERS: every stream */

typedef struct EffectRecord {
    ExprId expr;
    uint32_t next; /* next record of the same expression and role; 0 = last */
    ClauseId clause;
    EntryId entry;
    HazardId hazard;    /* 0 = launches and marks only */
    uint16_t says;      /* SAYS_... */
    uint8_t confidence; /* Confidence; 0 = would wait if an unknown were on the GPU */
    uint8_t need;       /* Need as stated on the page */
    bool optimizer_step, backward_pass, matmul, to_device, copies, setup;
    bool busies_host;
    bool converts; /* makes a number of what may be a tensor, in so many words: float(x) */
    Evidence evidence; /* what the operation itself says */
    uint32_t pass;    /* of nn.Sequential through its parts: alike ones add up; 0 = none */
    OriginId origin;  /* why the value is on the GPU */
    ObjectId subject; /* of what it says: the object of a point */
    double waits, backward_waits, launches, backward_launches;
    Text host_quantity;
    double host_count;
} EffectRecord;

/* A place whose time matters later: a reading of a clock, a copy under way, a stream's making. The values that come
   from there carry its object. */
typedef enum PointKind { POINT_CLOCK, POINT_STALE, POINT_STREAM, POINT_KINDS } PointKind;

typedef struct TimePoint {
    uint8_t kind;
    FileId file;
    ExprId expr;
    ObjectId object;
} TimePoint;

/* A place where time points meet: two readings subtracted, a copy read, a tensor of one stream used. */
typedef struct Use {
    ExprId expr;
    uint8_t kind;  /* PointKind of `of` */
    ObjectId of;   /* the point; of two readings the later one */
    ObjectId from; /* of two readings the earlier one */
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
    uint8_t rate;    /* RATE_CALL: runs here; others: registered here, run by a framework */
    bool guessed;    /* of a method whose receiver only the method's name tells */
    uint16_t graphs; /* ALT_CAPTURED, ALT_COMPILED of what was called */
    uint32_t pass;   /* as in EffectRecord */
    uint32_t at;     /* Context.executed when it was called last */
    double times;    /* that many parts are called alike */
} CallEdge;

/* The first record of an expression in a role. */
typedef struct EffectHead {
    uint32_t of;   /* expr * EFFECT_ROLES + role; 0 = free */
    uint32_t head; /* index of Context.effects; 0 = none any more */
} EffectHead;

/* The first object that an expression made. */
typedef struct Made {
    ExprId expr; /* 0 = free */
    ObjectId object;
} Made;

typedef struct Context {
    FileId file;
    FuncId func;       /* local to the file */
    ExprId first_expr; /* of the function */
    uint32_t exprs;    /* from there on */
    ContextId closure; /* in which a nested function was made: whose variables it sees; 0 = any */
    uint32_t arg_count;
    const Value **args; /* one a parameter, NULL = the default or not given */
    SlotId returns, yields;
    const Value **facts;       /* facts[expr - func.first_expr] */
    Made *made;                /* by hash, see store.c; of few expressions */
    uint32_t made_room, made_count;
    bool makes;                /* else what it makes is in the map */
    EffectHead *effect_heads;  /* by hash, see effects_at; few expressions have any */
    uint32_t effect_room, effect_count; /* of effect_heads: 0 or a power of two, those taken */
    VEC(EffectRecord) effects; /* items[0] unused */
    VEC(CallEdge) edges;
    uint32_t *edge_slots; /* by hash of expression and callee: index + 1 of `edges`, of the first edges_hashed of them */
    uint32_t edge_room, edges_hashed;
    VEC(ExprId) unseen; /* calls of something that could be a model, not followed */
    VEC(Use) uses;
    uint32_t evaluations, passes;
    uint32_t executed; /* statements, each round of a loop anew */
    EvaluationId evaluation; /* the last one */
    EvaluationId reader;     /* what it reads now is listed under; of a step, see memo.c, one of its own */
    struct Memo *memo;       /* of that evaluation; NULL = none */
    uint32_t ended_at; /* index of Inference.ended */
    uint32_t callers; /* edges that lead here from what was evaluated last */
    bool evaluating, ended, dirty, merged, met_bottom, met_unknown;
    bool cut_short; /* a nest of loops in it took all the turns that it may take */
    bool takes_tensor; /* of a root: some argument is a GPU tensor, likely at least */
    bool takes_array;  /* ... some is an array or an image of the host's: what prepares data */
    bool takes_parts;  /* of a root: a method, or given a module or an optimizer */
    uint8_t root;            /* 0 = called; else 1 + CallRate by which a framework or the unknown calls it */
    uint8_t root_confidence; /* how sure we are that it runs so */
} Context;

/* What a search for a context looks at. */
typedef struct ContextLink {
    ContextId next; /* of the same function; 0 = last */
    ContextId closure;
    uint32_t args_hash; /* origins aside */
    bool merged;
} ContextLink;

typedef struct StepCounts {
    uint16_t effects, edges, unseen, uses;
} StepCounts;

/* The results of a context's last evaluation, out of which steps are taken in order. */
typedef struct Kept {
    const EffectRecord *effects;
    const EffectHead *heads;
    uint32_t head_room, at; /* at: the next of effects */
    const CallEdge *edges;  /* the next of these, and of those below */
    const ExprId *unseen;
    const Use *uses;
} Kept;

/* ---- context.c ---- */
bool context_is_live(const Context *context);
void context_reset(const Inference *inference, Context *context, bool again);
Arena *scratch_take(Inference *inference);
void scratch_free(Inference *inference);
const Value *infer_fact(const Context *context, const FileModel *model, ExprId expr);
GlobalFunc global_func(const Inference *inference, FileId file, FuncId func);
/* Nothing known yet of what the program does define: bottom at first, unknown once nothing else can come. */
const Value *not_yet(Eval *eval);
SlotId captured_slot(Eval *eval, FuncId func, uint32_t slot); /* a variable of a function around this one */
ContextId context_for(Eval *eval, FileId file, FuncId func, ContextId closure, const Value **args);
void add_edge(Eval *eval, ExprId expr, ContextId callee, CallRate rate);

/* ---- effect_record.c ---- */
/* Index of Context.effects: the first record of an expression in a role; 0 = none. */
uint32_t effects_at(const Context *context, ExprId expr, EffectRole role);
void effects_clear(Eval *eval, ExprId expr, EffectRole role);
void effects_reset(Context *context);
/* Records by expression and role; one that says what another of them says joins it. */
void effects_add(Eval *eval, EffectRole role, EffectRecord record);
void kept_open(Kept *self, Arena *scratch, const Context *context);
void kept_pass(Kept *self, const StepCounts *counts);
void kept_take(Inference *inference, Context *context, Kept *self, const StepCounts *counts);

#endif
