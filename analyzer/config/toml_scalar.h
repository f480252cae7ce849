#ifndef SYNCL_TOML_SCALAR_H
#define SYNCL_TOML_SCALAR_H
/* Parses TOML's strings and numbers. Takes the bytes of one token; gives its value. Returns NULL if it is
   valid, else what is wrong. */
#include "toml.h"

const char *toml_string(Arena *result, Text token, Text *value); /* with its quotes; all four forms */
const char *toml_integer(Text token, TomlValue *value);
const char *toml_float(Text token, TomlValue *value);
const char *toml_date(Text token, TomlKind kind); /* checks the ranges of its parts */
/* The offset of the first byte that TOML forbids (invalid UTF-8, control characters); the length when there is
   none. */
uint32_t toml_first_bad(Text bytes);

#endif
