#ifndef SYNCL_NEED_H
#define SYNCL_NEED_H
/* Whether the host truly needs a value now (control flow, a size, an index) or only wants it later (a log, a meter). */
#include "graph.h"
#include "rulebook.h"
#include "site.h"

typedef struct NeedAsked {
    const Rulebook *book;
    const FlowGraph *graph; /* of the function that the expression stands in */
    const ExprId *parents;  /* need_parents of its file */
    Arena *scratch;
} NeedAsked;

/* [ExprId]: the expression around each, 0 for one that stands alone in its statement. */
ExprId *need_parents(Arena *arena, const FileModel *model);
Need need_of(const NeedAsked *asked, ExprId expr, StmtId stmt);

#endif
