#ifndef SYNCL_INFERENCE_H
#define SYNCL_INFERENCE_H
/* Inference: the state of the abstract interpretation of one program, const once it has come to rest. What every
   expression is stands in the facts of its contexts. */
#include "class.h"
#include "context.h"
#include "contract.h"
#include "live.h"
#include "writes.h"

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

/* Of a function: steps that raise whenever they run. */
typedef struct Raising {
    bool never;  /* its class cannot be made */
    bool always; /* each call raises */
    VEC(BlockId) blocks;
} Raising;

typedef struct Inference {
    Arena *arena;
    Arena *working; /* what nobody asks for when all is known: maps, memos, readers; NULL by then */
    const Program *program;
    Names *names; /* of that program: inference adds its own */
    const Rulebook *book;
    Values values;
    VEC(Slot *) slot_blocks; /* of SLOTS_A_BLOCK: what is never copied is touched once */
    uint32_t slot_count;
    Outgrown outgrown_readers, outgrown_effects; /* lists of slots' readers, of contexts' records of effects */
    VEC(Object) objects;
    VEC(TimePoint) points;     /* items[0] unused */
    VEC(Context *) contexts; /* items[0] = NULL */
    VEC(Reader) readers;     /* [EvaluationId]; items[0] unused */
    const FlowGraph **graphs; /* [GlobalFunc]; NULL = none of its contexts was evaluated */
    const Writes **writes; /* [FileId]; NULL = not asked for yet, and none of its functions was evaluated */
    const struct Plan **plans; /* [GlobalFunc]: see memo.c; NULL = not made yet */
    ClassInfo *classes;      /* [GlobalClass] */
    uint32_t families;       /* changes when the bases of some class do */
    uint32_t classes_changed; /* counts changes of what classes are */
    uint32_t turns;             /* of loops that were walked */
    uint32_t steps_taken, steps_again; /* of contexts that were evaluated again: taken over, run once more */
    struct Replay *replay;    /* what is evaluated now; NULL = it keeps nothing for a next time */
    struct Ahead *ahead;     /* what another thread finds meanwhile; NULL = there is none */
    const uint8_t *makers;   /* [Sym]: calls of something of that name in the program, 255 at most; NULL = not asked for yet */
    const bool *silent;       /* [FileId]: it names neither a device nor CUDA */
    const bool *broken;       /* [FileId]: it asks its package for what is not there, see broken.c */
    const Raising *raising;   /* [GlobalFunc]: see raises.c */
    const bool *forgotten;    /* [GlobalFunc]: private, and nothing in the program names it */
    const FileId *func_files; /* [GlobalFunc] */
    const FuncId *sequence;   /* [func_base + i] of a file that is followed: its functions as they are taken that nobody calls; 0 = no more */
    const bool *helpers;      /* [GlobalFunc]: so short that more of its calls are told apart, see helper.c */
    const bool *nesting;     /* [GlobalFunc]: functions stand in it */
    const bool *named;       /* [GlobalFunc]: something in its file speaks of it; NULL = not asked for yet */
    uint16_t *keeps;         /* [GlobalFunc]: see register.c */
    const uint8_t *places;   /* [GlobalFunc] CallPlace: who names what nothing in sight calls */
    uint32_t *func_contexts; /* [GlobalFunc]: first context, chained by context_links */
    VEC(ContextLink) context_links; /* [ContextId] */
    struct Stars *stars;        /* [FileId]: what star imports lead to, see class.c */
    struct StoreMap *store_map; /* (what, a, b) -> slot or object */
    VEC(ContextId) ended;       /* contexts in the order in which their first evaluation ended */
    VEC(uint64_t) waiting;      /* a bit for each of them: it may be dirty */
    bool any_dirty;             /* some context is dirty */
    uint32_t shuffle;           /* of tests: see InferOptions */
    bool running_worklist;              /* contexts that have something new to look at are evaluated, until none has */
    struct RuleAnswer *asked;   /* what the rulebook was asked, see store.c */
    const uint8_t *builtins;    /* [EntryId]: what is done for it, see runtime.c; 0 = what its page says */
    struct Known *known;        /* entries and names that inference asks for often */
    uint32_t given_up;          /* contexts that reached their bound of evaluations, or of turns of loops */
    uint32_t unknown_receivers;
    uint64_t **unknown; /* [FileId], a bit for each expression counted in unknown_receivers; NULL = none of the file */
    const Contracts *contracts;
    uint64_t *spoken;        /* [ClauseId]: see speaks_of in apply.c */
    const Value **fallbacks; /* [TermId]: see fallback_value; NULL = not asked for yet, or none */
    struct Methods *methods; /* which classes define a method, see family.c */
    bool guessing;
    Text accelerator;   /* "mps": the program names no CUDA, but this word; empty = CUDA is meant */
    bool accelerated;   /* ... and as a device, or asks whether it is there */
    bool bound_outside; /* some file puts a name into a module that does not bind it itself */
    VEC(Arena *) spare; /* scratch of evaluations that have ended */
    bool
        names_gpu; /* the program speaks of a GPU somewhere: what it does not move there in sight may still be there */
    bool bottom_is_unknown;           /* second phase: what nothing assigned is unknown, no longer bottom */
    const Taken ***taken; /* [GlobalFunc][loop of the function]: see live.h */
    const struct NameSign *signs; /* [Sym] of the program's files, see use.c */
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

typedef struct Known {
    EntryId tensor, module, optimizer, ndarray, builtins, str, list, dict, ordered_dict, parameter, loader,
        sequential, module_list, module_dict, operation, operation_apply, writer, image;
    Sym forward, call, init, base, enter, iter, next, getitem, setitem, getattr, device_name, post_init, exit_name,
        class_name, true_text, false_text;
} Known;

static inline Slot *infer_slot(const Inference *inference, SlotId id) {
    return &inference->slot_blocks.items[id / SLOTS_A_BLOCK][id % SLOTS_A_BLOCK];
}

/* Whether the run that a file's code belongs to has made the GPU its default device. */
static inline bool is_default_cuda(const Inference *inference, FileId file) {
    return inference->default_cuda && inference->default_cuda[file];
}

/* As program_file_of_func says, at once. */
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
