#include "json.h"
#include "glyph.h"
#include <assert.h>
#include <math.h>

static void *allocate(void *arena, size_t bytes) { return arena_raw(arena, bytes); }
static void *reallocate(void *arena, void *old, size_t old_bytes, size_t bytes) {
    return arena_stretch(arena, old, old_bytes, bytes);
}
static void release(void *arena, void *bytes) { (void)arena, (void)bytes; }

/* Where memory runs out the arena ends the program, so no call of yyjson below fails for lack of it. */
yyjson_alc json_memory(Arena *arena) { return (yyjson_alc){allocate, reallocate, release, arena}; }

Json json_start(Arena *arena) {
    yyjson_alc alc = json_memory(arena);
    Json json = {yyjson_mut_doc_new(&alc), arena, NULL};
    json.root = yyjson_mut_obj(json.document);
    yyjson_mut_doc_set_root(json.document, json.root);
    return json;
}

Value *json_object(const Json *json) { return yyjson_mut_obj(json->document); }

Value *json_array(const Json *json) { return yyjson_mut_arr(json->document); }

Value *json_text(const Json *json, Text text) {
    Text valid = glyph_utf8(json->arena, text);
    return yyjson_mut_strn(json->document, valid.bytes, valid.length);
}

double json_rounded(double number) {
    if (!isfinite(number) || fabs(number) < 0.0005) return 0;
    double step = pow(10, floor(log10(fabs(number))) - 2);
    double rounded = round(number / step) * step;
    return round(rounded * 1e3) / 1e3; /* removes the noise of the product's last bits, as in 0.1 * 3 */
}

Value *json_number(const Json *json, double number) {
    double rounded = json_rounded(number);
    bool whole = rounded >= 0 && rounded < 1e15 && (double)(uint64_t)rounded == rounded;
    return whole ? yyjson_mut_uint(json->document, (uint64_t)rounded)
                 : yyjson_mut_real(json->document, rounded);
}

void json_append(Value *array, Value *value) { (void)yyjson_mut_arr_append(array, value); }

void json_add(const Json *json, Value *object, const char *key, Value *value) {
    (void)yyjson_mut_obj_add_val(json->document, object, key, value);
}

void json_add_text(const Json *json, Value *object, const char *key, Text text) {
    json_add(json, object, key, json_text(json, text));
}

void json_add_count(const Json *json, Value *object, const char *key, uint32_t count) {
    json_add(json, object, key, yyjson_mut_uint(json->document, count));
}

Value *json_position(const Json *json, uint32_t line, uint32_t column) {
    Value *object = json_object(json);
    json_add_count(json, object, "line", line);
    json_add_count(json, object, "column", column);
    return object;
}

void json_add_number(const Json *json, Value *object, const char *key, double number) {
    json_add(json, object, key, json_number(json, number));
}

void json_add_bool(const Json *json, Value *object, const char *key, bool value) {
    json_add(json, object, key, yyjson_mut_bool(json->document, value));
}

void json_add_null(const Json *json, Value *object, const char *key) {
    json_add(json, object, key, yyjson_mut_null(json->document));
}

/* `##[` would be read as a command by the log of a GitHub workflow, and JSON allows a raw DEL, a control
   character: both are written as \u escapes, which mean the same. Either can stand only inside a string. */
static void write_harmless(Output *output, Text bytes) {
    uint32_t from = 0;
    for (uint32_t at = 0; at < bytes.length; at++) {
        bool command = bytes.bytes[at] == '[' && at >= 2 && memcmp(bytes.bytes + at - 2, "##", 2) == 0;
        if (!command && bytes.bytes[at] != 0x7F) continue;
        output_bytes(output, text_slice(bytes, from, at));
        output_text(output, command ? "\\u005b" : "\\u007f");
        from = at + 1;
    }
    output_bytes(output, text_slice(bytes, from, bytes.length));
}

void json_root(Json *json, Value *root) {
    json->root = root;
    yyjson_mut_doc_set_root(json->document, root);
}

/* Only ASCII is written, so no C1 control and no bidirectional override reaches a terminal. */
static Text text_of_value(const Json *json, const Value *value, yyjson_write_flag layout) {
    size_t length = 0;
    yyjson_alc alc = json_memory(json->arena);
    yyjson_write_flag flags = layout | YYJSON_WRITE_ESCAPE_UNICODE;
    const char *bytes = yyjson_mut_val_write_opts(value, flags, &alc, &length, NULL);
    assert(bytes); /* cannot be NULL: every string is valid UTF-8 and every number finite by now */
    return (Text){bytes, (uint32_t)length};
}

static void write_as(Output *output, const Json *json, yyjson_write_flag layout) {
    write_harmless(output, text_of_value(json, json->root, layout));
    output_text(output, "\n");
}

void json_write(Output *output, const Json *json) { write_as(output, json, YYJSON_WRITE_PRETTY_TWO_SPACES); }

void json_write_line(Output *output, const Json *json) { write_as(output, json, YYJSON_WRITE_NOFLAG); }

/* ---- streaming ---- */

enum { INDENT = 2 };

/* Writes the comma and line break before the next member or element. */
static void stream_next(JsonStream *self) {
    output_text(self->output, self->some ? ",\n" : "\n");
    output_repeat(self->output, ' ', self->depth * INDENT);
    self->some = true;
}

static void stream_key(JsonStream *self, const char *key) {
    stream_next(self);
    output_format(self->output, "\"%s\": ", key);
}

/* Writes the value, indented to its depth, and drops its memory. */
static void stream_value(JsonStream *self, const Value *value) {
    Text text = text_of_value(&self->json, value, YYJSON_WRITE_PRETTY_TWO_SPACES);
    for (uint32_t from = 0, to; from < text.length; from = to) {
        for (to = from; to < text.length && text.bytes[to] != '\n';) to++;
        to += to < text.length;
        if (from) output_repeat(self->output, ' ', self->depth * INDENT);
        write_harmless(self->output, text_slice(text, from, to));
    }
    arena_reset(&self->scratch);
    self->json = json_start(&self->scratch);
}

void json_stream_open(JsonStream *self, Output *output) {
    *self = (JsonStream){.output = output, .depth = 1};
    self->json = json_start(&self->scratch);
    output_text(output, "{");
}

void json_stream_add(JsonStream *self, const char *key, Value *value) {
    stream_key(self, key);
    stream_value(self, value);
}

void json_stream_array(JsonStream *self, const char *key) {
    stream_key(self, key);
    output_text(self->output, "[");
    self->depth++;
    self->some = false;
}

void json_stream_append(JsonStream *self, Value *value) {
    stream_next(self);
    stream_value(self, value);
}

static void stream_end(JsonStream *self, const char *bracket) {
    self->depth--;
    if (self->some) {
        output_text(self->output, "\n");
        output_repeat(self->output, ' ', self->depth * INDENT);
    }
    output_text(self->output, bracket);
    self->some = true;
}

void json_stream_array_end(JsonStream *self) { stream_end(self, "]"); }

void json_stream_close(JsonStream *self) {
    stream_end(self, "}\n");
    arena_free(&self->scratch);
}
