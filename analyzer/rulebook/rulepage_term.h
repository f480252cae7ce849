#ifndef SYNCL_RULEPAGE_TERM_H
#define SYNCL_RULEPAGE_TERM_H
/* Reads the words of a fact: annotations, returns and decorators of one def, into a draft's terms. Takes a
   lowered Python block. Every function reports a mistake through draft_fail, with the expression's line, and
   gives 0. */
#include "draft.h"
#include "model.h"

typedef struct TermScope {
    Draft *draft;
    const FileModel *model;
    uint32_t page;
    uint32_t line_before;    /* lines of the page above the block */
    EntryId scope;           /* where dotted names are looked up if the root does not have them */
    const RuleParam *params; /* of the def, for terms that name one */
    uint32_t param_count;
    bool remedy;             /* words that are allowed in remedies only are accepted */
} TermScope;

DraftPlace term_place(const TermScope *scope, Span span);
Text term_dotted(Arena *arena, const FileModel *model, ExprId expr); /* a.b.c; empty for any other expression */

TermId term_condition(TermScope *scope, ExprId expr);
TermId term_return(TermScope *scope, ExprId expr);
TermId term_literal(TermScope *scope, ExprId expr); /* 0, without an error, when it is no literal */
void term_decorator(TermScope *scope, ExprId expr, Clause *clause); /* adds an effect, or sets the clause's `when` */
void term_advice(TermScope *scope, Text advice, Clause *clause); /* the same as @instead with this text */

#endif
