#ifndef SYNCL_INFER_H
#define SYNCL_INFER_H
/* Inference: what every expression is, by abstract interpretation of each function per tuple of abstract arguments
   (a context; at most 4 a function, more of a short one, then joined). Takes the program and the rulebook, const; gives an Inference that
   is const afterwards. Shared state (attributes, globals, container elements, returns) lives in slots that only grow;
   a context that read a slot is evaluated again when the slot grows, until nothing does or a counted bound is hit. */
#include "contract.h"
#include "value.h"

typedef uint32_t ContextId, SlotId, EvaluationId;

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
    SAYS_PERHAPS = 16384,  /* it may wait, but hardly: not told, and no clock behind it is called wrong */
};

#define SUBJECT_ALL UINT32_MAX /* of SAYS_ORDERS: every stream */

typedef struct EffectRecord {
    ExprId expr;
    uint32_t next; /* next record of the same expression and role; 0 = last */
    ClauseId clause;
    EntryId entry;
    HazardId hazard;    /* 0 = launches and marks only */
    uint16_t doubts;    /* DOUBT_... */
    uint16_t says;      /* SAYS_... */
    uint8_t confidence; /* Confidence; 0 = would wait if an unknown were on the GPU */
    uint8_t need;       /* Need as stated on the page */
    bool optimizer_step, backward_pass, matmul, to_device, copies, setup;
    bool busies_host;
    bool converts; /* makes a number of what may be a tensor, in so many words: float(x) */
    bool plain;    /* reads as Python reads numbers and texts, and nothing there is asked as only tensors are */
    bool computed; /* ... but what is read is the result of a tensor's computation */
    uint32_t pass;    /* of nn.Sequential through its parts: alike ones add up; 0 = none */
    OriginId origin;  /* why the value is on the GPU */
    ObjectId subject; /* of what it says: the object of a moment */
    double waits, backward_waits, launches, backward_launches;
    Text host_quantity;
    double host_count;
} EffectRecord;

/* A place whose time matters later: a reading of a clock, a copy under way, a stream's making. The values that come
   from there carry its object. */
typedef enum MomentKind { MOMENT_CLOCK, MOMENT_STALE, MOMENT_STREAM, MOMENT_KINDS } MomentKind;

typedef struct Moment {
    uint8_t kind;
    FileId file;
    ExprId expr;
    ObjectId object;
} Moment;

