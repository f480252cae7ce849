#ifndef SYNCL_RULEPAGE_TERM_H
#define SYNCL_RULEPAGE_TERM_H
/* The words of a fact: annotations, returns and decorators of one def, read into a draft's terms. Takes a lowered
   Python block; every function says what is wrong through draft_fail, with the expression's line, and gives 0. */
#include "draft.h"
#include "model.h"

typedef struct TermScope {
    Draft *draft;
    const FileModel *model;
    uint32_t page;
    uint32_t line_before;    /* lines of the page above the block */
    EntryId scope;           /* where dotted names are looked up after the root */
    const RuleParam *params; /* of the def, for terms that name one */
    uint32_t param_count;
    bool remedy;             /* words that only a remedy may ask are known */
} TermScope;

DraftPlace term_place(const TermScope *scope, Span span);
Text term_dotted(Arena *arena, const FileModel *model, ExprId expr); /* a.b.c, empty when it is anything else */

TermId term_condition(TermScope *scope, ExprId expr);
TermId term_return(TermScope *scope, ExprId expr);
TermId term_literal(TermScope *scope, ExprId expr); /* 0 without complaint when it is no literal */
void term_decorator(TermScope *scope, ExprId expr, Clause *clause); /* an effect, or the clause's `when` */
void term_advice(TermScope *scope, Text advice, Clause *clause); /* as @instead would say it */

#endif
