#ifndef SYNCL_RANKING_H
#define SYNCL_RANKING_H
/* Orders functions and classes by file, name and text instead of by position: a decision that follows this
   order stays the same when a function is moved within its file. Negative, zero (the same) or positive. */
#include "program.h"

int rank_funcs(const SourceFile *file, FuncId a, FuncId b);
int rank_global_funcs(const Program *program, GlobalFunc a, GlobalFunc b);
int rank_global_classes(const Program *program, GlobalClass a, GlobalClass b);

#endif
