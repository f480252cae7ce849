#include "destinations.h"
#include "path.h"
#include <stdlib.h>
#include <sys/stat.h>

/* Splits FORMAT:FILE at the first colon. */
static bool read_also(Arena *arena, const char *word, Destination *out, Text *error) {
    Options scratch = {0};
    const char *colon = strchr(word, ':');
    if (!colon || !colon[1]) {
        *error = text_format(arena, "--also takes FORMAT:FILE, like json:waits.json, not '%s'", word);
        return false;
    }
    const char *name = text_format(arena, "%.*s", (int)(colon - word), word).bytes;
    int row = options_row("output-format");
    if (!options_set(arena, &scratch, row, &name, 1, TEXT("--also"), error)) return false;
    *out = (Destination){.option = "--also", .path = colon + 1, .also = true, .format = scratch.format};
    return true;
}

bool destinations_of(Arena *arena, const Options *options, Destinations *out, Text *error) {
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    const Destination usual[] = {
        {.option = "-o", .path = options->output},
        {.option = "--sarif", .path = options->sarif},
        {.option = "--write-baseline", .path = options->write_baseline},
        {.option = "--write-prices", .path = options->write_prices},
        {.option = "GITHUB_STEP_SUMMARY", .path = summary && *summary ? summary : NULL},
        {.option = "-o", .path = options->saved_to, .of_calibrator = true},
        {.option = "--samples", .path = options->samples, .of_calibrator = true},
    };
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (usual[i].path) vec_push(arena, out, usual[i]);
    for (uint32_t i = 0; i < options->also.count; i++) {
        Destination also;
        if (!read_also(arena, options->also.items[i], &also, error)) return false;
        vec_push(arena, out, also);
    }
    return true;
}

static bool refuse(Arena *arena, const Destination *destination, Text read, Text *error) {
    *error = text_format(arena, "%s %s would overwrite %.*s, which this run reads", destination->option,
                         destination->path, SHOWN(read));
    return false;
}

/* A pipe, a terminal or /dev/null may be written even if it is also read. */
static bool is_file(const char *path, struct stat *info) {
    return stat(path, info) == 0 && S_ISREG(info->st_mode);
}

/* The destination is none of the files to be checked. */
static bool spares_inputs(Arena *arena, const Destination *destination, const Strings *paths, Text *error) {
    struct stat written, read;
    if (!is_file(destination->path, &written)) return true;
    for (uint32_t i = 0; i < paths->count; i++)
        if (is_file(paths->items[i], &read) && read.st_ino == written.st_ino && read.st_dev == written.st_dev)
            return refuse(arena, destination, text_of(paths->items[i]), error);
    return true;
}

bool destinations_leave_named(Arena *arena, const Destinations *self, const Options *options,
                              const Strings *argfiles, Text *error) {
    Strings typed = {0};
    if (options->stdin_filename) vec_push(arena, &typed, options->stdin_filename);
    for (uint32_t i = 0; i < self->count; i++) {
        const Destination *destination = &self->items[i];
        if (!spares_inputs(arena, destination, &options->paths, error) ||
            !spares_inputs(arena, destination, argfiles, error) ||
            !spares_inputs(arena, destination, &typed, error))
            return false;
    }
    return true;
}

bool destinations_leave_read(Arena *arena, const Destinations *self, const Inputs *inputs, Text *error) {
    struct stat info;
    for (uint32_t i = 0; i < self->count; i++) {
        const Destination *destination = &self->items[i];
        if (destination->of_calibrator || !is_file(destination->path, &info)) continue;
        Text read = inputs_same_file(inputs, (uint64_t)info.st_dev, (uint64_t)info.st_ino);
        if (read.length) return refuse(arena, destination, read, error);
    }
    return true;
}
