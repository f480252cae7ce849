#ifndef SYNCL_JOINT_GAIN_H
#define SYNCL_JOINT_GAIN_H
/* What sets of findings gain together: of a loop that was recorded by its replay, else by the model. Takes a report, const;
   gives one answer a set, in the arena. */
#include "report.h"

const Ledger *joint_ledger(const Report *report, HotLoopId loop); /* NULL: it was not recorded */
CostJoint *joint_gains(Arena *arena, const Report *report, const CostSet *sets, uint32_t count);

#endif
