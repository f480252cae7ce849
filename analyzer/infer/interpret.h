#ifndef SYNCL_INTERPRET_H
#define SYNCL_INTERPRET_H
/* What the files of inference share: the state of one evaluation of one context. Not for other steps. */
#include "env.h"
#include "infer.h"

typedef struct Replay Replay;

/* ---- store: slots and objects, found by what they stand for ---- */
typedef enum StoreKey {
    STORE_VARIABLE,        /* global function, local slot: what nested functions see */
    STORE_CAPTURED,        /* context, local slot: what functions nested in that one see */
    STORE_CLOSURE,         /* context, function: a function made there */
    STORE_BOUND_CLOSURE,   /* context, closure's object and expression: one bound to a receiver */
    STORE_GLOBAL,          /* file, name: variables of a module */
    STORE_ATTRIBUTE,       /* global class, name */
    STORE_LITERAL,         /* context, expression: object of a display, comprehension, call result */
    STORE_PART,            /* context, expression and part number: further objects of one expression */
    STORE_BOUND,           /* context, expression: receiver of a bound method */
    STORE_ARGUMENT,        /* context, parameter: arguments of a merged context */
    STORE_GENERATOR,       /* context: object that a generator function returns */
    STORE_DEFAULT,         /* global function, parameter index: the default's value */
    STORE_MOMENT,          /* file, expression and kind of a moment */
    STORE_ENTRY_ATTRIBUTE, /* object id or entry, name: attribute set on a stub class's instance */
    STORE_INSTANCE,        /* file, class and expression: the instances that are made there */
    STORE_OWNED_INSTANCE,  /* object of such instances, class and expression: those that they make */
    STORE_OWN_ATTRIBUTE,   /* global class, object of such instances and name: what those alone were given */
    STORE_SHARED_ATTRIBUTE, /* global class, name: what the class has, or an instance of it whose place is not known */
} StoreKey;

typedef struct StoreMap StoreMap;
void store_init(Inference *inference, uint32_t exprs); /* room for what a program of so many makes, about */
SlotId store_slot(Inference *inference, StoreKey key, uint32_t a, uint64_t b);
SlotId store_new_slot(Inference *inference); /* one that its owner keeps the id of */
ObjectId store_object(Inference *inference, StoreKey key, uint32_t a, uint64_t b, Flavour flavour);
/* Joins; readers are queued when the slot grows. */
void store_write(Inference *inference, SlotId slot, const Value *value);
void store_queue(Inference *inference, ContextId id); /* to be evaluated again */
void store_end(Inference *inference, ContextId id);   /* takes its place in the order of evaluations */
/* Readers are queued although the value stays. */
void store_touch(Inference *inference, SlotId slot);
/* What read it looks again, but only when something else makes it: a key is known now that was one of the rest. */
void store_stir(const Inference *inference, SlotId slot);
/* Reads on behalf of a context, which is evaluated again when the slot grows. */
const Value *store_read(Inference *inference, ContextId reader, SlotId slot);

/* rulebook_member and rulebook_child, remembered. The bytes of a name stay where they are as long as inference runs. */
struct RuleAnswer *asked_init(Arena *arena);
EntryId member_of(const Inference *inference, EntryId class_entry, Text name);
EntryId child_of(const Inference *inference, EntryId parent, Text name);

typedef struct LoopFrame {
    struct LoopFrame *outer;
    Env *broken; /* joined environments at `break`, NULL = none */
    Env *continued;
    bool first; /* the first turn: what a later statement gives a variable is not there yet, */
    bool early; /* and was read */
} LoopFrame;

