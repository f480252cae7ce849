#ifndef SYNCL_FLOW_EVIDENCE_H
#define SYNCL_FLOW_EVIDENCE_H
/* The evidence of a finding: what an operation says, and the way to it. Takes an effect and its rate, const but for the rate's
   evidence, which it completes, and for the unit of what no loop in sight reaches. False: it runs once in a run, or is switched
   off where it stands, and is no finding whatever its evidence. */
#include "calls.h"

bool evidence_find(const Inference *inference, const Context *context, const Item *item,
                   const EffectRecord *record, Rate *rate);

#endif
