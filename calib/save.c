#include "save.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <yyjson.h>

bool save_lock(Arena *arena, const char *path, Text *error) {
    const char *lock = text_format(arena, "%s.lock", path).bytes;
    int descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (descriptor < 0) {
        *error = text_format(arena, "cannot write '%s': %s; nothing measured", path, strerror(errno));
        return false;
    }
    if (fcntl(descriptor, F_SETLK, &whole) == 0) return true;
    *error = text_format(arena, "another calibration is writing '%s'; nothing measured", path);
    close(descriptor);
    return false;
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

static char *profile_json(const Save *save, size_t *length) {
    yyjson_mut_doc *json = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(json);
    yyjson_mut_doc_set_root(json, root);
    yyjson_mut_obj_add_int(json, root, "format", PROFILE_FORMAT);
    add_text(json, "name", save->name);
    add_text(json, "device", save->device);
    add_text(json, "measured", save->measured);
    yyjson_mut_val *rows = yyjson_mut_obj_add_obj(json, root, "quantities");
#define QUANTITY(name, unit, median, p10, p90, meaning) \
    add_row(json, rows, #name, unit, save->quantities->name);
#include "profile.def"
#undef QUANTITY
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
    /* What we write we must be able to read. */
    if (good) good = profile_read(arena, temporary, error) != NULL;
    if (good && rename(temporary, save->path) != 0) {
        good = false;
        *error = text_format(arena, "cannot write '%s': %s", save->path, strerror(errno));
    }
    if (!good) unlink(temporary);
    free(bytes);
    return good;
}