typedef struct Eval {
    Inference *inference;
    ContextId id;
    Context *context;
    const SourceFile *file;
    FileId file_id;
    const FileModel *model;
    const Func *func;
    FuncId func_id;
    Arena *scratch;      /* environments; gone when the evaluation ends */
    Env *env;
    uint32_t first_path; /* the first slot that is one of `a.b`, `a["k"]`; 0 = none */
    const bool *rooted;  /* [slot]: such a path begins there; NULL = there is none */
    bool reachable;
    LoopFrame *loops;
    Env **heads; /* [loop of the function]: the environment at its head, as it was left last; NULL = not come to yet */
    uint32_t turns, turns_most; /* of the nest of loops that is walked now, all its loops together */
    Env *raised; /* joined environments that a handler may see; NULL outside try */
    uint32_t depth;       /* of calls */
    uint32_t nesting; /* of calls and iterations within this context: objects may call and iterate themselves */
    uint32_t nested_calls; /* made below the outermost of them: containers of callables branch */
    bool shared;           /* writes to variables also go to the store: nested functions or module scope */
    const uint32_t *use;   /* [slot]: how the function uses each variable, see evidence.c */
    uint8_t rate;          /* CallRate of the calls made now */
    bool guessed;          /* ... are of what only the method's name tells */
    bool together;         /* arguments that are here or there are all on the GPU */
    bool fetched;          /* the receiver is asked for with .cpu(): what is here or there is there */
    uint16_t graphs;       /* ALT_CAPTURED, ALT_COMPILED of what is called now */
    ObjectId stream; /* of the `with torch.cuda.stream(s)` around, when s is a stream that the program makes */
    bool muted;      /* what waits here is not told */
    uint8_t on_cuda; /* within `with torch.device("cuda"):` */
    uint32_t pass;   /* through the parts of nn.Sequential; 0 = none */
    double times;    /* that many parts are called by the call made now; 0 = one */
    bool fails;      /* the statement raises an exception for sure */
    bool unpacks;    /* it names the parts of what a variable holds: `height, width = sizes` */
    bool unseen;     /* the receiver may be something that is not known: nothing is certain of it */
    bool apart;      /* the receiver is a tensor here or one there: nothing is certain of it */
    bool doubt;      /* the receiver may be something else that would not wait */
    ExprId promised; /* a call that an annotation says makes an instance of this class: `x: Policy = make(...)` */
    const Value *promised_class;
} Eval;

/* Whether the run that a file's code belongs to has made the GPU its default device. */
static inline bool is_default_cuda(const Inference *inference, FileId file) {
    return inference->default_cuda && inference->default_cuda[file];
}

/* Where a tensor or module is made that names no device. */
static inline Device default_device(const Eval *eval) {
    return is_default_cuda(eval->inference, eval->file_id) || eval->on_cuda ? DEVICE_CUDA : DEVICE_CPU;
}

enum { ARGUMENTS = 32, NESTING = 24, NESTED_CALLS = 300 };

typedef struct Args {
    const Value *values[ARGUMENTS];
    ExprId exprs[ARGUMENTS];
    uint32_t count;
    Sym names[ARGUMENTS]; /* keywords */
    const Value *named[ARGUMENTS];
    ExprId named_exprs[ARGUMENTS];
    uint32_t named_count;
    bool star, double_star; /* more of unknown number or name follow */
    bool bottom;            /* some argument has no value yet: the call is not reached */
    const Value *star_value, *double_star_value;
    uint32_t star_length; /* values in star_value; 0 = unknown */
    ExprId receiver_expr; /* `model` in model.cuda(): what a mutating call rebinds; 0 = no name for it */
} Args;

/* ---- expressions ---- */
const Value *eval_expr(Eval *eval, ExprId expr);
const Value *eval_truth(Eval *eval, ExprId expr, Tri *truth); /* the value, having asked it for truth */
void use_protocol(Eval *eval, ExprId expr, const Value *value, const char *method, const Value *argument);
/* What the class of an instance has not, its `__getattr__` is asked for; NULL: it has none, or nothing is known of it. */
const Value *asked_attribute(Eval *eval, ExprId expr, const Alt *instance, Sym name);
const Value *eval_attribute(Eval *eval, ExprId expr, const Value *object, Sym name);
const Value *loader_by_name(Eval *eval, ExprId id, const Value *value);
/* What is not known, but called `device`: the GPU, likely. */
const Value *place_by_name(Eval *eval, ExprId expr, Text name, const Value *value);
/* The function that a receiver's method of that name is, plain enough to be called without being bound first; 0 = it has
   no such, or a decorator changes what it is. */
GlobalFunc plain_method(Eval *eval, const Alt *receiver, Sym name);
typedef struct ItemDoubt {
    bool doubt, unseen;
} ItemDoubt;
ItemDoubt doubt_items(Eval *eval, const Value *object); /* until end_doubt */
void end_doubt(Eval *eval, ItemDoubt before);
const Value *eval_subscript(Eval *eval, ExprId expr, const Value *object, ExprId index);
const Value *element_of(Eval *eval, ExprId expr, const Value *iterable, bool report); /* what iterating gives */
/* ... to the target of a loop, which asks the iterable for it where it is a dict */
const Value *turn_of(Eval *eval, ExprId target, ExprId iterable, const Value *value, Span loop);
const Value *taken_apart(Eval *eval, EntryId entry, const Value *value);
const Value *position_of(Eval *eval, const Value *tuple, uint32_t position);
void refine(Eval *eval, ExprId condition, bool truth);

/* The side of a branch that does not run as things are, and how sure a tensor can be that it alone makes. */
typedef struct OffSide {
    Tri off; /* YES: the body, NO: what else; unknown: neither */
    Confidence most;
} OffSide;
OffSide off_side(Eval *eval, ExprId condition);
/* Tensors of the one side where the other makes something else for sure. */
void doubt_side(Eval *eval, Env *off, const Env *on, Confidence most);

