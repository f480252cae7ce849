#ifndef SYNCL_MODEL_VALID_H
#define SYNCL_MODEL_VALID_H
/* What model.h and lower.h promise of every FileModel, as far as memory and recursion depend on it: ids in range, child
   expressions before their parents, nested statements behind theirs, functions and classes behind those around them,
   each function's parts contiguous and its own (what it evaluates, and where), spans inside the file, nesting within the
   limit. For models that did not come
   straight from `lower`. */
#include "model.h"

bool model_valid(Arena *scratch, const FileModel *model);

#endif
