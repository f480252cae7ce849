#ifndef SYNCL_DUMP_GRAPH_H
#define SYNCL_DUMP_GRAPH_H
/* `--dump=graph`: the flow graph of every function: a line a block (what dominates it, what holds there, its steps with what they
   read and bind, where it leads), then each use with the lines of the definitions that reach it. Writes to out. */
#include "program.h"
#include <stdio.h>

void dump_graph(FILE *out, const Program *program);
void dump_file_graphs(FILE *out, const FileModel *model, Text bytes); /* one file's */

#endif
