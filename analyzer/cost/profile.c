#include "profile.h"
#include "file.h"
#include "json.h"
#include <math.h>
#include <stddef.h>
#include <string.h>

#define FIXED(literal) \
    { literal, sizeof(literal) - 1 }

static const Profile builtin = {
    .name = FIXED("reference H200"),
    .device = FIXED("NVIDIA H200"),
    .source = FIXED("built-in"),
    .text = FIXED("NVIDIA H200, measured November 2026, driver 580, CUDA 13.0, torch 2.11"),
    .built_in = true,
    .torch_measured = true,
#define QUANTITY(name, unit, median, p10, p90, meaning) .name = {median, p10, p90, 0},
#include "../calib/profile.def"
#undef QUANTITY
};

typedef enum RowKind { ROW_MEASURED, ROW_TORCH, ROW_LOOP, ROW_ASSUMED, ROW_PACED } RowKind;

typedef struct Row {
    Text name, unit;
    size_t offset; /* of the Quantity within Profile */
    RowKind kind;
} Row;

static const Row rows[] = {
#define ROW(name, unit, kind) {FIXED(#name), FIXED(unit), offsetof(Profile, name), kind},
#define QUANTITY(name, unit, median, p10, p90, meaning) ROW(name, unit, ROW_MEASURED)
#define TORCH_QUANTITY(name, unit, median, p10, p90, meaning) ROW(name, unit, ROW_TORCH)
#define LOOP_QUANTITY(name, unit, median, p10, p90, meaning) ROW(name, unit, ROW_LOOP)
#define ASSUMED_QUANTITY(name, unit, median, p10, p90, meaning) ROW(name, unit, ROW_ASSUMED)
#define PACED_QUANTITY(name, unit, median, p10, p90, meaning) ROW(name, unit, ROW_PACED)
#include "../calib/profile.def"
#undef QUANTITY
#undef ROW
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0], BYTES_LIMIT = 1 << 20 };

const Profile *profile_builtin(void) { return &builtin; }

/* ---- those that ship ---- */

typedef struct Shipped {
    Text name, device, text;
    double memory;
} Shipped;

static const Shipped shipped[] = {
#define SHIPPED(name, device, memory, text) {FIXED(name), FIXED(device), FIXED(text), memory},
#include "../calib/shipped.def"
};
enum { SHIPPED_COUNT = sizeof shipped / sizeof *shipped };

static Quantity scaled(Quantity quantity, double by) {
    return (Quantity){quantity.median * by, quantity.p10 * by, quantity.p90 * by, quantity.samples};
}

static const Profile *profile_shipped(Arena *result, const Shipped *of) {
    Profile *profile = arena_copy(result, &builtin, sizeof builtin);
    profile->name = profile->source = of->name, profile->device = of->device, profile->text = of->text;
    profile->built_in = false; /* it was chosen by the user */
    profile->memory_gbps = scaled(builtin.memory_gbps, of->memory);
    return profile;
}

static Text shipped_names(Arena *arena) {
    Text names = TEXT("");
    for (uint32_t i = 0; i < SHIPPED_COUNT; i++)
        names = text_format(arena, "%.*s%s%.*s", SHOWN(names), i ? ", " : "", SHOWN(shipped[i].name));
    return names;
}

const Profile *profile_named(Arena *result, const char *word, Text *error) {
    for (uint32_t i = 0; i < SHIPPED_COUNT; i++)
        if (text_is(shipped[i].name, word)) return profile_shipped(result, &shipped[i]);
    const Profile *profile = profile_read(result, word, error);
    if (profile || strpbrk(word, "./")) return profile;
    Text names = shipped_names(result);
    *error =
        text_format(result, "%.*s; those that ship are %.*s", (int)error->length, error->bytes, SHOWN(names));
    return NULL;
}

void profile_list_shipped(Output *output) {
    for (uint32_t i = 0; i < SHIPPED_COUNT; i++) {
        output_text(output, "\n");
        output_bytes(output, shipped[i].name);
        output_text(output, "\n    ships with syncl: ");
        output_bytes(output, shipped[i].text);
    }
}

/* Tries the full name first: `backward_first` is a row, and so is `backward_first_us`. */
static const Row *find_row(Text name) {
    const Row *in_us = NULL;
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        Text row = rows[i].name;
        if (!name.length || row.bytes[0] != name.bytes[0] || !text_starts(row, name)) continue;
        if (row.length == name.length) return &rows[i];
        if (text_equal(text_slice(row, name.length, row.length), TEXT("_us"))) in_us = &rows[i];
    }
    return in_us;
}

