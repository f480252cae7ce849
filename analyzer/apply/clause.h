#ifndef SYNCL_CLAUSE_H
#define SYNCL_CLAUSE_H
/* Clauses of rule pages applied to values: binds parameters, matches conditions (three-valued), evaluates
   terms, records time points (places whose order matters). Private to the rooms of the interpreter. */
#include "evaluation.h"

/* What the clauses of one application say about where their result comes from. */
typedef struct PendingResult {
    ObjectId point; /* the time point it comes from */
    ObjectId same;   /* the receiver's point: an operation that queues nothing gives a view of it */
    bool queues;
    uint16_t graphs; /* ALT_CAPTURED, ALT_COMPILED */
} PendingResult;

enum { BOUND_PARAMS = 48 };

/* The parameters of a clause with the arguments of a call. */
typedef struct Bound {
    const Clause *clause;
    EntryId entry;
    const Value *values[BOUND_PARAMS];
    ExprId exprs[BOUND_PARAMS];
    bool given[BOUND_PARAMS];
} Bound;

/* How a value meets a condition, over all its alternatives. */
typedef struct Match {
    bool yes, no, unknown;
    bool turns;            /* the alternatives that do not meet it come in other iterations of a loop */
    bool met;              /* by an alternative, or by a tensor if an unknown property of it is so */
    uint8_t belief;        /* of the alternative that meets it and rests on least */
    Evidence evidence;     /* why it is not certain */
    OriginId origin;
} Match;

/* How a whole clause matches: for some choice of alternatives, for all of them, and on what that rests. */
typedef struct ClauseMatch {
    bool some, all;
    bool met;  /* each condition is; else it waits only if a value of unknown device is on the GPU */
    bool open; /* it depends on which alternative holds, or on something unknown: never certain */
    uint8_t belief;
    Evidence evidence;
    OriginId origin;
} ClauseMatch;

typedef struct Shape {
    uint8_t dtype, dims;
    uint16_t flags;
} Shape;

/* ---- clause.c ---- */
Text param_name(const Eval *eval, const RuleParam *param);
bool clause_bind(Eval *eval, ExprId expr, const Value *receiver, const Args *args, Bound *bound);
ClauseMatch clause_match(Eval *eval, const Bound *bound);

/* ---- match.c ---- */
TermId term_argument(const Eval *eval, const Term *term, uint32_t i); /* 0 = it has fewer arguments */
bool names_device(Eval *eval, const Alt *alt, Device *device);
Tri match_alt(Eval *eval, TermId condition, const Alt *alt); /* alt NULL = the argument is absent */
/* It is, or contains, a tensor with some unknown property. */
bool may_meet(Eval *eval, const Alt *alt);
Match match_value(Eval *eval, TermId condition, const Value *value);
const Value *fallback_value(Eval *eval, TermId literal);
double term_count(Eval *eval, TermId term, const Bound *bound);       /* NAN = several */

/* ---- dtype.c ---- */
/* The type of booleans that are summed or computed with another operand; NULL = no boolean. */
const Value *counted_value(Eval *eval, const Value *value, const Value *other);

/* ---- term.c ---- */
const Value *loader_dataset(const Eval *eval, const Bound *bound);
const Value *moved_by_then(Eval *eval, ExprId expr, const Value *value);
bool moves_later(Eval *eval, const Bound *bound);
const Value *term_param(const Eval *eval, TermId id, const Bound *bound);
Shape term_shape(const Eval *eval, const Term *term, const Bound *bound);
const Value *term_like(Eval *eval, ExprId expr, const Term *term, const Bound *bound);
const Value *term_fixed(Eval *eval, ExprId expr, const Term *term, const Bound *bound, Device device);
const Value *term_move(Eval *eval, ExprId expr, const Value *value, Device device, uint8_t belief, OriginId origin, uint32_t path);
const Value *term_on(Eval *eval, ExprId expr, const Value *where, const Value *value);
const Value *term_made(Eval *eval, ExprId expr, const Term *term, const Bound *bound);
ObjectId term_part(Eval *eval, ExprId expr, const Term *term, Flavour flavour);
const Value *term_device_of(Eval *eval, ExprId expr, const Value *value);
const Value *term_pinned(Eval *eval, const Value *value);
const Value *stub_instance(Eval *eval,
                           EntryId class_entry); /* as a stub's return says it: modules on the CPU */
const Value *instances_of_class(Eval *eval, const Value *class_value);

/* ---- time_point.c ---- */
ObjectId point_here(Eval *eval, ExprId expr, PointKind kind);
const Value *point_mark(Eval *eval, const Value *value, ObjectId point);
ObjectId point_of(const Eval *eval, const Value *value, PointKind kind); /* the first one; 0 = none */
void point_use(Eval *eval, ExprId expr, PointKind kind, const Value *of, const Value *from);
void point_use_tensors(Eval *eval, ExprId expr, PointKind kind, const Value *value);
void point_use_all(Eval *eval, ExprId expr, const Bound *bound); /* for an operation that is queued */
const Term *effect_operand(const Eval *eval, const RuleEffect *effect, uint32_t i);
bool effect_operand_is(const Eval *eval, const RuleEffect *effect, const char *text);
uint16_t point_found(const Eval *eval, const RuleEffect *effect);
const Value *effect_operand_value(const Eval *eval, const RuleEffect *effect, uint32_t i, const Bound *bound);
ObjectId stream_waited_for(const Eval *eval, const RuleEffect *effect, const Bound *bound);
void point_expect(Eval *eval, ExprId expr, const Bound *bound, PendingResult *pending);
const Value *point_arrive(Eval *eval, const Value *result, const PendingResult *pending);

#endif
