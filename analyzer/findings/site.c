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

Lines site_lines(const FileModel *model, const Site *site) {
    uint32_t start = site->statement.start < site->span.start ? site->statement.start : site->span.start;
    uint32_t end = site->statement.end > site->span.end ? site->statement.end : site->span.end;
    return (Lines){model_line(model, start), model_line(model, end > start ? end - 1 : start)};
}
