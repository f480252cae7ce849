#ifndef SYNCL_SOURCE_NAMES_H
#define SYNCL_SOURCE_NAMES_H
/* Names of the code that advice speaks of, read off the source: what a call reads, what indexes, which loader a loop goes
   over, where a name is made. Takes files, const; gives text of theirs. What cannot be told is empty. */
#include "analyze.h"

Text source_text(const SourceFile *file, Span span);
/* What a waiting call is about: its receiver, of a function of a module its first argument; else the expression. */
Text source_value(const SourceFile *file, const Site *site);
Text source_index(const SourceFile *file, const Site *site); /* the variable, `a` or `a.b`, that a subscript goes by */
FuncId source_function(const SourceFile *file, const Site *site); /* in which it stands; 0 = not known */
FuncId source_function_at(const SourceFile *file, uint32_t offset); /* the innermost around it; 1 = the module */
/* The call that a function of nothing but the wait stands for, `to_numpy(loss)` where that is `x.cpu().numpy()` of its argument: the
   reason that names it. NULL: there is more to the function, or nobody in sight calls it. */
const Reason *source_caller(const Analysis *analysis, const Site *site);
/* The statement that makes the name for what stands at `before`; 0 = none, or one of several. */
StmtId source_maker(const SourceFile *file, Text name, uint32_t before);
/* Whether a turn of the loop around it binds what is sent, PURPOSE_fresh, or none does, PURPOSE_fixed; WORD_NONE: not known, as
   where it stands in another function than the loop. */
Word source_sent(const SourceFile *file, const Site *site, const HotLoop *loop);
/* The loader of a loop `for x in enumerate(loader)`, through what wraps it. */
Text source_loader(const Analysis *analysis, const HotLoop *loop);

#endif
