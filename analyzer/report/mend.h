#ifndef SYNCL_MEND_H
#define SYNCL_MEND_H
/* What to write for this code: a line `Mend:` of a rule's page with the code's own names in its places. Takes findings of
   one rule, loop and template, const; gives one sentence or two in the arena. Of the page's lines the first counts that is
   for what the value is read for, `(logged)`, or for anything, and whose places have names here; without one it is the
   advice of the page's first paragraph.

   {expr} the first waiting expression, {exprs} up to three of them, each with its line; {value} and {values} what they
   read: the receiver, else the first argument; {index} the variable that indexes, {loader} the loader of the loop, each
   with the line that makes it; {caller} the call of a function that does nothing else (PURPOSE_passed). {NAME:raw} is the name alone, {exprs+ARGUMENT} a call with one argument more. */
#include "report.h"

/* What findings that are mended at one place have in common: the {index}, {loader} or {caller} that the page names. */
typedef struct MendCause {
    Text name; /* empty: the page names none */
    const SourceFile *file;
    FuncId func; /* where an index is used */
    uint32_t at; /* of a {caller} */
} MendCause;

MendCause mend_cause(const Report *report, const Finding *finding);
/* Byte of cause->file with the statement that makes it; false: it is not known. */
bool mend_place(const Report *report, const MendCause *cause, const Finding *finding, uint32_t *at);
bool mend_names_loader(const Rulebook *book, HazardId hazard); /* some line of its page does */
Text mend_template(const Report *report, const Finding *finding); /* empty: the fact's own advice stands */
Text mend_clause(Text text); /* up to its first colon, semicolon or stop outside of backticks */
Text mend_text(Arena *arena, const Report *report, const Finding *const *findings, uint32_t count,
               bool brief /* names one of them alone */);

#endif
