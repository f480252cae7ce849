#include "torch_rows.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static const char script[] =
#include "torch_rows.inc"
    ;

/* Starts the interpreter with its output in a pipe; -1 on failure. */
static pid_t start(const char *python, int device, int *output) {
    int ends[2];
    char number[16];
    if (pipe(ends) != 0) return -1;
    snprintf(number, sizeof number, "%d", device);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp(python, python, "-c", script, number, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *output = ends[0];
    return child;
}

/* Reads the numbers after a row's name, skipping words that are no numbers. */
static void read_samples(Samples *samples, const char *numbers) {
    char *end;
    for (double value = strtod(numbers, &end); end != numbers; value = strtod(numbers, &end)) {
        if (isfinite(value) && value >= 0) samples_add(samples, value);
        numbers = end;
    }
}

/* A line is "name sample sample ..." or "torch version"; others (such as warnings) are ignored. */
static bool read_line(Arena *arena, const char *line, Measurement *measurement, Text *version) {
    char name[64];
    int length = 0;
    if (strncmp(line, "torch ", 6) == 0 && sscanf(line + 6, "%63s", name) == 1) {
        *version = text_format(arena, "%s", name);
        return false;
    }
    if (sscanf(line, "%63s%n", name, &length) != 1) return false;
    Quantity *quantity = (Quantity *)(uintptr_t)profile_quantity(&measurement->quantities, text_of(name));
    Raw raw = {.name = text_format(arena, "%s", name).bytes, .samples = {.arena = arena}};
    if (quantity) read_samples(&raw.samples, line + length);
    if (!raw.samples.values.count) return false;
    *quantity = samples_quantity(&raw.samples);
    vec_push(arena, &measurement->raws, raw);
    return true;
}

bool torch_measure(Arena *arena, const char *python, int device, Measurement *measurement, Text *version,
                   Text *error) {
    int output = -1, status = 0;
    uint32_t rows = 0;
    pid_t child = start(python, device, &output);
    FILE *lines = child > 0 ? fdopen(output, "r") : NULL;
    char *line = NULL;
    size_t size = 0;
    while (lines && getline(&line, &size, lines) > 0) rows += read_line(arena, line, measurement, version);
    free(line);
    if (lines) fclose(lines);
    if (child > 0) waitpid(child, &status, 0);
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 && rows > 0 && version->length) return true;
    *error = text_format(arena, "`%s` did not measure PyTorch (does it have torch with CUDA?); nothing saved",
                         python);
    return false;
}
