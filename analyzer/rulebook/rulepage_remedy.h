#ifndef SYNCL_RULEPAGE_REMEDY_H
#define SYNCL_RULEPAGE_REMEDY_H
/* Reads the remedies of a page, each a def: its parameters are metavariables, their annotations conditions,
   `with before:` holds the pattern and `with after:` the replacement. Takes a lowered block; adds rows to the
   draft. Anything else is a mistake of the page. */
#include "rulepage_term.h"

void remedies_read(TermScope *scope, Text bytes, HazardId hazard);

#endif
