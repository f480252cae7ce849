#ifndef SYNCL_FLOW_EVIDENCE_H
#define SYNCL_FLOW_EVIDENCE_H
/* Completes the evidence of a possible finding: from what its operation does and from the path to it. Takes an
   effect and its rate; sets the rate's evidence and, where no visible loop reaches the place, its unit. False:
   no finding whatever the evidence, as it runs once in a run or is switched off there. */
#include "calls.h"

bool evidence_find(const Inference *inference, const Context *context, const Item *item,
                   const EffectRecord *record, Rate *rate);

#endif
