#ifndef SYNCL_THING_H
#define SYNCL_THING_H
/* What the sizing pass knows a variable to be: one thing, told apart by the way of calls that leads there. Unlike the values
   of inference it has numbers and shapes, and no alternatives: what may be two things is unknown. Containers, instances and
   functions lie in the arena of the pass; tensors never change. */
#include "infer.h"
#include "number.h"
#include "size_rules.h"

typedef enum ThingKind {
    THING_UNKNOWN, /* id: which one; the same one twice is the same number; 0 = no matter */
    THING_NONE,
    THING_BOOL,   /* number: 0 or 1 */
    THING_NUMBER, /* number */
    THING_TEXT,   /* text */
    THING_TENSOR, /* tensor */
    THING_LIST,   /* list: a list or tuple, a set, what iterates */
    THING_DICT,   /* dict */
    THING_SLICE,  /* list: its three bounds */
    THING_ELLIPSIS,
    THING_INSTANCE, /* instance: of a class of the program or of an API */
    THING_FUNCTION, /* function: a def or lambda of a file, with what it sees */
    THING_CLASS,    /* class_: of a file */
    THING_API,      /* id: EntryId */
    THING_BOUND,    /* bound: something callable with a receiver, or with first arguments */
    THING_FILE,     /* id: FileId: a module of the program */
    THING_PRIMITIVE, /* id: Primitive, a word of rules/sizes.py */
} ThingKind;

typedef enum Element {
    ELEMENT_UNKNOWN, ELEMENT_BOOL, ELEMENT_BYTE, ELEMENT_INT, ELEMENT_LONG, ELEMENT_HALF, ELEMENT_FLOAT, ELEMENT_DOUBLE,
} Element;

enum { RANK_MOST = 8, RANK_UNKNOWN = -1 };

typedef struct Tensor {
    Number dims[RANK_MOST];
    int8_t rank;     /* RANK_UNKNOWN: nothing is known of its shape */
    uint8_t element; /* Element */
    bool graded;     /* a parameter, or computed from one */
    bool parameter;
    bool fixed;      /* a parameter that asks for no gradient */
    bool host;       /* on the CPU, for sure */
    bool valued;     /* of no dimension, on the host: `value` is what stands in it */
    Number value;
    uint32_t cast_in; /* the autocast region in which it was last made narrow; 0 = none */
} Tensor;

typedef struct Thing Thing;
typedef struct ThingList ThingList;
typedef struct ThingDict ThingDict;
typedef struct Instance Instance;
typedef struct Function Function;
typedef struct ClassThing ClassThing;
typedef struct Scope Scope;

struct Thing {
    uint8_t kind;
    uint32_t id;
    union {
        Number number;
        Text text;
        Tensor *tensor;
        ThingList *list;
        ThingDict *dict;
        Instance *instance;
        Function *function;
        ClassThing *class_;
        struct BoundThing *bound;
    };
};

struct ThingList {
    VEC(Thing) items;
    bool open;  /* more of them, alike `rest` */
    bool tuple;
    Thing rest;
    Number length; /* where it is open; of no unknown and 0 = not known either */
    uint32_t born; /* below so many branches that may not be taken: from there what is written to it is certain */
};

struct ThingDict {
    VEC(Thing) keys; /* texts and numbers */
    VEC(Thing) values;
    bool open; /* under other keys there may be anything */
};

struct Instance {
    ClassThing *class_; /* NULL = of an API alone */
    EntryId entry;      /* the nearest API class; 0 = none */
    bool open;          /* made of what is not known: further attributes are not known */
    uint32_t born;      /* as of a list */
    VEC(Text) names;
    VEC(Thing) values;
};

struct Function {
    FileId file; /* 0 = rules/sizes.py */
    FuncId func;
    Scope *around;
    ClassThing *class_; /* in whose body it stands: where super() looks on */
};

enum { CLASS_BASES = 8 };

struct ClassThing {
    FileId file; /* 0 = rules/sizes.py */
    ClassId class_id;
    Scope *around;
    Scope *body; /* once it was run */
    bool running;
    Thing bases[CLASS_BASES];
    uint32_t base_count;
    EntryId entry; /* of an API that it stands for, or inherits; 0 = none */
};

struct BoundThing {
    Thing receiver, callee;
    ThingList *arguments; /* of a partial; NULL = none */
    ThingDict *named;
};

/* One call of a function: its variables. */
struct Scope {
    FileId file;
    FuncId func;
    const FileModel *model;
    Thing *slots; /* [slot]; kind THING_UNKNOWN with id 0 where nothing was bound */
    bool *bound;
    Scope *around;
    ClassThing *class_;
    Thing receiver;
    const Context *context; /* of inference, which tells what is not known here; NULL = none */
    struct SizeNode *node; /* of a function of rules/sizes.py, its caller's; likewise */
    ExprId at;             /* ... the call of the program that led there */
    uint64_t turn;         /* ... and which evaluation of that call it is */
    Thing result;
    bool returned;
    uint8_t left; /* by break, continue, raise or return: what follows in the block does not run */
    ThingList *yielded;
};

static inline Thing thing_none(void) { return (Thing){.kind = THING_NONE}; }
static inline Thing thing_unknown(void) { return (Thing){.kind = THING_UNKNOWN}; }
static inline Thing thing_number(Number number) { return (Thing){.kind = THING_NUMBER, .number = number}; }
static inline Thing thing_known(double value) { return thing_number(number_of(value)); }
static inline Thing thing_bool(bool value) { return (Thing){.kind = THING_BOOL, .number = number_of(value)}; }
static inline Thing thing_text(Text text) { return (Thing){.kind = THING_TEXT, .text = text}; }
static inline bool thing_is_number(Thing thing) { return thing.kind == THING_NUMBER || thing.kind == THING_BOOL; }

Thing thing_list(Arena *arena, bool tuple);
Thing thing_dict(Arena *arena);
void list_push(Arena *arena, Thing list, Thing item);
Thing dict_find(Thing dict, Thing key, bool *found);
void dict_put(Arena *arena, Thing dict, Thing key, Thing value);
bool things_same(Thing a, Thing b);
/* What a variable is where two ways meet. */
Thing thing_join(Arena *arena, Numbers *numbers, Thing a, Thing b);
Thing *instance_slot(Instance *instance, Text name); /* NULL = it has no such attribute */
void instance_put(Arena *arena, Instance *instance, Text name, Thing value);
Number tensor_elements(Numbers *numbers, const Tensor *tensor);
double element_bytes(uint8_t element);

#endif
