#ifndef SYNCL_WORK_TIME_H
#define SYNCL_WORK_TIME_H
/* How long work takes on the GPU of a profile: the longest of its arithmetic at the rate of its kind and
   precision, its bytes at the memory's bandwidth, and one operation's least time for each launch. Microseconds.
   The ends of a range combine the ends of the amounts with those of the profile's spread. Private to this room. */
#include "profile.h"
#include "workload.h"

/* The time of all operations of the part, or of its backward pass. False: an amount is unknown, or the profile
   has no rate for that precision. */
bool work_time_part(const Profile *profile, const WorkPart *part, bool backward, Amount *us);
/* The time of an optimizer's step of so many operations. False: the number of parameters is unknown. */
bool work_time_optimizer(const Profile *profile, const Workload *work, double operations, Amount *us);

#endif
