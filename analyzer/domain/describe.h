#ifndef SYNCL_DESCRIBE_H
#define SYNCL_DESCRIBE_H
/* Values and their provenance as text: for dumps, `# is:` marks and the reasons of findings. Texts live in the
   arena given. */
#include "inference.h"

/* "cuda float", "cpu", "host", "None | cuda": the form of `# is:` marks. */
Text infer_value_text(Arena *arena, const Inference *inference, const Value *value);
/* Source text on one line, cut to the length of a reason. */
Text infer_line(Arena *arena, Text source);
Text infer_source(Arena *arena, const SourceFile *file, Span span);
/* The chain of origins that makes a value a GPU tensor, newest first; at most `most` reasons. Gives their
   number. */
uint32_t infer_explain(Arena *arena, const Inference *inference, OriginId origin, Reason *reasons,
                       uint32_t most);

#endif
