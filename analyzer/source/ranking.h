#ifndef SYNCL_RANKING_H
#define SYNCL_RANKING_H
/* Functions and classes in the order that files, names and texts say, wherever they stand in their file: what is decided
   by it, moving a function does not change. Negative, zero (the same) or positive. */
#include "program.h"

int rank_funcs(const SourceFile *file, FuncId a, FuncId b);
int rank_global_funcs(const Program *program, GlobalFunc a, GlobalFunc b);
int rank_global_classes(const Program *program, GlobalClass a, GlobalClass b);

#endif