Tri is_of_type(Eval *eval, const Alt *alt, const Value *type); /* as isinstance() answers */
uint32_t slot_of(const Eval *eval, ExprId id); /* of a local name or path, 0 = none */
Tri literal_truth(const Eval *eval, const Value *value);

/* Of an array: an element of a vector is a scalar, which indexes as Python's numbers do. array_item: of a text too. */
const Value *array_element(Eval *eval, const Alt *array);
bool no_item(const Value *object, const Alt *alt, const Value *index); /* `alt[index]` is an error there */
const Value *array_item(Eval *eval, const Alt *array, const Value *index);

/* Known keys of an object have slots of their own; without the key, everything that the object may hold. */
uint32_t position_key(uint32_t position);
uint32_t name_key(Sym name);
SlotId object_slot(Inference *inference, ObjectId object, uint32_t key);
bool object_has(const Inference *inference, ObjectId object, uint32_t key);
const Value *object_get(Eval *eval, ObjectId object, uint32_t key);
const Value *object_own(Eval *eval, ObjectId object, uint32_t key); /* what that key itself was given; NULL = nothing */
const Value *object_any(Eval *eval, ObjectId object);
const Value *object_turns(Eval *eval, ObjectId object); /* what a loop over it gives, one after the other */
void object_add(Eval *eval, ObjectId object, const Value *value); /* at an unknown place */
/* A container of the same flavour, which an expression makes of one that lies so in a structure: what lies elsewhere there,
   and a container of another flavour, becomes another. A path is the indices of the keys that lead there. */
ObjectId object_at(Eval *eval, ExprId expr, uint8_t number, ObjectId like, uint32_t path);
enum { PATH_REST = 254, PATH_DEEPEST = 0xFFFF };
static inline uint32_t path_into(uint32_t path, uint32_t index) { return path << 8 | (index + 1); }
const Value *object_value(Eval *eval, ObjectId object);
/* `left + right` into an object that the expression names; false when it is not known how many positions left has. */
bool join_tuples(Eval *eval, ObjectId into, ExprId right_expr, const Value *left, const Value *right);
const Value *add_to_tuple(Eval *eval, ExprId right_expr, const Value *left, const Value *right);
const Value *cut_tuple(Eval *eval, ExprId expr, const Value *tuple, ExprId index); /* NULL = in no known way */
const Value *fitting_parts(Eval *eval, const Value *value, uint32_t total);
void use_bounds(Eval *eval, ExprId index_expr);
void use_as_index(Eval *eval, ExprId index_expr, const Value *index);
void use_count(Eval *eval, ExprId expr, const Value *left, const Value *right); /* of left * right */
static inline const Value *kind_value(Eval *eval, Kind kind) {
    return value_kind(&eval->inference->values, kind);
}

static inline const Value *join_values(Eval *eval, const Value *a, const Value *b) {
    return value_either(&eval->inference->values, a, b);
}

static inline Text sym_text(const Eval *eval, Sym name) {
    return names_text(&eval->inference->program->names, name);
}

const Value *literal_value(Eval *eval, Kind kind, Sym text);
const Value *only_kind(Eval *eval, const Value *value, Kind kind);
const Value *alt_value(Eval *eval, const Alt *alt);
const Value *bound_value(Eval *eval, ExprId expr, Kind kind, uint32_t id, const Value *receiver,
                         Confidence confidence);
const Value *bound_receiver(Eval *eval, const Alt *alt); /* NULL when not bound */

/* ---- where functions are named (infer_mention.c) ---- */
typedef enum CallPlace { CALLED_ANYWHERE, CALLED_BY_MAKERS, CALLED_BY_WORKERS } CallPlace;
const bool *find_named(Arena *arena, const Program *program); /* [GlobalFunc]: something in its file but its own def */
typedef struct Mentioned Mentioned; /* how often names are, and what loaders collate with */
Mentioned *find_mentioned(Arena *arena, const Program *program, uint32_t names);
/* [GlobalFunc] CallPlace: of a function, what its name is called by, and what calls that: only constructors, only what
   loader workers run. Files that do not reach torch are not asked. */
const uint8_t *find_places(Inference *inference);
const bool *find_forgotten(const Inference *inference); /* [GlobalFunc]: private, and nothing names it */

/* [FileId]: files that cannot be imported */
const bool *find_broken(const Inference *inference);
bool takes_names(const FileModel *model); /* in ways that it does not spell out */
bool begins_unbound(const Inference *inference, const SourceFile *file, ExprId id);
const bool *find_raising(const Inference *inference); /* [GlobalFunc]: see infer_raises.c */

