#define _GNU_SOURCE /* sched_getaffinity */
#include "host.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

Text host_cpu(Arena *arena) {
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512], model[256] = "unknown CPU";
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %255[^\n]", model) == 1) break;
    if (file) fclose(file);
    return text_format(arena, "%s", model);
}

double host_cores(void) {
    cpu_set_t set;
    double cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1, quota, period;
    FILE *file = fopen("/sys/fs/cgroup/cpu.max", "r");
    if (file && fscanf(file, "%lf %lf", &quota, &period) == 2 && period > 0 && quota / period < cores)
        cores = quota / period;
    if (file) fclose(file);
    return cores;
}

Text host_day(Arena *arena) {
    time_t now = time(NULL);
    struct tm day;
    gmtime_r(&now, &day);
    return text_format(arena, "%04d-%02d-%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
}

const char *host_profile_folder(Arena *arena) {
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if ((!data || !*data) && (!home || !*home)) return NULL;
    const char *folder = data && *data ? text_format(arena, "%s/syncl/profiles", data).bytes
                                       : text_format(arena, "%s/.local/share/syncl/profiles", home).bytes;
    char *part = arena_copy(arena, folder, strlen(folder) + 1);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(part, 0755);
        *slash = '/';
    }
    mkdir(part, 0755);
    return folder;
}