/* A place where moments meet: two readings subtracted, a copy read, a tensor of one stream used. */
typedef struct Use {
    ExprId expr;
    uint8_t kind;  /* MomentKind of `of` */
    ObjectId of;   /* the moment; of two readings the later one */
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
    VEC(ExprId) unseen; /* calls of something that could be a model, not followed */
    VEC(Use) uses;
    uint32_t evaluations, passes;
    uint32_t executed; /* statements, each round of a loop anew */
    EvaluationId evaluation; /* the last one */
    EvaluationId reader;     /* what it reads now is listed under; of a step, see infer_memo.c, one of its own */
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

/* Of what a reading of slots is: an evaluation, or one of its steps. */
typedef struct Reader {
    ContextId context;
    uint32_t step; /* from 1 on; 0 = what stands in none */
} Reader;

enum { FEW_BITS = 1, FEW_READERS = 1 << FEW_BITS, READERS_MOST = (1 << 27) - 1, SLOTS_A_BLOCK = 1 << 13 };

/* Its readers are evaluations, or steps of them: what a context read the last time but one, it does not depend on. */
typedef struct Slot {
    const Value *value;
    uint32_t reader_count : 27, room_bits : 5; /* of `many`: the logarithm of its room; 0 = few */
    EvaluationId last; /* of the readers, where there are any */
    union {
        EvaluationId few[FEW_READERS], *many;
    } readers;
} Slot;

typedef enum Flavour {
    FLAVOUR_LIST,
    FLAVOUR_TUPLE,
    FLAVOUR_DICT,
    FLAVOUR_SET,
    FLAVOUR_ITERATOR,
    FLAVOUR_PARTS
} Flavour;

/* A container or the parts of an object, by allocation site. Known keys have slots of their own. */
typedef struct Object {
    uint8_t flavour;
    uint8_t made_as; /* StoreKey, see made_of */
    bool open;       /* elements beyond the known ones may exist: element() joins `rest` */
    bool supposed;   /* `rest` is a page's word for what stands under keys that nobody writes in sight */
    uint32_t moment; /* index of Inference.moments, 0 = none */
    uint32_t length; /* elements in `rest`, where a comprehension says it; 0 = unknown */
    SlotId rest;
    ContextId closure;  /* of a function's object: see Context */
    ObjectId next_made; /* another one of the same context and expression */
    uint64_t made_of;   /* what else tells it from those */
    VEC(uint32_t) keys; /* Sym of a literal key, or position << 1 | 1 */
    SlotId *key_slots;  /* as many */
} Object;

enum { BASES_MOST = 8 };

typedef struct ClassInfo {
    const Value *bases[BASES_MOST];
    uint32_t base_count;
    uint32_t *order; /* what it inherits in the order of Python's MRO, see class_order */
    uint32_t order_count, order_room;
    uint32_t order_of; /* Inference.families when that was found; 0 = not yet */
    uint32_t changed_at; /* Inference.classes_changed of the last change */
    uint32_t places;   /* where its instances are made, as far as they are told apart */
    uint8_t is_module; /* Tri: inherits torch.nn.Module through what we see */
    bool evaluated;
    bool apart; /* instances are told apart by where they are made, see infer_instance.c */
    VEC(Sym) attributes; /* that were written, in order */
    EntryId entry_base;  /* nearest stub class of its ancestors, 0 = none */
} ClassInfo;

/* `Distribution.set_default_validate_args(False)`: in that file for certain, and where that file's body says it in all
   that run after it; elsewhere perhaps: of a script, which nothing imports, in what it imports. */
typedef struct Quieted {
    HazardId hazard;
    EntryId module; /* of what it switches off */
    FileId file;
    const bool *after;  /* [FileId], NULL = a function says it */
    const bool *around; /* [FileId], NULL = anywhere */
    bool perhaps;       /* what it is told is not known: nothing of the rule is certain where it holds */
} Quieted;

typedef struct Inference {
    Arena *arena;
    Arena *working; /* what nobody asks for when all is known: maps, memos, readers; NULL by then */
    const Program *program;
    const Rulebook *book;
    Values values;
    VEC(Slot *) slot_blocks; /* of SLOTS_A_BLOCK: what is never copied is touched once */
    uint32_t slot_count;
    void *outgrown[32]; /* lists of readers, by the logarithm of their room: see store.c */
    VEC(Object) objects;
    VEC(Moment) moments;     /* items[0] unused */
    VEC(Context *) contexts; /* items[0] = NULL */
    VEC(Reader) readers;     /* [EvaluationId]; items[0] unused */
    const struct Plan **plans; /* [GlobalFunc]: see infer_memo.c; NULL = not made yet */
    ClassInfo *classes;      /* [GlobalClass] */
    uint32_t families;       /* changes when the bases of some class do */
    uint32_t classes_changed; /* counts changes of what classes are */
    uint32_t turns;             /* of loops that were walked */
    uint32_t steps_taken, steps_again; /* of contexts that were evaluated again: taken over, run once more */
    struct Replay *replay;    /* what is evaluated now; NULL = it keeps nothing for a next time */
    struct Ahead *ahead;     /* what another thread finds meanwhile; NULL = there is none */
    const uint8_t *makers;   /* [Sym]: calls of something of that name in the program, 255 at most; NULL = not asked for yet */
    const bool *broken;       /* [FileId]: it asks its package for what is not there, see infer_broken.c */
    const bool *raising;      /* [GlobalFunc]: it raises whenever it runs, see infer_raises.c */
    const bool *forgotten;    /* [GlobalFunc]: private, and nothing in the program names it */
    const FileId *func_files; /* [GlobalFunc] */
    const bool *nesting;     /* [GlobalFunc]: functions stand in it */
    const bool *named;       /* [GlobalFunc]: something in its file speaks of it; NULL = not asked for yet */
    uint16_t *keeps;         /* [GlobalFunc]: see infer_register.c */
    const uint8_t *places;   /* [GlobalFunc] CallPlace: who names what nothing in sight calls */
    uint32_t *func_contexts; /* [GlobalFunc]: first context, chained by context_links */
    VEC(ContextLink) context_links; /* [ContextId] */
    struct Stars *stars;        /* [FileId]: what star imports lead to, see infer_class.c */
    struct StoreMap *store_map; /* (what, a, b) -> slot or object */
    VEC(ContextId) ended;       /* contexts in the order in which their first evaluation ended */
    VEC(uint64_t) waiting;      /* a bit for each of them: it may be dirty */
    bool unsettled;             /* some context is dirty */
    bool draining;              /* contexts that have something new to look at are evaluated, until none has */
    struct RuleAnswer *asked;   /* what the rulebook was asked, see store.c */
    const uint8_t *builtins;    /* [EntryId]: what is done for it, see infer_native.c; 0 = what its page says */
    struct Known *known;        /* entries and names that inference asks for often */
    uint32_t given_up;          /* contexts that reached their bound of evaluations, or of turns of loops */
    uint32_t unknown_receivers;
    uint64_t **unknown; /* [FileId], a bit for each expression counted in unknown_receivers; NULL = none of the file */
    const Contracts *contracts;
    uint64_t *spoken;        /* [ClauseId]: see speaks_of in apply.c */
    const Value **fallbacks; /* [TermId]: see fallback_value; NULL = not asked for yet, or none */
    struct Methods *methods; /* which classes define a method, see infer_guess.c */
    bool guessing;
    Text accelerator;   /* "mps": the program names no CUDA, but this word; empty = CUDA is meant */
    bool accelerated;   /* ... and as a device, or asks whether it is there */
    bool bound_outside; /* some file puts a name into a module that does not bind it itself */
    VEC(Arena *) spare; /* scratch of evaluations that have ended */
    bool
        names_gpu; /* the program speaks of a GPU somewhere: what it does not move there in sight may still be there */
    bool settling;           /* second phase: what nothing assigned is unknown, no longer bottom */
    const uint64_t ***taken; /* [GlobalFunc][loop of the function]: see taken_by_turns */
    const struct NameSign *signs; /* [Sym] of the program's files, see infer_use.c */
    const uint32_t **uses;   /* [GlobalFunc]: see evidence_of */
    bool *default_cuda;      /* [FileId]: torch.set_default_device("cuda") holds there; NULL = nowhere */
    bool *default_setters;   /* [FileId]: files that call it */
    VEC(Quieted) quieted;    /* rules that a call has switched off */
} Inference;

/* Which GPU the files of a run speak of, whatever parts they fall into. */
typedef struct GpuNames {
    bool any;
    Text accelerator; /* "mps", where CUDA is not spoken of; else empty */
} GpuNames;

GpuNames infer_gpu_names(const Program *program);

/* Takes a program that is linked (part.h) and adds names of its own to it: one inference for each such program. */
const Inference *infer_program(Arena *arena, const Program *program, const Rulebook *book, GpuNames names,
                               uint32_t threads);

static inline Slot *infer_slot(const Inference *inference, SlotId id) {
    return &inference->slot_blocks.items[id / SLOTS_A_BLOCK][id % SLOTS_A_BLOCK];
}

/* Index of Context.effects: the first record of an expression in a role; 0 = none. */
uint32_t effects_at(const Context *context, ExprId expr, EffectRole role);
const Value *infer_fact(const Context *context, const FileModel *model, ExprId expr);
/* "cuda float", "cpu", "host", "None | cuda": the form of `# is:` marks. */
Text infer_value_text(Arena *arena, const Inference *inference, const Value *value);
/* The source of a span on one line, cut to what a reason can hold. */
Text infer_source(Arena *arena, const SourceFile *file, Span span);
/* The chain that makes a value a GPU tensor, newest first; at most `most` reasons. */
uint32_t infer_explain(Arena *arena, const Inference *inference, OriginId origin, Reason *reasons,
                       uint32_t most);

#endif