/* [FileId]: the files that `of` runs before: they import it at their top, or lie in a package that does. */
const bool *find_importers(Arena *arena, const Program *program, FileId of);
const bool *find_imported(Arena *arena, const Program *program, FileId of); /* those that run before `of` */
/* A call of torch.set_default_device("cuda") in file `by`: it holds there, in what imports that (at_top: the module's body
   says it), and in what is imported by no more programs of the repository that do not say it than by those that do. */
void set_default_cuda(Inference *inference, FileId by, bool at_top);

/* ---- what the text says, found ahead on another thread (infer_ahead.c); NULL = not found yet ---- */
typedef struct Ahead Ahead;
typedef void InferBody(Inference *inference);
void ahead_run(Inference *inference, InferBody *body, uint32_t threads, uint32_t exprs); /* exprs: of the program */
const uint32_t *ahead_uses(const Inference *inference, GlobalFunc func);
const uint8_t *ahead_makers(const Inference *inference);
const bool *ahead_named(const Inference *inference);
Mentioned *ahead_mentioned(const Inference *inference); /* whose alone it is from now on */

/* ---- methods of unknown things ---- */
struct Methods *infer_methods(Inference *inference);
void infer_guess(Inference *inference);
bool left_to_subclasses(const FileModel *model, const Func *func);
bool filled_by_subclasses(const Eval *eval, const SourceFile *file, const Func *func);
bool left_open(Eval *eval, const FileModel *model, const Func *func, Sym name, const Value *self);
const Value *kept_by_subclasses(Eval *eval, const Alt *instance, Sym name);
const Value *subclasses_result(Eval *eval, ExprId expr, Sym name, GlobalClass base, const Args *args);
const Value *subclasses_told(Eval *eval, ExprId expr, Sym name, GlobalClass base, const Args *args);
const Value *guessed_receiver(Eval *eval, ExprId expr, Sym name); /* NULL = nobody in particular */
const Value *asked_distribution(Eval *eval, ExprId expr, Sym name, const Args *args);
const Value *unseen_result(Eval *eval, ExprId expr, Sym name, const Args *args); /* of a receiver that nobody knows */

/* ---- instances told apart by where they are made ---- */
uint8_t makers_of(Inference *inference, Sym name);
const uint8_t *instance_makers(Arena *arena, const Program *program, uint32_t names);
bool pays_apart(Inference *inference, GlobalClass class_id);
ObjectId instance_place(Eval *eval, ExprId expr, GlobalClass class_id); /* 0 = its class is not told apart */
/* As class_member, of an instance: what it was given itself comes before what its class has. */
const Value *instance_member(Eval *eval, const Alt *instance, Sym name, EntryId *entry);

/* ---- attributes by name and by part of a name ---- */
/* Of the instance; of all of its class where its place is not known. */
void write_attribute(Inference *inference, const Alt *instance, Sym name, const Value *value);
void write_class_attribute(Inference *inference, GlobalClass class_id, Sym name, const Value *value);
const Value *class_says(Eval *eval, GlobalClass id, Sym name); /* an attribute that no class body gives */
void keep_by_name(Eval *eval, ExprId expr, GlobalFunc function, const Value *const *bound);
const Value *any_attribute(Eval *eval, const Value *object, ExprId name_expr);
/* The literal that a computed name begins or ends with: "loss_" + name, f"{kind}_loss", "net{}".format(i). */
Text literal_part(const Eval *eval, ExprId id, bool end);

/* Whom `self.parameters()` asks where the module itself stayed, and a part of it was moved: self.net.to(device). */
Alt holder_of_parts(Eval *eval, const Alt *instance, Sym name);

/* ---- modules, and what is in them, by a computed name ---- */
const Value *any_definition(Eval *eval, FileId file);
const Value *module_item(Eval *eval, const Alt *module, const Value *index, ExprId index_expr);
const Value *own_module(Eval *eval);
const Value *imported_by_name(Eval *eval, const Args *args);
FileId import_source(Eval *eval, FileId importer, const Import *import); /* of `from x import y`: x; 0 = out of sight */
void run_module(Eval *eval, FileId file);
const Value *type_of(Eval *eval, const Value *value); /* NULL: of nothing yet */
const Value *missing_part(Eval *eval, ObjectId dict); /* what stands under a key that is not known to be there */
const Value *follow_owner(Eval *eval, const Alt *owner, const Value *value); /* a module's parts are where it is */
const Value *object_element(Eval *eval, ExprId expr, const Alt *alt, bool report); /* of a library's object */
const Value *attribute_dict(Eval *eval, ExprId expr, const Alt *instance);
/* Its own code makes Parameters of what it has moved to the GPU: who makes one need not move it. */
bool moves_parameters(Inference *inference, GlobalClass id);

