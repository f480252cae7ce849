#ifndef SYNCL_LOWERING_H
#define SYNCL_LOWERING_H
/* The state that the lower*.c files share. One Lowering lives as long as one call of lower_file. Functions are
   lowered one after the other from a queue (jobs), so that each one's expressions, statements and loops are
   contiguous. */
#include "lower.h"

/* The variables of a comprehension around the code that is being lowered; `outer` leads to the next one around
   it. */
typedef struct CompScope CompScope;
typedef struct CompName {
    NameId name;
    uint32_t slot;
    const CompScope *hidden; /* an open comprehension further out that binds the same name, with the slot it has
                                there */
    uint32_t hidden_slot;
} CompName;
struct CompScope {
    const CompScope *outer;
    FuncId func; /* the function that owns the slots */
    VEC(CompName) names;
};

/* A function whose body has still to be lowered: jobs.items[FuncId]. */
typedef struct Job {
    uint32_t body;          /* node: a block, a lambda's value, the module; 0 = nothing */
    const CompScope *comps; /* comprehensions around the definition */
    uint32_t depth;
    ClassId class_id; /* for a class body: its class */
    uint8_t type_checking;
} Job;

/* How a name resolves in the function that is being lowered. A field is valid only while the FuncId beside it
   is that function. */
typedef struct NameUse {
    FuncId bound_in;    /* `slot` is the name's local in this function */
    FuncId resolved_in; /* binding, target_slot and target_func are its resolution in this function */
    uint32_t slot;
    uint32_t module_slot; /* its slot in func 1, the module; stays valid */
    uint32_t target_slot;
    FuncId target_func;
    uint8_t binding;
    const CompScope *comp; /* innermost open comprehension of this function that binds it; NULL = none */
    uint32_t comp_slot;
} NameUse;

typedef struct Lowering {
    Arena *scratch;
    SyntaxParser *parser; /* for annotations in quotes */
    Text bytes;
    const Syntax *syntax;
    const Node *nodes;
    Names names;
    VEC(NameUse) uses;     /* by NameId */
    FileModel model;       /* its arrays are in scratch until they are packed */
    VEC(uint32_t) pending; /* items of lists that are still open */
    VEC(Job) jobs;
    VEC(NameId) globals; /* names that some function of the file declares `global`: they are slots of the module too */

    /* state of the function that is being lowered */
    FuncId func;
    LoopId loop;
    uint32_t depth;
    const CompScope *comps;
    CompScope *binding_comp; /* the comprehension whose target is being lowered: names bind there instead of in the
                                function; NULL = none */
    VEC(Local) locals;
    VEC(uint32_t) methods; /* FuncIds of the methods, while it is a class body */
    uint8_t type_checking;
} Lowering;

/* ---- syntax nodes; error nodes among the children are passed over ---- */
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
uint32_t lower_child(const Lowering *self, uint32_t node, NodeKind kind); /* the first of that kind; 0 = none */
void lower_give_up(Lowering *self, uint32_t node); /* counts a subtree that is nested too deeply */
/* Whether the next token after `node`, before `end`, is a comma: tells `x[a,]` from `x[a]`. */
bool lower_comma_follows(const Lowering *self, uint32_t node, uint32_t end);

/* ---- names and lists ---- */
NameId lower_name(Lowering *self, Text text);
static inline uint32_t lower_list_open(const Lowering *self) { return self->pending.count; }
void lower_list_add(Lowering *self, uint32_t item);
List lower_list_close(Lowering *self, uint32_t mark);

/* ---- expressions ---- */
ExprId lower_push(Lowering *self, Expr expr);
static inline ExprId lower_node(Lowering *self, uint32_t node, Expr expr) { /* with the node's span */
    expr.span = lower_span(self, node);
    return lower_push(self, expr);
}
ExprId lower_expr(Lowering *self, uint32_t node);   /* 0 for node 0 */
ExprId lower_target(Lowering *self, uint32_t node); /* an assignment target: its names bind; 0 for node 0 */
ExprId lower_error_expr(Lowering *self, Span span);
static inline ExprId lower_error_at(Lowering *self, uint32_t node) {
    return lower_error_expr(self, lower_span(self, node));
}
ExprId lower_keyword(Lowering *self, uint32_t node, ExprId (*lower)(Lowering *self, uint32_t node)); /* lower: its value */
ExprId lower_string(Lowering *self, uint32_t node); /* string or concatenated_string */
ExprId lower_quoted_type(Lowering *self, uint32_t node); /* a type in quotes; 0 = no string, a plain dotted path, or
                                                            no type */
ExprId lower_comprehension(Lowering *self, uint32_t node);
ExprId lower_pattern(Lowering *self, uint32_t node);           /* of a case clause */
/* What a clause does: takes its subject apart, compares it (`case "a" | Kind.B:`), or takes all (`case _:`). */
typedef enum CaseKind { CASE_TAKES_APART, CASE_COMPARES, CASE_TAKES_ALL } CaseKind;
CaseKind lower_case_kind(const Lowering *self, uint32_t clause);
ExprId lower_case_test(Lowering *self, uint32_t subject, uint32_t clause); /* `subject == "a"`, and its guard */
ExprId lower_name_expr(Lowering *self, Span span, Text text);  /* a name that is read */
ExprId lower_bound_name(Lowering *self, Span span, Text text); /* a name that is bound */
/* The children of `node` after the child `after` (0 = all children) as a list of expressions. */
List lower_children(Lowering *self, uint32_t node, uint32_t after, bool as_targets);
Operator lower_operator(NodeKind kind);

/* ---- statements ---- */
List lower_suite(Lowering *self, uint32_t node); /* the statements of a block, or of the module (node 0) */
List lower_block(Lowering *self, uint32_t node); /* the same; an empty list for node 0 */
StmtId lower_stmt_open(Lowering *self);
void lower_stmt_close(Lowering *self, StmtId id, Stmt stmt);
Span lower_head(const Lowering *self, uint32_t start, uint32_t header_end, uint32_t block);
StmtId lower_definition(Lowering *self, uint32_t node);
ExprId lower_lambda(Lowering *self, uint32_t node);
StmtId lower_import(Lowering *self, uint32_t node);

/* ---- scopes ---- */
uint32_t lower_bind(Lowering *self, NameId name); /* the slot of a name that the current function binds */
void lower_declare(Lowering *self, NameId name, bool is_global);
CompScope *lower_comp_open(Lowering *self);
void lower_comp_close(Lowering *self);
uint32_t lower_comp_slot(const Lowering *self, NameId name); /* 0 = no open comprehension binds the name */
void lower_resolve(Lowering *self); /* resolves the names of the function just lowered, whose locals are complete */
void lower_paths(Lowering *self);   /* then gives slots to its paths */

#endif
