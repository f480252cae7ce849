#ifndef SYNCL_JOINT_GAIN_H
#define SYNCL_JOINT_GAIN_H
/* What sets of findings gain together: by replay where the loop was recorded, else by the cost model. Takes a
   report; gives one answer a set, in the arena. */
#include "report.h"

const Ledger *joint_ledger(const Report *report, HotLoopId loop); /* NULL: it was not recorded */
CostJoint *joint_gains(Arena *arena, const Report *report, const CostSet *sets, uint32_t count);

#endif
