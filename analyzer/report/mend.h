#ifndef SYNCL_MEND_H
#define SYNCL_MEND_H
/* What to write for the code at hand: a line `Mend:` of the rule's page, with names of the code filled in.
   Takes findings of one rule, loop and template; gives a sentence or two in the arena. The first line of the
   page counts whose purpose, as in `(logged)`, is what the value is read for (or which has none), and whose
   placeholders can all be filled in. Without such a line it is the advice in the first paragraph of the page's
   Instead.

   {expr}: the first waiting expression; {exprs}: up to three of them, each with its line; {value}, {values}:
   what they read (the receiver, else the first argument); {index}: the variable that indexes; {loader}: the
   loop's loader, each with the line that defines it; {caller}: the call of a function that does nothing but
   wait (PURPOSE_passed). {NAME:raw} is the name alone; {exprs+ARGUMENT} is a call with one more argument. */
#include "report.h"

/* What findings that are mended at one place share: the {index}, {loader} or {caller} of the page's line. */
typedef struct MendCause {
    Text name; /* empty: the line has none of these */
    const SourceFile *file;
    FuncId func; /* function where an index is used */
    uint32_t at; /* byte offset of a {caller} */
} MendCause;

MendCause mend_cause(const Report *report, const Finding *finding);
/* *at: byte offset in cause->file of the statement that defines it; false: unknown. */
bool mend_place(const Report *report, const MendCause *cause, const Finding *finding, uint32_t *at);
bool mend_names_loader(const Rulebook *book, HazardId hazard); /* some line of its page has {loader} */
Text mend_template(const Report *report, const Finding *finding); /* empty: the fact's own advice is used */
Text mend_clause(Text text); /* up to the first colon, semicolon or full stop outside of backticks */
Text mend_text(Arena *arena, const Report *report, const Finding *const *findings, uint32_t count,
               bool brief /* names one of them alone */);

#endif
