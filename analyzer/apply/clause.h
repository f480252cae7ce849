#ifndef SYNCL_CLAUSE_H
#define SYNCL_CLAUSE_H
/* Clauses of rule pages met with values: parameters bound, conditions matched (three-valued), terms evaluated, time points
   (places whose order in time matters) noted. Private to the rooms that interpret. */
#include "evaluation.h"

/* What the clauses of one application say of where their result comes from. */
typedef struct PendingResult {
    ObjectId point; /* the result comes from there */
    ObjectId same;   /* the point of the receiver: what queues nothing gives a view of it */
    bool queues;
    uint16_t graphs; /* ALT_CAPTURED, ALT_COMPILED */
} PendingResult;

enum { BOUND_PARAMS = 48 };

/* A clause's parameters with what a call passes for them. */
typedef struct Bound {
    const Clause *clause;
    EntryId entry;
    const Value *values[BOUND_PARAMS];
    ExprId exprs[BOUND_PARAMS];
    bool given[BOUND_PARAMS];
} Bound;

/* How a value meets a condition, over its alternatives. */
typedef struct Match {
    bool yes, no, unknown;
    bool turns;            /* what does not meet it comes in other turns of a loop */
    Confidence confidence; /* of the surest alternative that meets it */
    Evidence evidence;     /* why that is not certain */
    OriginId origin;
} Match;

/* Of a whole clause: matched by some choice of alternatives, by all of them, and how sure. */
typedef struct ClauseMatch {
    bool some, all;
    bool open; /* it hangs on which alternative it is, or on what is asked and not known: never certain */
    Confidence confidence;
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
TermId term_argument(const Eval *eval, const Term *term, uint32_t i); /* 0 = fewer arguments */
bool names_device(Eval *eval, const Alt *alt, Device *device);
Tri match_alt(Eval *eval, TermId condition, const Alt *alt); /* alt NULL = the argument is absent */
/* A tensor, or a container with one, of which some property is not known. */
bool may_meet(Eval *eval, const Alt *alt);
Match match_value(Eval *eval, TermId condition, const Value *value);
const Value *fallback_value(Eval *eval, TermId literal);
double term_count(Eval *eval, TermId term, const Bound *bound);       /* NAN = several */

/* ---- dtype.c ---- */
/* `x[mask]`, `if torch.isnan(x).any():` of what may also be something else: nobody writes that of anything but tensors, so
   it is likely one. */
/* What truth values become when they are added up, or computed with another operand; NULL = none. */
const Value *counted_value(Eval *eval, const Value *value, const Value *other);

/* ---- term.c ---- */
const Value *loader_dataset(const Eval *eval, const Bound *bound);
const Value *moved_by_then(Eval *eval, ExprId expr, const Value *value);
bool moves_later(Eval *eval, const Bound *bound);
const Value *term_param(const Eval *eval, TermId id, const Bound *bound);
OriginId term_origin(Eval *eval, OriginKind kind, ExprId expr, Confidence confidence, OriginId parent);
Shape term_shape(const Eval *eval, const Term *term, const Bound *bound);
const Value *term_like(Eval *eval, ExprId expr, const Term *term, const Bound *bound);
const Value *term_fixed(Eval *eval, ExprId expr, const Term *term, const Bound *bound, Device device);
const Value *term_move(Eval *eval, ExprId expr, const Value *value, Device device, Confidence confidence, OriginId origin, uint32_t path);
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
ObjectId point_of(const Eval *eval, const Value *value, PointKind kind); /* the first; 0 = none */
void point_use(Eval *eval, ExprId expr, PointKind kind, const Value *of, const Value *from);
void point_use_tensors(Eval *eval, ExprId expr, PointKind kind, const Value *value);
void point_use_all(Eval *eval, ExprId expr, const Bound *bound); /* of an operation that is queued */
const Term *effect_operand(const Eval *eval, const RuleEffect *effect, uint32_t i);
bool effect_operand_is(const Eval *eval, const RuleEffect *effect, const char *text);
uint16_t point_found(const Eval *eval, const RuleEffect *effect);
const Value *effect_operand_value(const Eval *eval, const RuleEffect *effect, uint32_t i, const Bound *bound);
ObjectId stream_waited_for(const Eval *eval, const RuleEffect *effect, const Bound *bound);
void point_expect(Eval *eval, ExprId expr, const Bound *bound, PendingResult *pending);
const Value *point_arrive(Eval *eval, const Value *result, const PendingResult *pending);

#endif
