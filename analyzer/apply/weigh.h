#ifndef SYNCL_WEIGH_H
#define SYNCL_WEIGH_H
/* How sure an operation is that waits, by the alternatives that meet its clause and by what is asked of them: the evidence is
   written into the record. */
#include "clause.h"

void weigh_effect(Eval *eval, EffectRecord *made, EffectRole role, const Bound *bound, const ClauseMatch *matched);

#endif
