#ifndef SYNCL_FLOW_DEFAULTS_H
#define SYNCL_FLOW_DEFAULTS_H
/* What something is by default, where nobody says otherwise: on the command line, in a configuration, by the default of a parameter.
   Takes the walk over a context; gives literals, whose texts lie in the sources. Never fails: what is not known has no kind. */
#include "conventions.h"
#include "flow.h"

typedef struct Walk Walk;
typedef struct AroundCalls AroundCalls;

/* LITERAL_OBJECT: anything but None. */
typedef enum LiteralKind {
    LITERAL_UNKNOWN,
    LITERAL_NONE,
    LITERAL_NUMBER,
    LITERAL_TEXT,
    LITERAL_OBJECT
} LiteralKind;

/* What something is by default; True and False are numbers. */
typedef struct Literal {
    LiteralKind kind;
    double number;
    Text text;
    Text option; /* "--amp", by which a user says otherwise; empty = not on the command line */
    bool field;  /* of a configuration */
    bool handed; /* None, or what that decides, where who calls from elsewhere may give anything */
    bool clears; /* giving it makes it false: --no-amp */
    Text cause;  /* of what a function answers: the condition there that decides it; empty = none does */
    bool caused; /* which is true by default */
} Literal;

/* What one add_argument declares. */
typedef struct Option {
    Sym name; /* of the attribute */
    FileId file;
    Literal fallback;
} Option;

typedef struct Options {
    VEC(Option) items; /* by name and file */
} Options;

/* ---- flow_defaults.c ---- */
void flow_find_options(Arena *arena, const Inference *inference, AroundCalls *around);
Literal usual_literal(const FileModel *model, ExprId id); /* of what is written out */
Literal usual_of_value(const Walk *walk, const Value *value);
bool usual_equal(const Literal *a, const Literal *b);
/* What all declarations of an option agree on: those of the file where there are some, else all of the program. */
Literal usual_declared(const Walk *walk, Sym name);
Literal usual_option(const Walk *walk, const Expr *expr); /* args.amp */
Literal usual_field(const Walk *walk, FileId file, Sym name); /* that the bodies of the file's classes bind */
Tri usual_truth(const Literal *literal);
Tri usual_compare(const Literal *a, Operator op, const Literal *b);
bool usual_own(const Walk *walk, const Expr *expr); /* self.x, in a method */
/* The one assignment of self.x in its class, or in the nearest one above that binds it; NULL = several, or none (some). */
const Write *usual_write(const Walk *walk, const Expr *expr, FileId *file, bool *some);

/* ---- flow_usual.c ---- */
Literal usual_of(const Walk *walk, ExprId id);

#endif
