#ifndef SYNCL_DUMP_EVIDENCE_H
#define SYNCL_DUMP_EVIDENCE_H
/* Prints `--dump=evidence`: the evidence for every wait, reported or not, on every path to it. A line for each
   path: place, last line, rule, API, unit of frequency, confidence (none: not reported; once: runs once in a
   run, or is switched off, so no finding), score, names of confidence.def. corpus/confidence.py fits the table
   to this. */
#include "calls.h"
#include <stdio.h>

void dump_bits(FILE *out, Evidence seen); /* " score 1.20 DATA RARE ..." */
void dump_evidence(FILE *out, const Inference *inference);

#endif
