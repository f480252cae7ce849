#ifndef SYNCL_FIX_H
#define SYNCL_FIX_H
/* Remedies: applies the `## Remedies` of rule pages to the code. Takes the inference of a part and its
   findings; gives the same findings, each with the edits of the first remedy of its page that matches, in the
   arena. Cannot fail.

   A remedy is data (rules/FORMAT.md): a Python pattern with metavariables, conditions on facts, a replacement.
   Nothing here knows a rule or an API by its name. */
#include "inference.h"
#include "site.h"

const Findings *fix_findings(Arena *arena, const Inference *inference, const Findings *found);

#endif
