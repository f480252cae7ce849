#ifndef SYNCL_DUMP_EVIDENCE_H
#define SYNCL_DUMP_EVIDENCE_H
/* `--dump=evidence`: what was seen of every wait, told or not, in every way that leads to it. One line a way: place, last
   line, rule, API, unit of frequency, confidence (none: not told; once: once in a run, or switched off, and so no finding), score,
   names of confidence.def. corpus/confidence.py fits the table to these. */
#include "calls.h"
#include <stdio.h>

void dump_bits(FILE *out, Evidence seen); /* " score 1.20 DATA RARE ..." */
void dump_evidence(FILE *out, const Inference *inference);

#endif
