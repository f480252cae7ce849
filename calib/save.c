#include "save.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yyjson.h>

bool save_possible(Arena *arena, const char *path, Text *error) {
    const char *probe = text_format(arena, "%s.%ld.tmp", path, (long)getpid()).bytes;
    struct stat status;
    int descriptor = open(probe, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    int reason = errno;
    if (descriptor >= 0) close(descriptor), unlink(probe);
    if (descriptor >= 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        descriptor = -1, reason = EISDIR;
    if (descriptor < 0)
        *error = text_format(arena, "cannot write '%s': %s; nothing measured", path, strerror(reason));
    return descriptor >= 0;
}

static void add_row(yyjson_mut_doc *json, yyjson_mut_val *rows, const char *name, const char *unit,
                    Quantity quantity) {
    if (!quantity.samples) return;
    yyjson_mut_val *row = yyjson_mut_obj_add_obj(json, rows, name);
    yyjson_mut_obj_add_str(json, row, "unit", unit);
    yyjson_mut_obj_add_real(json, row, "median", quantity.median);
    yyjson_mut_obj_add_real(json, row, "p10", quantity.p10);
    yyjson_mut_obj_add_real(json, row, "p90", quantity.p90);
    yyjson_mut_obj_add_uint(json, row, "samples", quantity.samples);
}

static void add_text(yyjson_mut_doc *json, const char *key, Text text) {
    yyjson_mut_obj_add_strncpy(json, yyjson_mut_doc_get_root(json), key, text.bytes, text.length);
}

static void add_host(yyjson_mut_doc *json, yyjson_mut_val *root, const SaveHost *host) {
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(json, root, "host");
    yyjson_mut_obj_add_strncpy(json, object, "cpu", host->cpu.bytes, host->cpu.length);
    yyjson_mut_obj_add_real(json, object, "cores", host->cores);
    yyjson_mut_obj_add_int(json, object, "driver", host->driver);
    yyjson_mut_obj_add_int(json, object, "cuda", host->cuda);
    yyjson_mut_obj_add_int(json, object, "runtime", host->runtime);
    if (host->busy_percent >= 0) yyjson_mut_obj_add_int(json, object, "gpu_busy_before", host->busy_percent);
    if (host->torch.length)
        yyjson_mut_obj_add_strncpy(json, object, "torch", host->torch.bytes, host->torch.length);
}

static void add_sweeps(yyjson_mut_doc *json, yyjson_mut_val *root, const Measurement *measurement) {
    yyjson_mut_val *sweeps = yyjson_mut_obj_add_obj(json, root, "sweeps"), *sweep = NULL;
    const char *name = NULL;
    for (uint32_t i = 0; i < measurement->points.count; i++) {
        const Point *point = &measurement->points.items[i];
        if (!name || strcmp(name, point->sweep) != 0)
            sweep = yyjson_mut_obj_add_arr(json, sweeps, point->sweep);
        name = point->sweep;
        yyjson_mut_val *pair = yyjson_mut_arr_add_arr(json, sweep);
        yyjson_mut_arr_add_real(json, pair, point->at);
        yyjson_mut_arr_add_real(json, pair, round(point->us * 1e3) / 1e3);
    }
}

static char *profile_json(const Save *save, size_t *length) {
    yyjson_mut_doc *json = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(json);
    yyjson_mut_doc_set_root(json, root);
    yyjson_mut_obj_add_int(json, root, "format", PROFILE_FORMAT);
    add_text(json, "name", save->name);
    add_text(json, "device", save->device);
    add_text(json, "measured", save->measured);
    yyjson_mut_obj_add_str(json, root, "syncl", SYNCL_VERSION);
    add_host(json, root, &save->host);
    yyjson_mut_val *rows = yyjson_mut_obj_add_obj(json, root, "quantities");
#define QUANTITY(name, unit, median, p10, p90, meaning) \
    add_row(json, rows, #name, unit, save->measurement->quantities.name);
#include "profile.def"
#undef QUANTITY
    add_sweeps(json, root, save->measurement);
    char *bytes = yyjson_mut_write(json, YYJSON_WRITE_PRETTY, length);
    yyjson_mut_doc_free(json);
    return bytes;
}

static bool write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, length, file) == length && fputc('\n', file) != EOF &&
                fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (file && fclose(file) != 0) good = false;
    return good;
}

bool save_profile(Arena *arena, const Save *save, Text *error) {
    const char *temporary = text_format(arena, "%s.%ld.tmp", save->path, (long)getpid()).bytes;
    size_t length = 0;
    char *bytes = profile_json(save, &length);
    bool good = bytes && write_bytes(temporary, bytes, length);
    if (!good) *error = text_format(arena, "cannot write '%s': %s", save->path, strerror(errno));
    /* what we write must be readable */
    if (good) good = profile_read(arena, temporary, error) != NULL;
    if (good && rename(temporary, save->path) != 0) {
        good = false;
        *error = text_format(arena, "cannot write '%s': %s", save->path, strerror(errno));
    }
    if (!good) unlink(temporary);
    free(bytes);
    return good;
}

bool save_samples(Arena *arena, const char *path, const Measurement *measurement, Text *error) {
    yyjson_mut_doc *json = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(json);
    yyjson_mut_doc_set_root(json, root);
    for (uint32_t i = 0; i < measurement->raws.count; i++) {
        const Raw *raw = &measurement->raws.items[i];
        yyjson_mut_val *values = yyjson_mut_obj_add_arr(json, root, raw->name);
        for (uint32_t k = 0; k < raw->samples.values.count; k++)
            yyjson_mut_arr_add_real(json, values, round(raw->samples.values.items[k] * 1e3) / 1e3);
    }
    size_t length = 0;
    char *bytes = yyjson_mut_write(json, 0, &length);
    yyjson_mut_doc_free(json);
    bool good = bytes && write_bytes(path, bytes, length);
    if (!good) *error = text_format(arena, "cannot write '%s': %s", path, strerror(errno));
    free(bytes);
    return good;
}
