#include "site.h"

static const struct {
    const char *one, *a, *many, *word;
} UNITS[] = {
#define UNIT(name, one, a, many, word) [UNIT_##name] = {one, a, many, word},
#include "units.def"
};

const char *unit_one(Unit unit) { return UNITS[unit].one; }
const char *unit_a(Unit unit) { return UNITS[unit].a; }
const char *unit_many(Unit unit) { return UNITS[unit].many; }
Text unit_word(Unit unit) { return text_of(UNITS[unit].word); }
