#ifndef SYNCL_INFERENCE_H
#define SYNCL_INFERENCE_H
/* The state of the abstract interpretation of one program; const once the fixpoint is reached. The value of
   every expression is in the facts of its contexts. */
#include "class.h"
#include "context.h"
#include "contract.h"
#include "live.h"
#include "writes.h"

/* A call that switches a rule off: `Distribution.set_default_validate_args(False)`. It holds for certain in its
   own file and, where it stands in the module body, in every file that runs after it. In a script, which
   nothing imports, it may also hold in what the script imports. */
typedef struct Quieted {
    HazardId hazard;
    EntryId module; /* the module for which the rule is off */
    FileId file;
    const bool *after;  /* [FileId]: files that run after it; NULL = it stands in a function */
    const bool *around; /* [FileId]: files where it may hold; NULL = anywhere */
    bool perhaps;       /* its argument is unknown: no finding of the rule is certain where it may hold */
} Quieted;

/* Blocks of a function that raise whenever they run. */
typedef struct Raising {
    bool never;  /* its class cannot be instantiated */
    bool always; /* every call raises */
    VEC(BlockId) blocks;
} Raising;

typedef struct Inference {
    Arena *arena;
    Arena *working; /* what is needed only until the fixpoint: maps, memos, readers; NULL afterwards */
    Arena *store;   /* slots, objects, call edges and outgrown records: what is needed only until flows are made and ordered;
                       the caller's, who may free it then, or `arena` */
    const Program *program;
    Names *names; /* the program's table, to which inference adds names */
    const Rulebook *book;
    Values values;
    VEC(Slot *) slot_blocks; /* slots in blocks of SLOTS_A_BLOCK, which never move */
    uint32_t slot_count;
    struct EffectCosts *costs; /* hash table of the costs of effects, see effect_record.c; NULL = none yet */
    /* free lists for readers of slots; effect records of contexts, and tables of them; tables of objects made */
    Outgrown outgrown_readers, outgrown_effects, outgrown_heads, outgrown_made;
    VEC(Object *) object_blocks; /* objects in blocks of OBJECTS_A_BLOCK, which never move */
    uint32_t object_count;
    const uint8_t *flavours; /* [ObjectId] Flavour; NULL until the fixpoint */
    VEC(TimePoint) points;     /* items[0] unused */
    VEC(Context *) contexts; /* items[0] = NULL */
    VEC(Reader) readers;     /* [EvaluationId]; items[0] unused */
    const FlowGraph **graphs; /* [GlobalFunc]; NULL until one of its contexts is evaluated */
    const Writes **writes; /* [FileId]; NULL until first asked for */
    const struct Plan **plans; /* [GlobalFunc]: how it is split into memoised steps (memo.c); NULL = not made yet */
    ClassInfo *classes;      /* [GlobalClass] */
    uint32_t families;       /* counter: raised when the bases of a class change */
    uint32_t classes_changed; /* counter of changes to classes */
    uint32_t turns;             /* iterations of loops that were evaluated */
    uint32_t steps_taken, steps_again; /* steps of re-evaluated contexts: taken over from the memo, and run again */
    struct Replay *replay;    /* memo state of the current evaluation; NULL = it is not memoised */
    struct Ahead *ahead;     /* work that another thread does ahead; NULL = none */
    const uint8_t *makers;   /* [Sym]: how many calls of that name the program has, at most 255; NULL = not counted
                                yet */
    const bool *silent;       /* [FileId]: the file mentions neither a device nor CUDA */
    bool unplaced;            /* nothing in the program can put anything on a GPU, see broken.c */
    const bool *broken;       /* [FileId]: it imports from its own package what is not there, see broken.c */
    const Raising *raising;   /* [GlobalFunc], see raises.c */
    const bool *forgotten;    /* [GlobalFunc]: nothing in the program mentions it, see mention.c */
    const FileId *func_files; /* [GlobalFunc] */
    const FuncId *sequence;   /* [func_base + i]: the file's functions that nobody calls, in the order of their
                                 evaluation; 0 = no more */
    const bool *helpers;      /* [GlobalFunc]: short enough for more contexts, see helper.c */
    const bool *nesting;     /* [GlobalFunc]: it contains nested functions */
    const bool *named;       /* [GlobalFunc]: its file mentions its name somewhere; NULL = not computed yet */
    uint16_t *keeps;         /* [GlobalFunc]: see register.c */
    const uint8_t *places;   /* [GlobalFunc] CallPlace: where a function without visible callers is mentioned */
    uint32_t *func_contexts; /* [GlobalFunc]: its first context; context_links chains the others */
    VEC(ContextLink) context_links; /* [ContextId] */
    struct Stars *stars;        /* [FileId]: see class.c */
    struct StoreMap *store_map; /* (what, a, b) -> slot or object */
    VEC(ContextId) ended;       /* contexts in postorder: as their first evaluations ended */
    VEC(uint64_t) waiting;      /* the worklist: a bit for each element of `ended` that may be dirty */
    bool any_dirty;             /* some context is dirty */
    uint32_t shuffle;           /* for tests of the worklist's order: see InferOptions */
    bool running_worklist;              /* the worklist is being run */
    struct RuleAnswer *asked;   /* memoised lookups in the rulebook, see store.c */
    const uint8_t *builtins;    /* [EntryId]: the built-in transfer function, see runtime.c; 0 = what its page says */
    struct Known *known;        /* entries and names that are asked for often */
    uint32_t given_up;          /* contexts that reached their bound of evaluations or of loop iterations */
    uint32_t unknown_receivers;
    uint64_t **unknown; /* [FileId]: bit set of the expressions counted in unknown_receivers; NULL = none in the file */
    const Contracts *contracts;
    struct Spoken *spoken;   /* [ClauseId]: memoised, see clause.c */
    const Value **fallbacks; /* [TermId]: memoised default values, see fallback_value; NULL = not evaluated yet, or
                                none */
    struct Methods *methods; /* which classes define a method of a name, see family.c */
    bool guessing;
    Text accelerator;   /* "mps": the program names this accelerator and never CUDA; empty = CUDA is meant */
    bool accelerated;   /* ... and uses it as a device, or asks whether it is available */
    bool bound_outside; /* some file sets a name in a module that does not bind the name itself */
    VEC(Arena *) spare; /* scratch arenas of finished evaluations, for reuse */
    bool
        names_gpu; /* the text names a GPU: an object may be there though no visible code moves it */
    bool bottom_is_unknown;           /* second phase: a name that nothing has assigned is unknown instead of bottom */
    const Taken ***taken; /* [GlobalFunc][loop of the function]: see live.h */
    const struct NameSign *signs; /* [Sym]: what the uses of a name suggest, see use.c */
    const uint32_t **uses;   /* [GlobalFunc]: see evidence_of */
    bool *default_cuda;      /* [FileId]: torch.set_default_device("cuda") is in effect there; NULL = nowhere */
    bool *default_setters;   /* [FileId]: files that call it */
    VEC(Quieted) quieted;    /* rules that calls of the program switch off */
} Inference;

