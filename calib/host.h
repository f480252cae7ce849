#ifndef SYNCL_HOST_H
#define SYNCL_HOST_H
/* What is told of the host in a profile: CPU model, cores it may use (affinity and cgroup quota), the day. */
#include "text.h"

Text host_cpu(Arena *arena);
double host_cores(void);
Text host_day(Arena *arena); /* 2026-11-21 */
/* Where profiles are kept: $XDG_DATA_HOME/syncl/profiles or ~/.local/share/syncl/profiles, made if it is missing; NULL
   when there is no home. */
const char *host_profile_folder(Arena *arena);

#endif
