#ifndef SYNCL_STORE_H
#define SYNCL_STORE_H
/* The store of inference: slots that only grow, and objects (containers, parts) by allocation site, each found by what
   it stands for. A context that read a slot is evaluated again when the slot grows. Owned by Inference.arena. */
#include "value.h"

typedef struct Inference Inference;
typedef struct Eval Eval;

typedef uint32_t ContextId, SlotId, EvaluationId;

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
    FLAVOUR_PARTS,
    FLAVOURS
} Flavour;

/* A container or the parts of an object, by allocation site. Known keys have slots of their own. */
typedef struct Object {
    uint8_t flavour;
    uint8_t made_as; /* StoreKey, see made_of */
    bool open;       /* elements beyond the known ones may exist: element() joins `rest` */
    bool supposed;   /* `rest` is a page's word for what stands under keys that nobody writes in sight */
    uint32_t point; /* index of Inference.points, 0 = none */
    uint32_t length; /* elements in `rest`, where a comprehension says it; 0 = unknown */
    SlotId rest;
    ContextId closure;  /* of a function's object: see Context */
    ObjectId next_made; /* another one of the same context and expression */
    uint64_t made_of;   /* what else tells it from those */
    VEC(uint32_t) keys; /* Sym of a literal key, or position << 1 | 1 */
    SlotId *key_slots;  /* as many */
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
    STORE_ARGUMENT,        /* context, parameter: arguments of a merged context */
    STORE_GENERATOR,       /* context: object that a generator function returns */
    STORE_DEFAULT,         /* global function, parameter index: the default's value */
    STORE_POINT,          /* file, expression and kind of a point */
    STORE_ENTRY_ATTRIBUTE, /* object id or entry, name: attribute set on a stub class's instance */
    STORE_INSTANCE,        /* file, class and expression: the instances that are made there */
    STORE_OWNED_INSTANCE,  /* object of such instances, class and expression: those that they make */
    STORE_OWN_ATTRIBUTE,   /* global class, object of such instances and name: what those alone were given */
    STORE_SHARED_ATTRIBUTE, /* global class, name: what the class has, or an instance of it whose place is not known */
    STORE_DECLARED,         /* global class, name: what its body says of an attribute, and gives it no value */
} StoreKey;

/* Which object it is that an expression makes besides its own. What moves or collates a structure makes one for each flavour
   that lies in it: the numbers up to the next name are theirs. */
typedef enum PartOf {
    PART_NONE,
    PART_POSITIONAL, /* what *args gathers */
    PART_NAMED,      /* what **kwargs gathers */
    PART_BATCH_VIEW, /* batch.items(), batch.values() */
    PART_BATCH_ITEM, /* ... a pair of that */
    PART_MOVED,      /* batch.to(device) */
    PART_COLLATED = PART_MOVED + FLAVOURS, /* what a loader yields */
    PART_ROW = PART_COLLATED + FLAVOURS,   /* what a dataset gives for an index */
    PART_ROWS = PART_ROW + FLAVOURS,       /* ... for several */
    PART_LOADER,   /* a loader's own */
    PART_PAIR,     /* of dict.items(), enumerate() */
    PART_PAIRS,    /* ... all of them */
    PART_VIEW,     /* dict.keys(), dict.values() */
    PART_ZIPPED,   /* a tuple of zip() */
    PART_ZIP,      /* ... all of them */
    PART_MAPPED,   /* map() */
    PART_COPY,     /* list(x), dict(x) */
    PART_SLICE,    /* slice(a, b); x[1:] of a tuple */
    PART_PARTIAL,  /* functools.partial */
    PART_MODULES,  /* ModuleList, Sequential */
    PART_COMPARED, /* what key= gives */
    PART_STARRED,  /* rest of `first, *rest = x` */
    PART_DECLARED, /* x: list[Tensor] */
    PART_ATTRIBUTES, /* self.__dict__ */
    PART_INPUTS,   /* of a custom operation's setup */
    PART_MADE_DICT, /* unknown["key"] = tensor */
    PART_LONGER,   /* a tuple with more behind it */
} PartOf;

typedef struct StoreMap StoreMap;

enum { PATH_REST = 254, PATH_DEEPEST = 0xFFFF };

static inline uint32_t path_into(uint32_t path, uint32_t index) { return path << 8 | (index + 1); }

/* ---- store.c ---- */
/* rulebook_member and rulebook_child, remembered. The bytes of a name stay where they are as long as inference runs. */
struct RuleAnswer *asked_init(Arena *arena);
EntryId member_of(const Inference *inference, EntryId class_entry, Text name);
EntryId child_of(const Inference *inference, EntryId parent, Text name);
void store_init(Inference *inference, uint32_t exprs); /* room for what a program of so many makes, about */
SlotId store_new_slot(Inference *inference); /* one that its owner keeps the id of */
SlotId store_slot(Inference *inference, StoreKey key, uint32_t a, uint64_t b);
ObjectId store_object(Inference *inference, StoreKey key, uint32_t a, uint64_t b, Flavour flavour);
void store_end(Inference *inference, ContextId id);   /* takes its place in the order of evaluations */
void store_queue(Inference *inference, ContextId id); /* to be evaluated again */
/* Joins; readers are queued when the slot grows. */
void store_write(Inference *inference, SlotId slot, const Value *value);
/* Readers are queued although the value stays. */
void store_touch(Inference *inference, SlotId slot);
/* What read it looks again, but only when something else makes it: a key is known now that was one of the rest. */
void store_invalidate(const Inference *inference, SlotId slot);
/* Reads on behalf of a context, which is evaluated again when the slot grows. */
const Value *store_read(Inference *inference, ContextId reader, SlotId slot);

/* ---- object.c ---- */
/* Known keys of an object have slots of their own; without the key, everything that the object may hold. */
uint32_t position_key(uint32_t position);
uint32_t name_key(Sym name);
SlotId object_slot(Inference *inference, ObjectId object, uint32_t key);
bool object_has(const Inference *inference, ObjectId object, uint32_t key);
/* A container of the same flavour, which an expression makes of one that lies so in a structure: what lies elsewhere there,
   and a container of another flavour, becomes another. A path is the indices of the keys that lead there. */
ObjectId object_at(Eval *eval, ExprId expr, PartOf first, ObjectId like, uint32_t path);
ObjectId object_part(Eval *eval, ExprId expr, PartOf part, Flavour flavour);
const Value *object_own(Eval *eval, ObjectId object, uint32_t key); /* what that key itself was given; NULL = nothing */
const Value *object_get(Eval *eval, ObjectId object, uint32_t key);
const Value *object_any(Eval *eval, ObjectId object);
const Value *object_turns(Eval *eval, ObjectId object); /* what a loop over it gives, one after the other */
void object_add(Eval *eval, ObjectId object, const Value *value); /* at an unknown place */
const Value *object_value(Eval *eval, ObjectId object);
const Value *literal_value(Eval *eval, Kind kind, Sym text);
const Value *alt_value(Eval *eval, const Alt *alt);
const Value *only_kind(Eval *eval, const Value *value, Kind kind);
const Value *bound_value(Eval *eval, ExprId expr, Kind kind, uint32_t id, const Value *receiver,
                         Confidence confidence);
const Value *bound_receiver(Eval *eval, const Alt *alt); /* NULL when not bound */
/* False when nesting or branching within one expression goes beyond what code does: the result is unknown. */
bool enter_nested(Eval *eval);

#endif
