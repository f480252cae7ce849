#ifndef SYNCL_WEIGH_H
#define SYNCL_WEIGH_H
/* Writes evidence into the record of an effect: how sure it is to wait, by the alternatives that meet its
   clause and by how the operation uses them. */
#include "clause.h"

void weigh_effect(Eval *eval, EffectRecord *made, EffectRole role, const Bound *bound, const ClauseMatch *matched);

#endif
