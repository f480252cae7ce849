#ifndef SYNCL_ROW_H
#define SYNCL_ROW_H
/* Statements in a row that one remedy fits (COND_row). Takes a match of one of them, and gives that of all. */
#include "remedy_pattern.h"

/* false: it stands alone, or is the last of them, or one names what another before it binds. */
bool row_take(PatternMatch *match, StmtId pattern);

#endif
