#ifndef SYNCL_DUMP_GRAPH_H
#define SYNCL_DUMP_GRAPH_H
/* Prints `--dump=graph`: the flow graph of every function, one line a block (its dominator, its guards, its
   steps with what they read and bind, its successors), then each use with the lines of the definitions that
   reach it. */
#include "program.h"
#include <stdio.h>

void dump_graph(FILE *out, const Program *program);
void dump_file_graphs(FILE *out, const FileModel *model, Text bytes); /* of one file */

#endif
