#ifndef SYNCL_EXPLAIN_H
#define SYNCL_EXPLAIN_H
/* The rules for people: one page, or the list. Takes the rulebook, const; writes to an Output. */
#include "output.h"
#include "rulebook.h"

void explain_rule(Output *output, const Rulebook *book, HazardId hazard);
void explain_rules(Output *output, const Rulebook *book);

#endif