/* ---- device names ---- */
/* A value where `# syncl: device=...` on the statement says that it is. */
const Value *contracted(Eval *eval, const Stmt *stmt, const Value *value);
bool device_of_tensor(const Eval *eval, ExprId id);        /* `x.device`: where the data is */
const Value *priced_place(Eval *eval, ExprId expr, const Value *value); /* of "cpu" and "cuda": the GPU, likely */
/* A module that was made and not moved in sight, or a parameter of one: on the GPU by the time somebody asks. */
bool is_moved_later(Eval *eval, const Alt *alt);
const Value *part_of_module(Eval *eval, const Value *value); /* some module in it, as far as it is on the GPU */
const Value *moved_with(Eval *eval, const Alt *owner, const Value *kept); /* what a graph or a batch holds */
bool is_outvoted(Eval *eval, const Value *model, const Value *args);
/* `x.to(args.local_rank)`, `device=gpu_ids[0]`: arguments that are called as the numbers of GPUs are. */
void place_numbers(Eval *eval, Sym callee, Args *args);
const Value *device_text(Eval *eval, const Value *beginning);
/* An accelerator other than CUDA is asked for by name: whether it is the one that the program runs on. */
bool device_other(const Eval *eval);
/* Where text such as "cuda:1" or "mps" means; DEVICE_UNKNOWN: it is no device's name. */
Device device_named(const Eval *eval, Text text);
const Value *device_truth(Eval *eval, bool truth); /* an answer to whether a GPU is there */
const Value *version_test(Eval *eval, const Expr *expr, const Value *otherwise);
const Value *device_test(Eval *eval, Operator op, const Value *left, const Value *right);
/* The name in `torch.device("cpu")`, which a device is compared with; else what it is. */
const Value *device_literal(Eval *eval, ExprId id, const Value *value);

/* ---- assignment ---- */
void assign(Eval *eval, ExprId target, const Value *value);
void assign_slot(Eval *eval, uint32_t slot, const Value *value);
const bool *find_rooted(const Eval *eval); /* Eval.rooted */
void assign_attribute(Eval *eval, ExprId expr, const Value *object, Sym name, const Value *value);
bool method_named(const Inference *inference, Sym name); /* some class of the program has one of that name */
bool call_setter(Eval *eval, ExprId expr, const Alt *instance, Sym name, const Value *value);
void assign_item(Eval *eval, ExprId target, const Value *object, ExprId index, const Value *value);
/* The receiver of a mutating call becomes the value: model.cuda(). */
void assign_back(Eval *eval, ExprId target, const Value *value);

/* ---- calls ---- */
/* False when nesting or branching within one expression goes beyond what code does: the result is unknown. */
bool enter_nested(Eval *eval);
const Value *eval_call(Eval *eval, ExprId expr);
const Value *call_value(Eval *eval, ExprId expr, const Value *callee, const Args *args);
const Value *call_method(Eval *eval, ExprId expr, const Value *receiver, Sym name, const Args *args);
const Value *call_function(Eval *eval, ExprId expr, const Alt *function, const Value *self, const Args *args);
ContextId context_for(Eval *eval, FileId file, FuncId func, ContextId closure, const Value **args);
SlotId captured_slot(Eval *eval, FuncId func, uint32_t slot); /* a variable of a function around this one */
const Value *make_dict(Eval *eval, ExprId expr, const Args *args);
bool is_container_method(Text name);
void update_container(Eval *eval, ObjectId object, const Value *other);
const Value *call_native(Eval *eval, ExprId expr, const Alt *container, Sym name, const Args *args,
                         bool *handled);
/* torch.autograd.Function: `apply` of a subclass, NULL = it has no forward in sight; what its context keeps; whether a
   method's first parameter is that context. */
bool is_operation(Inference *inference, GlobalClass class_id);
const Value *apply_operation(Eval *eval, ExprId expr, GlobalClass class_id, const Args *args);
const Value *save_for_backward(Eval *eval, const Alt *context, const Args *args);
bool takes_context(Inference *inference, GlobalClass class_id, Sym method);
const Value *instantiate(Eval *eval, ExprId expr, GlobalClass class_id, const Args *args);
/* What a collate function is given: a list of what a dataset of the program gives for an index; of any other dataset
   that is tensors on the CPU, in whatever structure. */
const Value *dataset_rows(Eval *eval, ExprId expr, const Value *dataset);
void construct_base(Eval *eval, ExprId expr, const Alt *made, EntryId base, const Args *args);
const Value *construct(Eval *eval, ExprId expr, EntryId class_entry, const Args *args);
const Value *stub_instance(Eval *eval,
                           EntryId class_entry); /* as a stub's return says it: modules on the CPU */
