#ifndef SYNCL_SURENESS_H
#define SYNCL_SURENESS_H
/* How sure a wait is, by its evidence and by how often it runs together: the classes that readers of public code judged
   more or less right than their level demands (corpus/count). Takes an effect and its rate, const but for the evidence
   and the doubts that it adds to the rate, and for the unit of what no loop in sight reaches; CONFIDENCE_NONE: not told. */
#include "calls.h"

Confidence sureness_of(const Inference *inference, const Context *context, const Item *item,
                       const EffectRecord *record, Rate *rate);
/* Of a clock that is read while the GPU still works. */
Confidence sureness_of_reading(const Rate *rate, Confidence confidence);

#endif
