#include "python_names.h"

static const Text NAMES[PYTHON_LIMIT] = {
    {"", 0},
#define PYTHON(name) {#name, sizeof #name - 1},
#include "python_names.def"
};

Text python_text(PythonName which) { return NAMES[which]; }

bool python_is(PythonName which, Text name) { return text_equal(name, NAMES[which]); }

bool python_any(const PythonName *among, size_t count, Text name) {
    for (size_t i = 0; i < count; i++)
        if (text_equal(name, NAMES[among[i]])) return true;
    return false;
}
