#ifndef SYNCL_TOML_H
#define SYNCL_TOML_H
/* A TOML 1.0 reader. Takes the bytes of a file; gives its root table, which points into them and lives in the
   arena. Fails, with line and reason, on everything that the language forbids, including repeated keys and
   tables. The syntax tree is tree-sitter-toml's; what its grammar wrongly accepts is rejected here (tests: the
   public TOML suite). */
#include "text.h"

typedef enum TomlKind {
    TOML_STRING,
    TOML_INTEGER,
    TOML_FLOAT,
    TOML_BOOLEAN,
    TOML_OFFSET_DATE_TIME,
    TOML_LOCAL_DATE_TIME,
    TOML_LOCAL_DATE,
    TOML_LOCAL_TIME,
    TOML_ARRAY,
    TOML_TABLE,
} TomlKind;

/* How a table was created, which decides whether later lines may add to it. */
typedef enum TomlOrigin {
    TOML_IMPLICIT, /* only a parent of another: a in [a.b] */
    TOML_HEADER,   /* [a] */
    TOML_DOTTED,   /* a of a.b = 1 */
    TOML_INLINE,   /* {}, closed; also an array in brackets */
    TOML_HEADERS,  /* an array made by [[a]] */
} TomlOrigin;

typedef struct TomlPair TomlPair;
typedef struct TomlValue TomlValue;

struct TomlValue {
    TomlKind kind;
    TomlOrigin origin;
    uint32_t line;       /* where it stands; for a table, its header */
    Text text;           /* a string's characters; any other scalar as written */
    int64_t integer;     /* TOML_INTEGER */
    double number;       /* TOML_INTEGER and TOML_FLOAT */
    bool boolean;
    VEC(TomlPair) pairs; /* TOML_TABLE, in the order of the file */
    VEC(TomlValue *) items; /* TOML_ARRAY */
};

struct TomlPair {
    Text key;
    uint32_t line;
    TomlValue *value;
};

typedef struct TomlError {
    uint32_t line; /* from 1 */
    Text message;
} TomlError;

const TomlValue *toml_read(Arena *result, Text bytes, TomlError *error); /* NULL: *error says why */
const TomlPair *toml_find(const TomlValue *table, Text key);             /* NULL when absent, or no table */
const char *toml_kind_name(TomlKind kind);                               /* "a string" */

#endif