const Value *instances_of_class(Eval *eval, const Value *class_value);
const Value *call_super(Eval *eval, ExprId expr, Sym name, const Args *args);
const Value *named_argument(const Args *args, Sym name, bool *taken); /* NULL when absent */
const Value *unknown_result(Eval *eval, ExprId expr, const Args *args);
void run_text_methods(Eval *eval, ExprId expr, Text api, const Args *args);
void run_text_method(Eval *eval, ExprId expr, const Alt *alt);
void add_edge(Eval *eval, ExprId expr, ContextId callee, CallRate rate);
bool args_hold(Eval *eval, const Args *args, Device device, Alt *witness);
const uint8_t *find_builtins(Arena *arena, const Rulebook *book); /* [EntryId] */
const Value *call_builtin(Eval *eval, ExprId expr, EntryId entry, const Args *args, bool *handled);

/* ---- moments ---- */
ObjectId moment_here(Eval *eval, ExprId expr, MomentKind kind);
const Value *moment_mark(Eval *eval, const Value *value, ObjectId moment);
ObjectId moment_of(const Eval *eval, const Value *value, MomentKind kind); /* the first; 0 = none */
void moment_use(Eval *eval, ExprId expr, MomentKind kind, const Value *of, const Value *from);

/* What the clauses of one application say of where their result comes from. */
typedef struct Coming {
    ObjectId moment; /* the result comes from there */
    ObjectId same;   /* the moment of the receiver: what queues nothing gives a view of it */
    bool queues;
    uint16_t graphs; /* ALT_CAPTURED, ALT_COMPILED */
} Coming;

/* ---- rulebook clauses applied to values ---- */
/* The value of an attribute entry (property or typed name) of a receiver. */
const Value *apply_attribute(Eval *eval, ExprId expr, EntryId entry, const Value *receiver);
const Value *apply_entry(Eval *eval, ExprId expr, EffectRole role, EntryId entry, const Value *receiver,
                         const Args *args);
/* Records by expression and role; one that says what another of them says joins it. */
void effects_add(Eval *eval, EffectRole role, EffectRecord record);
void effects_clear(Eval *eval, ExprId expr, EffectRole role);
void effects_reset(Context *context);

/* ---- what the last evaluation of a context leaves for the next (infer_memo.c) ---- */
typedef struct StepCounts {
    uint16_t effects, edges, unseen, uses;
} StepCounts;

/* A statement of a function's body as it was evaluated last. */
typedef struct Step {
    EvaluationId reader; /* what its reads are listed under; 0 = it did not run */
    StepCounts counts;   /* what it added to the context */
    uint16_t changes;    /* variables that it changed */
    bool dirty : 1, goes_on : 1, bottom : 1, unknown : 1;
} Step;

typedef struct Memo {
    const Value **values; /* what the parameters were bound to, then what each step changed */
    uint16_t *slots;      /* of which variables */
    uint32_t room;        /* of both */
    uint32_t bound;       /* variables before the first step */
    GlobalClass *asked;   /* classes that steps depend on; too many = on any */
    uint16_t asked_count, asked_room;
    uint32_t clock;       /* Inference.classes_changed when it began */
    uint32_t next;        /* of an evaluation under way: the first step that has not begun */
    bool stale;           /* good for nothing */
    bool guessing, settling, default_cuda; /* as Inference had them */
    Step steps[];
} Memo;

/* The results of a context's last evaluation, out of which steps are taken in order. */
typedef struct Kept {
    const EffectRecord *effects;
    const EffectHead *heads;
    uint32_t head_room, at; /* at: the next of effects */
    const CallEdge *edges;  /* the next of these, and of those below */
    const ExprId *unseen;
    const Use *uses;
} Kept;

void kept_open(Kept *self, Arena *scratch, const Context *context);
void kept_pass(Kept *self, const StepCounts *counts);
void kept_take(Inference *inference, Context *context, Kept *self, const StepCounts *counts);

Replay *memo_begin(Eval *eval); /* NULL = the function is not taken apart. Before results are reset. */
bool memo_again(const Replay *self); /* facts stay where they are: steps that run clear their own */
void memo_run(Replay *self); /* the body */
void memo_ask(const Inference *inference, GlobalClass id); /* what runs depends on what that class is */
EvaluationId memo_reader(Inference *inference, ContextId context, uint32_t step);
bool memo_touch(const Inference *inference, EvaluationId reader); /* something that it read grew: whether it stands still */

