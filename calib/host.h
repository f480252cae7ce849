#ifndef SYNCL_HOST_H
#define SYNCL_HOST_H
/* What is told of the host in a profile: the cores it may use (affinity and cgroup quota), the day. */
#include "text.h"

double host_cores(Arena *arena);
Text host_day(Arena *arena); /* 2026-11-21 */
/* profile_folder, made if it is missing. */
const char *host_profile_folder(Arena *arena);

#endif
