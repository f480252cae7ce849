#ifndef SYNCL_SENT_H
#define SYNCL_SENT_H
/* How what a line sends to the GPU came about. Takes an expression that sends, and the context in which it does
   (0: none is known); gives a PURPOSE_ word, WORD_NONE: nothing is known of it. Cannot fail. */
#include "inference.h"
#include "purpose.h"

Word sent_purpose(const Inference *inference, FileId file, ContextId context, ExprId expr,
                  const PurposeAsked *asked);

/* `torch.tensor([e // n for e in x])` reads each element of x, which is on the GPU. */
bool sent_by_elements(const Inference *inference, FileId file, ContextId context, ExprId expr);

#endif
