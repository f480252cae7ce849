#ifndef SYNCL_LOWER_H
#define SYNCL_LOWER_H
/* Lowers a syntax tree to a FileModel. Takes one file's bytes. Calls share nothing, so files can be lowered on
   several threads (a SyntaxParser each).

   `out` and its arrays live in `result`, exactly sized; `scratch` is only used during the call. Never fails:
   odd input gives a model with error_count or given_up set.

   Beyond what model.h says: a child expression has a smaller id than its parent, so the ids of a function
   follow the order of evaluation (comprehension clauses before the element). A pattern in the list of a
   STMT_CASE is an expression whose names bind, except the callee of an EXPR_CALL (class pattern) and the
   objects of attributes; `_` is EXPR_ELLIPSIS, `p as x` is EXPR_NAMED(x, p), `p | q` is EXPR_OR. Python 2's
   `print x, y` becomes a call of `print`, `exec` likewise. */
#include "model.h"
#include "syntax.h"

/* Nesting deeper than this is given up: the subtree becomes EXPR_ERROR or STMT_ERROR and is counted in
   given_up. So later steps may recurse over a model. (Python's own parser stops at 200 parentheses.) */
enum { LOWER_DEPTH_LIMIT = 500 };

void lower_file(Arena *result, Arena *scratch, SyntaxParser *parser, Text bytes, FileModel *out);
/* The same without the bytes in `gaps`: they give no statements, but their lines are counted and the word torch
   in them still sets has_torch. */
void lower_around(Arena *result, Arena *scratch, SyntaxParser *parser, Text bytes, Gaps gaps, FileModel *out);

#endif