enum { BOUND_PARAMS = 48 };
/* A clause's parameters with what a call passes for them. */
typedef struct Bound {
    const Clause *clause;
    EntryId entry;
    const Value *values[BOUND_PARAMS];
    ExprId exprs[BOUND_PARAMS];
    bool given[BOUND_PARAMS];
} Bound;

Text param_name(const Eval *eval, const RuleParam *param);
void do_calls(Eval *eval, ExprId expr, const RuleEffect *effect, const Bound *bound); /* @calls(...) */
void moment_expect(Eval *eval, ExprId expr, const Bound *bound, Coming *coming);
const Value *moment_arrive(Eval *eval, const Value *result, const Coming *coming);
uint16_t moment_found(const Eval *eval, const RuleEffect *effect);
bool moment_say(Eval *eval, const RuleEffect *effect, const Bound *bound, EffectRecord *record);
void moment_use_all(Eval *eval, ExprId expr, const Bound *bound); /* of an operation that is queued */

/* How a value meets a condition, over its alternatives. */
typedef struct Match {
    bool yes, no, unknown;
    bool turns;            /* what does not meet it comes in other turns of a loop */
    Confidence confidence; /* of the surest alternative that meets it */
    uint16_t doubts;       /* DOUBT_...: why that is not certain */
    OriginId origin;
} Match;

/* A tensor, or a container with one, of which some property is not known. */
bool may_meet(Eval *eval, const Alt *alt);
Tri match_alt(Eval *eval, TermId condition, const Alt *alt); /* alt NULL = the argument is absent */
Match match_value(Eval *eval, TermId condition, const Value *value);
/* `x[mask]`, `if torch.isnan(x).any():` of what may also be something else: nobody writes that of anything but tensors, so
   it is likely one. */
