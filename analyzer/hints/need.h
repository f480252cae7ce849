#ifndef SYNCL_NEED_H
#define SYNCL_NEED_H
/* Whether the host truly needs a value now (control flow, a size, an index) or only wants it later (a log, a meter). */
#include "site.h"

/* [ExprId]: the expression around each, 0 for one that stands alone in its statement. */
ExprId *need_parents(Arena *arena, const FileModel *model);
Need need_of(const Rulebook *book, const FileModel *model, const ExprId *parents, ExprId expr, StmtId stmt);

#endif
