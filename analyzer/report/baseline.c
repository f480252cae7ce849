#include "baseline.h"
#include "file.h"
#include "json.h"
#include <stdlib.h>

enum { VERSION = 1 };

/* ---- writing ---- */

static int by_file(const void *left, const void *right) {
    const Finding *a = *(const Finding *const *)left, *b = *(const Finding *const *)right;
    if (a->site->file != b->site->file) return a->site->file < b->site->file ? -1 : 1;
    if (a->site->span.start != b->site->span.start) return a->site->span.start < b->site->span.start ? -1 : 1;
    return text_compare(a->code, b->code);
}

static Value *entry_value(const Json *json, const KnownFinding *known) {
    Value *object = json_object(json);
    json_add_text(json, object, "id", known->id);
    json_add_text(json, object, "rule", known->rule);
    json_add_text(json, object, "level", report_level(known->level));
    json_add_text(json, object, "file", known->file);
    json_add_text(json, object, "function", known->function);
    json_add_text(json, object, "expression", known->expression);
    json_add_text(json, object, "statement", known->statement);
    return object;
}

void baseline_write(Output *output, const Report *report) {
    const Json document = json_start(output->arena), *json = &document;
    uint32_t count = report->findings.count;
    const Finding **order = arena_new(output->arena, const Finding *, count + 1u);
    Value *findings = json_array(json);
    for (uint32_t i = 0; i < count; i++) order[i] = &report->findings.items[i];
    qsort(order, count, sizeof *order, by_file);
    for (uint32_t i = 0; i < count; i++) {
        KnownFinding known = known_of(output->arena, report, order[i]);
        json_append(findings, entry_value(json, &known));
    }
    json_add_count(json, json->root, "syncl_baseline", VERSION);
    json_add(json, json->root, "findings", findings);
    json_write(output, json);
}

/* ---- reading ---- */

static bool fail(Arena *arena, const char *path, const char *what, Text *error) {
    *error = text_format(arena, "%s is not a baseline that --write-baseline wrote: %s", path, what);
    return false;
}

static Text text_at(yyjson_val *object, const char *key, bool *good) {
    yyjson_val *value = yyjson_obj_get(object, key);
    *good &= yyjson_is_str(value);
    return yyjson_is_str(value) ? (Text){yyjson_get_str(value), (uint32_t)yyjson_get_len(value)} : TEXT("");
}

static bool read_entry(yyjson_val *object, KnownFinding *known) {
    bool good = yyjson_is_obj(object);
    known->id = text_at(object, "id", &good);
    known->rule = text_at(object, "rule", &good);
    known->file = text_at(object, "file", &good);
    known->function = text_at(object, "function", &good);
    known->expression = text_at(object, "expression", &good);
    known->statement = text_at(object, "statement", &good);
    Text level = text_at(object, "level", &good);
    known->level = LEVEL_ERROR;
    while (known->level > LEVEL_NOTE && !text_equal(level, report_level(known->level))) known->level--;
    return good;
}

static bool read_document(Arena *arena, const char *path, yyjson_val *root, KnownList *known, Text *error) {
    yyjson_val *version = yyjson_obj_get(root, "syncl_baseline"), *findings = yyjson_obj_get(root, "findings");
    if (!yyjson_is_int(version) || !yyjson_is_arr(findings))
        return fail(arena, path, "it has no syncl_baseline and no findings", error);
    if (yyjson_get_int(version) != VERSION)
        return fail(arena, path, "its version is not 1; write it anew", error);
    size_t index, count;
    yyjson_val *object;
    yyjson_arr_foreach(findings, index, count, object) {
        KnownFinding entry = {0};
        if (!read_entry(object, &entry))
            return fail(arena, path, text_format(arena, "finding %zu is broken", index + 1).bytes, error);
        vec_push(arena, known, entry);
    }
    return true;
}

/* The entries point into the document, so it lives in the arena. */
bool baseline_read(Arena *result, const char *path, KnownList *known, Text *error) {
    Text bytes, why;
    if (!file_read(result, text_of(path), &bytes, &why)) {
        *error = text_format(result, "cannot read the baseline %s: %.*s", path, SHOWN(why));
        return false;
    }
    yyjson_alc alc = json_memory(result);
    yyjson_read_err broken = {0};
    char *copy = arena_copy(result, bytes.bytes, bytes.length + 1u);
    yyjson_doc *document = yyjson_read_opts(copy, bytes.length, 0, &alc, &broken);
    if (!document) return fail(result, path, broken.msg, error);
    return read_document(result, path, yyjson_doc_get_root(document), known, error);
}
