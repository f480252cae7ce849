#ifndef SYNCL_FLOW_DEFAULTS_H
#define SYNCL_FLOW_DEFAULTS_H
/* The default value of something when the user says nothing: from the command line's options, a configuration,
   or a default parameter. Takes the walk over a context; gives literals whose texts lie in the sources. Cannot
   fail: an unknown default is LITERAL_UNKNOWN. */
#include "conventions.h"
#include "flow.h"

typedef struct Walk Walk;
typedef struct AroundCalls AroundCalls;

/* LITERAL_EMPTY: a list, tuple, dict or set without elements. LITERAL_OBJECT: some value other than None.
   LITERAL_OPEN: only the user's settings say it. */
typedef enum LiteralKind {
    LITERAL_UNKNOWN,
    LITERAL_NONE,
    LITERAL_NUMBER,
    LITERAL_TEXT,
    LITERAL_EMPTY,
    LITERAL_OBJECT,
    LITERAL_OPEN
} LiteralKind;

/* A default value; True and False are numbers. */
typedef struct Literal {
    LiteralKind kind;
    double number;
    Text text;
    Text option; /* "--amp": the option that changes it; empty = it is not on the command line */
    bool field;  /* it is a field of a configuration */
    bool handed; /* None (or decided by such a None), where unseen callers may pass anything */
    bool clears; /* the option makes it false: --no-amp */
    Text cause;  /* of a function's result: the condition in it that decides; empty = none */
    bool caused; /* that condition is true by default */
} Literal;

/* The answer of a search for a default. */
typedef struct KeptUsual {
    ContextId context; /* 0 = nothing is kept here */
    ExprId expr;
    uint32_t way;    /* how the search got there: calls followed, and its depth */
    uint32_t places; /* how many it visited from there on */
    Literal literal;
} KeptUsual;

enum { USUAL_KEPT = 4096 };

/* What the assignments of the program give an attribute of some name, on whatever object. */
typedef struct Outside {
    FileId file;
    ExprId given; /* of the first one; 0 = there is none */
    bool differs; /* they do not all give the same literal */
} Outside;

/* Answers that a thread keeps, each in the place of its question, and the text that they had to put together. */
typedef struct KeptUsuals {
    KeptUsual items[USUAL_KEPT];
    Arena texts;
} KeptUsuals;

/* What an add_argument declares, or a decorator: `@click.option("--amp", is_flag=True)`. */
typedef struct Option {
    Sym name; /* the name of the attribute or parameter */
    FileId file;
    const Func *func; /* decorated so; NULL = none is */
    bool set;         /* by set_defaults */
    Literal fallback;
    ExprId given; /* the default, if it is no literal; 0 = it is one, or none is given */
} Option;

typedef struct Options {
    VEC(Option) items; /* by name and file */
} Options;

/* ---- flow_defaults.c ---- */
void flow_find_options(Arena *arena, const Inference *inference, AroundCalls *around);
Literal usual_literal(const FileModel *model, ExprId id); /* the value of a literal expression */
Literal usual_of_value(const Walk *walk, const Value *value);
bool usual_equal(const Literal *a, const Literal *b);
/* The default that all declarations of an option agree on: those in that file if it has some, else those of the
   program; `otherwise` where nothing declares it. */
Literal usual_declared(const Walk *walk, FileId file, Sym name, Literal otherwise, int depth);
/* The default of a parameter, as its function states it: literally, or by an option of the command line. */
Literal usual_stated(const Walk *walk, const Param *param);
Literal usual_option(const Walk *walk, const Expr *expr, int depth); /* args.amp, in a search of that depth */
bool usual_is_parsed(const Walk *walk, const Alt *alt);       /* a parser gives it: `a = parser.parse_args()` */
bool usual_some_parsed(const Walk *walk, const Value *value); /* of an alternative of the value */
Literal usual_field(const Walk *walk, FileId file, Sym name); /* a name that class bodies of the file bind */
Tri usual_truth(const Literal *literal);
/* Compared with a value that is known, or with another one that is open, an open value gives an open truth. */
bool usual_is_open(const Literal *a, const Literal *b);
Tri usual_compare(const Literal *a, Operator op, const Literal *b);
/* `def own_weights(self): return None`: subclasses may override it. */
bool usual_for_heirs(const FileModel *model, const Func *func);
bool usual_own(const Walk *walk, const Expr *expr); /* self.x, in a method */
/* The class of self.x, or its nearest base that binds it, and the file of that class; 0 = none does. *only: its
   single assignment; NULL = there are several. */
ClassId usual_binder(const Walk *walk, const Expr *expr, FileId *file, const Write **only);
ClassId usual_class_binder(const Walk *walk, GlobalClass id, Sym name, FileId *file, const Write **only);
/* What an assignment gives a target: `self.a, self.b = a, b` gives one of the values; 0 = that is not seen. */
ExprId usual_given(const FileModel *model, const Stmt *stmt, ExprId target);
/* True if the write stands in a method of the class, or in its body. */
bool usual_binds(const FileModel *model, ClassId class_id, const Write *write);

/* ---- flow_usual.c ---- */
Literal usual_of(const Walk *walk, ExprId id);
Literal usual_at(const Walk *walk, ExprId id, int depth); /* in a search that has followed so many steps */
Literal usual_alone(const Walk *walk, uint32_t param); /* of a parameter that no visible call passes */
Literal usual_parameter(const Walk *walk, uint32_t param, int depth);
/* Whether every path to `use` has passed `block` when all values are as by default. why: NULL, or gets the
   condition that says no. */
Tri usual_passes(const Walk *walk, BlockId block, BlockId use, int depth, Literal *why);
bool usual_is_of_test(const Walk *walk, ContextId id);

/* A walk over where the function is defined, which evaluates the defaults of its parameters; false = none is alive. */
bool usual_outside(const Walk *walk, Walk *outside);

bool usual_is_called(const Walk *walk);  /* some visible code other than tests calls the function so */
bool usual_is_assumed(const Walk *walk); /* nobody calls it so, but with other arguments somebody does */

/* ---- flow_text.c ---- */
/* What Python's operators and methods make of text: `kind.lower()`, `info.split("~")[0]`, `"cuda" in device`. */
Literal usual_text(const Walk *walk, ExprId id, int depth);
bool usual_holds(Text text, Text part);

/* ---- flow_global.c ---- */
/* What the only assignment to a variable of the module gives it, in its walk; 0 = there are several, or none. */
ExprId usual_global_given(const Walk *walk, Sym name, Walk *there);
/* Of a variable of the module: what its only assignment gives it, or a `try` if it succeeds. */
Literal usual_global(const Walk *walk, const Expr *expr, int depth);
void flow_find_outside(Arena *arena, const Inference *inference, AroundCalls *around);
/* Of an attribute that its class does not bind: what all assignments of the program, on whatever object, agree on. */
Literal usual_from_outside(const Walk *walk, Sym name);

/* ---- flow_attribute.c ---- */
Literal usual_attribute(const Walk *walk, const Expr *expr, int depth);
bool usual_is_enum(const Walk *walk, GlobalClass id);

#endif
