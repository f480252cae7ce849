#ifndef SYNCL_DUMP_MODEL_H
#define SYNCL_DUMP_MODEL_H
/* Prints `--dump=model`: every file's functions, classes, statements and expressions as readable text, with
   positions and resolved names. Never fails; text of the analysed files is escaped. */
#include "program.h"
#include <stdio.h>

void dump_model(FILE *out, const Program *program);
void dump_file_model(FILE *out, const FileModel *model, Text bytes);

#endif