/* What truth values become when they are added up, or computed with another operand; NULL = none. */
const Value *counted_value(Eval *eval, const Value *value, const Value *other);
bool asked_as_tensor(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* Anything is printed: what may also be something unknown is only perhaps a tensor there. */
bool prints_unknown(Eval *eval, HazardId hazard, const Bound *bound);
bool trained_with(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* A number's work done with what is only believed to be a tensor. */
bool believed_number(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* `if a > b:`, `range(n)`, f"{x}": what Python does with numbers and texts too. */
bool reads_plainly(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
/* Of what is read plainly: what waits is surely a tensor, wherever it is. */
bool reads_computed(Eval *eval, const EffectRecord *made, const Bound *bound);
/* A finding that is only possible, and of a kind that is less often there than not. */
bool hardly_waits(Eval *eval, const EffectRecord *made, EffectRole role, const Bound *bound);
const Value *fallback_value(Eval *eval, TermId literal);
const Value *return_value(Eval *eval, ExprId expr, TermId term, const Bound *bound);
TermId term_argument(const Eval *eval, const Term *term, uint32_t i); /* 0 = fewer arguments */
double term_count(Eval *eval, TermId term, const Bound *bound);       /* NAN = several */
bool names_device(Eval *eval, const Alt *alt, Device *device);

/* ---- classes, modules, names ---- */
static inline Sym sym_of(const Eval *eval, NameId name) { return name ? eval->file->syms[name] : 0; }

/* As program_file_of_func says, at once. */
static inline FileId file_of_func(const Inference *inference, GlobalFunc func) {
    return inference->func_files[func];
}
static inline const SourceFile *source_of_func(const Inference *inference, GlobalFunc func) {
    FileId file = file_of_func(inference, func);
    return &inference->program->files.items[file];
}
const ClassInfo *class_info(Inference *inference, GlobalClass class_id);
/* Looks along the MRO. Gives the joined value and, when a stub base answers, its entry. */
const Value *class_member(Eval *eval, GlobalClass class_id, Sym name, EntryId *entry);
/* What its own body or methods bind, on any instance. */
const Value *own_member(Eval *eval, GlobalClass class_id, Sym name);
typedef const Value *ReadMember(Eval *eval, GlobalClass class_id, Sym name);
const Value *member_along(Eval *eval, GlobalClass class_id, Sym name, const Value *own, ReadMember *read,
                          EntryId *entry);
enum { MRO_MOST = 64 };
/* A class and what it inherits in Python's order, itself first: id << 1 of a class of the program, | 1 of an entry of
   the rulebook. Good until a class is evaluated. */
const uint32_t *class_order(Inference *inference, GlobalClass class_id, uint32_t *count);
/* Generic[T], Protocol, ABC: they say something of a class and give it nothing. */
bool says_only(const Inference *inference, EntryId base);
bool class_inherits(Inference *inference, GlobalClass class_id, EntryId base);
bool is_module_alt(Eval *eval, const Alt *alt);
const Value *import_value(Eval *eval, const Import *import);
/* Nothing known yet of what the program does define: bottom at first, unknown once nothing else can come. */
const Value *not_yet(Eval *eval);
const Value *batch_part(Eval *eval, const Alt *batch);
bool yields_early(const Eval *eval, ExprId id);
bool asks_text(Text name);
const Value *that_has(Eval *eval, const Value *receiver, Sym name);
bool lacks_attribute(const Eval *eval, const Value *object, const Alt *alt, Sym name);
const Value *module_attribute(Eval *eval, FileId file, Sym name);
/* Of a folder without __init__.py: the module or folder of that name below it. */
const Value *namespace_attribute(Eval *eval, Sym dotted, Sym name);
bool module_binds(Inference *inference, FileId file, Sym name); /* its body, or a function of it by `global` */
struct Stars *infer_stars(Arena *arena, uint32_t count);
const Value *read_name(Eval *eval, ExprId expr);
const Value *eval_class(Eval *eval, ClassId class_id);
const Value *function_value(Eval *eval, FuncId func);

/* ---- statements, contexts ---- */
void exec_block(Eval *eval, List block);
void exec_stmt(Eval *eval, const Stmt *stmt);
/* One bit a slot: whether a turn of the loop may read what the turn before left in it. */
const uint64_t *taken_by_turns(Eval *eval, const Stmt *loop);
void bind_target(Eval *eval, ExprId target, const Value *value);
void env_join(Eval *eval, Env *into, const Env *from);
void evaluate_context(Inference *inference, ContextId id, uint32_t depth);
void look_at(Eval *eval, ContextId callee); /* evaluates it where its result is not there, or not at rest */
GlobalFunc global_func(const Inference *inference, FileId file, FuncId func);

/* ---- evidence and conventions ---- */
enum {
    USE_BACKWARD = 1,
    USE_TENSOR = 2,
    USE_MODULE = 4,
    USE_OPTIMIZER = 8,
    USE_MOVED = 16,
    USE_NUMPY = 32, /* `x.numpy()`, and nothing is assigned to it: on the CPU */
    USE_NUMBER = 64,
    USE_CALLED = 128,
    USE_ITERATED = 256,
    USE_LENGTHS = 512, /* lengths of packed sequences, which are on the CPU */
    USE_READ_BACK = 1024,
    USE_TEXT = 2048,    /* compared with a string, or asked for a method of strings */
    USE_TRUTH = 4096,   /* decides something: a flag, or a number that is compared */
    USE_SIZE = 8192,    /* part of a size, a slice bound, a padding, a probability */
    USE_OUTPUT = 32768, /* asked for its logits: what a model gave */
    USE_COMPUTED = 65536, /* asked for what tensors alone have and who computes with them wants: clone, new_zeros, add_ */
    USE_ASKED = 16384,  /* asked for an attribute, indexed, iterated, or computed with as tensors are */
};
const struct NameSign *find_signs(Arena *arena, const Names *names);
const uint32_t *evidence_of(Inference *inference, FileId file, FuncId func);
uint32_t *uses_in_text(Arena *arena, Arena *scratch, const Inference *inference, FileId file, FuncId func);
void eval_percent(Eval *eval, ExprId id, ExprId format, ExprId right);
/* The texts that each of left and then each of right make, where they are few and could name an attribute or a key; else
   NULL. */
const Value *joined_names(Eval *eval, const Value *left, const Value *right);
void evidence_add(Eval *eval, ExprId id, uint32_t use);
void evidence_of_call(Eval *eval, FileId file, FuncId func, bool bound, const Args *args);
bool uses_say_host(uint32_t use); /* nothing but a Python number or flag is used so */
/* Whether a framework calls this method, how often, and which clause declares its parameters. */
bool framework_calls(Inference *inference, GlobalClass class_id, Sym method, CallRate *rate,
                     const Clause **declared);
/* What an argument that nobody passes is taken to be. */
const Value *assumed_parameter(Eval *eval, const Param *param, uint32_t position, const Clause *declared);
const Value *annotated(Eval *eval, ExprId annotation);
const Value *masked_by_name(Eval *eval, ExprId index_expr, const Value *index);
const Value *checked_by_annotation(Eval *eval, ExprId annotation, const Value *value);
const Value *narrowed_by_use(Eval *eval, uint32_t slot, const Value *value, Span span);

typedef struct Known {
    EntryId tensor, module, optimizer, ndarray, builtins, str, list, dict, ordered_dict, parameter, loader,
        sequential, module_list, module_dict, operation, operation_apply, writer, image;
    Sym forward, call, init, base, enter, iter, next, getitem, setitem, getattr, device_name, post_init, exit_name,
        class_name, true_text, false_text;
} Known;

#endif