/* Bit sets of the parameters that a clause mentions: anywhere; in its result or in an effect that keeps the value. */
typedef struct Spoken {
    bool known;
    uint64_t of, handed_on;
} Spoken;

/* Which accelerator the files of a run mention, over all parts. */
typedef struct GpuNames {
    bool any;
    Text accelerator; /* "mps", where CUDA is not mentioned; else empty */
} GpuNames;

typedef struct Known {
#define KNOWN_ENTRY(name, word) EntryId name;
#define KNOWN_NAME(name, text) Sym name;
#include "known.def"
    Sym forward, device_name, true_text, false_text;
} Known;

static inline Slot *infer_slot(const Inference *inference, SlotId id) {
    return &inference->slot_blocks.items[id / SLOTS_A_BLOCK][id % SLOTS_A_BLOCK];
}

static inline const Value *slot_value(const Inference *inference, SlotId id) {
    return value_at(&inference->values, infer_slot(inference, id)->value);
}

static inline Object *infer_object(const Inference *inference, ObjectId id) {
    return &inference->object_blocks.items[id / OBJECTS_A_BLOCK][id % OBJECTS_A_BLOCK];
}

/* Whether the GPU is the default device in the runs that a file's code belongs to. */
static inline bool is_default_cuda(const Inference *inference, FileId file) {
    return inference->default_cuda && inference->default_cuda[file];
}

/* program_file_of_func in constant time. */
static inline FileId file_of_func(const Inference *inference, GlobalFunc func) {
    return inference->func_files[func];
}

static inline const SourceFile *source_of_func(const Inference *inference, GlobalFunc func) {
    FileId file = file_of_func(inference, func);
    return &inference->program->files.items[file];
}

const Writes *writes_of(const Inference *inference, FileId file);

GpuNames infer_gpu_names(const Program *program, const Rulebook *book);

#endif
