#ifndef SYNCL_SOURCE_NAMES_H
#define SYNCL_SOURCE_NAMES_H
/* Names in the source that advice refers to: what a call reads, what indexes, which loader a loop iterates
   over. Takes files, and their bindings where it asks for other places; gives text of theirs; empty where it
   cannot be told. */
#include "analyze.h"
#include "bindings.h"

Text source_text(const SourceFile *file, Span span);
/* What a waiting call reads: its receiver; for a module's function its first argument; else the expression. */
Text source_value(const SourceFile *file, const Site *site);
/* The destination by the call's first argument: `self.device`; `device` where the text is too long. */
Text source_destination(const SourceFile *file, const Site *site);
Text source_index(const SourceFile *file, const Site *site); /* the variable, `a` or `a.b`, that a subscript uses */
FuncId source_function(const SourceFile *file, const Site *site); /* the function around it; 0 = unknown */
/* The call whose function does nothing but the wait, e.g. `to_numpy(loss)` where that returns
   `x.cpu().numpy()`: the reason that names it. NULL: the function does more, or nobody visible calls it. */
const Reason *source_caller(const Analysis *analysis, const Site *site);
/* Whether each iteration of the enclosing loop binds what is sent (PURPOSE_fresh), or none does
   (PURPOSE_fixed); WORD_NONE: unknown, e.g. where it is in another function than the loop. */
Word source_sent(const SourceFile *file, const Bindings *bindings, const Site *site, const HotLoop *loop);
/* The loader of `for x in enumerate(loader)`, looking through wrappers. */
Text source_loader(const Analysis *analysis, const Bindings *bindings, const HotLoop *loop);

#endif
