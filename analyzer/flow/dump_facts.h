#ifndef SYNCL_DUMP_FACTS_H
#define SYNCL_DUMP_FACTS_H
/* Prints `--dump=facts|calls|sites`: the inferred value of every expression; which context calls which and what
   its loops are; every site of any confidence. One line a fact; text of the analysed files is escaped. */
#include "size.h"
#include <stdio.h>

/* With shapes, where --shape or comments give them. */
void dump_facts(FILE *out, const Inference *inference, const GivenShape *given, uint32_t given_count);
void dump_calls(FILE *out, const Inference *inference);
void dump_sites(FILE *out, const Program *program, const Rulebook *book, const Findings *findings);

#endif
