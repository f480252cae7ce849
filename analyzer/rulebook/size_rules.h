#ifndef SYNCL_SIZE_RULES_H
#define SYNCL_SIZE_RULES_H
/* What APIs do to shapes and how much work they are: rules/sizes.py, lowered at build time. A row is one API by
   its qualified name, with the function or class of that file that describes it. Static, never freed. */
#include "model.h"
#include <stdio.h>

typedef struct SizeRow {
    Text name; /* torch.nn.Linear; rows stand in byte order */
    FuncId func;
    ClassId class_id; /* one of the two is 0 */
} SizeRow;

typedef struct SizeRules {
    const FileModel *model;
    const SizeRow *rows;
    uint32_t count;
} SizeRules;

const SizeRules *size_rules(void);

/* The row of an API's qualified name; NULL = the file does not describe it. */
const SizeRow *size_rule_named(const SizeRules *rules, Text name);

/* Writes a file as those tables in C. False, with a line on stderr, where it is no Python or describes an API
   twice. */
bool size_rules_write(FILE *out, Arena *arena, Text path, Text bytes);

#endif
