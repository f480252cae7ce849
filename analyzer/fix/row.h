#ifndef SYNCL_ROW_H
#define SYNCL_ROW_H
/* Extends a match to adjacent statements that the same remedy matches (COND_row). */
#include "remedy_pattern.h"

/* False: the statement stands alone, is the last of them, or one uses a name that an earlier one binds. */
bool row_take(PatternMatch *match, StmtId pattern);

#endif
