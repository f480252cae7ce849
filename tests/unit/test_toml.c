/* The TOML reader: the public test suite (build/pins/toml-test, fetched by grammars/fetch_tests.sh), and what its errors
   say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "toml.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <yyjson.h>

static const char suite[] = "build/pins/toml-test";
static Arena arena;

static int forget(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static bool read_file(const char *path, Text *bytes) {
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    char *all = arena_alloc(&arena, 1 << 20);
    bytes->bytes = all;
    bytes->length = (uint32_t)fread(all, 1, (1 << 20) - 1, file);
    fclose(file);
    return true;
}

/* ---- the suite's own notation: {"type": "integer", "value": "1"} ---- */

static bool equals(const TomlValue *value, yyjson_val *json);

static bool equal_table(const TomlValue *table, yyjson_val *json) {
    size_t index, count;
    yyjson_val *key, *item;
    if (table->kind != TOML_TABLE || table->pairs.count != yyjson_obj_size(json)) return false;
    yyjson_obj_foreach(json, index, count, key, item) {
        Text name = {yyjson_get_str(key), (uint32_t)yyjson_get_len(key)};
        const TomlPair *pair = toml_find(table, name);
        if (!pair || !equals(pair->value, item)) return false;
    }
    return true;
}

static bool equal_array(const TomlValue *array, yyjson_val *json) {
    if (array->kind != TOML_ARRAY || array->items.count != yyjson_arr_size(json)) return false;
    for (uint32_t i = 0; i < array->items.count; i++)
        if (!equals(array->items.items[i], yyjson_arr_get(json, i))) return false;
    return true;
}

static bool equal_scalar(const TomlValue *value, const char *type, Text text) {
    static const char *const types[] = {"string",   "integer",        "float",      "bool",
                                        "datetime", "datetime-local", "date-local", "time-local"};
    if (value->kind > TOML_LOCAL_TIME || strcmp(types[value->kind], type) != 0) return false;
    if (value->kind == TOML_STRING) return text_equal(value->text, text);
    if (value->kind == TOML_INTEGER) return value->integer == strtoll(text.bytes, NULL, 10);
    if (value->kind == TOML_BOOLEAN) return value->boolean == text_equal(text, TEXT("true"));
    if (value->kind != TOML_FLOAT) return true; /* dates are only checked, not kept */
    double number = strtod(text.bytes, NULL);
    return isnan(number) ? isnan(value->number) : value->number == number;
}

static bool equals(const TomlValue *value, yyjson_val *json) {
    if (yyjson_is_arr(json)) return equal_array(value, json);
    yyjson_val *type = yyjson_obj_get(json, "type"), *text = yyjson_obj_get(json, "value");
    if (!yyjson_is_str(type) || !yyjson_is_str(text)) return equal_table(value, json);
    return equal_scalar(value, yyjson_get_str(type),
                        (Text){yyjson_get_str(text), (uint32_t)yyjson_get_len(text)});
}

static bool is_as_expected(const char *path, Text bytes) {
    TomlError error = {0};
    Text json;
    const TomlValue *root = toml_read(&arena, bytes, &error);
    if (strstr(path, "/invalid/")) return !root && error.line > 0 && error.message.length > 0;
    Text wanted = text_format(&arena, "%.*s.json", (int)strlen(path) - 5, path);
    if (!root || !read_file(wanted.bytes, &json)) return false;
    yyjson_doc *document = yyjson_read(json.bytes, json.length, 0);
    bool same = document && equal_table(root, yyjson_doc_get_root(document));
    yyjson_doc_free(document);
    return same;
}

static void the_public_suite_passes(void **state) {
    (void)state;
    char path[400], name[300];
    uint32_t count = 0, wrong = 0;
    snprintf(path, sizeof path, "%s/files-toml-1.0.0", suite);
    FILE *list = fopen(path, "rb");
    if (!list) {
        puts("note: the TOML suite could not be fetched: skipped");
        skip();
    }
    while (fgets(name, sizeof name, list)) {
        Text bytes;
        name[strcspn(name, "\r\n")] = '\0';
        snprintf(path, sizeof path, "%s/%s", suite, name);
        if (!text_ends(text_of(path), TEXT(".toml")) || !read_file(path, &bytes)) continue;
        count++;
        if (is_as_expected(path, bytes)) continue;
        wrong++;
        printf("wrong: %s\n", name);
    }
    fclose(list);
    assert_int_equal(wrong, 0);
    assert_true(count > 600);
}

/* ---- errors ---- */

static void assert_error(const char *source, uint32_t line, const char *part) {
    TomlError error = {0};
    if (toml_read(&arena, text_of(source), &error)) fail_msg("read: %s", source);
    const char *message = text_format(&arena, "%.*s", (int)error.message.length, error.message.bytes).bytes;
    if (error.line != line || !strstr(message, part))
        fail_msg("line %u: \"%s\", not line %u: \"%s\"", error.line, message, line, part);
}

static void errors_name_the_line(void **state) {
    (void)state;
    assert_error("a = 1\nb = \n", 2, "not TOML");
    assert_error("a = 1\n\na = 2\n", 3, "'a' is already defined on line 1");
    assert_error("[t]\na = 1\n[t]\n", 3, "'t' is already defined on line 1");
    assert_error("a = {b = 1}\n[a.c]\n", 2, "'a' is already defined on line 1");
    assert_error("a.b = 1\na = 2\n", 2, "already defined");
    assert_error("a = \"\\ud800\"\n", 1, "escape");
    assert_error("a = 1\nb = \"\x01\"\n", 2, "control character");
    assert_error("a = 99999999999999999999\n", 1, "too large");
    assert_error("a = 2025-02-29\n", 1, "date");
}

static void depth_and_size_have_limits(void **state) {
    (void)state;
    enum { DEEP = 5000, LONG = 1 << 20 };
    char *deep = arena_alloc(&arena, 2 * DEEP + 8), *long_one = arena_alloc(&arena, LONG + 1);
    memcpy(deep, "a = ", 4);
    memset(deep + 4, '[', DEEP);
    memset(deep + 4 + DEEP, ']', DEEP);
    memset(long_one, '\n', LONG);
    assert_error(deep, 1, "deeply");
    assert_error(long_one, 1, "256 KiB");
    deep[4 + DEEP] = '=';
    assert_error(deep, 1, "");
    for (uint32_t i = 0; i < LONG / 4 - 8; i += 8) snprintf(long_one + i, 9, "k%05x=\n", i / 8);
    assert_error(long_one, 1, "");
    for (uint32_t i = 0; i < LONG / 4 - 8; i += 8) snprintf(long_one + i, 9, "%05x=1\n", i / 8);
    TomlError error;
    assert_non_null(toml_read(&arena, text_of(long_one), &error));
}

int main(void) {
#define FORGETTING(test) cmocka_unit_test_teardown(test, forget)
    const struct CMUnitTest tests[] = {
        FORGETTING(the_public_suite_passes),
        FORGETTING(errors_name_the_line),
        FORGETTING(depth_and_size_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