const Quantity *profile_quantity(const Profile *profile, Text name) {
    const Row *row = find_row(name);
    return row ? (const Quantity *)(const void *)((const char *)profile + row->offset) : NULL;
}

/* Shared by the functions that read one profile. */
typedef struct Reader {
    Arena *arena;
    const char *path;
    Text *error;
} Reader;

static bool damaged(const Reader *reader, const char *what, Text name) {
    *reader->error =
        text_format(reader->arena, "profile '%s' is damaged: %s%.*s; measure again with `syncl --calibrate`",
                    reader->path, what, SHOWN(name));
    return false;
}

/* Reads the whole file; false with *error set. */
static bool read_bytes(const Reader *reader, Text *bytes) {
    Text why;
    if (file_read_named(reader->arena, text_of(reader->path), BYTES_LIMIT, bytes, &why)) return true;
    *reader->error = text_format(reader->arena, "cannot read profile '%s': %.*s", reader->path, SHOWN(why));
    return false;
}

static bool read_number(yyjson_val *object, const char *key, double *number) {
    yyjson_val *value = yyjson_obj_get(object, key);
    *number = yyjson_get_num(value);
    return yyjson_is_num(value) && isfinite(*number) && *number >= 0;
}

static bool read_row(const Reader *reader, yyjson_val *object, const Row *row, Quantity *quantity) {
    double samples;
    if (!read_number(object, "median", &quantity->median) || !read_number(object, "p10", &quantity->p10) ||
        !read_number(object, "p90", &quantity->p90) || !read_number(object, "samples", &samples))
        return damaged(reader, "a number is missing or out of range in ", row->name);
    const char *unit = yyjson_get_str(yyjson_obj_get(object, "unit"));
    if (!unit || !text_equal(text_of(unit), row->unit)) return damaged(reader, "wrong unit for ", row->name);
    if (quantity->p10 > quantity->median || quantity->median > quantity->p90)
        return damaged(reader, "p10, median and p90 are out of order in ", row->name);
    if (text_equal(row->unit, TEXT("GB/s")) && quantity->p10 <= 0)
        return damaged(reader, "no bandwidth in ", row->name);
    quantity->samples = samples < UINT32_MAX ? (uint32_t)samples : UINT32_MAX;
    return true;
}

static Quantity *quantity_of(Profile *profile, const Row *row) {
    return (Quantity *)(void *)((char *)profile + row->offset);
}

/* Half a minute on one machine shows less spread than a loop will see: some of the reference's spread is kept. */
static void keep_spread(const Row *row, Quantity *quantity) {
    const Quantity *reference = (const Quantity *)(const void *)((const char *)&builtin + row->offset);
    double power = row->kind == ROW_LOOP ? 1 : builtin.calibrated_spread.median;
    if (!text_equal(row->unit, TEXT("us")) && !text_equal(row->unit, TEXT("GB/s"))) return;
    quantity->p10 = fmin(quantity->p10, quantity->median * pow(reference->p10 / reference->median, power));
    quantity->p90 = fmax(quantity->p90, quantity->median * pow(reference->p90 / reference->median, power));
}

/* How many times as long this host takes for an operation as the reference host; 1 = PyTorch was not measured
   on it. */
static double pace_of(const Profile *profile) {
    if (!profile->launch_us.samples || !profile->backward_launch_us.samples) return 1;
    return sqrt(profile->launch_us.median / builtin.launch_us.median * profile->backward_launch_us.median /
                builtin.backward_launch_us.median);
}

static void fit_to_machine(Profile *profile, const bool seen[ROW_COUNT]) {
    double pace = pace_of(profile);
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        Quantity *quantity = quantity_of(profile, &rows[i]);
        if (seen[i] && rows[i].kind <= ROW_LOOP) keep_spread(&rows[i], quantity);
        if (!seen[i] && rows[i].kind == ROW_PACED && pace > 0) *quantity = scaled(*quantity, pace);
    }
}

