#ifndef SYNCL_SENT_H
#define SYNCL_SENT_H
/* How what a line sends to the GPU came about. Takes an expression that sends, and the context in which it does
   (0: none is known); gives a PURPOSE_ word, WORD_NONE: nothing is known of it. Cannot fail. */
#include "inference.h"
#include "purpose.h"

Word sent_purpose(const Inference *inference, FileId file, ContextId context, ExprId expr,
                  const PurposeAsked *asked);

#endif
