#ifndef SYNCL_VALUE_H
#define SYNCL_VALUE_H
/* Abstract values: a small set of alternatives, immutable and interned, so that joins and memo keys are cheap.
   NULL is bottom: no execution reaches here (yet). An alternative's `origin` and `belief` are its provenance and
   no part of its identity, so contexts do not multiply by them. Beliefs are united where values meet, until they
   settle; origins are not: values that differ only in origins are equal to every fixpoint. */
#include "program.h"
#include "rulebook.h"
#include "site.h"

enum { VALUE_ALTS = 6, RECENT_LEAST = 2048, RECENT_MOST = 1 << 13, VALUE_UNIT = 16, UNITS_A_BLOCK = 4096 };

typedef enum Kind {
#define KIND(name, text) KIND_##name,
#include "kinds.def"
} Kind;

enum { KIND_LIMIT = KIND_NAMESPACE + 1 };

typedef enum Device {
    DEVICE_UNKNOWN,
    DEVICE_CPU,
    DEVICE_CUDA,
    DEVICE_OWNER /* wherever the owning module is */
} Device;
typedef enum Dtype { DTYPE_UNKNOWN, DTYPE_BOOL, DTYPE_INT, DTYPE_FLOAT } Dtype;
typedef enum Dims {
    DIMS_UNKNOWN,
    DIMS_SCALAR,
    DIMS_ARRAY,
    DIMS_VECTOR /* exactly one dimension */,
    DIMS_MATRIX /* exactly two */,
    DIMS_DEEP /* three or more */
} Dims;
typedef enum Tri { TRI_NO, TRI_YES, TRI_UNKNOWN } Tri;

static inline Tri tri_of(bool yes) { return yes ? TRI_YES : TRI_NO; }
static inline Tri tri_not(Tri a) { return a == TRI_UNKNOWN ? a : a == TRI_YES ? TRI_NO : TRI_YES; }

enum {
    ALT_GRADIENT = 1,  /* a parameter, or computed from one */
    ALT_BATCH = 2,     /* comes from a loader: an item of it is again such a batch */
    ALT_AVAILABLE = 4, /* a truth value that says whether a GPU is there: the branch without one is not priced */
    ALT_PICKED = 8,    /* indexed by a number out of a tensor of unknown dimensions: perhaps a scalar */
    ALT_EMPTY = 128,   /* a tensor without elements, which needs no copy */
    /* widened: stands for more alternatives than are kept and for later ones (an unknown: anything but tensors; a
       text: any text; a tensor: any on its device) */
    ALT_WIDE = 1024,
    /* the guessed result of an unknown call with GPU arguments, which may have any structure; or a class that may
       also be one of its subclasses */
    ALT_GUESS = 32,
    ALT_SPARED = 64, /* an object whose constructor was told to avoid a wait: fused=True, validate_args=False */
    ALT_COMPILED = 256,    /* a callable compiled for CUDA graphs: torch.compile(mode="reduce-overhead") */
    ALT_CAPTURED = 512,    /* a callable captured into a CUDA graph: make_graphed_callables */
    ALT_LEFT_ON_CPU = 2048,    /* a module moved to the CPU explicitly */
    ALT_IN_PROCESS = 4096, /* a loader without workers, or a batch of one: made in the training process */
    ALT_UNSORTED = 8192,   /* a packed sequence that keeps its order before sorting, and what is computed from one */
    ALT_TURNS = 16384, /* one of the elements that a loop yields: the other alternatives come in other iterations */
    ALT_REST = 32768, /* what remains of a batch after its tensors are taken out: anything but a tensor */
    ALT_LAZY = 16,     /* a Parameter or buffer: it is on its module's device */
};

/* Evidence of an alternative: the first bits of confidence.def, united where values of two paths meet. */
enum {
    BELIEVED = 1 << SEEN_BELIEVED,          /* a convention, or an unseen call, says so */
    GUESSED = BELIEVED | 1 << SEEN_GUESSED, /* not even that: only its use does, or it may be something else */
};

typedef uint32_t OriginId, ObjectId;

typedef struct Alt {
    uint8_t kind, device, dtype, dims;
    uint8_t pinned;     /* Tri */
    uint8_t belief;     /* what it rests on: 0 = the code itself shows it, else BELIEVED or GUESSED */
    uint16_t flags;
    uint32_t id;
    ObjectId object; /* of a number, host object or tensor: the time point that it comes from; 0 = none that matters */
    OriginId origin;
} Alt;

static inline Tri alt_is_kind(const Alt *alt, Kind kind) {
    return alt->kind == KIND_UNKNOWN ? TRI_UNKNOWN : tri_of(alt->kind == kind);
}

/* A fact of a tensor that is 0 where it is not known: alt_is_known(alt, alt->device, DEVICE_CUDA). */
static inline Tri alt_is_known(const Alt *alt, uint8_t have, uint8_t want) {
    if (alt->kind != KIND_TENSOR) return alt_is_kind(alt, KIND_TENSOR);
    return have == 0 ? TRI_UNKNOWN : tri_of(have == want);
}

typedef uint32_t ValueRef; /* a value in half the room of a pointer: see value_at; 0 = bottom */

typedef struct Value {
    uint32_t count : 3, ref : 29;
    uint32_t hash;
    Alt alts[];
} Value;

