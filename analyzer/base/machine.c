#include "machine.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The rest of the line of the file that begins with `beginning`, blanks trimmed; empty where no line does. */
static Text line_after(Arena *arena, const char *path, const char *beginning) {
    FILE *file = fopen(path, "r");
    char line[1024];
    Text found = {0};
    while (file && !found.length && fgets(line, sizeof line, file)) {
        size_t length = strlen(beginning), end = strlen(line);
        if (strncmp(line, beginning, length) != 0) continue;
        length += strspn(line + length, " \t:");
        while (end > length && (unsigned char)line[end - 1] <= ' ') end--;
        if (end > length) found = text_format(arena, "%.*s", (int)(end - length), line + length);
    }
    if (file) fclose(file);
    return found;
}

static void read_gpus(Arena *arena, const char *root, Machine *machine) {
    glob_t found;
    const char *pattern = text_format(arena, "%s/proc/driver/nvidia/gpus/*/information", root).bytes;
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            Text model = line_after(arena, found.gl_pathv[i], "Model");
            if (model.length) vec_push(arena, &machine->gpus, model);
        }
    globfree(&found);
}

/* "... Kernel Module  580.159.03  ...": the first word that is a version. */
static int driver_of(Text line) {
    for (uint32_t i = 1; i + 1 < line.length; i++) {
        bool word = line.bytes[i - 1] == ' ' && line.bytes[i] >= '1' && line.bytes[i] <= '9';
        char *end;
        long major = word ? strtol(line.bytes + i, &end, 10) : 0;
        if (word && *end == '.' && major < 10000) return (int)major;
    }
    return 0;
}

static bool any_file(const char *pattern) {
    glob_t found;
    bool any = glob(pattern, 0, NULL, &found) == 0;
    globfree(&found);
    return any;
}

Machine machine_read(Arena *result, const char *root) {
    static const char *const nodes[] = {"nvidiactl", "dxg", "nvhost-gpu",
                                        "nvgpu"}; /* dxg: WSL; the last two: Tegra */
    Machine machine = {0};
    read_gpus(result, root, &machine);
    const char *version = text_format(result, "%s/proc/driver/nvidia/version", root).bytes;
    machine.driver = driver_of(line_after(result, version, "NVRM version"));
    machine.cpu = line_after(result, text_format(result, "%s/proc/cpuinfo", root).bytes, "model name");
    machine.sliced =
        any_file(text_format(result, "%s/proc/driver/nvidia/capabilities/gpu*/mig/gi*", root).bytes);
    machine.has_gpu = machine.gpus.count > 0;
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++)
        machine.has_gpu |= access(text_format(result, "%s/dev/%s", root, nodes[i]).bytes, F_OK) == 0;
    return machine;
}

/* The number that a file begins with and the one after it, if any; false when it begins with none (e.g. "max"). */
static bool read_numbers(const char *path, double *first, double *second) {
    FILE *file = fopen(path, "r");
    int count = file ? fscanf(file, "%lf %lf", first, second) : 0;
    if (file) fclose(file);
    return count >= 1;
}

/* Cores that one folder allows. Control groups v2 keep quota and period in one file, v1 in two. */
static double folder_quota(Arena *arena, const char *folder) {
    double quota = 0, period = 0;
    const char *older = text_format(arena, "%s/cpu.cfs_", folder).bytes;
    bool found = read_numbers(text_format(arena, "%s/cpu.max", folder).bytes, &quota, &period) ||
                 (read_numbers(text_format(arena, "%squota_us", older).bytes, &quota, &period) &&
                  read_numbers(text_format(arena, "%speriod_us", older).bytes, &period, &(double){0}));
    return found && quota > 0 && period > 0 ? quota / period : 0;
}

/* The smallest limit of our own group (e.g. a batch job's) and all groups around it; in a container the own
   group is the outermost one visible. */
double machine_quota_cores(Arena *scratch, const char *root) {
    Text group = line_after(scratch, text_format(scratch, "%s/proc/self/cgroup", root).bytes, "0::");
    const char *top = text_format(scratch, "%s/sys/fs/cgroup", root).bytes;
    double least = folder_quota(scratch, text_format(scratch, "%s/cpu", top).bytes);
    Text own = text_format(scratch, "%s%.*s", top, SHOWN(group));
    char *path = arena_copy(scratch, own.bytes, own.length + 1);
    for (char *end = path + strlen(path); end; end = strrchr(path, '/')) {
        *end = 0;
        if (strlen(path) < strlen(top)) break;
        double quota = folder_quota(scratch, path);
        if (quota > 0 && (least <= 0 || quota < least)) least = quota;
    }
    return least;
}
