#ifndef SYNCL_LOWERING_H
#define SYNCL_LOWERING_H
/* What the lower*.c files share: one Lowering lives as long as one lower_file call. Functions are lowered one
   after the other from a queue (jobs), so each one's expressions, statements and loops are contiguous. */
#include "lower.h"

/* The variables of a comprehension that encloses what is being lowered; innermost first. */
typedef struct CompScope CompScope;
typedef struct CompName {
    NameId name;
    uint32_t slot;
    const CompScope *hidden; /* an open one around it that has the name too, and its slot there */
    uint32_t hidden_slot;
} CompName;
struct CompScope {
    const CompScope *outer;
    FuncId func; /* whose slots these are */
    VEC(CompName) names;
};

/* A function whose body is still to be lowered; jobs.items[FuncId]. */
typedef struct Job {
    uint32_t body;          /* node: a block, a lambda's value, the module; 0 = nothing */
    const CompScope *comps; /* comprehensions around its definition */
    uint32_t depth;
    ClassId class_id; /* a class body's own class */
    uint8_t type_checking;
} Job;

/* What a name is in the function being lowered; valid while func is that function. */
typedef struct NameUse {
    FuncId bound_in;    /* `slot` is its local in this function */
    FuncId resolved_in; /* the fields below are its resolution in this function */
    uint32_t slot;
    uint32_t module_slot; /* in func 1; stays valid */
    uint32_t target_slot;
    FuncId target_func;
    uint8_t binding;
    const CompScope *comp; /* the innermost open comprehension of the function that binds it; NULL = none */
    uint32_t comp_slot;
} NameUse;

typedef struct Lowering {
    Arena *scratch;
    SyntaxParser *parser; /* for what stands in quotes */
    Text bytes;
    const Syntax *syntax;
    const Node *nodes;
    Names names;
    VEC(NameUse) uses;     /* by NameId */
    FileModel model;       /* arrays in scratch until packed */
    VEC(uint32_t) pending; /* items of lists that are not complete yet */
    VEC(Job) jobs;
    VEC(NameId) globals; /* declared `global` somewhere in the file: slots of the module too */

    /* the function being lowered */
    FuncId func;
    LoopId loop;
    uint32_t depth;
    const CompScope *comps;
    CompScope *binding_comp; /* where a target's names go instead of the function's slots */
    VEC(Local) locals;
    VEC(uint32_t) methods; /* FuncIds, when it is a class body */
    uint8_t type_checking;
} Lowering;

/* ---- nodes: children without errors ---- */
uint32_t lower_first(const Lowering *self, uint32_t node); /* 0 = none */
uint32_t lower_next(const Lowering *self, uint32_t node,
                    uint32_t after); /* the child of `node` after `after` */
uint32_t lower_last(const Lowering *self, uint32_t node);
static inline NodeKind lower_kind(const Lowering *self, uint32_t node) {
    return (NodeKind)self->nodes[node].kind;
}
static inline Span lower_span(const Lowering *self, uint32_t node) {
    return (Span){self->nodes[node].start, self->nodes[node].end};
}
Text lower_text(const Lowering *self, uint32_t node);
void lower_give_up(Lowering *self, uint32_t node); /* counts what is nested too deeply */
/* Is the next thing after `node`, before `end`, a comma? Tells `x[a,]` from `x[a]`. */
bool lower_comma_follows(const Lowering *self, uint32_t node, uint32_t end);

/* ---- names and lists ---- */
NameId lower_name(Lowering *self, Text text);
static inline uint32_t lower_list_open(const Lowering *self) { return self->pending.count; }
void lower_list_add(Lowering *self, uint32_t item);
List lower_list_close(Lowering *self, uint32_t mark);

/* ---- expressions ---- */
ExprId lower_push(Lowering *self, Expr expr);
ExprId lower_expr(Lowering *self, uint32_t node);   /* 0 for node 0 */
ExprId lower_target(Lowering *self, uint32_t node); /* names in it bind; 0 for node 0 */
ExprId lower_error_expr(Lowering *self, Span span);
ExprId lower_string(Lowering *self, uint32_t node); /* string or concatenated_string */
ExprId lower_quoted_type(Lowering *self, uint32_t node); /* 0: it is no string, a plain path, or no type */
ExprId lower_comprehension(Lowering *self, uint32_t node);
ExprId lower_pattern(Lowering *self, uint32_t node);           /* of a case clause */
ExprId lower_name_expr(Lowering *self, Span span, Text text);  /* a name that is read */
ExprId lower_bound_name(Lowering *self, Span span, Text text); /* a name that is bound */
/* The children of `node` after `after` (0 = from the first) as a list of expressions. */
List lower_children(Lowering *self, uint32_t node, uint32_t after, bool as_targets);
Operator lower_operator(NodeKind kind);

/* ---- statements ---- */
List lower_suite(Lowering *self, uint32_t node); /* of a block, or of the module (node 0) */
List lower_block(Lowering *self, uint32_t node); /* 0: no block, an empty list */
StmtId lower_stmt_open(Lowering *self);
void lower_stmt_close(Lowering *self, StmtId id, Stmt stmt);
Span lower_head(const Lowering *self, uint32_t start, uint32_t header_end, uint32_t block);
StmtId lower_definition(Lowering *self, uint32_t node);
ExprId lower_lambda(Lowering *self, uint32_t node);
StmtId lower_import(Lowering *self, uint32_t node);

/* ---- scopes ---- */
uint32_t lower_bind(Lowering *self, NameId name); /* the slot of a name that this function binds */
void lower_declare(Lowering *self, NameId name, bool is_global);
CompScope *lower_comp_open(Lowering *self);
void lower_comp_close(Lowering *self);
uint32_t lower_comp_slot(const Lowering *self, NameId name); /* 0 = not a comprehension's variable */
void lower_resolve(Lowering *self); /* the names of the function just lowered; needs its locals complete */
void lower_paths(Lowering *self);   /* then its paths */

#endif