/* Provenance: a place where something was concluded, and the origin it was concluded from. Interned, so loops
   do not grow it. */
typedef enum OriginKind {
    ORIGIN_NO,
    ORIGIN_RESULT,
    ORIGIN_MOVED,
    ORIGIN_MADE,
    ORIGIN_DEVICE,
    ORIGIN_MODEL,
    ORIGIN_PARAMETER,
    ORIGIN_ARGUMENT,
    ORIGIN_ATTRIBUTE,
    ORIGIN_USE,
    ORIGIN_NAME,
    ORIGIN_ASSIGNED,
} OriginKind;

typedef struct Origin {
    uint8_t kind;
    FileId file;
    Span span;
    OriginId parent;
} Origin;

/* A cache of joins: the same pairs are joined over and over. */
typedef struct JoinedValues {
    const Value *a, *b, *result;
    uint32_t how;
} JoinedValues;

typedef struct RecentValue {
    const Value *value;
    uint32_t hash;
} RecentValue;

/* The hash is stored beside the reference, so a search reads only the value that it finds. */
typedef struct ValueSlot {
    uint32_t hash;
    uint32_t unit; /* index of the value's first unit; 0 = free */
} ValueSlot;

typedef struct Values {
    Arena *arena, *working;
    const Program *program; /* its names order alternatives; NULL: their ids do */
    ValueSlot *slots; /* open addressing */
    uint32_t slot_count, used;
    VEC(char *) blocks;  /* memory of the values, one behind the other; a ValueRef counts units over all blocks */
    uint32_t units;      /* units of VALUE_UNIT bytes in use, over all blocks */
    RecentValue *recent; /* cache by hash: most values are asked for again soon */
    JoinedValues *joined;
    uint32_t recent_count; /* size of `recent` and `joined`: a power of two that grows with the program */
    VEC(const Value *) naming; /* [ObjectId]: the first value made of one alternative with that object; NULL = none */
    const Value *plain[KIND_LIMIT]; /* values of a bare kind, which are asked for most */
    VEC(Origin) origins;
    uint32_t *origin_slots;
    uint32_t origin_slot_count;
} Values;

/* `expected`: about how many values will be made. `working` holds what only making values and origins needs, and
   may be freed first. */
void values_init(Values *values, Arena *arena, Arena *working, uint32_t expected);
const Value *value_of(Values *values, Alt alt);
const Value *value_kind(Values *values, Kind kind);
const Value *value_from(Values *values, const Alt *alts, uint32_t count); /* joins equal alternatives; 0 = bottom */

/* How beliefs merge. JOIN: values of two paths; what either rests on. EITHER: two readings of one value; it is on the
   GPU by the one that rests on less. */
typedef enum Merging { MERGE_JOIN, MERGE_EITHER } Merging;
const Value *value_merge(Values *values, const Value *a, const Value *b, Merging how); /* for two different values */

/* The lattice's join, of values from two paths. */
static inline const Value *value_join(Values *values, const Value *a, const Value *b) {
    if (a == b || !b) return a;
    return a ? value_merge(values, a, b, MERGE_JOIN) : b;
}

/* Merges several readings of one value: it is on the GPU by the reading that rests on least belief. */
const Value *value_readings(Values *values, const Alt *alts, uint32_t count);
static inline const Value *value_either(Values *values, const Value *a, const Value *b) {
    if (a == b || !b) return a;
    return a ? value_merge(values, a, b, MERGE_EITHER) : b;
}

static inline ValueRef value_ref(const Value *value) { return value ? value->ref : 0; }
static inline const Value *value_at(const Values *values, ValueRef ref) {
    if (!ref) return NULL;
    const char *block = values->blocks.items[ref / UNITS_A_BLOCK];
    return (const Value *)(const void *)(block + (size_t)(ref % UNITS_A_BLOCK) * VALUE_UNIT);
}

bool value_same(const Value *a, const Value *b);    /* equal apart from provenance */
bool value_settled(const Value *a, const Value *b); /* and equal in beliefs: a fixpoint has nothing to unite */
bool value_in_places(const Value *value); /* has alternatives on different devices */
/* Every alternative rests on that belief too. */
const Value *value_believed(Values *values, const Value *value, uint8_t belief);
const Value *value_drop(Values *values, const Value *value, Kind kind); /* removes the alternatives of that kind */
const Value *value_flagged(Values *values, const Value *value, uint16_t flags); /* adds flags to its tensors */

static inline bool value_has(const Value *value, Kind kind) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind == kind) return true;
    return false;
}

static inline bool value_only(const Value *value, Kind kind) {
    for (uint32_t i = 0; value && i < value->count; i++)
        if (value->alts[i].kind != kind) return false;
    return value != NULL;
}

bool alt_same(const Alt *a, const Alt *b);
OriginId origin_add(Values *values, Origin origin);
OriginId origin_root(const Values *values, OriginId origin);     /* the first origin of its chain */
OriginKind origin_begins(const Values *values, OriginId origin); /* the kind of that first origin */
Alt alt_tensor(Device device, uint8_t belief, OriginId origin);
uint8_t belief_weaker(uint8_t belief); /* of what is shown a belief, of that a guess */

#endif
