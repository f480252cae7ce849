#include "machine.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The rest of the line that begins so, without blanks around it; empty when there is none. */
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

Machine machine_read(Arena *result, const char *root) {
    static const char *const nodes[] = {"nvidiactl", "dxg", "nvhost-gpu",
                                        "nvgpu"}; /* dxg: WSL; the last two: Tegra */
    Machine machine = {0};
    read_gpus(result, root, &machine);
    const char *version = text_format(result, "%s/proc/driver/nvidia/version", root).bytes;
    machine.driver = driver_of(line_after(result, version, "NVRM version"));
    machine.cpu = line_after(result, text_format(result, "%s/proc/cpuinfo", root).bytes, "model name");
    machine.has_gpu = machine.gpus.count > 0;
    for (size_t i = 0; i < sizeof nodes / sizeof nodes[0]; i++)
        machine.has_gpu |= access(text_format(result, "%s/dev/%s", root, nodes[i]).bytes, F_OK) == 0;
    return machine;
}
