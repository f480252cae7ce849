#ifndef SYNCL_PATTERN_SEQUENCE_H
#define SYNCL_PATTERN_SEQUENCE_H
/* A pattern of several statements, which must stand in one block in that order; `...` matches any statements
   between them. Takes a match in which nothing is bound yet. */
#include "remedy_pattern.h"

bool sequence_is(const Pattern *pattern);
/* The statement is `...`, which matches any statements. */
bool sequence_leaves(const FileModel *pattern, StmtId id);
/* Matches, if the statement or one around it is one of those in the pattern. */
bool sequence_fits(PatternMatch *match, StmtId within);

#endif
