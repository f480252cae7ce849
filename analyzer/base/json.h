#ifndef SYNCL_JSON_H
#define SYNCL_JSON_H
/* JSON documents for reports, over yyjson. Strings are made valid UTF-8 on the way in, numbers are rounded to
   three significant digits, and only ASCII is written, so the bytes are harmless wherever they are shown. Owns
   nothing: all memory is the arena's. Cannot fail. */
#include "output.h"
#include <yyjson.h>

typedef yyjson_mut_val Value;

typedef struct Json {
    yyjson_mut_doc *document;
    Arena *arena;
    Value *root;
} Json;

Json json_start(Arena *arena);
yyjson_alc json_memory(Arena *arena); /* yyjson's allocator on an arena, for reading too */
Value *json_object(const Json *json);
Value *json_array(const Json *json);
Value *json_text(const Json *json, Text text);
Value *json_number(const Json *json, double number);
double json_rounded(double number); /* to three significant digits; 0 for NaN and infinities */

void json_append(Value *array, Value *value);
void json_add(const Json *json, Value *object, const char *key, Value *value);
void json_add_text(const Json *json, Value *object, const char *key, Text text);
void json_add_count(const Json *json, Value *object, const char *key, uint32_t count);
Value *json_position(const Json *json, uint32_t line, uint32_t column); /* {"line": 3, "column": 5} */
void json_add_number(const Json *json, Value *object, const char *key, double number);
void json_add_bool(const Json *json, Value *object, const char *key, bool value);
void json_add_null(const Json *json, Value *object, const char *key);

void json_root(Json *json, Value *root); /* replaces the empty object that is the root at first */
void json_write(Output *output, const Json *json);
void json_write_line(Output *output, const Json *json); /* on one line */

/* Writes one large object without holding all of it: members one after the other, and arrays in it element by
   element. Values are made with `json` and their memory is dropped once they are written. Same bytes as
   json_write. */
typedef struct JsonStream {
    Json json;
    Output *output;
    Arena scratch;
    uint32_t depth;
    bool some; /* something was already written at this depth, so a comma comes first */
} JsonStream;

void json_stream_open(JsonStream *self, Output *output);
void json_stream_add(JsonStream *self, const char *key, Value *value);
void json_stream_array(JsonStream *self, const char *key); /* opens an array member; ends with json_stream_array_end */
void json_stream_append(JsonStream *self, Value *value);
void json_stream_array_end(JsonStream *self);
void json_stream_close(JsonStream *self);

#endif
