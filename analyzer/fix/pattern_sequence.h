#ifndef SYNCL_PATTERN_SEQUENCE_H
#define SYNCL_PATTERN_SEQUENCE_H
/* A pattern of several statements: they stand in one block in that order, where `...` is any others between them. Takes a
   match in which nothing is bound yet. */
#include "remedy_pattern.h"

bool sequence_is(const Pattern *pattern);
/* `...` for any statements. */
bool sequence_leaves(const FileModel *pattern, StmtId id);
/* Fills the match where the statement, or one around it, is one of those that the pattern takes. */
bool sequence_fits(PatternMatch *match, StmtId within);

#endif
