#ifndef SYNCL_STORE_H
#define SYNCL_STORE_H
/* The store of inference: slots whose values only grow, and abstract objects (containers and parts) by
   allocation site, each found by a key of what it stands for. A context that read a slot is evaluated again
   when the slot grows. Owned by Inference.arena. */
#include "value.h"

typedef struct Inference Inference;
typedef struct Eval Eval;

typedef uint32_t ContextId, SlotId, EvaluationId;

/* Who reads slots: an evaluation of a context, or one of its memoised steps. */
typedef struct Reader {
    ContextId context;
    uint32_t step; /* from 1; 0 = outside of all steps */
} Reader;

enum {
    FEW_READERS = 2,
    SLOTS_A_BLOCK = 1 << 13,
    OBJECTS_A_BLOCK = 1 << 12
};

/* Readers in the order in which they read, most of them in that of their ids too: each is its difference to the one
   before, as a byte or two (reader_list.c). */
typedef struct ReaderList {
    uint32_t bytes; /* in use of `coded` */
    uint32_t bits;  /* log2 of the bytes of all */
    EvaluationId last;
    uint8_t coded[];
} ReaderList;

enum { LISTED_MANY = FEW_READERS + 1, LISTED_NEVER };

/* A cell of the store. Only the latest evaluation of a context, or of a step, counts as a reader: older entries
   are stale. There are millions of them, so they have 16 bytes. */
typedef struct Slot {
    ValueRef value;
    uint8_t listed; /* number of readers in `few`; LISTED_MANY; LISTED_NEVER: it never grows */
    union {
        EvaluationId few[FEW_READERS];
        ReaderList *many;
    } readers;
} Slot;

typedef enum Flavour {
    FLAVOUR_LIST,
    FLAVOUR_SIZE, /* a torch.Size: a tuple of numbers */
    FLAVOUR_TUPLE,
    FLAVOUR_DICT,
    FLAVOUR_SET,
    FLAVOUR_ITERATOR,
    FLAVOUR_PARTS,
    FLAVOURS
} Flavour;

typedef struct ObjectKey {
    uint32_t key; /* Sym of a literal key, or position << 1 | 1 */
    SlotId slot;
} ObjectKey;

/* A container, or the parts of an object, by allocation site. Known keys have slots of their own. */
typedef struct Object {
    uint8_t flavour;
    uint8_t made_as; /* StoreKey of made_of */
    bool open;       /* may have elements beyond the known keys: reading any element joins `rest` */
    bool supposed;   /* `rest` is what a rule page says of keys that the program does not write */
    uint32_t point; /* index in Inference.points; 0 = none */
    uint32_t length; /* number of elements in `rest`, where a comprehension tells it; 0 = unknown */
    SlotId rest;
    ContextId closure;  /* of a function object: see Context.closure */
    ObjectId next_made; /* next object of the same context and expression */
    uint64_t made_of;   /* the rest of the key that tells it from those */
    uint32_t key_count;
    union { /* see object_keys */
        ObjectKey only; /* most have one at most */
        ObjectKey *several;
    } keys;
} Object;

typedef enum StoreKey {
    STORE_VARIABLE,        /* global function, local slot: what nested functions see */
    STORE_CAPTURED,        /* context, local slot: what functions nested in that one see */
    STORE_CLOSURE,         /* context, function: a function made there */
    STORE_BOUND_CLOSURE,   /* context, closure's object and expression: one bound to a receiver */
    STORE_GLOBAL,          /* file, name: variables of a module */
    STORE_ATTRIBUTE,       /* global class, name */
    STORE_LITERAL,         /* context, expression: object of a display, comprehension, call result */
    STORE_PART,            /* context, expression and part number: further objects of one expression */
    STORE_KEPT,            /* global class, place of the instance, term and device: what a page says that it holds */
    STORE_BOUND,           /* context, expression: receiver of a bound method */
    STORE_GENERATOR,       /* context: object that a generator function returns */
    STORE_DEFAULT,         /* global function, parameter index: the default's value */
    STORE_POINT,          /* file, expression and kind of a point */
    STORE_ENTRY_ATTRIBUTE, /* object id or entry, name: attribute set on a stub class's instance */
    STORE_INSTANCE,        /* file, class and expression: the instances that are made there */
    STORE_OWNED_INSTANCE,  /* object of such instances, class and expression: those that they make */
    STORE_OWN_ATTRIBUTE,   /* global class, object of such instances and name: what those alone were given */
    STORE_SHARED_ATTRIBUTE, /* global class, name: what the class has, or an instance of it whose place is not known */
    STORE_DECLARED,         /* global class, name: what its body says of an attribute, and gives it no value */
    STORE_PLAIN,            /* hash of values: the tuple of just these, see shared_tuple in clause.c */
} StoreKey;

/* Distinguishes the objects that one expression makes besides its own. Operations that move or collate a
   structure make one object for each flavour in it: their numbers reach up to the next name. */
