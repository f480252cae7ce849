#ifndef SYNCL_DUMP_TRACE_H
#define SYNCL_DUMP_TRACE_H
/* Prints --dump=trace: every wait of the traced steps, what it waited for, and the finding it was matched with. */
#include "ledger.h"
#include <stdio.h>

void dump_trace(FILE *file, const Program *program, const Findings *findings, const Ledger *ledger);

#endif
