#ifndef SYNCL_THING_H
#define SYNCL_THING_H
/* The values of the sizing pass. A variable is one thing per call path. Unlike the values of inference, things
   have numbers and shapes and no alternatives: what may be two things is unknown. Containers, instances and
   functions live in the arena of the pass; tensors are immutable. */
#include "infer.h"
#include "number.h"
#include "size_rules.h"

typedef enum ThingKind {
    THING_UNKNOWN, /* id: 1 = at least known to be a text, of unknown content */
    THING_NONE,
    THING_BOOL,   /* number: 0 or 1 */
    THING_NUMBER, /* number */
    THING_TEXT,   /* text */
    THING_TENSOR, /* tensor */
    THING_LIST,   /* list: a list, tuple, set or iterator */
    THING_DICT,   /* dict */
    THING_SLICE,  /* list: its three bounds */
    THING_ELLIPSIS,
    THING_INSTANCE, /* instance: of a class of the program, or of an API's class */
    THING_FUNCTION, /* function: a def or lambda, with its enclosing scope */
    THING_CLASS,    /* class_: of the program or of rules/sizes.py */
    THING_API,      /* id: EntryId */
    THING_BOUND,    /* bound: a callable with a receiver, or with some arguments given */
    THING_FILE,     /* id: FileId of a module of the program */
    THING_PRIMITIVE, /* id: a word of rules/sizes.py */
} ThingKind;

typedef enum Element {
#define ELEMENT(name, word, bytes) ELEMENT_##name,
#include "elements.def"
} Element;

enum { RANK_MOST = 8, RANK_UNKNOWN = -1 };

typedef struct Tensor {
    Number dims[RANK_MOST];
    int8_t rank;     /* RANK_UNKNOWN: the shape is unknown */
    uint8_t element; /* Element */
    bool graded;     /* requires a gradient: a parameter, or computed from one */
    bool parameter;
    bool fixed;      /* a parameter that requires no gradient */
    bool host;       /* certainly on the CPU */
    bool valued;     /* a host tensor of no dimension whose content is known: `value` */
    Number value;
    uint32_t cast_in; /* the autocast region that last cast it to low precision; 0 = none */
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
    bool open;  /* more elements may follow, each like `rest` */
    bool tuple;
    Thing rest;
    Number length; /* of an open list; 0 times no unknown = unknown */
    uint32_t turning; /* number of widened loops (one iteration stands for all) around the place where it was made */
    uint32_t made_under; /* number of enclosing branches that may not run, where it was made; see
                            size_changes_surely */
};

struct ThingDict {
    VEC(Thing) keys; /* texts and numbers */
    VEC(Thing) values;
    bool open; /* other keys may hold anything */
    Thing rest; /* if open: the value under every other key where all keys are unknown; else unknown */
};

struct Instance {
    ClassThing *class_; /* NULL = of an API's class */
    EntryId entry;      /* nearest API class; 0 = none */
    bool open;          /* made from unknown values: it may have any further attribute */
    uint32_t made_under; /* as of a list */
    VEC(Text) names;
    VEC(Thing) values;
};

struct Function {
    FileId file; /* 0 = rules/sizes.py */
    FuncId func;
    Scope *around;
    ClassThing *class_; /* the class around it, where super() starts from */
};

enum { CLASS_BASES = 8 };

struct ClassThing {
    FileId file; /* 0 = rules/sizes.py */
    ClassId class_id;
    Scope *around;
    Scope *body; /* NULL until it was run */
    bool running;
    Thing bases[CLASS_BASES];
    uint32_t base_count;
    EntryId entry; /* the API class that it describes or inherits; 0 = none */
};

struct BoundThing {
    Thing receiver, callee;
    ThingList *arguments; /* arguments of a partial; NULL = none */
    ThingDict *named;
};

/* The variables of one call of a function. */
struct Scope {
    FileId file;
    FuncId func;
    const FileModel *model;
    Thing *slots; /* [slot]; THING_UNKNOWN with id 0 where it is unbound */
    bool *bound;
    Scope *around;
    ClassThing *class_;
    Thing receiver;
    const Context *context; /* the context of inference, for what is unknown here; NULL = none */
    struct SizeNode *node; /* for a function of rules/sizes.py: the caller's node; likewise: */
    ExprId at;             /* the program's call that led here */
    uint64_t turn;         /* which evaluation of that call it is */
    Thing result;
    bool returned;
    uint8_t left; /* how the block was left (LEFT_...): the rest of it does not run */
    ThingList *yielded;
};

static inline Thing thing_none(void) { return (Thing){.kind = THING_NONE}; }
static inline Thing thing_unknown(void) { return (Thing){.kind = THING_UNKNOWN}; }
static inline Thing thing_some_text(void) { return (Thing){.kind = THING_UNKNOWN, .id = 1}; }
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
/* The join of a variable where two branches meet. */
Thing thing_join(Arena *arena, Numbers *numbers, Thing a, Thing b);
Thing *instance_slot(Instance *instance, Text name); /* NULL = it has no such attribute */
void instance_put(Arena *arena, Instance *instance, Text name, Thing value);
Number tensor_elements(Numbers *numbers, const Tensor *tensor);
double element_bytes(uint8_t element);

#endif
