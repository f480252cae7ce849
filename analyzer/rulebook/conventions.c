#include "conventions.h"

static bool fits(const Rulebook *book, const ConventionRow *row, Text name) {
    Text text = book->texts[row->text];
    switch ((RowShape)row->shape) {
    case ROW_WHOLE: return text_equal(name, text);
    case ROW_START: return text_starts(name, text);
    case ROW_END: return text_ends(name, text);
    case ROW_PATTERN: return text_like(name, text);
    }
    return false;
}

bool name_fits_row(const Rulebook *book, const ConventionRows *rows, Text name) {
    for (uint32_t i = rows->first; i < rows->first + rows->count; i++)
        if (fits(book, &book->conventions[i], name)) return true;
    return false;
}

uint32_t name_rows(const Rulebook *book, Named named) { return book->convention_rows[named].count; }

Text name_row(const Rulebook *book, Named named, uint32_t row) {
    if (row >= name_rows(book, named)) return (Text){0};
    return book->texts[book->conventions[book->convention_rows[named].first + row].text];
}

EntryId entry_named(const Rulebook *book, Named named) {
    Text name = name_row(book, named, 0);
    return name.length ? rulebook_find(book, name) : 0;
}

static const char *const WORDS[NAMED_LIMIT] = {
    "",
#define CONVENTION(word, meaning) #word,
#include "conventions.def"
};

const char *named_word(Named named) { return WORDS[named]; }

Named named_find(Text word) {
    for (unsigned i = 1; i < NAMED_LIMIT; i++)
        if (text_is(word, WORDS[i])) return (Named)i;
    return NAMED_NOTHING;
}
