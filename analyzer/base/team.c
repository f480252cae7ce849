#define _GNU_SOURCE /* sched_getaffinity */
#include "team.h"
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { DEFAULT_LIMIT = 16 };
static const size_t STACK_BYTES = (size_t)8 << 20; /* musl's default is 128 KiB */

typedef struct Member {
    TeamBody *body;
    void *self;
    pthread_t thread;
} Member;

static uint32_t scheduled(void) {
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return (uint32_t)CPU_COUNT(&set);
#endif
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 ? (uint32_t)cores : 1;
}

static bool read_pair(const char *root, const char *file, double *first, double *second) {
    char path[512];
    if (snprintf(path, sizeof path, "%s%s", root, file) >= (int)sizeof path) return false;
    FILE *opened = fopen(path, "r");
    int read = opened ? fscanf(opened, "%lf %lf", first, second) : 0; /* "max 100000" reads none */
    if (opened) fclose(opened);
    return read > 0;
}

/* Cores that the control group's quota allows, of version 2 or 1; 0 = no quota. */
static double quota(const char *root) {
    double quota_us = 0, period_us = 0, unused;
    if (read_pair(root, "/sys/fs/cgroup/cpu.max", &quota_us, &period_us)) {
        if (quota_us > 0 && period_us > 0) return quota_us / period_us;
    } else if (read_pair(root, "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", &quota_us, &unused) &&
               read_pair(root, "/sys/fs/cgroup/cpu/cpu.cfs_period_us", &period_us, &unused)) {
        if (quota_us > 0 && period_us > 0) return quota_us / period_us;
    }
    return 0;
}

uint32_t team_cores(const char *root) {
    uint32_t cores = scheduled();
    double share = quota(root);
    if (share > 0 && share < cores) cores = share > 1 ? (uint32_t)(share + 0.5) : 1;
    return cores < DEFAULT_LIMIT ? cores : DEFAULT_LIMIT;
}

static void *run(void *argument) {
    Member *member = argument;
    member->body(member->self);
    return NULL;
}

void team_run(TeamBody *body, void *members, size_t size, uint32_t count) {
    team_run_deep(body, members, size, count, STACK_BYTES);
}

void team_run_deep(TeamBody *body, void *members, size_t size, uint32_t count, size_t stack_bytes) {
    Member all[TEAM_LIMIT];
    uint32_t started = 1;
    pthread_attr_t attributes;
    if (count > TEAM_LIMIT) count = TEAM_LIMIT;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    for (uint32_t i = 0; i < count; i++) all[i] = (Member){.body = body, .self = (char *)members + size * i};
    while (started < count && pthread_create(&all[started].thread, &attributes, run, &all[started]) == 0)
        started++;
    run(&all[0]);
    for (uint32_t i = 1; i < started; i++) pthread_join(all[i].thread, NULL);
    pthread_attr_destroy(&attributes);
}