typedef enum PartOf {
    PART_NONE,
    PART_POSITIONAL, /* what *args gathers */
    PART_NAMED,      /* what **kwargs gathers */
    PART_BATCH_VIEW, /* batch.items(), batch.values() */
    PART_BATCH_ITEM, /* an item of that view */
    PART_MOVED,      /* batch.to(device) */
    PART_COLLATED = PART_MOVED + FLAVOURS, /* a batch that a loader yields */
    PART_ROW = PART_COLLATED + FLAVOURS,   /* a sample of a dataset */
    PART_ROWS = PART_ROW + FLAVOURS,       /* several samples */
    PART_LOADER,   /* the parts of a loader itself */
    PART_PAIR,     /* an item of dict.items(), enumerate() */
    PART_PAIRS,    /* the iterable of such items */
    PART_VIEW,     /* dict.keys(), dict.values() */
    PART_ZIPPED,   /* a tuple of zip() */
    PART_ZIP,      /* the iterable of these tuples */
    PART_MAPPED,   /* map() */
    PART_COPY,     /* list(x), dict(x) */
    PART_SLICE,    /* slice(a, b); x[1:] of a tuple */
    PART_PARTIAL,  /* functools.partial */
    PART_MODULES,  /* ModuleList, Sequential */
    PART_COMPARED, /* the result of key= */
    PART_STARRED,  /* rest of `first, *rest = x` */
    PART_DECLARED, /* x: list[Tensor] */
    PART_ATTRIBUTES, /* self.__dict__ */
    PART_INPUTS,   /* inputs of a custom autograd operation */
    PART_MADE_DICT, /* unknown["key"] = tensor */
    PART_LONGER,   /* a tuple with unknown further elements */
} PartOf;

typedef struct StoreMap StoreMap;

enum { PATH_REST = 254, PATH_DEEPEST = 0xFFFF };

static inline uint32_t path_into(uint32_t path, uint32_t index) { return path << 8 | (index + 1); }

/* ---- store.c ---- */
/* rulebook_member and rulebook_child, memoised. `name` must keep its address as long as inference runs. */
struct RuleAnswer *asked_init(Arena *arena);
EntryId member_of(const Inference *inference, EntryId class_entry, Text name);
EntryId child_of(const Inference *inference, EntryId parent, Text name);
void store_init(Inference *inference, uint32_t exprs); /* reserves room for a program of about so many expressions */
SlotId store_new_slot(Inference *inference); /* a slot that is not in the map: its owner keeps the id */
SlotId store_slot(Inference *inference, StoreKey key, uint32_t a, uint64_t b);
ObjectId store_object(Inference *inference, StoreKey key, uint32_t a, uint64_t b, Flavour flavour);
void store_end(Inference *inference, ContextId id);   /* appends the context to the postorder of evaluations */
void store_queue(Inference *inference, ContextId id); /* puts the context on the worklist */
/* Joins `value` into the slot. If the slot grows, its readers go on the worklist. */
void store_write(Inference *inference, SlotId slot, const Value *value);
/* Sets the final value of a new slot, which then never grows and lists no readers. */
void store_fix(Inference *inference, SlotId slot, const Value *value);
/* Puts the slot's readers on the worklist even though its value stays. */
void store_touch(Inference *inference, SlotId slot);
/* Marks the slot's readers dirty without queueing them: a key that was part of `rest` is known now, and
   whatever else makes them run will see it. */
void store_invalidate(const Inference *inference, SlotId slot);
/* Reads on behalf of a context, which will be evaluated again when the slot grows. */
const Value *store_read(Inference *inference, ContextId reader, SlotId slot);

/* ---- reader_list.c ---- */
/* What listed readers are read by: those of `few`, then those that are coded. */
typedef struct Readers {
    const EvaluationId *few;
    uint32_t few_left;
    const uint8_t *at, *end;
    EvaluationId id;
} Readers;

Readers readers_of(const Slot *slot);
bool readers_next(Readers *self); /* sets `id`; false = no more */
bool reader_is_recent(const Slot *slot, EvaluationId reader); /* among the last few that were listed */
void reader_add(Inference *inference, Slot *slot, EvaluationId reader);
void readers_drop(Slot *slot);

/* ---- object.c ---- */
/* [key_count] */
static inline const ObjectKey *object_keys(const Object *object) {
    return object->key_count > 1 ? object->keys.several : &object->keys.only;
}
enum { POSITIONS_KEPT = 32 }; /* most positions of a tuple or list display that are kept apart */
/* A known key has a slot of its own; object_slot without a key gives the slot of everything else. */
uint32_t position_key(uint32_t position);
uint32_t name_key(Sym name);
SlotId object_slot(Inference *inference, ObjectId object, uint32_t key);
bool object_has(const Inference *inference, ObjectId object, uint32_t key);
/* The container that an expression makes for one inside a structure, e.g. the inner list of batch.to(device).
   The same path (indices of the keys that lead there) and flavour give the same object, others another one. */
ObjectId object_at(Eval *eval, ExprId expr, PartOf first, ObjectId like, uint32_t path);
ObjectId object_part(Eval *eval, ExprId expr, PartOf part, Flavour flavour);
/* what was written under that key itself; NULL = nothing */
const Value *object_own(Eval *eval, ObjectId object, uint32_t key);
const Value *object_get(Eval *eval, ObjectId object, uint32_t key);
const Value *object_any(Eval *eval, ObjectId object);
const Value *object_turns(Eval *eval, ObjectId object); /* what a loop over it yields, one element each iteration */
void object_add(Eval *eval, ObjectId object, const Value *value); /* adds an element at an unknown place */
const Value *object_value(Eval *eval, ObjectId object);
const Value *literal_value(Eval *eval, Kind kind, Sym text);
const Value *alt_value(Eval *eval, const Alt *alt);
const Value *only_kind(Eval *eval, const Value *value, Kind kind);
const Value *bound_value(Eval *eval, ExprId expr, Kind kind, uint32_t id, const Value *receiver,
                         uint8_t belief);
const Value *bound_receiver(Eval *eval, const Alt *alt); /* NULL when it is not bound */
/* Enters a nested call or iteration. False: the nesting or branching of one expression exceeds its bound, so
   the result is unknown. */
bool enter_nested(Eval *eval);

#endif
