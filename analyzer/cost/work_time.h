#ifndef SYNCL_WORK_TIME_H
#define SYNCL_WORK_TIME_H
/* How long work takes on the GPU of a profile: the longest of its arithmetic at the rate for its kind and precision, its bytes at
   the memory's bandwidth, and one operation's least time for each that is launched. Microseconds; the ends of a range are those
   of the amounts and of the profile's spread together. Private to cost. */
#include "profile.h"
#include "workload.h"

/* Of all operations of the part together, or of its backward pass; false = it cannot be told: an amount is not known, or nothing of
   that precision was measured. */
bool work_time_part(const Profile *profile, const WorkPart *part, bool backward, Amount *us);
/* Of an optimizer's step in so many operations; false = how many parameters there are is not known. */
bool work_time_optimizer(const Profile *profile, const Workload *work, double operations, Amount *us);

#endif
