#ifndef SYNCL_MEND_H
#define SYNCL_MEND_H
/* What to write for this code: the line `Mend:` of a rule's page with the code's own names in its places. Takes findings
   of one rule and loop, const; gives one sentence or two in the arena. Where a name cannot be told, it is the page's advice.

   {expr} the first waiting expression, {exprs} up to three of them, each with its line; {value} and {values} what they
   read: the receiver, else the first argument; {index} the variable that indexes, {loader} the loader of the loop, each
   with the line that makes it. {NAME:raw} is the name alone, {exprs+ARGUMENT} a call with one argument more. */
#include "report.h"

/* What findings that are mended at one place have in common: the {index} or {loader} that the page names. */
typedef struct MendCause {
    Text name; /* empty: the page names none, or it cannot be told */
    const SourceFile *file;
    FuncId func;   /* where an index is used */
    bool unknown;  /* the page names one, but it cannot be told */
} MendCause;

MendCause mend_cause(const Analysis *analysis, const Finding *finding);
/* Byte of cause->file with the statement that makes it; false: it is not known. */
bool mend_place(const Analysis *analysis, const MendCause *cause, const Finding *finding, uint32_t *at);
Text mend_template(const Analysis *analysis, const Finding *finding); /* empty: the fact's own advice stands */
Text mend_text(Arena *arena, const Analysis *analysis, const Finding *const *findings, uint32_t count);

#endif
