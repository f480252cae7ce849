#ifndef SYNCL_MODEL_VALID_H
#define SYNCL_MODEL_VALID_H
/* Checks what model.h and lower.h promise of a FileModel, as far as memory safety and recursion depend on it:
   ids in range, child expressions before their parents, nested statements after theirs, functions and classes
   after those around them, each function's parts contiguous and its own, spans inside the file, nesting within
   the limit. For models that did not come straight from `lower`, such as cached ones. */
#include "model.h"

bool model_valid(Arena *scratch, const FileModel *model);

#endif