static bool read_rows(const Reader *reader, yyjson_val *quantities, Profile *profile) {
    bool seen[ROW_COUNT] = {false};
    size_t index, count;
    yyjson_val *key, *value;
    yyjson_obj_foreach(quantities, index, count, key, value) {
        Text name = text_of(yyjson_get_str(key));
        const Row *row = find_row(name);
        if (!row || !text_equal(row->name, name)) return damaged(reader, "unknown quantity ", name);
        if (seen[row - rows]) return damaged(reader, "two rows for ", name);
        seen[row - rows] = true;
        if (!read_row(reader, value, row, quantity_of(profile, row))) return false;
    }
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        bool torch = rows[i].kind == ROW_TORCH || rows[i].kind == ROW_LOOP;
        if (seen[i] && torch) profile->torch_partly = true;
        if (seen[i]) continue;
        if (rows[i].kind == ROW_MEASURED) return damaged(reader, "no row for ", rows[i].name);
        if (torch) profile->torch_measured = false;
    }
    fit_to_machine(profile, seen);
    return true;
}

/* A required text; without control characters, which could drive the terminal. */
static bool read_text(const Reader *reader, yyjson_val *root, const char *key, Text *text) {
    yyjson_val *value = yyjson_obj_get(root, key);
    const char *bytes = yyjson_get_str(value);
    size_t length = yyjson_get_len(value);
    if (!bytes || !length || length > 500) return damaged(reader, "no text for ", text_of(key));
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)bytes[i] < 0x20 || bytes[i] == 0x7f)
            return damaged(reader, "odd characters in ", text_of(key));
    *text = (Text){arena_copy(reader->arena, bytes, length), (uint32_t)length};
    return true;
}

static bool check_format(const Reader *reader, yyjson_val *root) {
    yyjson_val *format = yyjson_obj_get(root, "format");
    if (!yyjson_is_int(format) || !yyjson_is_obj(yyjson_obj_get(root, "quantities"))) {
        *reader->error = text_format(reader->arena, "'%s' is not a syncl profile", reader->path);
        return false;
    }
    if (yyjson_get_sint(format) == PROFILE_FORMAT) return true;
    *reader->error = text_format(reader->arena,
                                 "profile '%s' has format %lld, this syncl reads format %d: measure again with "
                                 "`syncl --calibrate`",
                                 reader->path, (long long)yyjson_get_sint(format), PROFILE_FORMAT);
    return false;
}

/* Older and hand-made profiles may lack it: they then match no machine. */
static void read_host(const Reader *reader, yyjson_val *host, Profile *profile) {
    const char *cpu = yyjson_get_str(yyjson_obj_get(host, "cpu"));
    yyjson_val *driver = yyjson_obj_get(host, "driver");
    if (cpu) profile->cpu = text_format(reader->arena, "%.200s", cpu);
    if (yyjson_is_int(driver)) profile->driver = yyjson_get_int(driver);
}

static const char *torch_text(const Profile *profile) {
    if (profile->torch_measured) return "";
    return profile->torch_partly
               ? "; a part of PyTorch's own overhead is the built-in reference's (measure all of it "
                 "with `syncl --calibrate --with-torch`)"
               : "; PyTorch's own overhead is the built-in reference's (measure it with `syncl "
                 "--calibrate --with-torch`)";
}

static bool read_root(const Reader *reader, yyjson_val *root, Profile *profile) {
    Text measured;
    if (!check_format(reader, root)) return false;
    *profile = builtin;
    profile->built_in = false;
    profile->source = text_format(reader->arena, "%s", reader->path);
    read_host(reader, yyjson_obj_get(root, "host"), profile);
    if (!read_text(reader, root, "name", &profile->name) ||
        !read_text(reader, root, "device", &profile->device) ||
        !read_text(reader, root, "measured", &measured) ||
        !read_rows(reader, yyjson_obj_get(root, "quantities"), profile))
        return false;
    profile->text = text_format(reader->arena, "%.*s, measured %.*s%s", SHOWN(profile->device), SHOWN(measured),
                                torch_text(profile));
    return true;
}

const Profile *profile_read(Arena *result, const char *path, Text *error) {
    Reader reader = {result, path, error};
    Profile *profile = arena_new(result, Profile, 1);
    Text bytes;
    if (!read_bytes(&reader, &bytes)) return NULL;
    yyjson_alc memory = json_memory(result);
    yyjson_read_err reason = {0};
    char *first = arena_copy(result, bytes.bytes, bytes.length + 1u); /* yyjson writes into the bytes */
    yyjson_doc *document = yyjson_read_opts(first, bytes.length, 0, &memory, &reason);
    bool good = false;
    if (document)
        good = read_root(&reader, yyjson_doc_get_root(document), profile);
    else
        *error = text_format(result,
                             "profile '%s' is damaged: %s at byte %zu; measure again with `syncl --calibrate`",
                             path, reason.msg ? reason.msg : "not JSON", reason.pos);
    yyjson_doc_free(document);
    return good ? profile : NULL;
}
