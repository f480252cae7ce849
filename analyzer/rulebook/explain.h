#ifndef SYNCL_EXPLAIN_H
#define SYNCL_EXPLAIN_H
/* Prints rules for people: one page (--explain) or the list (--rules). Takes the rulebook; writes to an Output. */
#include "output.h"
#include "rulebook.h"

void explain_rule(Output *output, const Rulebook *book, HazardId hazard);
void explain_rules(Output *output, const Rulebook *book);

#endif
