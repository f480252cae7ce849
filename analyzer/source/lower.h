#ifndef SYNCL_LOWER_H
#define SYNCL_LOWER_H
/* Syntax to Model. Takes one file's bytes, gives its FileModel; nothing is shared between calls, so files can be
   lowered on threads (a SyntaxParser each).

   `out` and its arrays live in `result`, exactly sized. `scratch` is only used during the call. Never fails: odd
   input gives a model with error_count or given_up set.

   Beyond what model.h says: a child expression has a smaller id than its parent, so ids of a function stand in the
   order of evaluation (comprehension clauses before the element). In STMT_CASE one pattern stands in the list: names
   in it bind, except the callee of an EXPR_CALL (class pattern) and the objects of attributes; `_` is EXPR_ELLIPSIS,
   `p as x` is EXPR_NAMED(x, p), `p | q` is EXPR_OR. A Python 2 `print x, y` is a call of `print`, `exec` likewise. */
#include "model.h"
#include "syntax.h"

/* Deeper nesting than this is given up: the subtree becomes EXPR_ERROR or STMT_ERROR and is counted, so that later
   steps may recurse over a model. Python's own parser stops at 200 parentheses. */
enum { LOWER_DEPTH_LIMIT = 500 };

void lower_file(Arena *result, Arena *scratch, SyntaxParser *parser, Text bytes, FileModel *out);
/* What stands in the gaps is not there, but for lines and whether torch is mentioned. */
void lower_around(Arena *result, Arena *scratch, SyntaxParser *parser, Text bytes, Gaps gaps, FileModel *out);

#endif
