#ifndef SYNCL_PURPOSE_H
#define SYNCL_PURPOSE_H
/* What a value is read for, as its own function shows it: a row PURPOSE of effects.def, and with it whether the host truly needs
   it now (control flow, a size, an index) or only wants it later (a log, a meter). */
#include "graph.h"
#include "rulebook.h"
#include "site.h"

typedef struct PurposeAsked {
    const Rulebook *book;
    const FlowGraph *graph; /* of the function that the expression stands in */
    const ExprId *parents;  /* purpose_parents of its file */
    Arena *scratch;
} PurposeAsked;

/* [ExprId]: the expression around each, 0 for one that stands alone in its statement. */
ExprId *purpose_parents(Arena *arena, const FileModel *model);
/* What is read for what, 0 = it cannot be told; and how the receiver came about that a call sends to the GPU, likewise. */
Word purpose_of(const PurposeAsked *asked, ExprId expr, StmtId stmt);
Word purpose_sent(const PurposeAsked *asked, ExprId expr);
Need purpose_need(Word purpose);

#endif
