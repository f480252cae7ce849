#ifndef SYNCL_PYTHON_NAMES_H
#define SYNCL_PYTHON_NAMES_H
/* Names that belong to Python itself, for all rooms: python_is(PY_range, name). Names of libraries are rows of
   rules/. */
#include "text.h"

typedef enum PythonName {
    PY_NOTHING,
#define PYTHON(name) PY_##name,
#include "python_names.def"
    PYTHON_LIMIT
} PythonName;

Text python_text(PythonName which);
bool python_is(PythonName which, Text name);
bool python_any(const PythonName *among, size_t count, Text name);

#endif
