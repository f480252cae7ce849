#ifndef SYNCL_TOML_SCALAR_H
#define SYNCL_TOML_SCALAR_H
/* TOML's strings and numbers. Takes the bytes of one token, gives its value; NULL = good, else what is wrong. */
#include "toml.h"

const char *toml_string(Arena *result, Text token, Text *value); /* quotes included, all four forms */
const char *toml_integer(Text token, TomlValue *value);
const char *toml_float(Text token, TomlValue *value);
const char *toml_date(Text token, TomlKind kind); /* the ranges of its parts */
/* Bytes that no TOML file may hold: not UTF-8, or control characters. Gives where, or the length when all are good. */
uint32_t toml_first_bad(Text bytes);

#endif
