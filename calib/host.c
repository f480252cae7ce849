#define _GNU_SOURCE /* sched_getaffinity */
#include "host.h"
#include "machine.h"
#include "profile_saved.h"
#include <sched.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

double host_cores(Arena *arena) {
    cpu_set_t set;
    double cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    double quota = machine_quota_cores(arena, "");
    return quota > 0 && quota < cores ? quota : cores;
}

Text host_day(Arena *arena) {
    time_t now = time(NULL);
    struct tm day;
    gmtime_r(&now, &day);
    return text_format(arena, "%04d-%02d-%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

const char *host_profile_folder(Arena *arena) {
    const char *folder = profile_folder(arena);
    if (!folder) return NULL;
    char *part = arena_copy(arena, folder, strlen(folder) + 1);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(part, 0755);
        *slash = '/';
    }
    mkdir(part, 0755);
    return folder;
}
