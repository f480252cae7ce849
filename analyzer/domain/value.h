#ifndef SYNCL_VALUE_H
#define SYNCL_VALUE_H
/* Abstract values: a small set of alternatives, immutable and interned, so that joins and memo keys are cheap.
   NULL is bottom: nothing reaches here (yet). `origin` explains an alternative and is no part of what it is:
   two values that differ only in origins are the same to every fixpoint. */
#include "program.h"
#include "rulebook.h"
#include "site.h"

enum { VALUE_ALTS = 6, RECENT_LEAST = 2048, RECENT_MOST = 1 << 13 };

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

enum {
    ALT_GRADIENT = 1,  /* a parameter or computed from one */
    ALT_BATCH = 2,     /* from a loader: indexing by a key or position gives the same again */
    ALT_AVAILABLE = 4, /* a truth value that says whether a GPU is there: its other side is not priced */
    ALT_PICKED = 8,    /* by a number out of a tensor of unknown dimensions: perhaps a scalar */
    ALT_EMPTY = 128,   /* a tensor without elements: nothing to copy */
    ALT_WIDE =
        1024, /* stands for more alternatives than are kept, and for what comes later: an unknown for anything but
                     tensors, a text for any text, a tensor for any of its device */
    ALT_GUESS =
        32, /* what a call that was not followed gives for GPU arguments: any structure; a class that may be one
                        below it */
    ALT_SPARED = 64, /* an object whose constructor was told to spare a wait: fused=True, validate_args=False */
    ALT_COMPILED = 256,    /* a callable compiled for CUDA graphs: torch.compile(mode="reduce-overhead") */
    ALT_CAPTURED = 512,    /* a callable that is captured into a CUDA graph: make_graphed_callables */
    ALT_LEFT_ON_CPU = 2048,    /* a module that was moved to the CPU in so many words */
    ALT_IN_PROCESS = 4096, /* a loader without workers, or a batch of one: made by the process that trains */
    ALT_UNSORTED = 8192,   /* a packed sequence with its order before sorting, and what is computed from one */
    ALT_TURNS = 16384, /* one of what a loop goes through: the other alternatives are there in other turns */
    ALT_REST = 32768, /* of a batch, what is left once its tensors were asked for: no tensor, whatever else it is */
    ALT_LAZY = 16,     /* a Parameter or buffer: follows its module's device */
};

typedef uint32_t OriginId, ObjectId;

typedef struct Alt {
    uint8_t kind, device, dtype, dims;
    uint8_t pinned;     /* Tri */
    uint8_t confidence; /* Confidence that this alternative is as said */
    uint16_t flags;
    uint32_t id;
    ObjectId object; /* of a number, host object or tensor: the point it comes from, 0 = none that matters */
    OriginId origin;
} Alt;

typedef struct Value {
    uint32_t count;
    uint32_t hash;
    Alt alts[];
} Value;

/* Why something is believed: a place and a parent. Interned, so loops do not grow it. */
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
    uint8_t kind, confidence;
    FileId file;
    Span span;
    OriginId parent;
} Origin;

/* What two values were together: the same are asked for over and over. */
typedef struct JoinedValues {
    const Value *a, *b, *result;
    uint32_t how;
} JoinedValues;

typedef struct RecentValue {
    const Value *value;
    uint32_t hash;
} RecentValue;

/* The hash stands beside the place: a search looks at no value but the one that it finds. */
typedef struct ValueSlot {
    uint32_t hash;
    uint32_t unit; /* where the value begins; 0 = free */
} ValueSlot;

typedef struct Values {
    Arena *arena;
    const Program *program; /* whose names say which of two alternatives comes first; NULL: their numbers do */
    ValueSlot *slots; /* open addressing */
    uint32_t slot_count, used;
    VEC(char *) blocks;  /* where values lie, one behind the other */
    uint32_t units;      /* of VALUE_UNIT bytes that are taken in all blocks */
    RecentValue *recent; /* by hash: most values are asked for again at once */
    JoinedValues *joined;
    uint32_t recent_count; /* of each of them: a power of two, as the program is large */
    VEC(const Value *)
    naming; /* [ObjectId]: the first value of one alternative with that object; NULL = none yet */
    const Value *plain[KIND_LIMIT]; /* values of a bare kind, which are asked for all the time */
    VEC(Origin) origins;
    uint32_t *origin_slots;
    uint32_t origin_slot_count;
} Values;

/* So many are to be made, about; `working` is given up before the values are: nothing is made then. */
void values_init(Values *values, Arena *arena, Arena *working, uint32_t expected);
const Value *value_of(Values *values, Alt alt);
const Value *value_kind(Values *values, Kind kind);
const Value *value_from(Values *values, const Alt *alts,
                        uint32_t count); /* joins equal alternatives; 0 = bottom */

/* Of two paths the weaker belief stays; of two readings of one value the surer that it is on the GPU. */
typedef enum Merging { MERGE_JOIN, MERGE_EITHER } Merging;
const Value *value_merge(Values *values, const Value *a, const Value *b, Merging how); /* two that differ */

/* Two paths: the weaker belief stays. */
static inline const Value *value_join(Values *values, const Value *a, const Value *b) {
    if (a == b || !b) return a;
    return a ? value_merge(values, a, b, MERGE_JOIN) : b;
}

/* Readings of one value, which an operation makes alike: that it is on the GPU is as sure as the surest of them. */
const Value *value_readings(Values *values, const Alt *alts, uint32_t count);
static inline const Value *value_either(Values *values, const Value *a, const Value *b) {
    if (a == b || !b) return a;
    return a ? value_merge(values, a, b, MERGE_EITHER) : b;
}

bool value_same(const Value *a, const Value *b); /* origins aside */
bool value_in_places(
    const Value *value); /* alternatives on different devices: which of them it is nothing says */
/* Every alternative at most this sure; with_origin (0 = keep) replaces origins. */
const Value *value_lower(Values *values, const Value *value, Confidence most);
const Value *value_drop(Values *values, const Value *value, Kind kind); /* without alternatives of that kind */
const Value *value_flagged(Values *values, const Value *value, uint16_t flags); /* its tensors with these as well */

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
OriginId origin_root(const Values *values, OriginId origin);     /* the first of its chain */
OriginKind origin_begins(const Values *values, OriginId origin); /* what the chain starts from; 0 = ORIGIN_NO */
Alt alt_tensor(Device device, Confidence confidence, OriginId origin);
Confidence confidence_min(Confidence a, Confidence b);
Confidence confidence_lower(Confidence confidence); /* one level less sure, but possible still */

#endif
