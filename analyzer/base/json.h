#ifndef SYNCL_JSON_H
#define SYNCL_JSON_H
/* JSON documents for reports, over yyjson: strings are made valid UTF-8 on the way in, numbers rounded to what an
   estimate is worth, and only ASCII goes out, so the bytes are harmless wherever they are shown. Memory is the
   arena's. Cannot fail. */
#include "output.h"
#include <yyjson.h>

typedef yyjson_mut_val Value;

typedef struct Json {
    yyjson_mut_doc *document;
    Arena *arena;
    Value *root;
} Json;

Json json_start(Arena *arena);
yyjson_alc json_memory(Arena *arena); /* for reading too */
Value *json_object(const Json *json);
Value *json_array(const Json *json);
Value *json_text(const Json *json, Text text);
Value *json_number(const Json *json, double number);
double json_rounded(double number); /* three digits; 0 for what is not finite */

void json_append(Value *array, Value *value);
void json_add(const Json *json, Value *object, const char *key, Value *value);
void json_add_text(const Json *json, Value *object, const char *key, Text text);
void json_add_count(const Json *json, Value *object, const char *key, uint32_t count);
void json_add_number(const Json *json, Value *object, const char *key, double number);
void json_add_bool(const Json *json, Value *object, const char *key, bool value);
void json_add_null(const Json *json, Value *object, const char *key);

void json_root(Json *json, Value *root); /* instead of the object that it starts with */
void json_write(Output *output, const Json *json);
void json_write_line(Output *output, const Json *json); /* without line ends inside */

/* An object that is written member by member, and an array in it element by element: what is written is gone from memory,
   so values are made with `json` one after the other. The bytes are those of json_write. */
typedef struct JsonStream {
    Json json;
    Output *output;
    Arena scratch;
    uint32_t depth;
    bool some; /* something stands before the next one at this depth */
} JsonStream;

void json_stream_open(JsonStream *self, Output *output);
void json_stream_add(JsonStream *self, const char *key, Value *value);
void json_stream_array(JsonStream *self, const char *key); /* elements come until the end */
void json_stream_append(JsonStream *self, Value *value);
void json_stream_array_end(JsonStream *self);
void json_stream_close(JsonStream *self);

#endif
