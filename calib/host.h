#ifndef SYNCL_HOST_H
#define SYNCL_HOST_H
/* Facts about the host for a profile: the cores that may be used (affinity and cgroup quota), the date. */
#include "text.h"

double host_cores(Arena *arena);
Text host_day(Arena *arena); /* 2026-11-21 */
/* profile_folder, created if missing. */
const char *host_profile_folder(Arena *arena);

#endif
