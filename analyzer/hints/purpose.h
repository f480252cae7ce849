#ifndef SYNCL_PURPOSE_H
#define SYNCL_PURPOSE_H
/* What a value is read for, as its own function shows: a row PURPOSE of effects.def. This decides whether the
   host truly needs the value now (control flow, a size, an index) or only wants it later (a log, a meter). */
#include "graph.h"
#include "rulebook.h"
#include "site.h"

typedef struct PurposeAsked {
    const Rulebook *book;
    const FlowGraph *graph; /* of the function around the expression */
    const ExprId *parents;  /* purpose_parents of its file */
    Arena *scratch;
} PurposeAsked;

/* [ExprId]: the parent of each expression; 0 for one directly in its statement. */
ExprId *purpose_parents(Arena *arena, const FileModel *model);
/* purpose_of: what the value is read for; 0 = unknown. purpose_sent: where the receiver of a call that sends to
   the GPU comes from; 0 = unknown. */
Word purpose_of(const PurposeAsked *asked, ExprId expr, StmtId stmt);
Word purpose_sent(const PurposeAsked *asked, ExprId expr, ExprId *root); /* root: what it began as */
Need purpose_need(Word purpose);

#endif
