#ifndef SYNCL_DUMP_FACTS_H
#define SYNCL_DUMP_FACTS_H
/* `--dump=facts|calls|sites`: what inference believes of every expression, which context calls which and what its
   loops are, and every site of every confidence. One line a fact; text of the analysed files is escaped. */
#include "size.h"
#include <stdio.h>

/* With shapes, where --shape or the text tells them. */
void dump_facts(FILE *out, const Inference *inference, const GivenShape *given, uint32_t given_count);
void dump_calls(FILE *out, const Inference *inference);
void dump_sites(FILE *out, const Program *program, const Rulebook *book, const Findings *findings);

#endif
