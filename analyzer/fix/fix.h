#ifndef SYNCL_FIX_H
#define SYNCL_FIX_H
/* Remedies: what the pages of the rules make of the code at hand. Takes the inference of a part and what was found in it,
   const; gives the same findings, each with the edits of the first remedy of its page that fits, in the arena. Cannot fail.

   A remedy is data (rules/FORMAT.md): a pattern of Python with metavariables, conditions on facts, a replacement. Nothing
   here knows a rule or an API by its name. */
#include "inference.h"
#include "site.h"

const Findings *fix_findings(Arena *arena, const Inference *inference, const Findings *found);

#endif
